"""Fixtures: a store on Valkey, on Debian's Redis and on a Valkey cluster, with as many handles as a test wants."""

import contextlib
import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conftest import fresh_prefix
from tests.store.cluster import cluster
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import find_server


@dataclass(frozen=True)
class Engine:
    """A running server or cluster."""

    name: str
    url: str

    def store(self, prefix: str) -> RedisStore:
        """A new handle on the store with this prefix."""
        return RedisStore(self.url, prefix=prefix, cluster=self.name == "cluster")


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["valkey", "redis", "cluster"])
async def engine(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    """Each kind of server in turn."""
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "cluster":
            url = await stack.enter_async_context(cluster(await find_server()))
        else:
            program = await find_server() if request.param == "valkey" else _redis_on_the_path()
            url = (await stack.enter_async_context(EmbeddedServer(None, program=program))).url
        yield Engine(request.param, url)


@pytest.fixture
async def handles(engine: Engine) -> AsyncIterator[Callable[[], RedisStore]]:
    """Opens one more handle on one and the same store, as another process would."""
    prefix = fresh_prefix()
    async with contextlib.AsyncExitStack() as stack:

        def open_one() -> RedisStore:
            handle = engine.store(prefix)
            stack.push_async_callback(handle.close)
            return handle

        yield open_one


@pytest.fixture
def store(handles: Callable[[], RedisStore]) -> RedisStore:
    """An empty store."""
    return handles()


def _redis_on_the_path() -> Path:
    found = shutil.which("redis-server")
    if found is None:
        pytest.skip("no redis-server on the PATH (Debian: apt install redis-server)")
    return Path(found)
