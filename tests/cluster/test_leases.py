"""Two painters never paint one table at once, and what one leaves behind the other takes up."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from tests.store.tables import changed, lobby
from tgavalon.store.redis_store import RedisStore
from tgavalon.table import painter as painter_module
from tgavalon.table.model import Place
from tgavalon.table.painter import Painter
from tgavalon.table.ports import Answer, Painted, Shown, Verdict
from tgavalon.table.service import Service
from tgavalon.ui.screen import Screen

HERE = Place(-1001)
SHOWN = {"group/lobby": Shown(HERE, 5, "abc", buttons=True)}


class Wall:
    """A messenger that writes down who wrote what, and answers once `gate` is open."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.wrote: list[tuple[str, str]] = []
        self.news = asyncio.Event()
        self.at_once = self.most_at_once = 0

    async def until(self, count: int) -> None:
        """Wait for so many calls."""
        async with asyncio.timeout(10):
            while len(self.wrote) < count:
                self.news.clear()
                await self.news.wait()


class Hand:
    """One worker's messenger."""

    def __init__(self, wall: Wall, name: str) -> None:
        self.wall = wall
        self.name = name

    async def _write(self, what: str) -> Answer:
        wall = self.wall
        wall.wrote.append((self.name, what))
        wall.news.set()
        wall.at_once += 1
        wall.most_at_once = max(wall.most_at_once, wall.at_once)
        number = len(wall.wrote)
        await wall.gate.wait()
        wall.at_once -= 1
        return Answer(Verdict.DONE, message=number)

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        return await self._write("send")

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        return await self._write("edit")

    async def strip(self, place: Place, message: int) -> Answer:
        return await self._write("strip")

    async def delete(self, place: Place, message: int) -> Answer:
        return await self._write("delete")


class RealClock:
    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Nobody:
    async def is_member(self, chat: int, user: int) -> bool:
        return False

    async def is_admin(self, chat: int, user: int) -> bool:
        return False


async def _nothing(*_: int) -> None:
    """Nobody is told."""


def painter(store: RedisStore, wall: Wall, name: str) -> Painter:
    return Painter(store, Hand(wall, name), RealClock(), _nothing, _nothing, worker=name)


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painter_module, "LEASE", 0.6)
    monkeypatch.setattr(painter_module, "PROLONG_BELOW", 0.4)
    monkeypatch.setattr(painter_module, "ASK_AGAIN", 0.1)
    monkeypatch.setattr(painter_module, "FIRST_ASKED", 0.05)


async def sweep(*painters: Painter) -> None:
    """As the sweepers of live workers do, a little faster."""
    while True:
        for each in painters:
            await each.sweep()
        await asyncio.sleep(0.05)


async def test_a_lease_is_for_one_worker_until_it_ends(store: RedisStore) -> None:
    table = lobby(place=HERE)
    await store.create(table)
    leased = await store.lease(table.id, "a", 10)
    assert leased is not None
    assert (leased.table, leased.canvas, leased.spent) == (table, {}, ())
    assert await store.lease(table.id, "b", 10) is None
    again = await store.lease(table.id, "a", 10, table.version)
    assert again is not None
    assert again.table is None, "it is known already"
    await store.release(table.id, "b")
    assert await store.lease(table.id, "b", 10) is None
    await store.release(table.id, "a")
    assert await store.lease(table.id, "b", 0.001) is not None
    await asyncio.sleep(0.02)
    assert await store.lease(table.id, "a", 10) is not None, "it has run out"


async def test_there_is_no_lease_of_a_table_that_is_gone(store: RedisStore) -> None:
    assert await store.lease("nowhere000", "a", 10) is None


async def test_who_has_lost_the_lease_records_nothing(store: RedisStore) -> None:
    table = lobby(place=HERE)
    await store.create(table)
    await store.lease(table.id, "a", 0.001)
    await asyncio.sleep(0.02)
    await store.lease(table.id, "b", 10)
    assert await store.paint(table.id, 1, SHOWN, done=True, worker="a") is Painted.LOST
    assert await store.canvas(table.id) == {}
    assert await store.unpainted() == {table.id: 1}
    assert await store.paint(table.id, 1, SHOWN, done=True, worker="b", spent=(1.5, 2.25)) is Painted.DONE
    leased = await store.lease(table.id, "a", 10)
    assert leased is not None
    assert (leased.canvas, leased.spent) == (SHOWN, (1.5, 2.25)), "the next worker knows of the calls of the last"


