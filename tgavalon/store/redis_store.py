"""The store on Redis or Valkey, alone or as a cluster.

A save is one script and one round trip. Whoever saves a table that must be found by other people or in another place
than before sets the signs to it first and takes old ones down afterwards (see directory.py). There is no rule of the
game and no word here.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Self

from tgavalon.store.codec import (
    decode_canvas,
    decode_group,
    decode_person,
    decode_table,
    encode_canvas,
    encode_group,
    encode_person,
    encode_table,
)
from tgavalon.store.connection import Connection
from tgavalon.store.directory import KEPT_MS, Directory
from tgavalon.store.forgetting import canvas_without, table_without
from tgavalon.store.keys import Keys
from tgavalon.store.scripts import CONFIRM, LEASE, PAINT, PREPARE, RELEASE, SAVE, SAVED, SCRUB, SIGN_FIRST
from tgavalon.store.signpost import Signpost, parse_signpost, signpost_of
from tgavalon.table.model import Place, Table
from tgavalon.table.ports import MOST_DUE, Canvas, Group, Leased, Painted, Person, StoreUnavailable

_PREPARED_MS: Final = 60_000
_SPENT_MS: Final = 60_000

_log = logging.getLogger(__name__)


class RedisStore:
    """A `Store` on a server that speaks the Redis protocol. Every method may raise `StoreUnavailable`."""

    def __init__(
        self,
        url: str,
        *,
        cluster: bool = False,
        prefix: str = "ta",
        connections: int = 8,
        timeout: float = 2.0,
        retries: int = 2,
        replicas: int = 0,
    ) -> None:
        """Connect when first used.

        `url` is `redis://`, `rediss://` or `unix://`, with `cluster` that of any node, or `redis+sentinel://` (see
        sentinel.py). `timeout` is in seconds, for each of up to 1 + `retries` attempts. What is saved has reached
        `replicas` replicas. Bots that share a server need different prefixes. Raises `Misconfigured`.
        """
        self._replicas = replicas
        self._link = Connection(
            url, cluster=cluster, connections=connections, timeout=timeout, retries=retries, replicas=replicas
        )
        self._keys = Keys(prefix)
        self._directory = Directory(self._link, self._keys)

    @classmethod
    async def connected(cls, url: str, replicas: int = 0) -> Self:
        """A store that has answered. Whether the server at `url` belongs to a cluster is found out by asking it.

        Raises `Misconfigured` and `StoreUnavailable`.
        """
        store = cls(url, replicas=replicas)
        try:
            [cluster] = await store._link.info("cluster")
        except StoreUnavailable:
            await store.close()
            raise
        if not cluster.get("cluster_enabled"):
            return store
        await store.close()
        store = cls(url, cluster=True, replicas=replicas)
        await store.ping()
        return store

    async def ping(self) -> None:
        """Return once the server has answered."""
        await self._link.call("PING")

    async def persistence(self) -> bool:
        """Whether every server keeps an append-only file, without which a restart can lose what was saved."""
        return all(section["aof_enabled"] for section in await self._link.info("persistence"))

    async def replicas(self) -> int:
        """How many replicas are in touch with the server; in a cluster, with the one that has fewest."""
        return min(int(section["connected_slaves"]) for section in await self._link.info("replication"))

    async def close(self) -> None:
        """Close all connections."""
        await self._link.close()

    async def load(self, table: str) -> Table | None:
        """The table with this id as last saved. Raises `Unreadable` where its bytes are no table."""
        blob = await self._link.call("HGET", self._keys.table(table), "blob")
        if blob is not None:
            return decode_table(blob)
        await self._strike(table)
        return None

    async def create(self, table: Table) -> bool:
        """Store a new table and make it the one at its place; False where an open table is already there.

        The table is prepared first, claims its place next, and is open to the world last, by the hand of whoever sees
        the claim first: a crash in between leaves a table that is whole, or one that vanishes by itself.
        """
        if await self.at(table.place) is not None or not await self._prepare(table):
            return False
        sign = signpost_of(table)
        await self._directory.sign(table, sign, None)
        if not await self._directory.claim(table.id, table.place):
            await self._link.call("DEL", self._keys.table(table.id))
            await self._directory.take_down(table.id, sign, None)
            return False
        if not await self._directory.open(table.id):
            raise StoreUnavailable("the table was prepared too long ago")
        return True

    async def save(self, table: Table, expected: int) -> bool:
        """Store `table` if the stored version is `expected`, else change nothing and return False.

        If another open table holds the place that this one moves to, that one stays the one found there.
        """
        sign, writer = signpost_of(table), secrets.token_urlsafe(6)
        outcome, held = await self._save(table, expected, sign, writer, signed=False)
        if outcome == SIGN_FIRST:
            old = parse_signpost(held.decode())
            await self._directory.sign(table, sign, old)
            outcome, _ = await self._save(table, expected, sign, writer, signed=True)
            if outcome == SAVED:
                await self._take_down(table.id, old, sign)
        return bool(outcome == SAVED)

    async def confirm(self, table: str) -> None:
        """Return once what is stored of a table is where a save must have come, as one that failed may not be yet."""
        if self._replicas:
            await self._link.run(CONFIRM, [self._keys.table(table)])

    async def at(self, place: Place) -> str | None:
        """The id of the open table at this place."""
        return await self._directory.at(place)

    async def last_at(self, place: Place) -> str | None:
        """The id of the table whose game finished last at this place."""
        return await self._directory.last_at(place)

    async def of_user(self, user: int) -> tuple[str, ...]:
        """The ids of the open tables this person sits at, oldest first."""
        return await self._directory.of_user(user)

    async def in_chat(self, chat: int) -> tuple[str, ...]:
        """The ids of the open tables in all topics of a chat, oldest first."""
        return await self._directory.in_chat(chat)

    async def due(self, now: float, most: int | None = MOST_DUE) -> tuple[str, ...]:
        """Open tables of which the deadline or reminder is at or before `now`, most overdue first; `most` or all."""
        limits = ("-inf", repr(now), "WITHSCORES", "LIMIT", 0, -1 if most is None else most)
        shards = await self._link.pipeline([("ZRANGEBYSCORE", index, *limits) for index in self._keys.due])
        entries = sorted(
            (float(time), name.decode()) for shard in shards for name, time in zip(shard[::2], shard[1::2], strict=True)
        )
        return tuple(name for _, name in entries[:most])

    async def alive(self, now: float) -> float | None:
        """Note that a worker is at work, and tell when one last was; None where none ever was."""
        last = await self._link.call("GETSET", self._keys.alive, repr(now))
        return None if last is None else float(last)

    async def unpainted(self) -> dict[str, int]:
        """Tables saved since their screens were last painted, with the version that was saved last."""
        shards = await self._link.pipeline([("ZRANGE", index, 0, -1, "WITHSCORES") for index in self._keys.unpainted])
        return {
            name.decode(): int(float(version))
            for shard in shards
            for name, version in zip(shard[::2], shard[1::2], strict=True)
        }

    async def lease(self, table: str, worker: str, seconds: float, version: int = 0) -> Leased | None:
        """Let `worker` alone paint a table for so long; None where another worker does, or the table is gone.

        Asking again prolongs it. `version` is the one that the worker knows already. Raises `Unreadable`.
        """
        keys = self._keys
        names = [
            keys.lease(table),
            keys.table(table),
            keys.canvas(table),
            keys.spent(table),
            keys.unpainted_of(table),
        ]
        answer = await self._link.run(LEASE, names, worker, int(seconds * 1000), version, table)
        if answer is None:
            return None
        blob, canvas, spent = answer
        return Leased(
            None if blob is None else decode_table(blob),
            {} if canvas is None else decode_canvas(canvas),
            tuple(map(float, (spent or b"").split())),
        )

    async def release(self, table: str, worker: str) -> None:
        """End the lease, if `worker` holds it."""
        await self._link.run(RELEASE, [self._keys.lease(table)], worker)

    async def canvas(self, table: str) -> Canvas:
        """What the painter has recorded as shown of this table. Raises `Unreadable` where its bytes are no canvas."""
        blob = await self._link.call("GET", self._keys.canvas(table))
        return {} if blob is None else decode_canvas(blob)

    async def paint(
        self,
        table: str,
        version: int,
        canvas: Canvas,
        done: bool,
        *,
        worker: str | None = None,
        spent: Sequence[float] = (),
    ) -> Painted:
        """Record what is shown; with `done`, also that `version` is fully painted, unless a newer one was saved.

        With `worker`, only if no other worker holds the lease, which ends with DONE. `spent` is when the table's group
        was lately written to.
        """
        keys = self._keys
        names = [
            keys.table(table),
            keys.canvas(table),
            keys.unpainted_of(table),
            keys.lease(table),
            keys.spent(table),
        ]
        values = (table, version, encode_canvas(canvas), "1" if done else "", worker or "", " ".join(map(repr, spent)))
        answer = await self._link.run(PAINT, names, *values, _SPENT_MS)
        return Painted(answer.decode())

    async def person(self, user: int) -> Person | None:
        """What is remembered of a person. Raises `Unreadable` where the bytes are no person."""
        blob = await self._link.call("GET", self._keys.person(user))
        return None if blob is None else decode_person(blob)

    async def save_person(self, person: Person) -> None:
        """Remember a person."""
        await self._link.save("SET", self._keys.person(person.user), encode_person(person))

    async def forget(self, user: int) -> None:
        """Delete everything remembered of a person outside running games; tables that have ended lose their name."""
        await self._link.call("DEL", self._keys.person(user))
        past = self._keys.user_past(user)
        for name in await self._link.call("ZRANGE", past, 0, -1):
            while not await self._scrub(name.decode(), user):
                _log.info("a table changed while somebody was taken out of it; trying again")
        await self._link.save("DEL", past)

    async def group(self, chat: int) -> Group | None:
        """What is remembered of a group chat. Raises `Unreadable` where the bytes are no group."""
        blob = await self._link.call("GET", self._keys.group(chat))
        return None if blob is None else decode_group(blob)

    async def save_group(self, group: Group) -> None:
        """Remember a group chat."""
        await self._link.save("SET", self._keys.group(group.chat), encode_group(group))

    async def _prepare(self, table: Table) -> bool:
        values = (table.version, encode_table(table), signpost_of(table).line(), secrets.token_urlsafe(6))
        key = self._keys.table(table.id)
        return bool(await self._link.run(PREPARE, [key], *values, next_due(table), _PREPARED_MS))

    async def _save(self, table: Table, expected: int, sign: Signpost, writer: str, *, signed: bool) -> Any:
        keys = [
            self._keys.table(table.id),
            self._keys.canvas(table.id),
            self._keys.due_of(table.id),
            self._keys.unpainted_of(table.id),
        ]
        values = (table.id, expected, table.version, encode_table(table), sign.line(), writer, next_due(table))
        return await self._link.run(SAVE, keys, *values, "" if sign.is_open else KEPT_MS, "1" if signed else "")

    async def _take_down(self, table: str, old: Signpost, new: Signpost) -> None:
        """After the save has succeeded, so this must not fail it: a sign that stays up misleads nobody."""
        try:
            await self._directory.take_down(table, old, new)
        except StoreUnavailable as error:
            _log.warning("old signs of a saved table stay up: %s", error)

    async def _strike(self, table: str) -> None:
        """Drop what refers to a table that is not there, such as one that a full server evicted."""
        indexes = (self._keys.due_of(table), self._keys.unpainted_of(table))
        await self._link.pipeline([("ZREM", index, table) for index in indexes])

    async def _scrub(self, name: str, user: int) -> bool:
        """Take `user` out of a table that has ended; False where it changed meanwhile."""
        key, canvas_key = self._keys.table(name), self._keys.canvas(name)
        blob, shown = await self._link.pipeline([("HGET", key, "blob"), ("GET", canvas_key)])
        if blob is None:
            return True
        table = decode_table(blob)
        clean = table_without(table, user)
        if clean == table:
            return True
        canvas = b"" if shown is None else encode_canvas(canvas_without(decode_canvas(shown), user))
        version = table.version + 1
        values = (encode_table(replace(clean, version=version)), signpost_of(clean).line(), shown or b"", canvas)
        return bool(await self._link.run(SCRUB, [key, canvas_key], table.version, version, *values))


def next_due(table: Table) -> str:
    """When something is to be done for an open table by itself: its reminder or deadline, as a score; else ''."""
    reminder = None if table.reminded else table.reminder
    times = [time for time in (reminder, table.deadline) if time is not None]
    return repr(float(min(times))) if table.is_open and times else ""
