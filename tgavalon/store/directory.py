"""Finding tables by place, by person and by chat, and keeping the signs that lead to them.

Signs are a superset. They are set before the table that needs them is saved and believed only as far as the table's
hash bears them out. One is taken down only when it is wrong for good: when its table has ended or vanished, or has
moved to another place, since groups never move back. A sign that may yet be needed is left: somebody may be joining.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tgavalon.store.connection import Command, Connection
from tgavalon.store.keys import Keys
from tgavalon.store.scripts import CLAIM, OPEN, RELEASE
from tgavalon.store.signpost import Life, Signpost, parse_signpost
from tgavalon.table.model import Place, Table

KEPT_MS: Final = 30 * 24 * 3600 * 1000
"""How long a table that is no longer open can be read, in milliseconds."""

_SIGN_MS: Final = 2 * KEPT_MS

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the hash of a table says without being decoded. A prepared table is not open to the world yet."""

    table: str
    sign: Signpost
    prepared: bool


class Directory:
    """The signs of all tables. Every method may raise `StoreUnavailable`."""

    def __init__(self, link: Connection, keys: Keys) -> None:
        """Keep the signs under `keys`."""
        self._link = link
        self._keys = keys

    async def at(self, place: Place) -> str | None:
        """The id of the open table at this place: the one that claims it, else one that moved here unannounced."""
        pointer, index = self._keys.place(place), self._keys.chat_tables(place.chat)
        holder, ids = await self._link.pipeline([("GET", pointer), ("ZRANGE", index, 0, -1)])
        if holder is not None and await self._holds(holder.decode(), place):
            return str(holder.decode())
        for entry in await self._open_ones(index, ids):
            if entry.sign.place == place:
                await self._link.run(CLAIM, [pointer], entry.table, holder or "")
                return entry.table
        return None

    async def last_at(self, place: Place) -> str | None:
        """The id of the table whose game finished last at this place."""
        ids = await self._link.call("ZREVRANGE", self._keys.finished(place), 0, -1)
        for entry in await self._entries(ids):
            if entry.sign.life is Life.FINISHED and entry.sign.place == place:
                return entry.table
        return None

    async def of_user(self, user: int) -> tuple[str, ...]:
        """The ids of the open tables a person sits at, oldest first."""
        index = self._keys.user_tables(user)
        entries = await self._open_ones(index, await self._link.call("ZRANGE", index, 0, -1))
        return tuple(entry.table for entry in entries if user in entry.sign.users)

    async def in_chat(self, chat: int) -> tuple[str, ...]:
        """The ids of the open tables in all topics of a chat, oldest first."""
        index = self._keys.chat_tables(chat)
        entries = await self._open_ones(index, await self._link.call("ZRANGE", index, 0, -1))
        return tuple(entry.table for entry in entries if entry.sign.place.chat == chat)

    async def claim(self, table: str, place: Place) -> bool:
        """Make `table` the one at `place`, unless an open table already is; a holder that is gone is replaced."""
        pointer, gone = self._keys.place(place), ""
        while True:
            holder = (await self._link.run(CLAIM, [pointer], table, gone)).decode()
            if holder == table:
                return True
            if await self._holds(holder, place):
                return False
            gone = holder

    async def open(self, table: str) -> bool:
        """Open a prepared table to the world; False where it is not there."""
        keys = [self._keys.table(table), self._keys.due_of(table), self._keys.unpainted_of(table)]
        return bool(await self._link.run(OPEN, keys, table))

    async def sign(self, table: Table, sign: Signpost, old: Signpost | None) -> None:
        """Set the signs that `table` needs beyond those of its saved self with the signpost `old`."""
        await self._link.pipeline(self._signs(table, sign))
        moved = old is not None and sign.is_open and sign.place != old.place
        if moved and not await self.claim(table.id, sign.place):
            _log.warning("a table moved to a place where another one is open")

    async def take_down(self, table: str, old: Signpost, new: Signpost | None) -> None:
        """Remove the signs that are wrong for good now that the signpost is `new` (None: there is no such table)."""
        if new is not None and new.is_open and new.place == old.place:
            return
        if old.is_open:
            await self._link.run(RELEASE, [self._keys.place(old.place)], table)
        await self._link.pipeline(self._wrong(table, old, new))

    def _signs(self, table: Table, sign: Signpost) -> list[Command]:
        if sign.is_open:
            indexes = [self._keys.chat_tables(sign.place.chat), *map(self._keys.user_tables, sign.users)]
            return [("ZADD", index, repr(table.created), table.id) for index in indexes]
        indexes = [*map(self._keys.user_past, sign.users)]
        if sign.life is Life.FINISHED:
            indexes.append(self._keys.finished(sign.place))
        return [command for index in indexes for command in _kept(index, table)]

    def _wrong(self, table: str, old: Signpost, new: Signpost | None) -> list[Command]:
        if not old.is_open:
            return [("ZREM", self._keys.finished(old.place), table)]
        indexes = []
        if new is None or not new.is_open or new.place.chat != old.place.chat:
            indexes.append(self._keys.chat_tables(old.place.chat))
        if new is None or not new.is_open:
            indexes += map(self._keys.user_tables, old.users)
        return [("ZREM", index, table) for index in indexes]

    async def _holds(self, table: str, place: Place) -> bool:
        """Whether an open table is at `place`; one that its creator left prepared is opened on their behalf."""
        for entry in await self._entries([table.encode()]):
            if entry.sign.is_open and entry.sign.place == place:
                return await self.open(table) if entry.prepared else True
        return False

    async def _open_ones(self, index: str, ids: Sequence[bytes]) -> list[Entry]:
        """The open tables among `ids`; those that have ended or vanished are dropped from `index`."""
        entries = await self._entries(ids)
        ended = set(ids) - {entry.table.encode() for entry in entries if entry.sign.is_open}
        if ended:
            await self._link.call("ZREM", index, *ended)
        return [entry for entry in entries if entry.sign.is_open and not entry.prepared]

    async def _entries(self, ids: Sequence[bytes]) -> list[Entry]:
        names = [name.decode() for name in ids]
        hashes = await self._link.pipeline(
            [("HMGET", self._keys.table(name), "signpost", "prepared") for name in names]
        )
        return [
            Entry(name, parse_signpost(line.decode()), prepared is not None)
            for name, (line, prepared) in zip(names, hashes, strict=True)
            if line is not None
        ]


def _kept(index: str, table: Table) -> list[Command]:
    """Note `table` among those that have ended, without letting the list or its life grow beyond use."""
    return [
        ("ZADD", index, repr(table.touched), table.id),
        ("ZREMRANGEBYSCORE", index, "-inf", repr(table.touched - _SIGN_MS / 1000)),
        ("PEXPIRE", index, _SIGN_MS),
    ]
