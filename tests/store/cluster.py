"""A Redis Cluster of three nodes on this machine, without replicas and without a word on disk that outlives it."""

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NotYet

SLOTS = 16384


@contextlib.asynccontextmanager
async def cluster(program: Path, nodes: int = 3) -> AsyncIterator[str]:
    """The address of one node of a cluster that is up."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tgavalon-cluster-")))
        ports = [await stack.enter_async_context(node(program, folder)) for _ in range(nodes)]
        clients = [await stack.enter_async_context(Redis(port=port, protocol=2)) for port in ports]
        async with asyncio.timeout(30):
            await _join(clients, ports)
        yield f"redis://127.0.0.1:{ports[0]}"


@contextlib.asynccontextmanager
async def node(program: Path, folder: Path) -> AsyncIterator[int]:
    """The port of one node that owns no slots yet."""
    port, bus = _free_port(), _free_port()
    home = folder / str(port)
    home.mkdir()
    arguments = ["--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus), "--dir", str(home)]
    arguments += ["--bind", "127.0.0.1", "--save", "", "--logfile", str(home / "log")]
    process = await asyncio.create_subprocess_exec(program, *arguments)
    try:
        async with asyncio.timeout(30), Redis(port=port, protocol=2) as client:
            await _until_answering(client)
        yield port
    finally:
        process.kill()
        await process.wait()


async def _join(clients: list[Redis], ports: list[int]) -> None:
    share = -(-SLOTS // len(clients))
    for number, client in enumerate(clients):
        first = number * share
        await client.execute_command("CLUSTER ADDSLOTSRANGE", first, min(first + share, SLOTS) - 1)
        if number:
            await client.execute_command("CLUSTER MEET", "127.0.0.1", ports[0], await _bus_port(clients[0]))
    for client in clients:
        while not await _is_up(client, len(clients)):
            await asyncio.sleep(0.05)


async def _bus_port(client: Redis) -> int:
    return int((await client.config_get("cluster-port"))["cluster-port"])


async def _is_up(client: Redis, nodes: int) -> bool:
    told = await client.execute_command("CLUSTER INFO")
    return str(told["cluster_state"]) == "ok" and int(told["cluster_known_nodes"]) == nodes


async def _until_answering(client: Redis) -> None:
    while True:
        with contextlib.suppress(NotYet):
            await client.ping()
            return
        await asyncio.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
