"""The way to the server: commands, pipelines and scripts, and what becomes of its refusals.

Every command sent here can be repeated, so a torn connection or a late answer is tried again a few times; what still
fails is `StoreUnavailable` with the name of the error and nothing else, since a full message can hold an address, a
password or a blob.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import NoScriptError, RedisClusterException, RedisError

from tgavalon.store.scripts import Script
from tgavalon.table.ports import StoreUnavailable

Command = tuple[Any, ...]

_OUTAGES: Final = (RedisError, RedisClusterException, OSError)


class Connection:
    """Up to so many clients of one server or cluster, of which each serves one caller at a time.

    A client's own pool is not shared by callers because redis-py's cluster client is not safe for that: when one
    connection breaks, or the cluster changes, it closes idle connections that another caller has just taken up.
    """

    def __init__(self, url: str, *, cluster: bool, connections: int, timeout: float, retries: int) -> None:
        """Nothing is sent yet. `timeout` is in seconds, for each of up to 1 + `retries` attempts."""
        options: dict[str, Any] = {
            "protocol": 2,
            "socket_timeout": timeout,
            "socket_connect_timeout": timeout,
            "retry": Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.02), retries),
        }
        kind: Any = RedisCluster if cluster else Redis
        self._cluster = cluster
        self._clients = [kind.from_url(url, **options) for _ in range(connections)]
        self._idle: asyncio.LifoQueue[Any] = asyncio.LifoQueue()
        for client in self._clients:
            self._idle.put_nowait(client)

    async def call(self, *command: Any) -> Any:
        """Send one command. Raises `StoreUnavailable`."""
        return await self._answer(lambda client: client.execute_command(*command))

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands together, each for itself, in one round trip to each node. Raises `StoreUnavailable`."""
        if not commands:
            return []
        answers: list[Any] = await self._answer(lambda client: _batch(client, commands))
        return answers

    async def run(self, script: Script, keys: Sequence[str], *arguments: Any) -> Any:
        """Run a script; the server learns it on the way if it does not know it. Raises `StoreUnavailable`."""
        return await self._answer(lambda client: _evaluate(client, script, (len(keys), *keys, *arguments)))

    async def info(self, section: str) -> tuple[dict[str, Any], ...]:
        """What each server says of itself. Raises `StoreUnavailable`."""
        if not self._cluster:
            return (await self.call("INFO", section),)
        nodes = await self._answer(lambda client: client.info(section, target_nodes=RedisCluster.PRIMARIES))
        return tuple(nodes.values())

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            await client.aclose()

    async def _answer(self, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        client, before = await self._idle.get(), _cancellations()
        try:
            return await ask(client)
        except _OUTAGES as error:
            cause = type(error).__name__
        finally:
            self._idle.put_nowait(client)
            if _cancellations() > before:
                # redis-py sends through `asyncio.wait_for`, which in Python 3.11 can swallow a cancellation.
                raise asyncio.CancelledError
        raise StoreUnavailable(cause)


def _cancellations() -> int:
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


async def _batch(client: Any, commands: Sequence[Command]) -> Any:
    batch = client.pipeline(transaction=False)
    for command in commands:
        batch.execute_command(*command)
    return await batch.execute()


async def _evaluate(client: Any, script: Script, rest: Command) -> Any:
    try:
        return await client.execute_command("EVALSHA", script.sha, *rest)
    except NoScriptError:
        return await client.execute_command("EVAL", script.source, *rest)
