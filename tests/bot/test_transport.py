"""The transport: the same bytes as python-telegram-bot's own sends, honest failures, and no token anywhere."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import socket
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from aiohttp import web
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputFile, InputMediaDocument
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter, TimedOut
from telegram.request import BaseRequest, HTTPXRequest

from tests.telegram_users import Double
from tgavalon.bot.transport import AiohttpRequest, NotSent, NotSentInTime

TOKEN = "42:AAE-secret_of_the_bot_0123456789abc"
Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def bot_at(base_url: str, request: BaseRequest | None = None) -> AsyncIterator[Bot]:
    """A bot without the getMe of its initialization."""
    transport = request or AiohttpRequest()
    bot = Bot(TOKEN, base_url=base_url, base_file_url=base_url.replace("/bot", "/file/bot"), request=transport)
    await transport.initialize()
    try:
        yield bot
    finally:
        await transport.shutdown()


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    async with Double(TOKEN) as running:
        yield running


@asynccontextmanager
async def server(reply: Reply) -> AsyncIterator[str]:
    """A server of our own for answers that Telegram's would not give; yields a base_url."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", reply)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/bot"
    finally:
        await runner.cleanup()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def hear_all(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, "telegram")  # its DEBUG lines hold addresses; tgavalon.logs keeps them off


