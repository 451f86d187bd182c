"""Time that does not pass: tests under `at_once` run in an event loop that jumps to whatever happens next.

A minute's wait takes no time, and waiting for something that never comes is an error at once.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable
from typing import ParamSpec

P = ParamSpec("P")


FOR_EVER = 2 * 3600.0
"""Seconds that no test needs: whatever goes on for so long goes on for ever."""


class Stuck(Exception):
    """Everybody waits and nothing is ever going to happen, or something happens for ever."""


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that jumps to the next thing that is due."""

    def __init__(self) -> None:
        self.jumped = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.jumped


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: JumpingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or self._loop.jumped > FOR_EVER:
            self._loop.jumped = 0.0  # what is cancelled now still has to run
            raise Stuck
        self._loop.jumped += max(0.0, timeout)
        return super().select(0)


def at_once(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an async test in a loop whose time jumps."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def body() -> None:
            await test(*args, **kwargs)

        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            runner.run(body())

    return run
