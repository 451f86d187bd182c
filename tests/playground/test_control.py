"""The control side over HTTP: every verb, the state, the live socket, files, and who may speak to it."""

import json
from typing import Any

import aiohttp
import pytest
from telegram import Bot
from yarl import URL

from tests.playground.conftest import Api, Control
from tests.playground.pictures import png
from tests.telegram_users import Double, Group

JOIN = {"inline_keyboard": [[{"text": "Join", "callback_data": "join", "style": "success"}]]}


@pytest.fixture
def group(double: Double) -> Group:
    return double.group("Friends", ["Ana", "Ben"])


async def done(control: Control, verb: str, **params: Any) -> Any:
    status, body = await control(verb, **params)
    assert (status, body["ok"]) == (200, True), body
    return body["result"]


async def test_a_whole_conversation_from_outside(control: Control, api: Api) -> None:
    ana = await done(control, "user", first_name="Ana", language_code="de", username="ana_b")
    ben = await done(control, "user", first_name="Ben", last_name="B", id=77)
    assert (ana["language_code"], ana["started"], ben["id"]) == ("de", False, 77)
    chat = await done(control, "group", title="Friends", type="group", members=[77], creator=ana["id"], with_bot=True)
    await done(control, "say", user=77, chat=chat["id"], text="/newgame@avalon_bot")
    await api("sendMessage", chat_id=chat["id"], text="<b>Who?</b>", parse_mode="HTML", reply_markup=JOIN)
    message_id = (await done(control, "state"))["chats"][-1]["messages"][-1]["message_id"]
    query = (await done(control, "press", user=77, chat=chat["id"], message_id=message_id, data="join"))["query"]
    waiting = (await done(control, "state"))["pending"]
    assert [(one["user"], one["chat"], one["data"]) for one in waiting] == [(77, chat["id"], "join")]
    await api("answerCallbackQuery", callback_query_id=query, text="You are in", show_alert=True)
    state = await done(control, "state")
    assert state["pending"] == []
    assert [(one["n"], one["user"], one["text"], one["alert"]) for one in state["answers"]] == [
        (1, 77, "You are in", True)
    ]
    assert await done(control, "undelivered") == 4


async def test_the_state_is_complete(double: Double, control: Control, api: Api, group: Group) -> None:
    ana = double["Ana"]
    ana.start()
    group.promote_bot(ana)
    sent = await api("sendMessage", chat_id=group.id, text="<i>Who?</i>", parse_mode="HTML", reply_markup=JOIN)
    message_id = sent[1]["result"]["message_id"]
    await api("pinChatMessage", chat_id=group.id, message_id=message_id)
    state = await done(control, "state")
    assert state["bot"] == {"id": 42, "username": "avalon_bot", "first_name": "Avalon"}
    assert state["users"][0] == {"id": ana.id, "first_name": "Ana", "started": True, "blocked": False}
    chat = next(chat for chat in state["chats"] if chat["id"] == group.id)
    assert {"user": ana.id, "status": "creator"} in chat["members"]
    assert (chat["bot_status"], chat["pinned"], chat["is_forum"], chat["topics"]) == (
        "administrator",
        [message_id],
        False,
        [],
    )
    created, added, shown, pinned = chat["messages"]
    assert [created["service"], added["service"]] == ["Ana created the group", "Ana added Avalon"]
    assert (shown["text"], shown["entities"]) == ("Who?", [{"type": "italic", "offset": 0, "length": 4}])
    assert (shown["reply_markup"], shown["protected"], shown["from"]["is_bot"]) == (JOIN, False, True)
    assert pinned["service"] == "Avalon pinned “Who?”"
    private = next(chat for chat in state["chats"] if chat["id"] == ana.id)
    assert (private["type"], private["user"], private["messages"][0]["text"]) == ("private", ana.id, "/start")


