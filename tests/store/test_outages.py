"""When the server is away, full, read-only or broken: one kind of error, no secret in it, and nothing half done."""

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.store.tables import HERE, changed, game_at, lobby
from tests.store.waiting import until
from tgavalon.store.codec import Unreadable
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import find_server
from tgavalon.table.model import Closing, Place
from tgavalon.table.ports import Group, Person, StoreUnavailable

Work = Callable[[RedisStore], Awaitable[object]]

WRITES: dict[str, Work] = {
    "create": lambda store: store.create(lobby("B", Place(-2))),
    "save": lambda store: store.save(changed(lobby(), deadline=7.0), 1),
    "join": lambda store: store.save(changed(lobby(), sitters=lobby(users=(1, 2, 3)).sitters), 1),
    "move": lambda store: store.save(changed(lobby(), place=Place(-3)), 1),
    "close": lambda store: store.save(changed(lobby(), closing=Closing.HOST), 1),
    "paint": lambda store: store.paint(lobby().id, 1, {}, done=True),
    "save_person": lambda store: store.save_person(Person(5, "Eve")),
    "save_group": lambda store: store.save_group(Group(-5)),
}
READS: dict[str, Work] = {
    "load": lambda store: store.load(lobby().id),
    "at": lambda store: store.at(HERE),
    "last_at": lambda store: store.last_at(HERE),
    "of_user": lambda store: store.of_user(1),
    "in_chat": lambda store: store.in_chat(HERE.chat),
    "due": lambda store: store.due(1e12),
    "unpainted": lambda store: store.unpainted(),
    "canvas": lambda store: store.canvas(lobby().id),
    "person": lambda store: store.person(1),
    "group": lambda store: store.group(-1),
    "ping": lambda store: store.ping(),
    "persistence": lambda store: store.persistence(),
}


@pytest.fixture(params=["valkey", "redis"])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[EmbeddedServer]:
    """A server of this test's own, to be ill-treated."""
    program = await find_server() if request.param == "valkey" else shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server on the PATH (Debian: apt install redis-server)")
    async with EmbeddedServer(None, program=Path(program)) as running:
        yield running


@pytest.fixture
async def store(server: EmbeddedServer) -> AsyncIterator[RedisStore]:
    """A store with one lobby in it."""
    opened = RedisStore(server.url, timeout=0.5, retries=0)
    await opened.create(lobby())
    yield opened
    await opened.close()


async def forget(store: RedisStore) -> None:
    await store.forget(1)


async def everything(store: RedisStore) -> dict[bytes, object]:
    """All that the server holds."""
    read = {b"string": ("GET",), b"hash": ("HGETALL",), b"zset": ("ZRANGE", 0, -1, "WITHSCORES")}
    held = {}
    for key in await store._link.call("KEYS", "*"):
        command, *rest = read[await store._link.call("TYPE", key)]
        held[key] = await store._link.call(command, key, *rest)
    return held


@pytest.mark.parametrize("name", WRITES)
async def test_a_full_server_changes_nothing(store: RedisStore, name: str) -> None:
    before = await everything(store)
    await store._link.call("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(StoreUnavailable, match=r"^OutOfMemoryError$"):
        await WRITES[name](store)
    await store._link.call("CONFIG", "SET", "maxmemory", "0")
    assert await everything(store) == before
    await WRITES[name](store)
    assert await everything(store) != before


@pytest.mark.parametrize("name", WRITES)
async def test_a_read_only_replica_changes_nothing(store: RedisStore, name: str) -> None:
    before = await everything(store)
    await store._link.call("REPLICAOF", "127.0.0.1", "1")
    with pytest.raises(StoreUnavailable, match=r"^ReadOnlyError$"):
        await WRITES[name](store)
    await store._link.call("REPLICAOF", "NO", "ONE")
    assert await everything(store) == before
    await WRITES[name](store)


async def test_reading_goes_on_while_writing_is_refused(store: RedisStore) -> None:
    await store._link.call("CONFIG", "SET", "maxmemory", "1")
    for work in READS.values():
        await work(store)
    assert await store.load(lobby().id) == lobby()


@pytest.mark.parametrize("name", [*READS, *WRITES, "forget"])
async def test_no_server_is_unavailable_and_the_address_stays_private(name: str, tmp_path: Path) -> None:
    store = RedisStore(f"unix://:hush@{tmp_path}/nowhere.sock", retries=1)
    work = {**READS, **WRITES, "forget": forget}[name]
    with pytest.raises(StoreUnavailable, match=r"^ConnectionError$") as caught:
        await work(store)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    await store.close()


async def test_a_server_that_does_not_answer_is_unavailable_until_it_does(
    server: EmbeddedServer, store: RedisStore
) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable, match=r"^TimeoutError$"):
            await store.load(lobby().id)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    await until(lambda: is_up(store))
    assert await store.load(lobby().id) == lobby()


