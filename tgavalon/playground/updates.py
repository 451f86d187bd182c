"""The update queue: at least once, confirmed by offset only, with expiry, as api.telegram.org keeps it.

Sources: telegram-bot-api Client.cpp (process_get_updates_query; add_update: 150 s for callback queries, else 24 h),
Client.h (DEFAULT_ALLOWED_UPDATE_TYPES, LONG_POLL_MAX_TIMEOUT).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tgavalon.playground.clock import Clock, Signal, wait_any
from tgavalon.playground.refusals import OTHER_POLLER, Refusal

DAY = 86400.0
CALLBACK_LIFE = 150.0
LONGEST_POLL = 50
KNOWN_KINDS = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
)
DEFAULT_KINDS = frozenset(KNOWN_KINDS) - {"chat_member", "message_reaction", "message_reaction_count"}

# Updates of one lane reach a webhook in order: callbacks queue per user, everything else per chat.
Lane = tuple[str, int]


@dataclass(slots=True)
class Update:
    update_id: int
    kind: str
    payload: dict[str, Any]
    lane: Lane
    expires: float

    def body(self) -> dict[str, Any]:
        return {"update_id": self.update_id, self.kind: self.payload}


class UpdateQueue:
    """`changed` fires when an update comes in, when a poller is displaced, and when a webhook is set."""

    def __init__(self, clock: Clock, first_id: int = 873_000_001) -> None:
        self._clock = clock
        self._next_id = first_id
        self._waiting: dict[int, Update] = {}
        self._poller = 0
        self._ended_by = Refusal(409, OTHER_POLLER)
        self.allowed: frozenset[str] = DEFAULT_KINDS
        self.changed = Signal()

    def add(self, kind: str, payload: dict[str, Any], lane: Lane) -> None:
        """Queue an update, unless the bot did not ask for this kind."""
        if kind not in self.allowed:
            return
        life = CALLBACK_LIFE if kind == "callback_query" else DAY
        update = Update(self._next_id, kind, payload, lane, self._clock.now() + life)
        self._waiting[update.update_id] = update
        self._next_id += 1
        self.changed.fire()

    def allow(self, kinds: object) -> None:
        """The `allowed_updates` argument: none or a broken one changes nothing, an empty list means the default."""
        if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
            return
        self.allowed = frozenset(kind.lower() for kind in kinds) & frozenset(KNOWN_KINDS) or DEFAULT_KINDS

    def pending(self) -> list[Update]:
        """What the bot has not confirmed and Telegram has not yet dropped, oldest first."""
        now = self._clock.now()
        self._waiting = {key: update for key, update in self._waiting.items() if update.expires > now}
        return list(self._waiting.values())

    def confirm(self, update_ids: Iterable[int]) -> None:
        for update_id in update_ids:
            self._waiting.pop(update_id, None)
        self.changed.fire()

    def forget_message(self, chat_id: int, message_id: int) -> None:
        """A message was deleted: presses on it that the bot has not fetched arrive with an inaccessible message."""
        for update in self._waiting.values():
            if update.kind != "callback_query":
                continue
            message = update.payload["message"]
            if (message["chat"]["id"], message["message_id"]) == (chat_id, message_id):
                gone = {"chat": message["chat"], "message_id": message_id, "date": 0}
                update.payload = {**update.payload, "message": gone}

    def end_poll(self, refusal: Refusal) -> None:
        """A poll under way ends with this refusal: a webhook is set, or the server stops."""
        self._poller += 1
        self._ended_by = refusal
        self.changed.fire()

    async def poll(self, offset: int, limit: int, seconds: int) -> list[Update]:
        """getUpdates. Confirms everything before `offset`; a negative offset keeps only that many of the newest.

        Raises the 409 refusal when a newer poll takes over.
        """
        self._poller += 1
        self._ended_by = Refusal(409, OTHER_POLLER)
        mine = self._poller
        self._confirm_before(offset)
        self.changed.fire()
        deadline = self._clock.now() + seconds
        while True:
            batch = [update for update in self.pending() if offset <= 0 or update.update_id >= offset][:limit]
            left = deadline - self._clock.now()
            if batch or left <= 0:
                return batch
            await wait_any(self.changed, self._clock.turned, seconds=self._clock.real(left))
            if self._poller != mine:
                raise self._ended_by

    def _confirm_before(self, offset: int) -> None:
        ids = [update.update_id for update in self.pending()]
        if offset < 0:
            self.confirm(ids[:offset])
        elif offset > 0:
            self.confirm(update_id for update_id in ids if update_id < offset)
