"""What most tests of the bot's parts talk to; a file with wishes of its own has its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.telegram_users import Double


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as running:
        yield running
