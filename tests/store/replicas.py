"""A master with one replica on this machine, Sentinels that watch over them, and a switch before them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.store.proxy import Relay
from tests.store.waiting import until

PASSWORD = "open sesame/@:%"
LOGIN = f":{quote(PASSWORD, safe='')}@"
SERVICE = "round-table"
SENTINEL = """
port {port}
bind 127.0.0.1
dir "{home}"
logfile "{home}/log"
sentinel monitor {service} 127.0.0.1 {master} 2
sentinel auth-pass {service} "{password}"
sentinel down-after-milliseconds {service} 500
sentinel failover-timeout {service} 3000
"""
QUICK = ("info-period", 100, "ask-period", 100, "publish-period", 500)
"""Sentinel's own paces in milliseconds, by default of one to ten seconds.

Any quicker they are at cross-purposes: who promotes a replica looks once a second whether that has come about, and who
has not heard of it in four publish periods takes it back.
"""


class Server:
    """One server program with a folder of its own, which keeps its port from one start to the next."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.port = _free_port()
        self.home = folder / str(self.port)
        self.home.mkdir()
        self._program = program
        self.process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://{LOGIN}127.0.0.1:{self.port}"

    def client(self) -> Any:
        """A connection of the test's own."""
        return Redis(port=self.port, password=PASSWORD, protocol=2, socket_timeout=5)

    async def start(self, *more: str) -> None:
        """Start with every save on the disk before it is acknowledged, and return once it answers."""
        options = f"""
            --port {self.port} --bind 127.0.0.1 --dir {self.home} --logfile {self.home / "log"} --appendonly yes
            --appendfsync always --repl-diskless-sync-delay 0
        """
        arguments = [*options.split(), "--requirepass", PASSWORD, "--masterauth", PASSWORD, "--save", ""]
        await self._run(*arguments, *more)
        async with self.client() as client:
            await until(lambda: _answers(client))

    async def watch(self, master: Server) -> None:
        """Start as a Sentinel."""
        config = self.home / "sentinel.conf"
        values = {"port": self.port, "home": self.home, "master": master.port}
        config.write_text(SENTINEL.format(service=SERVICE, password=PASSWORD, **values))
        await self._run(str(config), "--sentinel")
        async with Redis(port=self.port, protocol=2) as client:
            await until(lambda: _answers(client))
        await ask(self, "SENTINEL DEBUG", *QUICK)

    async def kill(self) -> None:
        """As a machine that loses its power, if it runs."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
            self.process = None

    async def follow(self, master: Server) -> None:
        """Become its replica, and return once in touch."""
        async with self.client() as client:
            await client.execute_command("REPLICAOF", "127.0.0.1", master.port)
            await until(lambda: _follows(client))
        async with master.client() as client:
            await until(lambda: _streams(client))

    async def lead(self) -> None:
        """Become a master, as somebody promotes it by hand."""
        async with self.client() as client:
            await client.execute_command("REPLICAOF", "NO", "ONE")

    async def is_master(self) -> bool:
        """Whether it takes itself for one."""
        return await self._role() == "master"

    async def is_replica(self) -> bool:
        """Whether it takes itself for one."""
        return await self._role() == "slave"

    async def _role(self) -> str:
        async with self.client() as client:
            return str((await client.info("replication"))["role"])

    async def _run(self, *arguments: str) -> None:
        self.process = await asyncio.create_subprocess_exec(self._program, *arguments)


@contextlib.contextmanager
def halted(server: Server) -> Iterator[None]:
    """It takes everything and answers nothing."""
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.process.pid, signal.SIGCONT)


@contextlib.asynccontextmanager
async def servers(program: Path, count: int) -> AsyncIterator[list[Server]]:
    """So many servers that are not running yet, and do not outlive this."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tgavalon-replicas-")))
        made = [Server(program, folder) for _ in range(count)]
        for server in made:
            stack.push_async_callback(server.kill)
        yield made


@contextlib.asynccontextmanager
async def pair(program: Path, *more: str) -> AsyncIterator[tuple[Server, Server]]:
    """A master, and a replica that is in touch with it; `more` is told to both."""
    async with servers(program, 2) as (master, replica):
        await asyncio.gather(master.start(*more), replica.start(*more))
        await replica.follow(master)
        yield master, replica


@contextlib.asynccontextmanager
async def watch(program: Path, master: Server, replica: Server) -> AsyncIterator[list[Server]]:
    """Three Sentinels that know each other and both servers."""
    async with servers(program, 3) as sentinels:
        await asyncio.gather(*(sentinel.watch(master) for sentinel in sentinels))
        for sentinel in sentinels:
            await until(lambda sentinel=sentinel: _sees(sentinel, replica))  # type: ignore[misc]
        yield sentinels


def watched_by(sentinels: Sequence[Server]) -> str:
    """The address of the server that they watch over."""
    return f"redis+sentinel://{LOGIN}{','.join(f'127.0.0.1:{each.port}' for each in sentinels)}/{SERVICE}"


async def ask(sentinel: Server, *command: object) -> Any:
    """What a Sentinel answers."""
    async with Redis(port=sentinel.port, protocol=2, decode_responses=True) as client:
        told: Any = client
        return await told.execute_command(*command)


async def master_port(sentinels: Sequence[Server]) -> int:
    """Where the Sentinels say that the master is; 0 while they do not agree."""
    told = {(await ask(each, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE))[1] for each in sentinels}
    return int(told.pop()) if len(told) == 1 else 0


async def _sees(sentinel: Server, replica: Server) -> bool:
    async with Redis(port=sentinel.port, protocol=2) as client:
        told: Any = client
        master = await told.sentinel_master(SERVICE)
        replicas = await told.sentinel_slaves(SERVICE)
    ready = [each["port"] for each in replicas if each["master-link-status"] == "ok"]
    return master["num-other-sentinels"] == 2 and ready == [replica.port]


async def _answers(client: Any) -> bool:
    try:
        await client.ping()
    except RedisError:
        return False
    return True


async def _follows(client: Any) -> bool:
    return bool((await client.info("replication")).get("master_link_status") == "up")


async def _streams(client: Any) -> bool:
    """Whether the master sends its replica what is written, which begins some time after the replica is in touch."""
    return bool(await client.execute_command("WAIT", 1, 100))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Switch(Relay):
    """One address for whichever server is behind it, as a floating IP address or a load balancer is."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server

    @property
    def url(self) -> str:
        return f"redis://{LOGIN}127.0.0.1:{self.port}"

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connections stay where they are when the switch is thrown."""
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.server.port)
        except ConnectionError:
            writer.close()
            return
        await asyncio.gather(_pump(reader, back), _pump(there, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while some := await reader.read(1 << 16):
            writer.write(some)
            await writer.drain()
    except ConnectionError:
        return
    finally:
        writer.close()
