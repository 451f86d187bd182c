"""Where replicas are expected, what was acknowledged has reached them; what has not is not acknowledged."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.replicas import Server, halted, pair, watch, watched_by
from tests.store.tables import HERE, changed, lobby
from tests.store.waiting import until
from tgavalon.store.connection import Misconfigured
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import find_server
from tgavalon.table.model import Closing, Place
from tgavalon.table.ports import Group, Person, StoreUnavailable

WRITES: dict[str, Callable[[RedisStore], Awaitable[object]]] = {
    "create": lambda store: store.create(lobby("B", Place(-2))),
    "save": lambda store: store.save(changed(lobby(), deadline=7.0), 1),
    "join": lambda store: store.save(replace(lobby(users=(1, 2, 3)), version=3), 2),
    "close": lambda store: store.save(replace(lobby(), version=4, closing=Closing.HOST), 3),
    "lease": lambda store: store.lease(lobby().id, "worker", 9.0),
    "paint": lambda store: store.paint(lobby().id, 1, {}, done=True),
    "person": lambda store: store.save_person(Person(5, "Eve")),
    "group": lambda store: store.save_group(Group(-5)),
    "forget": lambda store: store.forget(1),
    "confirm": lambda store: store.confirm(lobby().id),
}


@pytest.fixture(params=["valkey", "redis"])
async def servers(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Server, Server]]:
    """A master and its replica."""
    program = await find_server() if request.param == "valkey" else shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server on the PATH (Debian: apt install redis-server)")
    async with pair(Path(program)) as both:
        yield both


@pytest.fixture
async def store(servers: tuple[Server, Server]) -> AsyncIterator[RedisStore]:
    """A store with one lobby in it, on both."""
    opened = RedisStore(servers[0].url, timeout=1.0, retries=1, replicas=1)
    try:
        await opened.create(lobby())
        yield opened
    finally:
        await opened.close()


async def is_confirmed(store: RedisStore) -> bool:
    try:
        await store.confirm(lobby().id)
    except StoreUnavailable:
        return False
    return True


async def test_what_does_not_reach_the_replica_is_not_acknowledged(
    servers: tuple[Server, Server], store: RedisStore
) -> None:
    for name, work in WRITES.items():
        with halted(servers[1]), pytest.raises(StoreUnavailable, match=r"^NotReplicated$"):
            await work(store)
        await until(lambda: is_confirmed(store))
        assert await store.replicas() == 1, name


async def test_reading_waits_for_nobody(servers: tuple[Server, Server], store: RedisStore) -> None:
    with halted(servers[1]):
        assert await store.load(lobby().id) == lobby()


async def test_a_repetition_of_what_is_there_waits_as_well(
    servers: tuple[Server, Server], store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As redis-py repeats it when the answer was lost, on another connection, which has itself written nothing."""
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: "samesame")
    other = RedisStore(servers[0].url, timeout=1.0, replicas=1)
    with halted(servers[1]):
        for line in (store, other):
            with pytest.raises(StoreUnavailable, match=r"^NotReplicated$"):
                await line.save(changed(lobby(), reposts=1), 1)
            with pytest.raises(StoreUnavailable, match=r"^NotReplicated$"):
                await line._directory.open(lobby().id)
            with pytest.raises(StoreUnavailable, match=r"^NotReplicated$"):
                await line._directory.claim(lobby().id, HERE)
    assert await other.save(changed(lobby(), reposts=1), 1)
    assert await other.load(lobby().id) == changed(lobby(), reposts=1)
    await other.close()


async def test_without_the_wish_for_replicas_nobody_waits(servers: tuple[Server, Server]) -> None:
    store = RedisStore(servers[0].url, timeout=1.0)
    async with servers[0].client() as client:
        await client.config_resetstat()
        with halted(servers[1]):
            assert await store.create(lobby())
            assert await store.save(changed(lobby()), 1)
            await store.confirm(lobby().id)
        counts = await client.info("commandstats")
    await store.close()
    assert "cmdstat_evalsha" in counts
    assert "cmdstat_wait" not in counts


async def test_a_promoted_replica_has_everything_that_was_acknowledged(
    servers: tuple[Server, Server], store: RedisStore
) -> None:
    for number in range(1, 30):
        assert await store.save(replace(lobby(), version=number + 1, reposts=number), number)
    await servers[0].kill()
    await servers[1].lead()
    promoted = RedisStore(servers[1].url)
    assert await promoted.load(lobby().id) == replace(lobby(), version=30, reposts=29)
    await promoted.close()


async def test_a_cluster_is_refused_rather_than_not_waited_for() -> None:
    with pytest.raises(Misconfigured, match="not for a cluster"):
        RedisStore("redis://127.0.0.1:9", cluster=True, replicas=1)


@pytest.mark.parametrize(
    "bad",
    ["redis://:hush@host:port", "redis://host?hush=1", "redis+sentinel://:hush@host", "redis+sentinel://h:99999/s"],
)
async def test_a_malformed_address_is_one_line_without_it(bad: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        await RedisStore.connected(bad)
    assert str(caught.value) == "redis_url is malformed"
    assert caught.value.__suppress_context__


class TestSentinel:
    """Asking Sentinels for the master."""

    async def test_the_master_is_found_though_sentinels_are_away(self) -> None:
        program = await find_server()
        async with pair(program) as (master, replica), watch(program, master, replica) as sentinels:
            await sentinels[0].kill()
            async with master.client() as client:
                await client.select(3)
                await client.set("here", 1)
            store = await RedisStore.connected(watched_by(sentinels) + "/3")
            assert await store._link.call("GET", "here") == b"1"
            await store.close()

    async def test_no_sentinel_and_no_such_service_are_unavailable(self) -> None:
        program = await find_server()
        async with pair(program) as (master, replica), watch(program, master, replica) as sentinels:
            for address in ("redis+sentinel://127.0.0.1:9/x", watched_by(sentinels) + "-of-others"):
                store = RedisStore(address, retries=0)
                with pytest.raises(StoreUnavailable, match=r"^MasterNotFoundError$"):
                    await store.ping()
                await store.close()