async def test_an_old_version_is_not_the_end_of_it(store: RedisStore) -> None:
    table = lobby(place=HERE)
    await store.create(table)
    await store.save(changed(table), 1)
    assert await store.paint(table.id, 1, {}, done=True, worker="a") is Painted.BEHIND
    assert await store.paint(table.id, 2, {}, done=True, worker="a") is Painted.DONE
    assert await store.paint(table.id, 1, {}, done=True, worker="a") is Painted.BEHIND, "the stored table is newer"


async def test_two_workers_that_are_woken_paint_once(store: RedisStore) -> None:
    wall, table = Wall(), lobby(place=HERE)
    one, two = painter(store, wall, "one"), painter(store, wall, "two")
    await store.create(table)
    one.wake(table.id, table)
    two.wake(table.id)
    await one.idle()
    await two.idle()
    assert len(wall.wrote) == 1
    assert await store.unpainted() == {}


async def test_what_another_worker_saves_is_painted_by_the_one_at_work(store: RedisStore) -> None:
    wall, table = Wall(), lobby(place=HERE)
    one, two = painter(store, wall, "one"), painter(store, wall, "two")
    await store.create(table)
    wall.gate.clear()
    one.wake(table.id)
    await wall.until(1)
    later = changed(table, title="Other", reposts=1)
    await store.save(later, 1)
    two.wake(table.id, later)
    await two.idle()
    wall.gate.set()
    await wall.until(2)
    await one.idle()
    assert {name for name, _ in wall.wrote} == {"one"}
    assert wall.most_at_once == 1
    assert await store.unpainted() == {}


@pytest.mark.usefixtures("short_leases")
async def test_what_a_dead_worker_leaves_is_taken_up(store: RedisStore) -> None:
    wall, table = Wall(), lobby(place=HERE)
    dead, two = painter(store, wall, "dead"), painter(store, wall, "two")
    await store.create(table)
    wall.gate.clear()
    dead.wake(table.id)
    await wall.until(1)  # and it is never heard of again
    sweeper = asyncio.create_task(sweep(two))
    await wall.until(2)
    assert wall.wrote[1][0] == "two"
    wall.gate.set()
    await two.idle()
    sweeper.cancel()
    await dead.close()
    assert set(await store.canvas(table.id)) == {"group/lobby"}
    assert (await store.canvas(table.id))["group/lobby"].message == 2, "the dead hand records nothing any more"


@pytest.mark.usefixtures("short_leases")
async def test_a_lease_is_prolonged_while_telegram_is_slow(store: RedisStore) -> None:
    wall, table = Wall(), lobby(place=HERE)
    one, two = painter(store, wall, "one"), painter(store, wall, "two")
    await store.create(table)
    wall.gate.clear()
    one.wake(table.id)
    await wall.until(1)
    sweeper = asyncio.create_task(sweep(one, two))
    await asyncio.wait([sweeper], timeout=1.5)
    assert len(wall.wrote) == 1
    wall.gate.set()
    await one.idle()
    sweeper.cancel()
    assert len(wall.wrote) == 1


async def test_closing_hands_over_at_once(store: RedisStore) -> None:
    wall, table = Wall(), lobby(place=HERE)
    one, two = painter(store, wall, "one"), painter(store, wall, "two")
    await store.create(table)
    wall.gate.clear()
    one.wake(table.id)
    await wall.until(1)
    await store.save(changed(table, reposts=1), 1)
    closing = asyncio.create_task(one.close())
    wall.gate.set()
    await closing
    assert (await store.canvas(table.id))["group/lobby"].message == 1
    await two.catch_up()
    await two.idle()
    assert {name for name, _ in wall.wrote[1:]} == {"two"}
    assert await store.unpainted() == {}


async def test_a_reminder_is_given_once_by_however_many_workers(store: RedisStore) -> None:
    saved: list[int] = []
    services = [Service(store, RealClock(), Nobody(), lambda table: saved.append(table.version)) for _ in range(3)]
    now = time.time()
    table = replace(lobby(place=HERE), reminder=now - 1, deadline=now + 3600, touched=now)
    await store.create(table)
    await asyncio.gather(*(service.sweep() for service in services))
    loaded = await store.load(table.id)
    assert loaded is not None
    assert (loaded.reminded, loaded.version) == (True, 2)
    assert saved == [2]
