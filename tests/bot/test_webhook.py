"""By webhook an update is answered with 200 only once it is taken, and nobody but Telegram is listened to."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import io
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from telegram import Bot, Update

from tests.telegram_users import Double
from tgavalon.bot.polling import Intake, NotTaken, TokenRefused
from tgavalon.bot.transport import AiohttpRequest
from tgavalon.bot.webhook import MAX_BODY, SECRET_HEADER, Door, Webhook, WebhookRefused, secret_of

ALLOWED = ("message", "callback_query")
TOKEN = "42:TEST"


class RealClock:
    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Stage:
    """A webhook that runs, and what its handler has been given."""

    double: Double
    session: aiohttp.ClientSession
    url: str
    webhook: Webhook
    running: asyncio.Task[None]
    got: list[int] = field(default_factory=list)
    reply: Callable[[Update], Awaitable[None]] | None = None
    began: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, update: Update) -> None:
        self.got.append(update.update_id)
        self.began.set()
        if self.reply is not None:
            await self.reply(update)

    async def post(self, body: Any, secret: str | None = secret_of(TOKEN)) -> int:
        headers = {} if secret is None else {SECRET_HEADER: secret}
        sent: dict[str, Any] = {"data": body} if isinstance(body, (str, bytes)) else {"json": body}
        async with self.session.post(self.url, headers=headers, **sent) as response:
            assert await response.read() == b""
            return response.status


def update(number: int, chat: int = 5) -> dict[str, Any]:
    user = {"id": chat, "is_bot": False, "first_name": "Ana"}
    message = {"message_id": number, "date": 1, "chat": {"id": chat, "type": "private"}, "from": user, "text": "hello"}
    return {"update_id": number, "message": message}


@contextlib.asynccontextmanager
async def serving(double: Double, **options: Any) -> AsyncIterator[Stage]:
    request = AiohttpRequest()
    async with contextlib.AsyncExitStack() as stack:
        bot = Bot(TOKEN, base_url=double.base_url, request=request, get_updates_request=request)
        await stack.enter_async_context(bot)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        port = free_port()
        url = f"http://127.0.0.1:{port}/telegram"
        held: list[Stage] = []
        intake = Intake(bot, lambda update: held[0].handle(update), lambda u: u.effective_chat, RealClock())
        webhook = Webhook(bot, intake, ALLOWED, RealClock(), Door(url, "127.0.0.1", port), **options)
        running = asyncio.create_task(webhook.run())
        held.append(Stage(double, session, url, webhook, running))
        running.add_done_callback(lambda _: double.world.changed.fire())
        await double.until(lambda: double.world.webhook is not None or running.done())
        try:
            yield held[0]
        finally:
            webhook.stop()
            await running


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double() as double:
        yield double
    double.assert_well_behaved()


async def test_it_registers_itself_and_takes_what_telegram_sends(double: Double) -> None:
    async with serving(double) as stage:
        [call] = double.calls("setWebhook")
        assert call.params["url"] == stage.url
        assert call.params["secret_token"] == secret_of(TOKEN)
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret_of(TOKEN))
        assert TOKEN not in secret_of(TOKEN)
        assert double.world.updates.allowed == set(ALLOWED)
        double.person("Ana").start()
        await double.until(lambda: not double.world.updates.pending())
        assert len(stage.got) == 1
    assert double.world.webhook is not None, "other workers may still be serving it"


def test_the_secret_depends_on_the_token_alone() -> None:
    assert secret_of(TOKEN) == secret_of(TOKEN) != secret_of("43:TEST")


async def test_two_hundred_only_once_the_update_is_taken(double: Double) -> None:
    saved = asyncio.Event()
    async with serving(double) as stage:
        stage.reply = lambda _: _wait(saved)
        answer = asyncio.create_task(stage.post(update(1)))
        await _wait(stage.began)
        await asyncio.wait([answer], timeout=0.2)
        assert stage.got == [1]
        assert not answer.done()
        saved.set()
        assert await answer == 200


async def _wait(event: asyncio.Event) -> None:
    async with asyncio.timeout(30):
        await event.wait()


async def test_an_update_that_takes_too_long_is_to_come_again_and_runs_once(double: Double) -> None:
    saved = asyncio.Event()
    async with serving(double, patience=0.05) as stage:
        stage.reply = lambda _: _wait(saved)
        assert await stage.post(update(1)) == 503
        assert await stage.post(update(1)) == 503
        saved.set()
        assert await stage.post(update(1)) == 200
        assert stage.got == [1]


async def test_what_could_not_be_saved_is_tried_again(double: Double) -> None:
    async with serving(double) as stage:

        async def once(_: Update) -> None:
            if len(stage.got) == 1:
                raise NotTaken

        stage.reply = once
        assert await stage.post(update(1)) == 200
        assert stage.got == [1, 1]


async def test_a_poisoned_update_is_taken(double: Double) -> None:
    async with serving(double) as stage:
        assert await stage.post({"update_id": 7, "message": {"chat": "nonsense"}}) == 200
        assert stage.got == []


@pytest.mark.parametrize("secret", [None, "", "wrong", secret_of("43:TEST"), "é" * 64, secret_of(TOKEN)[:-1]])
async def test_without_the_secret_nothing_is_read(double: Double, secret: str | None) -> None:
    async with serving(double) as stage:
        assert await stage.post(update(1), secret) == 403
        assert stage.got == []


async def test_the_secret_is_compared_in_constant_time(double: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []
    compare = hmac.compare_digest

    def noting(given: bytes, wanted: bytes) -> bool:
        compared.append((given, wanted))
        return compare(given, wanted)

    monkeypatch.setattr(hmac, "compare_digest", noting)
    async with serving(double) as stage:
        assert [await stage.post(update(1), secret) for secret in ("x", secret_of(TOKEN))] == [403, 200]
    assert compared == [(given, secret_of(TOKEN).encode()) for given in (b"x", secret_of(TOKEN).encode())]


@pytest.mark.parametrize("body", ["", "{", "[]", "1", '{"update_id": "1"}', '{"update_id": true}', b"\xff", "[" * 9999])
async def test_what_is_no_update_is_malformed(double: Double, body: str | bytes) -> None:
    async with serving(double) as stage:
        assert await stage.post(body) == 400


async def test_what_is_too_large_is_not_read(double: Double) -> None:
    async with serving(double) as stage:
        headers = {SECRET_HEADER: secret_of(TOKEN)}
        async with stage.session.post(stage.url, data=io.BytesIO(b"x" * (MAX_BODY + 1)), headers=headers) as response:
            assert response.status == 413


async def test_only_posts_to_its_own_path_are_served(double: Double) -> None:
    async with serving(double) as stage:
        async with stage.session.get(stage.url) as response:
            assert response.status == 405
        async with stage.session.post(f"{stage.url}/other") as response:
            assert response.status == 404


async def test_stopping_answers_what_runs_and_leaves_the_rest_to_others(double: Double) -> None:
    saved = asyncio.Event()
    async with serving(double, grace=5.0) as stage:
        stage.reply = lambda _: _wait(saved)
        running = asyncio.create_task(stage.post(update(1)))
        await _wait(stage.began)
        queued = asyncio.create_task(stage.post(update(2)))
        await asyncio.wait([queued], timeout=0.2)
        assert stage.got == [1]
        stage.webhook.stop()
        saved.set()
        assert await running == 200
        assert await queued == 503
        await stage.running
        assert stage.got == [1]


async def test_what_does_not_finish_in_time_is_left_to_others(double: Double) -> None:
    async with serving(double, grace=0.05) as stage:
        stage.reply = lambda _: _wait(asyncio.Event())
        running = asyncio.create_task(stage.post(update(1)))
        await _wait(stage.began)
        stage.webhook.stop()
        assert await running == 503


async def test_telegram_down_or_flooded_is_waited_out(double: Double) -> None:
    double.fault("setWebhook", code=502, description="Bad Gateway", times=1)
    async with serving(double):
        assert len(double.calls("setWebhook")) == 2


async def test_an_address_telegram_refuses_ends_it(double: Double) -> None:
    double.fault("setWebhook", code=400, description="Bad Request: bad webhook: Failed to resolve host", times=1)
    with pytest.raises(WebhookRefused, match="resolve host"):
        async with serving(double) as stage:
            await stage.running


async def test_a_revoked_token_ends_it(double: Double) -> None:
    double.fault("setWebhook", code=401, description="Unauthorized", times=1)
    with pytest.raises(TokenRefused):
        async with serving(double) as stage:
            await stage.running


async def test_a_port_that_is_taken_ends_it(double: Double) -> None:
    request = AiohttpRequest()
    async with Bot(TOKEN, base_url=double.base_url, request=request, get_updates_request=request) as bot:
        intake = Intake(bot, lambda _: _wait(asyncio.Event()), lambda _: 0, RealClock())
        webhook = Webhook(
            bot, intake, ALLOWED, RealClock(), Door("http://127.0.0.1/telegram", "127.0.0.1", double.port)
        )
        with pytest.raises(WebhookRefused, match="in use"):
            await webhook.run()
    assert double.world.webhook is None
