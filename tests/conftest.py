"""Fixtures for everybody: a Valkey server for the session, and a store of one test's own on it."""

import itertools
import logging
import os
import sys
from collections.abc import AsyncIterator, Iterator

import hypothesis
import pytest
import pytest_asyncio

from locales import catalogues
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore

_numbers = itertools.count()


def pytest_configure() -> None:
    catalogues.compile_all()
    # How long an example takes says more about the machine than about the code.
    hypothesis.settings.register_profile(
        "tests", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=20, help="how often tests/chaos kills the bot (default 20)")


def fresh_prefix() -> str:
    """A key prefix that no other test uses."""
    return f"test-{os.getpid()}-{next(_numbers)}"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def valkey_url() -> AsyncIterator[str]:
    """The address of a Valkey server that lives as long as the session and keeps nothing."""
    async with EmbeddedServer(None) as server:
        yield server.url


@pytest.fixture
async def store(valkey_url: str) -> AsyncIterator[RedisStore]:
    """An empty store."""
    opened = RedisStore(valkey_url, prefix=fresh_prefix())
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """What a test of the command line does to the logging of this process ends with it."""
    root, hook = logging.getLogger(), sys.excepthook
    loggers = [root, *map(logging.getLogger, ("aiohttp", "aiohttp.access", "httpcore", "httpx", "telegram"))]
    levels, handlers = [logger.level for logger in loggers], root.handlers[:]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    root.handlers[:] = handlers
    logging.captureWarnings(False)
    sys.excepthook = hook
