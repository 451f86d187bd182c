"""Several processes at one table: nobody's action is lost, none is taken twice."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from tests.conftest import fresh_prefix
from tests.store.proxy import LossyProxy
from tests.store.tables import HERE, changed, lobby
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Place, Sitter, Table
from tgavalon.table.ports import Person

Handles = Callable[[], RedisStore]


async def change(store: RedisStore, table_id: str, step: Callable[[Table], Table]) -> None:
    """What the service does: load, decide, save, and again from the load if somebody was faster."""
    while True:
        table = await store.load(table_id)
        assert table is not None
        if await store.save(replace(step(table), version=table.version + 1), table.version):
            return


def one_more(table: Table) -> Table:
    return replace(table, reposts=table.reposts + 1)


def with_sitter(user: int) -> Callable[[Table], Table]:
    return lambda table: replace(table, sitters=(*table.sitters, Sitter(user, str(user), "en")))


async def test_racing_handles_lose_nothing(handles: Handles) -> None:
    workers = [handles() for _ in range(2)]
    await workers[0].create(lobby())
    taps = [change(workers[number % 2], lobby().id, one_more) for number in range(100)]
    await asyncio.gather(*taps)
    table = await workers[0].load(lobby().id)
    assert table is not None
    assert (table.reposts, table.version) == (100, 101)


async def test_ten_people_who_join_at_the_same_instant_all_sit(handles: Handles) -> None:
    workers = [handles() for _ in range(5)]
    await workers[0].create(lobby(users=()))
    await asyncio.gather(*(change(workers[user % 5], lobby().id, with_sitter(user)) for user in range(11, 21)))
    table = await workers[0].load(lobby().id)
    assert table is not None
    assert {sitter.user for sitter in table.sitters} == set(range(11, 21))
    for user in range(11, 21):
        assert await workers[0].of_user(user) == (table.id,)


async def test_who_joins_while_another_leaves_can_be_found(handles: Handles) -> None:
    one, other = handles(), handles()
    await one.create(lobby(users=()))
    for _ in range(20):
        await asyncio.gather(
            change(one, lobby().id, with_sitter(7)),
            change(other, lobby().id, lambda table: replace(table, sitters=())),
        )
        table = await one.load(lobby().id)
        assert table is not None
        assert await one.of_user(7) == ((table.id,) if table.sitters else ())


async def test_one_of_many_creators_gets_the_place(handles: Handles) -> None:
    workers = [handles() for _ in range(8)]
    for round_number in range(5):
        place = Place(-round_number - 1)
        tables = [lobby(f"{round_number}x{number}", place, users=(number,)) for number in range(8)]
        won = await asyncio.gather(*(worker.create(table) for worker, table in zip(workers, tables, strict=True)))
        assert won.count(True) == 1
        winner = tables[won.index(True)]
        assert await workers[0].at(place) == winner.id
        assert await workers[0].in_chat(place.chat) == (winner.id,)
        for table in tables:
            assert await workers[0].load(table.id) == (table if table is winner else None)


async def test_one_of_many_gets_the_place_of_a_table_that_is_gone(handles: Handles) -> None:
    workers = [handles() for _ in range(8)]
    await workers[0]._link.call("SET", workers[0]._keys.place(HERE), "gone000000")
    tables = [lobby(str(number)) for number in range(8)]
    won = await asyncio.gather(*(worker.create(table) for worker, table in zip(workers, tables, strict=True)))
    assert won.count(True) == 1
    assert await workers[0].at(HERE) == tables[won.index(True)].id


async def test_a_cancelled_command_leaves_no_answer_behind(handles: Handles) -> None:
    store = handles()
    for user in range(1, 6):
        await store.save_person(Person(user, str(user)))
    rng = random.Random(1)
    for _ in range(100):
        asking = asyncio.create_task(store.person(rng.randint(1, 5)))
        await asyncio.sleep(rng.random() / 2000)
        asking.cancel()
        await asyncio.wait([asking])
        user = rng.randint(1, 5)
        assert await store.person(user) == Person(user, str(user))


class TestLostAnswers:
    """The server has saved, and the line breaks before it can say so."""

    @pytest.fixture
    async def proxy(self, valkey_url: str) -> AsyncIterator[LossyProxy]:
        async with LossyProxy(valkey_url) as running:
            yield running

    @pytest.fixture
    async def lines(self, proxy: LossyProxy, valkey_url: str) -> AsyncIterator[tuple[RedisStore, RedisStore]]:
        """A store behind the lossy line, and the same one on a good line."""
        prefix = fresh_prefix()
        bad, good = RedisStore(proxy.url, prefix=prefix), RedisStore(valkey_url, prefix=prefix)
        yield bad, good
        await bad.close()
        await good.close()

    async def test_a_save_is_known_again(self, proxy: LossyProxy, lines: tuple[RedisStore, RedisStore]) -> None:
        store, _ = lines
        await store.create(lobby())
        proxy.lose_answer(b"EVALSHA")
        assert await store.save(changed(lobby()), 1)
        assert proxy.lost == 1
        assert await store.load(lobby().id) == changed(lobby())

    async def test_even_after_others_have_saved_on_top(
        self, proxy: LossyProxy, lines: tuple[RedisStore, RedisStore]
    ) -> None:
        store, other = lines
        await store.create(lobby())

        async def save_on_top() -> None:
            for _ in range(5):
                await change(other, lobby().id, one_more)

        proxy.lose_answer(b"EVALSHA", save_on_top)
        assert await store.save(one_more(changed(lobby())), 1)
        table = await store.load(lobby().id)
        assert table is not None
        assert (proxy.lost, table.reposts, table.version) == (1, 6, 7)

    async def test_an_equal_change_by_another_is_not_taken_for_ones_own(
        self, lines: tuple[RedisStore, RedisStore]
    ) -> None:
        store, other = lines
        await store.create(lobby())
        assert await other.save(one_more(changed(lobby())), 1)
        assert not await store.save(one_more(changed(lobby())), 1)

    @pytest.mark.parametrize("needle", [b"prepared", b"ZADD", b"EVALSHA", b"ZRANGE"])
    async def test_a_table_is_created_once(
        self, proxy: LossyProxy, lines: tuple[RedisStore, RedisStore], needle: bytes
    ) -> None:
        store, _ = lines
        await store._link.call("SCRIPT", "FLUSH")
        proxy.lose_answer(needle)
        assert await store.create(lobby())
        assert proxy.lost == 1
        assert await store.at(HERE) == lobby().id
        assert await store.load(lobby().id) == lobby()

    async def test_many_losses_under_load(self, proxy: LossyProxy, valkey_url: str) -> None:
        prefix = fresh_prefix()
        bad, good = RedisStore(proxy.url, prefix=prefix, retries=9), RedisStore(valkey_url, prefix=prefix)
        await good.create(lobby())
        proxy.lose_one_answer_in(7)
        await asyncio.gather(*(change(line, lobby().id, one_more) for line in (bad, good) for _ in range(15)))
        table = await good.load(lobby().id)
        assert table is not None
        assert (table.reposts, table.version) == (30, 31)
        assert proxy.lost > 3
        await bad.close()
        await good.close()