def assert_no_token(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    shown = repr(error) + str(error) + "".join(traceback.format_exception(error)) + caplog.text
    assert "secret_of_the_bot" not in shown
    assert error.__context__ is None


async def everything(bot: Bot, chat: int) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Да & <нет>", callback_data="ж:1", style="danger")]])
    message = await bot.send_message(chat, "Ça va? 100% = ½ + &\n🗡 €", parse_mode="HTML", reply_markup=keyboard)
    await bot.edit_message_reply_markup(chat, message.message_id)
    sent = await bot.send_document(chat, b"\x00\xffbytes", filename="quests 3 ü.txt", caption="Ende — “gut”")
    media = InputMediaDocument(b"\r\n--other", filename="b.bin")
    await bot.edit_message_media(media, chat, sent.message_id)
    await bot.get_me()


async def test_sends_what_python_telegram_bots_own_transport_sends(double: Double) -> None:
    chat = double.group("Friends", ["Ana"]).id
    async with bot_at(double.base_url, HTTPXRequest()) as bot:
        await everything(bot, chat)
    theirs = double.calls()
    async with bot_at(double.base_url) as bot:
        await everything(bot, chat)
    ours = double.calls()[len(theirs) :]
    assert [(call.method, call.status) for call in ours] == [(call.method, call.status) for call in theirs]
    volatile = {"message_id", "media"}
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.params.keys() - {key for key in mine.params if key.startswith("attached")} == (
            other.params.keys() - {key for key in other.params if key.startswith("attached")}
        )
        for name in mine.params.keys() & other.params.keys() - volatile:
            assert mine.params[name] == other.params[name]
    double.assert_well_behaved()


async def test_files_go_up_whole_and_come_back(double: Double) -> None:
    ana = double.person("Ana", started=True)
    content = bytes(range(256)) * 5000
    handle = io.BytesIO(content)
    async with bot_at(double.base_url) as bot:
        sent = await bot.send_document(ana.id, InputFile(handle, "record ü.bin", read_file_handle=False))
        assert sent.document is not None
        assert (sent.document.file_name, sent.document.file_size) == ("record ü.bin", len(content))
        file = await bot.get_file(sent.document)
        assert bytes(await file.download_as_bytearray()) == content
    assert not handle.closed


async def test_a_refusal_is_telegrams_word(double: Double) -> None:
    async with bot_at(double.base_url) as bot:
        with pytest.raises(BadRequest, match=r"(?i)^chat not found$"):
            await bot.send_message(7, "hello")


async def test_flood_control_says_how_long_and_warns_of_nothing(double: Double) -> None:
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", code=429, parameters={"retry_after": 15})
    async with bot_at(double.base_url) as bot:
        with pytest.raises(RetryAfter) as caught:
            await bot.send_message(ana.id, "hello")
    assert caught.value.retry_after == timedelta(seconds=15)


async def test_flood_control_by_a_gateway_counts_too() -> None:
    async def reply(_request: web.Request) -> web.Response:
        return web.Response(status=429, text="slow down", headers={"Retry-After": "7"})

    async with server(reply) as url, bot_at(url) as bot:
        with pytest.raises(RetryAfter) as caught:
            await bot.get_me()
    assert caught.value.retry_after == timedelta(seconds=7)


async def test_a_refused_connection_was_surely_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    hear_all(caplog)
    async with bot_at(f"http://127.0.0.1:{free_port()}/bot") as bot:
        with pytest.raises(NotSent, match="ECONNREFUSED") as caught:
            await bot.get_me()
    assert not isinstance(caught.value, TimedOut)
    assert_no_token(caught.value, caplog)


async def test_waiting_for_a_free_connection_in_vain_was_surely_not_sent(
    double: Double, caplog: pytest.LogCaptureFixture
) -> None:
    hear_all(caplog)
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", delay=3600)
    transport = AiohttpRequest(pool_size=1, connect_timeout=0.05, pool_timeout=0.05)
    async with bot_at(double.base_url, transport) as bot:
        first = asyncio.create_task(bot.send_message(ana.id, "hello"))
        await double.until(lambda: bool(ana.hears()))
        with pytest.raises(NotSentInTime) as caught:
            await bot.get_me()
        assert isinstance(caught.value, TimedOut)
        assert_no_token(caught.value, caplog)
        double.advance(3600)
        assert (await first).text == "hello"
    assert double.calls("getMe") == []


async def test_silence_may_have_been_sent(double: Double, caplog: pytest.LogCaptureFixture) -> None:
    hear_all(caplog)
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", delay=3600)
    async with bot_at(double.base_url) as bot:
        with pytest.raises(TimedOut) as caught:
            await bot.send_message(ana.id, "hello", read_timeout=0.05)
    assert not isinstance(caught.value, NotSent)
    assert_no_token(caught.value, caplog)
    assert [message.body.text for message in ana.hears() if message.body] == ["hello"]
    double.advance(3600)


@pytest.mark.parametrize(("moment", "arrived"), [("before", 0), ("after", 1)])
async def test_a_lost_connection_may_have_been_sent(
    double: Double, caplog: pytest.LogCaptureFixture, moment: str, arrived: int
) -> None:
    hear_all(caplog)
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", drop=moment)
    async with bot_at(double.base_url) as bot:
        with pytest.raises(NetworkError) as caught:
            await bot.send_message(ana.id, "hello")
    assert not isinstance(caught.value, (NotSent, BadRequest, TimedOut))
    assert_no_token(caught.value, caplog)
    assert len(ana.hears()) == arrived


async def test_an_answer_that_drips_for_ever_ends() -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" ")
            await asyncio.sleep(0.02)

    waits: dict[str, Any] = dict.fromkeys(("connect_timeout", "pool_timeout", "write_timeout", "read_timeout"), 0.1)
    async with server(reply) as url, bot_at(url) as bot:
        async with asyncio.timeout(5):
            with pytest.raises(TimedOut):
                await bot.get_me(**waits)


@pytest.mark.parametrize("status", [200, 302, 401, 403, 404, 409, 500, 502, 599])
@pytest.mark.parametrize("body", [b"<html>portal</html>", b"", b"[]", b'"text"', b"\xff\xfe", b"null"])
async def test_a_page_that_is_not_telegrams_is_a_network_error(
    caplog: pytest.LogCaptureFixture, status: int, body: bytes
) -> None:
    hear_all(caplog)

    async def reply(_request: web.Request) -> web.Response:
        return web.Response(status=status, body=body, headers={"Location": "http://127.0.0.1:9/elsewhere"})

    async with server(reply) as url, bot_at(url) as bot:
        with pytest.raises(NetworkError) as caught:
            await bot.get_me()
    assert not isinstance(caught.value, (BadRequest, NotSent, InvalidToken))
    assert_no_token(caught.value, caplog)
    assert "portal" not in caplog.text


