"""Time as the double sees it: real time, or a multiple of it, plus an offset that tests can turn.

Nothing here reads another clock.
"""

import asyncio
import contextlib
import time


class Signal:
    """Wakes everybody who waits, each time it fires.

    Within one event loop nothing is missed as long as the caller checks its condition and calls `wait` with no await
    in between.
    """

    def __init__(self) -> None:
        self.count = 0  # how often it fired
        self._waiting: set[asyncio.Future[None]] = set()

    def fire(self) -> None:
        self.count += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float | None = None) -> None:
        """Return at the next `fire`, or after that many seconds of real time, whichever comes first."""
        await wait_any(self, seconds=seconds)

    def enlist(self, future: asyncio.Future[None]) -> None:
        self._waiting.add(future)

    def dismiss(self, future: asyncio.Future[None]) -> None:
        self._waiting.discard(future)


async def wait_any(*signals: Signal, seconds: float | None = None) -> None:
    """Return when the first of the signals fires, or after that many seconds of real time."""
    future = asyncio.get_running_loop().create_future()
    for signal in signals:
        signal.enlist(future)
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(future, seconds)
    finally:
        for signal in signals:
            signal.dismiss(future)


class Clock:
    """Unix time in seconds, running `speed` times as fast from the start on.

    `advance` turns it forward and wakes every wait inside the double.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._began = time.time()
        self.offset = 0.0
        self.turned = Signal()

    def now(self) -> float:
        return self._began + (time.time() - self._began) * self.speed + self.offset

    def real(self, seconds: float) -> float:
        """How many seconds of real time so many of this clock take."""
        return seconds / self.speed

    def date(self) -> int:
        """Whole seconds, as messages carry them."""
        return int(self.now())

    def advance(self, seconds: float) -> None:
        """Raises ValueError for a negative number: time does not run backwards."""
        if seconds < 0:
            raise ValueError("the clock only turns forward")
        self.offset += seconds
        self.turned.fire()

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has moved on by that much, by real time or by being turned."""
        await self.sleep_until(self.now() + seconds)

    async def sleep_until(self, deadline: float) -> None:
        while (left := deadline - self.now()) > 0:
            await self.turned.wait(self.real(left))
