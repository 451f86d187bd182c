"""The real bot against the double and a real Valkey, as every end-to-end test has it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator

import pytest

from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore


SPEED = 60.0


class QuickClock:
    """A clock that runs a minute a second, so that waiting for Telegram's limits does not slow the tests down."""

    def now(self) -> float:
        return time.time() * SPEED

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / SPEED)


@pytest.fixture
async def store() -> AsyncIterator[RedisStore]:
    async with EmbeddedServer(None) as server:
        store = RedisStore(server.url)
        yield store
        await store.close()


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as double:
        yield double


@pytest.fixture
async def bot(double: Double, store: RedisStore) -> AsyncIterator[AvalonBot]:
    worker = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, clock=QuickClock(), dice=random.Random(7))
    async with worker.running():
        yield worker
    double.assert_well_behaved()
