"""The bot as its own process, to be killed: `python -m tests.chaos.worker API_URL REDIS_URL`.

It is the bot of `tgavalon run`, but for a clock that runs a minute a second.
"""

from __future__ import annotations

import asyncio
import sys

from tests.e2e.conftest import QuickClock
from tgavalon.bot.app import AvalonBot
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.redis_store import RedisStore


async def main(api_url: str, redis_url: str) -> None:
    """Poll until killed."""
    store = RedisStore(redis_url)
    async with AvalonBot(TEST_TOKEN, api_url, store, clock=QuickClock()).running() as polling:
        await polling


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
