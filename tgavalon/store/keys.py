"""The names of everything in the store, and which of them live together.

Keys that change in one step share a hash tag, so that they are on one node of a Redis Cluster; nothing here or in the
store spans two tags in one command. A table, its canvas and the two indexes of its shard share one; so does all that is
known of one chat, and of one person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from zlib import crc32

from tgavalon.table.model import Place

SHARDS: Final = 16
"""Over how many shards the tables are spread. It is part of the stored layout: another number finds nothing."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The key names below one `prefix`, which keeps several bots or tests on one server apart."""

    prefix: str

    def table(self, table: str) -> str:
        """A hash: the table's blob and what the scripts must know without decoding it."""
        return f"{self._shard_of(table)}:table:{table}"

    def canvas(self, table: str) -> str:
        """The blob of what is shown of the table."""
        return f"{self._shard_of(table)}:canvas:{table}"

    def lease(self, table: str) -> str:
        """Which worker paints the table."""
        return f"{self._shard_of(table)}:lease:{table}"

    def spent(self, table: str) -> str:
        """When the table's group was lately written to."""
        return f"{self._shard_of(table)}:spent:{table}"

    def due_of(self, table: str) -> str:
        """The due index that this table is in."""
        return f"{self._shard_of(table)}:due"

    def unpainted_of(self, table: str) -> str:
        """The outbox that this table is in."""
        return f"{self._shard_of(table)}:unpainted"

    @property
    def due(self) -> tuple[str, ...]:
        """Each shard's due index: table ids by when time runs out on them."""
        return tuple(f"{self._shard(number)}:due" for number in range(SHARDS))

    @property
    def alive(self) -> str:
        """When a worker last was at work."""
        return f"{self.prefix}:alive"

    @property
    def unpainted(self) -> tuple[str, ...]:
        """Each shard's outbox: table ids by the version that has yet to be painted."""
        return tuple(f"{self._shard(number)}:unpainted" for number in range(SHARDS))

    def place(self, place: Place) -> str:
        """The id of the table that has claimed this place."""
        return f"{self._chat(place.chat)}:place:{_topic(place)}"

    def finished(self, place: Place) -> str:
        """Ids of tables whose game has finished here, or was about to, by time."""
        return f"{self._chat(place.chat)}:finished:{_topic(place)}"

    def chat_tables(self, chat: int) -> str:
        """Ids of the tables in a chat and more, by when they were created."""
        return f"{self._chat(chat)}:tables"

    def group(self, chat: int) -> str:
        """The blob of a group."""
        return f"{self._chat(chat)}:group"

    def user_tables(self, user: int) -> str:
        """Ids of the open tables a person sits at and more, by when they were created."""
        return f"{self._user(user)}:tables"

    def user_past(self, user: int) -> str:
        """Ids of the tables no longer open that still name a person, by time."""
        return f"{self._user(user)}:past"

    def person(self, user: int) -> str:
        """The blob of a person."""
        return f"{self._user(user)}:person"

    def _shard(self, number: int) -> str:
        return f"{{{self.prefix}:{number:02}}}"

    def _shard_of(self, table: str) -> str:
        return self._shard(crc32(table.encode()) % SHARDS)

    def _chat(self, chat: int) -> str:
        return f"{{{self.prefix}:chat:{chat}}}"

    def _user(self, user: int) -> str:
        return f"{{{self.prefix}:user:{user}}}"


def _topic(place: Place) -> str:
    return "-" if place.topic is None else str(place.topic)