async def test_a_torn_json_answer_is_a_network_error_and_its_text_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hear_all(caplog)

    async def reply(_request: web.Request) -> web.Response:
        return web.Response(text='{"ok": true, "result": {"text": "Ana is Merlin"')

    async with server(reply) as url, bot_at(url) as bot:
        with pytest.raises(NetworkError):
            await bot.get_me()
    assert "Merlin" not in caplog.text


async def test_a_token_that_telegram_does_not_know_is_told_apart(double: Double) -> None:
    async with bot_at(double.base_url) as bot:
        double.world.token = "42:another"
        with pytest.raises(InvalidToken):
            await bot.get_me()


async def test_connections_are_kept_and_closed() -> None:
    connections: set[Any] = set()

    async def reply(request: web.Request) -> web.Response:
        connections.add(request.transport)
        return web.json_response({"ok": True, "result": {"id": 42, "is_bot": True, "first_name": "A"}})

    async with server(reply) as url:
        async with bot_at(url) as bot:
            for _ in range(5):
                await bot.get_me()
            assert len(connections) == 1
        gc.collect()  # an unclosed session would warn, and warnings are errors


async def test_opening_and_closing_twice_changes_nothing() -> None:
    transport = AiohttpRequest()
    with pytest.raises(RuntimeError, match="not initialized"):
        await transport.do_request("http://127.0.0.1/", "GET")
    await transport.initialize()
    session = transport._session
    await transport.initialize()
    assert transport._session is session
    await transport.shutdown()
    await transport.shutdown()
    with pytest.raises(RuntimeError, match="not initialized"):
        await transport.do_request("http://127.0.0.1/", "GET")
    await transport.initialize()
    assert transport._session is not session
    await transport.shutdown()


async def test_one_transport_serves_both_parts_of_a_bot(double: Double) -> None:
    transport = AiohttpRequest()
    async with Bot(TOKEN, base_url=double.base_url, request=transport, get_updates_request=transport) as bot:
        double.person("Ana").start()
        assert len(await bot.get_updates()) == 1


async def test_the_proxies_of_the_environment_are_used(double: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str | None]] = []

    async def proxy(request: web.Request) -> web.Response:
        asked.append((str(request.url), request.headers.get("Proxy-Authorization")))
        return web.json_response({"ok": True, "result": {"id": 42, "is_bot": True, "first_name": "Proxied"}})

    async with server(proxy) as url:
        monkeypatch.setenv("http_proxy", url.removesuffix("/bot").replace("://", "://me:pw@"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with bot_at("http://api.invalid/bot") as bot:
            assert (await bot.get_me()).first_name == "Proxied"
        async with bot_at(double.base_url) as bot:
            assert (await bot.get_me()).first_name == "Avalon"
        async with bot_at("http://api.invalid/bot", AiohttpRequest(trust_env=False)) as bot:
            with pytest.raises(NotSent):
                await bot.get_me()
    assert asked == [(f"http://api.invalid/bot{TOKEN}/getMe", "Basic bWU6cHc=")]


async def test_an_unknown_answer_keeps_its_description() -> None:
    async def reply(_request: web.Request) -> web.Response:
        body = {"ok": False, "error_code": 500, "description": "Internal Server Error: restart"}
        return web.Response(status=500, text=json.dumps(body))

    async with server(reply) as url, bot_at(url) as bot:
        with pytest.raises(NetworkError, match=r"^Internal Server Error: restart$"):
            await bot.get_me()