async def test_photographs_and_documents_in_the_state(
    double: Double, bot: Bot, control: Control, http: aiohttp.ClientSession
) -> None:
    ana = double.person("Ana", started=True)
    await bot.send_photo(ana.id, png(), caption="Board")
    await bot.send_document(ana.id, b"1. Ana", filename="game.txt")
    photo, document = (await done(control, "state"))["chats"][0]["messages"]
    assert photo["caption"] == "Board"
    assert (document["document"]["file_name"], document["document"]["file_size"]) == ("game.txt", 6)
    async with http.get(double.url + photo["photo"].lstrip("/")) as response:
        assert (await response.read(), response.content_type) == (png(), "image/png")
    async with http.get(double.url + "control/file/nothing") as response:
        assert response.status == 404


@pytest.mark.parametrize(
    ("verb", "params", "problem"),
    [
        ("dance", {}, "no verb dance"),
        ("user", {}, "first_name is missing"),
        ("user", {"first_name": 7}, "first_name must be str"),
        ("user", {"first_name": ""}, "first_name is empty"),
        ("user", {"first_name": "x", "id": 42}, "user id 42 is in use or impossible"),
        ("say", {"user": 1, "chat": 1, "text": "x"}, "no user 1"),
        ("group", {"title": "x", "type": "channel", "members": [], "creator": 1}, "no creator 1"),
        ("clock", {"advance": -1}, "the clock only turns forward"),
        ("fault", {"method": "*", "times": 1, "drop": "sideways"}, "drop must be before or after"),
        ("autoplay", {"users": [], "on": True}, "nobody said how puppets choose"),
    ],
)
async def test_nonsense_is_refused(control: Control, verb: str, params: dict[str, Any], problem: str) -> None:
    status, body = await control(verb, **params)
    assert (status, body) == (400, {"ok": False, "error": problem})


async def test_a_press_on_an_old_button(double: Double, control: Control, api: Api, group: Group) -> None:
    await api("sendMessage", chat_id=group.id, text="Who?", reply_markup=JOIN)
    message = double["Ana"].last(group)
    press = {"user": double["Ana"].id, "chat": group.id, "message_id": message.message_id}
    assert await control("press", **press, data="forged") == (400, {"ok": False, "error": "DATA_INVALID"})


async def test_the_life_of_a_group(double: Double, control: Control, group: Group) -> None:
    ana, cho = double["Ana"].id, double.person("Cho").id
    chat = group.id
    await done(control, "join", user=cho, chat=chat)
    await done(control, "promote", user=cho, chat=chat)
    assert group.chat.members[cho] == "administrator"
    await done(control, "demote", user=cho, chat=chat)
    await done(control, "leave", user=cho, chat=chat)
    await done(control, "kick", user=double["Ben"].id, chat=chat)
    assert (group.chat.members[cho], group.chat.members[double["Ben"].id]) == ("left", "kicked")
    await done(control, "promote_bot", chat=chat, by=ana)
    await done(control, "demote_bot", chat=chat, by=ana)
    await done(control, "restrict_bot", chat=chat, can_send=False)
    assert (group.chat.bot_status, group.chat.bot_can_send) == ("member", False)
    await done(control, "remove_bot", chat=chat, by=ana)
    await done(control, "add_bot", chat=chat, by=ana)
    new = (await done(control, "migrate", chat=chat))["chat"]
    assert group.id == new
    await done(control, "delete_message", chat=new, message_id=1)
    assert 1 not in group.chat.messages
    await done(control, "delete_group", chat=new)
    assert group.chat.deleted


