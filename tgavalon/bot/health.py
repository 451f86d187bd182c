"""The address for operators: /healthz, /readyz and /metrics, apart from what Telegram posts to.

It changes nothing and shows nothing of any game. Who may reach it is decided by where it listens.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from telegram import Bot
from telegram.error import TelegramError

from tgavalon.bot.metrics import Metrics
from tgavalon.table.ports import StoreUnavailable

LATELY = 60.0
"""Seconds for which an answer of Telegram counts as a sign of life."""
_PATIENCE = 3.0
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class NoAdmin(Exception):
    """The address for operators cannot be listened on. The text is one line."""


@dataclass(frozen=True, slots=True)
class Health:
    """What readiness depends on: `ping` of the store, Telegram through `bot`, and updates that come in."""

    metrics: Metrics
    bot: Bot
    ping: Callable[[], Awaitable[object]]
    hears: Callable[[], bool]

    async def problems(self) -> list[str]:
        """What keeps this worker from being of use; empty where nothing does."""
        found = await asyncio.gather(self._store(), self._telegram())
        updates = None if self.hears() else "no updates from Telegram"
        return [problem for problem in (*found, updates) if problem is not None]

    async def _store(self) -> str | None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.ping()
        except (StoreUnavailable, TimeoutError):
            return "the store does not answer"
        return None

    async def _telegram(self) -> str | None:
        if self.metrics.since_last_call() < LATELY:
            return None
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.bot.get_me()
        except (TelegramError, TimeoutError):
            return "Telegram does not answer"
        return None


@asynccontextmanager
async def served(health: Health, host: str, port: int) -> AsyncIterator[int]:
    """Serve the three pages for as long as the block runs; yields the port. Raises `NoAdmin`."""
    pages = _Pages(health)
    app = web.Application()
    app.router.add_get("/healthz", pages.alive)
    app.router.add_get("/readyz", pages.ready)
    app.router.add_get("/metrics", pages.metrics)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            reason = os.strerror(error.errno).lower() if error.errno else "unknown reason"
            raise NoAdmin(f"{host}:{port} cannot be listened on for operators ({reason})") from None
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


class _Pages:
    def __init__(self, health: Health) -> None:
        self._health = health

    async def alive(self, _: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def ready(self, _: web.Request) -> web.Response:
        problems = await self._health.problems()
        return web.Response(text="\n".join(problems or ["ok"]) + "\n", status=503 if problems else 200)

    async def metrics(self, _: web.Request) -> web.Response:
        return web.Response(body=self._health.metrics.page(), headers={"Content-Type": _METRICS_TYPE})
