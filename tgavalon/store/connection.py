"""The way to the server: commands, pipelines and scripts, and what becomes of its refusals.

Every command sent here can be repeated, so a torn connection or a late answer is tried again a few times; what still
fails is `StoreUnavailable` with the name of the error and nothing else, since a full message can hold an address, a
password or a blob.

Where replicas are to have every save, a script and the wait for them are sent together on one connection: the server
counts for WAIT what that connection has written. What has not reached them in time is `StoreUnavailable` though it is
saved where it was sent; the script is known again when it is repeated, and what asks whether it holds waits as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import NoScriptError, ReadOnlyError, RedisClusterException, RedisError
from redis.exceptions import TimeoutError as TooLate

from tgavalon.store.scripts import Script
from tgavalon.store.sentinel import Watched, is_watched
from tgavalon.table.ports import StoreUnavailable

Command = tuple[Any, ...]

_OUTAGES: Final = (RedisError, RedisClusterException, OSError)
_RETRIED: Final = (NoConnection, TooLate, ReadOnlyError)
"""A server that has become read-only is a replica by now: the next connection may lead to the one in its place."""


class Misconfigured(Exception):
    """The store cannot be used as it is set up. The text is one line that says why, without the address."""


class NotReplicated(RedisError):
    """Too few replicas have confirmed a save in time."""


class Connection:
    """Up to so many clients of one server or cluster, of which each serves one caller at a time.

    A client's own pool is not shared by callers because redis-py's cluster client is not safe for that: when one
    connection breaks, or the cluster changes, it closes idle connections that another caller has just taken up.
    """

    def __init__(
        self, url: str, *, cluster: bool, connections: int, timeout: float, retries: int, replicas: int = 0
    ) -> None:
        """Nothing is sent yet. `timeout` is in seconds, for each of up to 1 + `retries` attempts.

        With `replicas`, a script counts only once so many of them have what it wrote, which they have half of that
        time for. Raises `Misconfigured`.
        """
        if cluster and replicas:
            raise Misconfigured("redis_replicas is not for a cluster, only for one master and its replicas")
        options: dict[str, Any] = {
            "protocol": 2,
            "socket_timeout": timeout,
            "socket_connect_timeout": timeout,
            "retry": Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.02), retries, _RETRIED),
        }
        self._cluster = cluster
        self._replicas = replicas
        self._wait: Command = ("WAIT", replicas, int(timeout * 500))
        self._watched: Watched | None = None
        try:
            make: Callable[..., Any] = partial((RedisCluster if cluster else Redis).from_url, url)
            if is_watched(url):
                self._watched = Watched(url)
                make = self._watched.client
            self._clients = [make(**options) for _ in range(connections)]
            if not cluster:
                self._clients[0].connection_pool.make_connection()  # it goes nowhere yet, but looks at all options
        except (ValueError, TypeError):
            raise Misconfigured("redis_url is malformed") from None
        self._idle: asyncio.LifoQueue[Any] = asyncio.LifoQueue()
        for client in self._clients:
            self._idle.put_nowait(client)

    async def call(self, *command: Any) -> Any:
        """Send one command. Raises `StoreUnavailable`."""
        return await self._answer(lambda client: client.execute_command(*command))

    async def save(self, *command: Any) -> Any:
        """Send one command that writes, and wait for the replicas. Raises `StoreUnavailable`."""
        return await self._answer(lambda client: self._replicated(client, command))

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands together, each for itself, in one round trip to each node. Raises `StoreUnavailable`."""
        if not commands:
            return []
        answers: list[Any] = await self._answer(lambda client: _batch(client, commands))
        return answers

    async def run(self, script: Script, keys: Sequence[str], *arguments: Any) -> Any:
        """Run a script, and wait for the replicas. Raises `StoreUnavailable`.

        The server learns the script on the way if it does not know it.
        """
        return await self._answer(lambda client: self._evaluate(client, script, (len(keys), *keys, *arguments)))

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
        if self._watched is not None:
            await self._watched.close()

    async def _evaluate(self, client: Any, script: Script, rest: Command) -> Any:
        try:
            return await self._replicated(client, ("EVALSHA", script.sha, *rest))
        except NoScriptError:
            return await self._replicated(client, ("EVAL", script.source, *rest))

    async def _replicated(self, client: Any, command: Command) -> Any:
        """In one go, so that a repetition after a lost connection waits for what it has itself written."""
        if not self._replicas:
            return await client.execute_command(*command)
        answer, reached = await _batch(client, [command, self._wait])
        if reached < self._replicas:
            raise NotReplicated
        return answer

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
