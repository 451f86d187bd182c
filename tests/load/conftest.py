"""The real bot and the double on one quick clock, with Telegram's limits on."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from tests.conftest import fresh_prefix
from tests.e2e.conftest import no_errors_are_logged
from tests.load.lag import WatchedStore
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.playground.double import ANSWER_WINDOW, TEST_TOKEN

__all__ = ["no_errors_are_logged"]

SPEED = 8.0
"""Seconds of the bot and of Telegram in one of real time."""


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    # Presses wait as long as ever, in real time: this machine is not faster, only Telegram's clock is.
    async with Double(limits=True, speed=SPEED, answer_window=ANSWER_WINDOW * SPEED) as double:
        yield double
    double.assert_well_behaved()


@pytest.fixture
async def watched(double: Double, valkey_url: str) -> AsyncIterator[WatchedStore]:
    store = WatchedStore(valkey_url, double.world.clock, fresh_prefix())
    yield store
    await store.close()


@pytest.fixture
async def bot(double: Double, watched: WatchedStore) -> AsyncIterator[AvalonBot]:
    bot = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), watched, clock=double.world.clock, dice=random.Random(7))
    async with bot.running():
        yield bot
