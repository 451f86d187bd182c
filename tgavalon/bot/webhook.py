"""Updates in by webhook: each answered with 200 only once `Intake` has taken it, so that Telegram repeats the rest.

Any number of workers may stand behind one address: they all register the same webhook with the same secret. What an
update means is not known here, none of its content is logged, and the webhook stays registered when a worker stops.
"""

from __future__ import annotations

import asyncio
import datetime as dtm
import hashlib
import hmac
import json
import logging
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, EndPointNotFound, InvalidToken, NetworkError, RetryAfter, TelegramError

from tgavalon.bot.polling import Intake, Raw, TokenRefused
from tgavalon.table.ports import Clock

_log = logging.getLogger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
MAX_BODY = 1024 * 1024
"""Bytes of one update; the longest that Telegram makes of one message are some 100 kB."""
MAX_CONNECTIONS = 100
"""How many updates Telegram may have on the way at once, the most it allows."""

_LABEL = b"tgavalon webhook"
_LONGEST_PAUSE = 30.0
_TAKEN, _MALFORMED, _FORBIDDEN, _LATER = 200, 400, 403, 503


class WebhookRefused(Exception):
    """The webhook cannot be: Telegram does not accept its address, or this machine does not give it a port."""


@dataclass(frozen=True, slots=True)
class Door:
    """The public `url` that Telegram posts to, and where this worker listens for what arrives there."""

    url: str
    host: str
    port: int


def secret_of(token: str) -> str:
    """What Telegram is to say with every update: the same on all workers of one bot, and known to nobody else."""
    return hmac.new(token.encode(), _LABEL, hashlib.sha256).hexdigest()


class Webhook:
    """Registers the webhook and serves it.

    A request waits at most `patience` seconds for its update to be taken, less than Telegram waits for an answer, and
    is then told to come again. Stopping refuses what is new, gives what is running `grace` seconds, and leaves the
    rest to the next worker.
    """

    def __init__(
        self,
        bot: Bot,
        intake: Intake,
        allowed_updates: Sequence[str],
        clock: Clock,
        door: Door,
        *,
        patience: float = 50.0,
        grace: float = 10.0,
    ) -> None:
        self._bot = bot
        self._intake = intake
        self._allowed = list(allowed_updates)
        self._clock = clock
        self._door = door
        self._patience = patience
        self._grace = grace
        self._secret = secret_of(bot.token).encode()
        self._stopping = asyncio.Event()
        self._drained = asyncio.Event()

    @property
    def in_reach(self) -> bool:
        """True: whoever waits to be called cannot tell silence from quiet."""
        return True

    def stop(self) -> None:
        """Have `run` finish what is in flight and return."""
        self._intake.stop()
        self._stopping.set()

    async def run(self) -> None:
        """Serve until `stop`. Raises `TokenRefused` and `WebhookRefused`; other troubles are waited out."""
        app = web.Application(client_max_size=MAX_BODY)
        app.router.add_post(urlsplit(self._door.url).path or "/", self._receive)
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=self._grace)
        await runner.setup()
        try:
            site = web.TCPSite(runner, self._door.host, self._door.port)
            await _listen(site, self._door)
            await self._register()
            await self._stopping.wait()
            await site.stop()
        finally:
            await self._intake.drain(self._grace)
            self._drained.set()
            await runner.cleanup()

    async def _register(self) -> None:
        for attempt in count():
            try:
                await self._bot.set_webhook(
                    self._door.url,
                    allowed_updates=self._allowed,
                    secret_token=self._secret.decode(),
                    max_connections=MAX_CONNECTIONS,
                )
            except TelegramError as error:
                pause = _pause_after(error, attempt)
            else:
                self._registered = True
                return _log.info("Telegram sends updates to %s", self._door.url)
            await self._sleep(pause)
            if self._stopping.is_set():
                return None
        raise AssertionError("count() ends never")

    async def _sleep(self, seconds: float) -> None:
        """Wait that long, or until `stop`."""
        waits = [asyncio.ensure_future(wait) for wait in (self._clock.sleep(seconds), self._stopping.wait())]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def _receive(self, request: web.Request) -> web.Response:
        if not hmac.compare_digest(request.headers.get(SECRET_HEADER, "").encode(), self._secret):
            return web.Response(status=_FORBIDDEN)
        raw = _update_in(await request.read())
        if raw is None:
            return web.Response(status=_MALFORMED)
        if self._stopping.is_set():
            return web.Response(status=_LATER)
        return web.Response(status=_TAKEN if await self._taken(raw) else _LATER)

    async def _taken(self, raw: Raw) -> bool:
        taken, drained = self._intake.take(raw), asyncio.ensure_future(self._drained.wait())
        try:
            await asyncio.wait((taken, drained), timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
        finally:
            drained.cancel()
        return taken.done()


async def _listen(site: web.TCPSite, door: Door) -> None:
    try:
        await site.start()
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else "unknown reason"
        raise WebhookRefused(f"{door.host}:{door.port} cannot be listened on ({reason})") from None


def _update_in(body: bytes) -> Raw | None:
    """The update that a request holds, None where it holds none."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) and type(raw.get("update_id")) is int else None


def _pause_after(error: TelegramError, attempt: int) -> float:
    """Seconds to wait before the webhook is registered again; raises where waiting cannot help."""
    if isinstance(error, (InvalidToken, EndPointNotFound)):
        raise TokenRefused("Telegram does not know this bot token") from None
    if isinstance(error, BadRequest) or not isinstance(error, (NetworkError, RetryAfter)):
        raise WebhookRefused(f"Telegram does not accept this webhook: {error}") from None
    if isinstance(error, RetryAfter):
        wait = error.retry_after
        return wait.total_seconds() if isinstance(wait, dtm.timedelta) else float(wait)
    _log.log(logging.DEBUG if attempt else logging.WARNING, "The webhook is not registered yet (%s)", error)
    return min(_LONGEST_PAUSE, 0.5 * 2.0 ** min(attempt, 20)) * random.uniform(0.5, 1.0)
