"""The real bot on a Valkey of its own, which can be taken away and given back."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.e2e.conftest import QuickClock, clock, double, no_errors_are_logged, worker
from tests.store.waiting import until
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.ports import StoreUnavailable

__all__ = ["clock", "double", "no_errors_are_logged"]


class Power:
    """A Valkey server that can be switched off and on again, or hang, with everything it holds kept on the disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = AsyncExitStack()
        self._server: EmbeddedServer | None = None

    @property
    def server(self) -> EmbeddedServer:
        assert self._server is not None
        return self._server

    async def on(self) -> None:
        self._server = await self._stack.enter_async_context(EmbeddedServer(self._folder))

    async def off(self) -> None:
        await self._stack.aclose()

    def hang(self) -> None:
        """The server accepts everything and answers nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self.server.pid is not None
        os.kill(self.server.pid, number)


@pytest.fixture
async def power(tmp_path: Path) -> AsyncIterator[Power]:
    power = Power(tmp_path)
    await power.on()
    yield power
    await power.off()


@pytest.fixture
async def store(power: Power) -> AsyncIterator[RedisStore]:
    store = RedisStore(power.server.url)
    yield store
    await store.close()


@pytest.fixture
async def bot(double: Double, store: RedisStore, clock: QuickClock) -> AsyncIterator[AvalonBot]:
    bot = worker(double, store, clock)
    async with bot.running():
        yield bot


async def until_it_answers(store: RedisStore) -> None:
    """Wait until the store is back."""

    async def answers() -> bool:
        try:
            await store.ping()
        except StoreUnavailable:
            return False
        return True

    await until(answers)
