"""A Redis Cluster of three nodes on this machine, without replicas and without a word on disk that outlives it."""

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NotYet

from tests.store.waiting import until

SLOTS = 16384


@contextlib.asynccontextmanager
async def cluster(program: Path, nodes: int = 3) -> AsyncIterator[str]:
    """The address of one node of a cluster that is up."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tgavalon-cluster-")))
        ports = [await stack.enter_async_context(node(program, folder)) for _ in range(nodes)]
        clients = [await stack.enter_async_context(Redis(port=port, protocol=2)) for port in ports]
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
        async with Redis(port=port, protocol=2) as client:
            await until(partial(_answers, client))
        yield port
    finally:
        process.kill()
        await process.wait()


async def _join(clients: list[Any], ports: list[int]) -> None:
    share = -(-SLOTS // len(clients))
    bus = (await clients[0].config_get("cluster-port"))["cluster-port"]
    for number, client in enumerate(clients):
        first = number * share
        await client.execute_command("CLUSTER ADDSLOTSRANGE", first, min(first + share, SLOTS) - 1)
        if number:
            await client.execute_command("CLUSTER MEET", "127.0.0.1", ports[0], bus)
    for client in clients:
        await until(partial(_is_up, client, len(clients)))


async def _is_up(client: Any, nodes: int) -> bool:
    told = await client.execute_command("CLUSTER INFO")
    return str(told["cluster_state"]) == "ok" and int(told["cluster_known_nodes"]) == nodes


async def _answers(client: Redis) -> bool:
    try:
        await client.ping()
    except NotYet:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
