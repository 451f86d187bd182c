"""The update queue over HTTP: at least once, one poller, expiry, allowed_updates; and webhooks with redelivery."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.playground.conftest import Api
from tests.telegram_users import Double, Person


@pytest.fixture
def ana(double: Double) -> Person:
    return double.person("Ana", started=True)


async def updates(api: Api, **params: Any) -> list[dict[str, Any]]:
    status, body = await api("getUpdates", **params)
    assert status == 200, body
    return list(body["result"])


async def test_only_an_offset_confirms(ana: Person, api: Api) -> None:
    for text in ("one", "two", "three"):
        ana.say(None, text)
    first = await updates(api, limit=2)
    assert [update["message"]["text"] for update in first] == ["one", "two"]
    assert await updates(api, limit=2) == first
    rest = await updates(api, offset=first[-1]["update_id"] + 1)
    assert [update["message"]["text"] for update in rest] == ["three"]
    assert len(await updates(api)) == 1


async def test_a_negative_offset_keeps_the_newest(ana: Person, api: Api) -> None:
    for text in ("one", "two", "three"):
        ana.say(None, text)
    assert [update["message"]["text"] for update in await updates(api, offset=-2)] == ["two", "three"]
    assert len(await updates(api)) == 2


async def test_a_long_poll_wakes_for_an_update(ana: Person, api: Api) -> None:
    poll = asyncio.create_task(updates(api, timeout=50))
    await ana.double.until(lambda: bool(ana.double.calls("getUpdates")))
    ana.say(None, "hello")
    (update,) = await asyncio.wait_for(poll, 5)
    assert update["message"]["text"] == "hello"


async def test_a_long_poll_ends_when_the_clock_is_turned(double: Double, api: Api) -> None:
    poll = asyncio.create_task(updates(api, timeout=900))
    await double.until(lambda: bool(double.calls("getUpdates")))
    await asyncio.sleep(0)
    assert not poll.done()
    double.advance(50)
    assert await asyncio.wait_for(poll, 5) == []


async def test_the_older_of_two_pollers_is_ended(double: Double, ana: Person, api: Api) -> None:
    older = asyncio.create_task(api("getUpdates", timeout=50))
    await double.until(lambda: len(double.calls("getUpdates")) == 1)
    newer = asyncio.create_task(updates(api, timeout=50))
    status, body = await asyncio.wait_for(older, 5)
    assert (status, body["description"]) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    ana.say(None, "hello")
    assert len(await asyncio.wait_for(newer, 5)) == 1


async def test_presses_expire_after_150_seconds_and_messages_after_a_day(double: Double, ana: Person, api: Api) -> None:
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    await api("sendMessage", chat_id=ana.id, text="x", reply_markup=markup)
    ana.say(None, "hello")
    ana.tap(None, "Join")
    double.advance(149)
    assert ["callback_query" in update for update in await updates(api)] == [False, True]
    double.advance(2)
    assert ["message" in update for update in await updates(api)] == [True]
    double.advance(86400)
    assert await updates(api) == []


async def test_chat_member_must_be_asked_for_and_the_choice_is_remembered(double: Double, api: Api) -> None:
    group = double.group("Friends", ["Ana", "Ben"], kind="supergroup")
    group.promote_bot(double["Ana"])
    double.person("Cho").join(group)
    assert "chat_member" not in {kind for update in await updates(api) for kind in update}
    await updates(api, offset=-1, allowed_updates=["chat_member", "callback_query"])
    double["Cho"].leave(group)
    kinds = [set(update) - {"update_id"} for update in (await updates(api))[1:]]
    assert kinds == [{"chat_member"}]
    await updates(api, allowed_updates=[])
    assert double.world.updates.allowed >= {"message", "my_chat_member"}
    assert "chat_member" not in double.world.updates.allowed


async def test_a_press_on_a_message_that_is_gone_by_then(ana: Person, api: Api) -> None:
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    await api("sendMessage", chat_id=ana.id, text="x", reply_markup=markup)
    message = ana.last()
    ana.tap(None, "Join")
    assert (await api("deleteMessage", chat_id=ana.id, message_id=message.message_id))[0] == 200
    (update,) = await updates(api)
    gone = update["callback_query"]["message"]
    assert (gone["date"], gone["message_id"], "text" in gone) == (0, message.message_id, False)


class Hook:
    """A webhook that answers with the statuses it is told, then 200."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.seen: list[dict[str, Any]] = []
        self.secrets: list[str | None] = []
        self.called = asyncio.Event()
        self.url = ""

    async def serve(self, request: web.Request) -> web.Response:
        self.seen.append(await request.json())
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        self.called.set()
        return web.Response(status=self.statuses.pop(0) if self.statuses else 200)

    async def wait_for(self, calls: int) -> None:
        async with asyncio.timeout(5):
            while len(self.seen) < calls:
                self.called.clear()
                await self.called.wait()


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    made = Hook()
    app = web.Application()
    app.router.add_post("/hook", made.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield made
    await runner.cleanup()


async def test_a_webhook_gets_updates_with_the_secret(double: Double, ana: Person, api: Api, hook: Hook) -> None:
    await api("setWebhook", url=hook.url, secret_token="s3cret")
    ana.say(None, "hello")
    await hook.wait_for(1)
    assert hook.seen[0]["message"]["text"] == "hello"
    assert hook.secrets == ["s3cret"]
    await double.until(lambda: double.world.updates.pending() == [])


async def test_a_webhook_that_fails_gets_the_update_again_and_in_order(
    double: Double, ana: Person, api: Api, hook: Hook
) -> None:
    hook.statuses = [500, 503]
    await api("setWebhook", url=hook.url)
    ana.say(None, "one")
    ana.say(None, "two")
    await hook.wait_for(2)  # the first repetition comes at once
    info = (await api("getWebhookInfo"))[1]["result"]
    assert info["pending_update_count"] == 2
    assert info["last_error_message"].startswith("Wrong response from the webhook: 50")
    double.advance(2)
    await hook.wait_for(4)
    assert [body["message"]["text"] for body in hook.seen] == ["one", "one", "one", "two"]


async def test_a_failing_lane_holds_up_only_itself(double: Double, ana: Person, api: Api, hook: Hook) -> None:
    ben = double.person("Ben", started=True)
    hook.statuses = [500, 500]
    await api("setWebhook", url=hook.url)
    ana.say(None, "stuck")
    await hook.wait_for(2)
    ben.say(None, "through")
    await hook.wait_for(3)
    assert [body["message"]["text"] for body in hook.seen] == ["stuck", "stuck", "through"]


async def test_setting_a_webhook_ends_the_poll(double: Double, api: Api, hook: Hook) -> None:
    poll = asyncio.create_task(api("getUpdates", timeout=50))
    await double.until(lambda: bool(double.calls("getUpdates")))
    await api("setWebhook", url=hook.url)
    status, body = await asyncio.wait_for(poll, 5)
    assert (status, body["description"]) == (409, "Conflict: terminated by setWebhook request")


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"url": "http://example.org/hook"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        ({"url": "https://["}, "bad webhook: An HTTPS URL must be provided for webhook"),
        ({"url": "https://example.org", "secret_token": "a b"}, "secret token contains unallowed characters"),
    ],
)
async def test_webhooks_that_are_refused(api: Api, params: dict[str, Any], problem: str) -> None:
    status, body = await api("setWebhook", **params)
    assert (status, body["description"]) == (400, f"Bad Request: {problem}")


async def test_dropping_what_waits(ana: Person, api: Api) -> None:
    ana.say(None, "old")
    assert (await api("deleteWebhook", drop_pending_updates=True))[0] == 200
    assert await updates(api) == []


async def test_a_stopping_server_ends_the_poll() -> None:
    async with aiohttp.ClientSession() as session:
        async with Double() as double:
            request = session.get(f"{double.base_url}42:TEST/getUpdates", params={"timeout": "50"})
            poll = asyncio.create_task(asyncio.wait_for(request.__aenter__(), 5))
            await double.until(lambda: bool(double.calls("getUpdates")))
        response = await poll
        assert response.status == 500
        assert (await response.json())["description"] == "Internal Server Error: restart"
