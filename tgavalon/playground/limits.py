"""Telegram's flood limits as far as they are known: one message a second per chat with short bursts, about twenty a
minute per group for sends and edits together, thirty a second overall.

Sources: Telegram's bot FAQ, tdlib/td#2592 and #3034. The exact numbers are not published: depend on none of them.
"""

import math
from collections import deque

from tgavalon.playground.clock import Clock
from tgavalon.playground.refusals import flood

CHAT_BURST = 5
CHAT_RATE = 1.0
GROUP_CALLS, GROUP_SECONDS = 20, 60.0
OVERALL_RATE = 30.0


class Bucket:
    """Holds `size` calls and refills at `rate` a second."""

    def __init__(self, size: float, rate: float, now: float) -> None:
        self.size, self.rate, self.level, self.at = size, rate, size, now

    def wait(self, now: float) -> float:
        """Seconds until one call fits; 0 when it fits now."""
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        return max(0.0, (1.0 - self.level) / self.rate)

    def take(self) -> None:
        self.level -= 1.0


class Window:
    """At most `calls` in any `seconds`."""

    def __init__(self, calls: int, seconds: float) -> None:
        self.calls, self.seconds = calls, seconds
        self.taken: deque[float] = deque()

    def wait(self, now: float) -> float:
        while self.taken and self.taken[0] <= now - self.seconds:
            self.taken.popleft()
        return 0.0 if len(self.taken) < self.calls else self.taken[0] + self.seconds - now

    def take(self, now: float) -> None:
        self.taken.append(now)


class FloodLimits:
    """`on` switches the limits; off by default."""

    def __init__(self, clock: Clock) -> None:
        self.on = False
        self._clock = clock
        self._overall = Bucket(OVERALL_RATE, OVERALL_RATE, clock.now())
        self._chats: dict[int, Bucket] = {}
        self._groups: dict[int, Window] = {}

    def charge(self, chat_id: int) -> None:
        """Count one send or edit. Raises the 429 refusal; after its `retry_after` the same call fits."""
        if not self.on:
            return
        now = self._clock.now()
        chat = self._chats.setdefault(chat_id, Bucket(CHAT_BURST, CHAT_RATE, now))
        group = self._groups.setdefault(chat_id, Window(GROUP_CALLS, GROUP_SECONDS)) if chat_id < 0 else None
        wait = max(self._overall.wait(now), chat.wait(now), group.wait(now) if group else 0.0)
        if wait > 1e-9:
            raise flood(max(1, math.ceil(wait)))
        self._overall.take()
        chat.take()
        if group:
            group.take(now)
