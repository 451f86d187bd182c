"""How fast one chat may be written to, so that Telegram never has to say no; and how long to stay away when it does.

Sends and edits share about 20 calls a minute in a group and one a second anywhere, with short bursts. Nothing's
correctness depends on these numbers: they only keep refusals rare.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

GROUP_CALLS = 20
GROUP_WINDOW = 61.0
"""A second more than Telegram's minute, since not every call is as long on its way."""
PACE = 3.75
"""Seconds that an urgent call to a group waits at most, however many have gone before it."""
KEPT_BACK = 3
"""Calls that are left to urgent ones."""
EDIT_EVERY = 3.0
"""Seconds between counts that move on."""
BURST = 3
PER_SECOND = 1.0
OVERALL = 25
"""Calls a second to all chats together; Telegram allows about thirty."""


@dataclass(slots=True)
class _Chat:
    calls: deque[float] = field(default_factory=deque)
    edited: float = float("-inf")
    closed_until: float = float("-inf")


class Budget:
    """The calls of one worker, by chat. Times are seconds since the epoch; negative chat ids are groups."""

    def __init__(self) -> None:
        self._chats: dict[int, _Chat] = {}
        self._lately: deque[float] = deque(maxlen=OVERALL)

    def wait(self, chat: int, now: float, *, urgent: bool) -> float:
        """Seconds until the next call to `chat`; `urgent` calls may use what is kept back from quiet edits."""
        known = self._chats.get(chat)
        if known is None:
            known = _Chat()
        while known.calls and known.calls[0] <= now - GROUP_WINDOW:
            known.calls.popleft()
        free = known.closed_until
        if chat < 0:
            free = max(free, _room(known.calls, GROUP_CALLS if urgent else GROUP_CALLS - KEPT_BACK))
        if chat < 0 and not urgent:
            free = max(free, known.edited + EDIT_EVERY)
        if len(known.calls) >= BURST:
            free = max(free, known.calls[-BURST] + BURST / PER_SECOND)
        if len(self._lately) == OVERALL:
            free = max(free, self._lately[0] + 1.0)
        return max(0.0, free - now)

    def is_tight(self, chat: int, now: float) -> bool:
        """Whether so few calls to `chat` are left that only what people wait for should be done."""
        known = self._chats.get(chat)
        if known is None or chat > 0:
            return False
        return _room(known.calls, GROUP_CALLS - KEPT_BACK) > now

    def spend(self, chat: int, now: float, *, edit: bool) -> None:
        """Note one call to `chat`."""
        known = self._chats.setdefault(chat, _Chat())
        known.calls.append(now)
        self._lately.append(now)
        if edit:
            known.edited = now
        if len(self._chats) > 10_000:
            self._chats = {key: value for key, value in self._chats.items() if _is_recent(value, now)}

    def recent(self, chat: int) -> tuple[float, ...]:
        """When `chat` was lately written to, as far as it still counts."""
        known = self._chats.get(chat)
        return tuple(known.calls)[-GROUP_CALLS:] if known is not None else ()

    def learn(self, chat: int, calls: tuple[float, ...]) -> None:
        """Count also the calls that another worker has made to `chat`."""
        if calls:
            known = self._chats.setdefault(chat, _Chat())
            known.calls = deque(sorted({*known.calls, *calls}))

    def close(self, chat: int, until: float) -> None:
        """Telegram asked to leave `chat` alone until then."""
        self._chats.setdefault(chat, _Chat()).closed_until = until


def _room(calls: Sequence[float], limit: int) -> float:
    """When the next of at most `limit` calls a window fits, and after it always one more in every `PACE` seconds.

    The call that is to come `later` such pauses after the next must find one of the earlier calls gone by then.
    """
    held_up = (calls[later - limit] + GROUP_WINDOW - later * PACE for later in range(max(0, limit - len(calls)), limit))
    return max(held_up, default=float("-inf"))


def _is_recent(chat: _Chat, now: float) -> bool:
    return chat.closed_until > now or bool(chat.calls and chat.calls[-1] > now - GROUP_WINDOW)
