"""Waiting for what happens in other processes, which no event of this one can announce."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 20) -> None:
    """Return once the condition holds. Raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while True:
            held = condition()
            if await held if inspect.isawaitable(held) else held:
                return
            await asyncio.sleep(0.02)
