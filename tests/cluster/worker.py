"""The command line as its own process, with a clock that runs fast: `python -m tests.cluster.worker run …`."""

from __future__ import annotations

import asyncio
import sys
import time

from tgavalon.__main__ import main
from tgavalon.bot import app

SPEED = 20.0


class FastClock:
    """The `Clock` of the workers, alike in all of them, so that Telegram's limits do not slow the test down."""

    def now(self) -> float:
        """Seconds since the epoch, some centuries ahead."""
        return time.time() * SPEED

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds / SPEED)


if __name__ == "__main__":
    app.SystemClock = FastClock  # type: ignore[misc,assignment]
    sys.exit(main())