async def test_a_save_whose_answer_comes_too_late_is_known_again(server: EmbeddedServer) -> None:
    store = RedisStore(server.url, timeout=0.3, retries=3)
    await store.create(lobby())
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    saving = asyncio.create_task(store.save(changed(lobby()), 1))
    await asyncio.wait([saving], timeout=0.5)
    os.kill(server.pid, signal.SIGCONT)
    assert await saving
    assert await store.load(lobby().id) == changed(lobby())
    await store.close()


async def test_a_restarted_server_is_found_again(tmp_path: Path) -> None:
    async with EmbeddedServer(tmp_path) as server:
        store = RedisStore(server.url, timeout=1.0, retries=0)
        table = lobby()
        await store.create(table)
        for _ in range(2):
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            with pytest.raises(StoreUnavailable):
                await store.save(changed(table), table.version)
            await until(lambda: is_up(store))
            table = changed(table)
            assert await store.save(table, table.version - 1)
            assert await store.load(table.id) == table
        await store.close()


async def test_a_server_that_has_forgotten_the_scripts_learns_them_again(store: RedisStore) -> None:
    await store._link.call("SCRIPT", "FLUSH")
    assert await store.save(changed(lobby()), 1)


@pytest.mark.parametrize("blob", [b"", b"junk", b'{"schema":99,"table":{}}', b'{"schema":1,"table":{"id":7}}'])
async def test_a_damaged_table_is_unreadable_and_others_are_not(store: RedisStore, blob: bytes) -> None:
    await store.create(lobby("B", Place(-2)))
    await store._link.call("HSET", store._keys.table(lobby().id), "blob", blob)
    with pytest.raises(Unreadable):
        await store.load(lobby().id)
    assert await store.load(lobby("B").id) == lobby("B", Place(-2))
    assert await store.at(HERE) == lobby().id


async def test_a_damaged_signpost_is_unreadable(store: RedisStore) -> None:
    await store._link.call("HSET", store._keys.table(lobby().id), "signpost", "open here - 1")
    with pytest.raises(Unreadable):
        await store.at(HERE)


class TestRefusals:
    """A server that gives one and the same answer to everything."""

    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            ("LOADING the dataset", "BusyLoadingError"),
            ("CLUSTERDOWN Hash slot not served", "ClusterDownError"),
            ("MASTERDOWN Link with MASTER is down", "MasterDownError"),
            ("MISCONF Errors writing to the AOF file", "ResponseError"),
            ("NOPERM this user has no permissions", "NoPermissionError"),
            ("WRONGTYPE Operation against a key", "ResponseError"),
        ],
    )
    async def test_each_is_unavailable_by_name(self, answer: str, error: str) -> None:
        async with refusing(f"-{answer}\r\n") as url:
            store = RedisStore(url, retries=1)
            for work in (WRITES["create"], WRITES["save"], WRITES["paint"], READS["due"], READS["load"]):
                with pytest.raises(StoreUnavailable, match=f"^{error}$"):
                    await work(store)
            await store.close()

    async def test_what_is_no_redis_is_unavailable(self) -> None:
        async with refusing("HTTP/1.1 400 Bad Request\r\n\r\n") as url:
            store = RedisStore(url, retries=1)
            with pytest.raises(StoreUnavailable):
                await store.load("A")
            await store.close()


@contextlib.asynccontextmanager
async def refusing(answer: str) -> AsyncIterator[str]:
    """The address of a server that lets clients introduce themselves and then answers only this."""
    lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(refuse(reader, writer))
        lines[line] = writer
        line.add_done_callback(lines.pop)

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.read(1 << 16):
                commands = max(1, request.count(b"\r\n*") + 1)
                writer.write((b"+OK\r\n" if b"SETINFO" in request else answer.encode()) * commands)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        for writer in lines.values():
            writer.close()
        if lines:
            await asyncio.wait(lines)


async def is_up(store: RedisStore) -> bool:
    try:
        await store.ping()
    except StoreUnavailable:
        return False
    return True


async def test_signs_that_cannot_be_taken_down_do_not_fail_the_save(
    store: RedisStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreUnavailable("ConnectionError")

    monkeypatch.setattr(store._directory, "take_down", away)
    *_, before, last = game_at(lobby(), seed=1)
    assert await store.save(before, 1)
    assert await store.save(last, before.version)
    assert await store.at(HERE) is None
    assert await store.create(lobby("B"))
    assert "old signs of a saved table stay up: ConnectionError" in caplog.text