async def test_private_chats_links_topics_and_names(double: Double, control: Control) -> None:
    ana = double.person("Ana")
    await done(control, "start", user=ana.id, payload="x")
    await done(control, "say", user=ana.id, chat=ana.id, text="/help")
    assert (await done(control, "open", user=ana.id, url="https://t.me/avalon_bot?start=y"))["text"] == "/start y"
    assert await done(control, "open", user=ana.id, url="https://example.org") is None
    await done(control, "open", user=ana.id, url="https://t.me/avalon_bot?startgroup=z")
    assert [chat.title for chat in double.world.chats.values() if chat.title] == ["Ana's group"]
    await done(control, "block", user=ana.id)
    assert ana.user.blocked
    await done(control, "unblock", user=ana.id)
    await done(control, "rename", user=ana.id, first_name="Anna")
    forum = double.group("Forum", [ana], kind="supergroup", forum=True)
    topic = (await done(control, "topic", chat=forum.id, name="Avalon"))["id"]
    said = await done(control, "say", user=ana.id, chat=forum.id, text="hello", topic=topic)
    assert (said["topic"], said["from"]["first_name"]) == (topic, "Anna")
    hidden = await done(control, "say", user=ana.id, chat=forum.id, text="hello", anonymous=True)
    assert hidden["sender_chat"] == {"id": forum.id, "title": "Forum"}
    await done(control, "deactivate", user=ana.id)
    assert ana.user.deactivated


async def test_faults_limits_clock_and_calls(double: Double, control: Control, api: Api) -> None:
    ana = double.person("Ana", started=True)
    await done(control, "fault", method="sendMessage", times=2, code=500)
    await done(control, "fault", method="*", times=1, code=403, chat=ana.id, delay=0)
    assert (await api("sendMessage", chat_id=ana.id, text="x"))[0] == 500
    await done(control, "clear_faults")
    assert (await api("sendMessage", chat_id=ana.id, text="x"))[0] == 200
    await done(control, "limits", on=True)
    assert double.world.limits.on
    before = double.world.clock.now()
    assert (await done(control, "clock", advance=60))["now"] >= before + 60
    first, second = await done(control, "calls")
    assert (first["method"], first["status"], first["params"]["text"], first["known"]) == (
        "sendMessage",
        500,
        "x",
        True,
    )
    assert first["response"]["description"] == "Internal Server Error: restart"
    assert [call["n"] for call in await done(control, "calls", since=first["n"])] == [second["n"]]


async def test_the_live_socket_shows_each_change(double: Double, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect(f"{double.url}control/live") as socket:
        assert json.loads(await socket.receive_str(timeout=5))["users"] == []
        double.person("Ana")
        double.person("Ben")
        names: list[str] = []
        while names != ["Ana", "Ben"]:
            names = [user["first_name"] for user in json.loads(await socket.receive_str(timeout=5))["users"]]


async def test_changes_are_coalesced(double: Double, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect(f"{double.url}control/live") as socket:
        await socket.receive_str(timeout=5)
        for number in range(200):
            double.person(f"P{number}")
        frames = 1
        while len(json.loads(await socket.receive_str(timeout=5))["users"]) < 200:
            frames += 1
        assert frames <= 3


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Host": "127.0.0.1.evil.example"},
    ],
)
async def test_only_this_machine_may_control(
    double: Double, http: aiohttp.ClientSession, headers: dict[str, str]
) -> None:
    async with http.post(f"{double.url}control/state", json={}, headers=headers) as response:
        assert response.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as raised:
        await http.ws_connect(f"{double.url}control/live", headers=headers)
    assert raised.value.status == 403


async def test_the_page_may_speak(double: Double, http: aiohttp.ClientSession) -> None:
    for host in ("localhost", "127.0.0.1"):
        headers = {"Host": f"{host}:{double.port}", "Origin": f"http://{host}:{double.port}"}
        async with http.post(f"{double.url}control/state", json={}, headers=headers) as response:
            assert response.status == 200


async def test_assets_stay_in_their_folder(double: Double, http: aiohttp.ClientSession) -> None:
    for path in ("page/..%2fdouble.py", "page/nothing.js", "page/%2e%2e"):
        async with http.get(URL(f"{double.url}{path}", encoded=True)) as response:
            assert response.status == 404
