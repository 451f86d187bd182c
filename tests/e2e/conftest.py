"""The real bot against the double and a real Valkey, as every end-to-end test has it."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.table.ports import Store

SPEED = 60.0


class QuickClock:
    """A clock that runs a minute a second, so that waiting for Telegram's limits does not slow the tests down.

    `turn` makes it jump, as after a night without the bot.
    """

    def __init__(self, speed: float = SPEED) -> None:
        self.speed = speed
        self.ahead = 0.0

    def now(self) -> float:
        return time.time() * self.speed + self.ahead

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.speed)

    def turn(self, seconds: float) -> None:
        self.ahead += seconds


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> QuickClock:
    """As quick as ever, or so many seconds a second as a test asks for by an indirect parameter."""
    return QuickClock(getattr(request, "param", SPEED))


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as double:
        yield double
    double.assert_well_behaved()
    silent = [answer for answer in double.world.answers if answer.unanswered]
    assert not silent, f"presses that the bot never answered: {silent}"


@pytest.fixture(autouse=True)
def no_errors_are_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever people and Telegram do, the bot has no reason to log an error. Tests that expect one clear the log."""
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not errors, [(record.getMessage(), record.exc_text) for record in errors]


def worker(double: Double, store: Store, clock: QuickClock, seed: int = 7) -> AvalonBot:
    """A bot that is not running yet; several on one store are a restart or a cluster."""
    return AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, clock=clock, dice=random.Random(seed))


@pytest.fixture
async def bot(double: Double, store: Store, clock: QuickClock) -> AsyncIterator[AvalonBot]:
    bot = worker(double, store, clock)
    async with bot.running():
        yield bot
