"""Every refusal word for word, over real HTTP: status, error_code, description, parameters."""

import json
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from tests.playground.conftest import Api
from tests.playground.pictures import png
from tests.telegram_users import Double, Group, Person

NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a"
    " current content and reply markup of the message"
)
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


def keyboard(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"inline_keyboard": [list(buttons)]}


OK = keyboard({"text": "Join", "callback_data": "join"})


@pytest.fixture
def ana(double: Double) -> Person:
    return double.person("Ana", started=True)


@pytest.fixture
def group(double: Double, ana: Person) -> Group:
    return double.group("Friends", [ana, "Ben"])


@pytest.fixture
def supergroup(double: Double, ana: Person) -> Group:
    return double.group("Club", [ana, "Ben"], kind="supergroup")


@pytest.fixture
def refused(api: Api) -> Callable[..., Any]:
    """Call and expect this refusal; returns the body."""

    async def call(problem: str, method: str, code: int = 400, **params: Any) -> dict[str, Any]:
        status, body = await api(method, **params)
        assert (status, body["ok"], body["error_code"], body["description"]) == (code, False, code, problem)
        return body

    return call


Refused = Callable[..., Any]


async def sent(api: Api, chat: int, **params: Any) -> int:
    status, body = await api("sendMessage", **({"chat_id": chat, "text": "hello"} | params))
    assert status == 200, body
    return int(body["result"]["message_id"])


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"text": ""}, "Bad Request: message text is empty"),
        ({}, "Bad Request: message text is empty"),
        ({"text": " \n\u200b"}, "Bad Request: text must be non-empty"),
        ({"text": "x" * 4097}, "Bad Request: message is too long"),
        ({"text": "é" * 16385}, "Bad Request: text is too long"),
        ({"text": "x", "parse_mode": "bbcode"}, "Bad Request: unsupported parse_mode"),
        (
            {"text": "Tom <3", "parse_mode": "HTML"},
            "Bad Request: can't parse entities: Unclosed start tag at byte offset 4",
        ),
        (
            {"text": "<p>", "parse_mode": "html"},
            'Bad Request: can\'t parse entities: Unsupported start tag "p" at byte offset 0',
        ),
        (
            {"text": "1. a", "parse_mode": "MarkdownV2"},
            "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
        ),
        ({"text": "x", "reply_markup": "{"}, "Bad Request: can't parse reply keyboard markup JSON object"),
        ({"text": "x", "reply_markup": "[]"}, "Bad Request: object expected as reply markup"),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [{"text": "a"}]}},
            'Bad Request: field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a"})},
            "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": ""})},
            "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"callback_data": "a"})},
            "Bad Request: can't parse inline keyboard button: Can't find field \"text\"",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": "a", "style": "pink"})},
            "Bad Request: can't parse inline keyboard button: invalid button style specified",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "", "callback_data": "a"})},
            "Bad Request: inline keyboard button text must be non-empty",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a", "url": "here"})},
            "Bad Request: inline keyboard button URL 'here' is invalid: Wrong HTTP URL",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": "x" * 65})},
            "Bad Request: BUTTON_DATA_INVALID",
        ),
        (
            {"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": "ж" * 33})},
            "Bad Request: BUTTON_DATA_INVALID",
        ),
        (
            {"text": "x", "reply_markup": keyboard(*[{"text": "a", "callback_data": "a"}] * 101)},
            "Bad Request: reply markup is too long",
        ),
        ({"text": "x", "reply_parameters": {"message_id": 77}}, "Bad Request: message to be replied not found"),
        ({"text": "x", "message_thread_id": 5}, "Bad Request: message thread not found"),
    ],
)
async def test_send_message(ana: Person, refused: Refused, params: dict[str, Any], description: str) -> None:
    await refused(description, "sendMessage", chat_id=ana.id, **params)
    assert ana.sees() == []


async def test_just_within_the_limits(ana: Person, api: Api) -> None:
    """4096 characters after parsing, 64 bytes of data, 100 buttons, and a reply that may be missing."""
    many = keyboard(*[{"text": "a", "callback_data": "ж" * 32}] * 100)
    lenient = {"message_id": 77, "allow_sending_without_reply": True}
    text = f"<b>{'x' * 4095}</b>😀"
    await sent(api, ana.id, text=text, parse_mode="HTML", reply_markup=many, reply_parameters=lenient)


async def test_chats_that_cannot_be_written_to(
    double: Double, ana: Person, supergroup: Group, refused: Refused
) -> None:
    ben = double["Ben"]
    send = {"method": "sendMessage", "text": "x"}
    await refused("Bad Request: chat_id is empty", **send)
    await refused("Bad Request: chat not found", chat_id=999, **send)
    await refused("Bad Request: chat not found", chat_id="@somewhere", **send)
    await refused("Bad Request: chat not found", chat_id=ben.id, **send)
    ben.leave(supergroup)
    await refused("Forbidden: bot can't initiate conversation with a user", code=403, chat_id=ben.id, **send)
    ana.block()
    await refused("Forbidden: bot was blocked by the user", code=403, chat_id=ana.id, **send)
    ana.unblock()
    ana.deactivate()
    await refused("Forbidden: user is deactivated", code=403, chat_id=ana.id, **send)


async def test_groups_without_the_bot(ana: Person, group: Group, supergroup: Group, api: Api, refused: Refused) -> None:
    for place, kind in ((group, "group"), (supergroup, "supergroup")):
        send = {"method": "sendMessage", "text": "x", "chat_id": place.id, "code": 403}
        assert (await api("leaveChat", chat_id=place.id))[0] == 200
        await refused(f"Forbidden: bot is not a member of the {kind} chat", **send)
        place.add_bot(ana)
        place.remove_bot(ana)
        await refused(f"Forbidden: bot was kicked from the {kind} chat", **send)
    group.add_bot(ana)
    group.delete()
    send = {"method": "sendMessage", "text": "x", "code": 403}
    await refused("Forbidden: the group chat was deleted", chat_id=group.id, **send)


async def test_a_group_the_bot_never_was_in_is_unknown(double: Double, refused: Refused) -> None:
    other = double.group("Others", ["Cho"], with_bot=False)
    await refused("Bad Request: chat not found", "getChat", chat_id=other.id)


async def test_an_upgraded_group(group: Group, refused: Refused) -> None:
    old = group.id
    new = group.migrate()
    body = await refused(
        "Bad Request: group chat was upgraded to a supergroup chat", "sendMessage", chat_id=old, text="x"
    )
    assert body["parameters"] == {"migrate_to_chat_id": new}


async def test_a_restricted_bot(ana: Person, supergroup: Group, refused: Refused) -> None:
    photo = (await uploaded(ana))["photo"][0]["file_id"]
    supergroup.restrict_bot(can_send=False)
    chat = supergroup.id
    rights = "Bad Request: not enough rights to send"
    await refused(f"{rights} text messages to the chat", "sendMessage", chat_id=chat, text="x")
    await refused(f"{rights} photos to the chat", "sendPhoto", chat_id=chat, photo=photo)
    await refused(f"{rights} documents to the chat", "sendDocument", chat_id=chat, document=photo)


async def uploaded(person: Person) -> dict[str, Any]:
    """A photo that is known to the server: sent by multipart, as JSON cannot carry bytes."""
    form = aiohttp.FormData({"chat_id": str(person.id)})
    form.add_field("photo", png(), filename="a.png", content_type="image/png")
    url = f"{person.double.base_url}42:TEST/sendPhoto"
    async with aiohttp.ClientSession() as session, session.post(url, data=form) as response:
        return dict((await response.json())["result"])


async def test_forum_topics(double: Double, ana: Person, api: Api, refused: Refused) -> None:
    forum = double.group("Forum", [ana], kind="supergroup", forum=True)
    topic = forum.topic("Avalon")
    send = {"method": "sendMessage", "chat_id": forum.id, "text": "x"}
    await refused("Bad Request: message thread not found", message_thread_id=1, **send)
    await refused("Bad Request: message thread not found", message_thread_id=topic + 99, **send)
    status, body = await api("sendMessage", chat_id=forum.id, text="x", message_thread_id=topic)
    assert (status, body["result"]["message_thread_id"], body["result"]["is_topic_message"]) == (200, topic, True)


async def test_edits(ana: Person, api: Api, refused: Refused) -> None:
    message = await sent(api, ana.id, text="<b>one</b>", parse_mode="HTML", reply_markup=OK)
    target = {"chat_id": ana.id, "message_id": message}
    same = target | {"text": "<b>one</b>", "parse_mode": "HTML", "reply_markup": OK}
    await refused(NOT_MODIFIED, "editMessageText", **same)
    await refused(NOT_MODIFIED, "editMessageReplyMarkup", **target, reply_markup=OK)
    await refused("Bad Request: MESSAGE_TOO_LONG", "editMessageText", **target, text="x" * 4097)
    await refused("Bad Request: message text is empty", "editMessageText", **target, text="")
    await refused("Bad Request: text must be non-empty", "editMessageText", **target, text=" ")
    long = keyboard({"text": "a", "callback_data": "x" * 65})
    await refused("Bad Request: BUTTON_DATA_INVALID", "editMessageText", **target, text="x", reply_markup=long)
    await refused(
        "Bad Request: there is no caption in the message to edit", "editMessageCaption", **target, caption="x"
    )
    for wrong in (0, -1, message + 1):
        await refused(
            "Bad Request: message to edit not found", "editMessageText", chat_id=ana.id, message_id=wrong, text="x"
        )
    assert (await api("editMessageText", **target, text="one", reply_markup=OK))[0] == 200
    assert ana.last().edit_date is not None


async def test_messages_that_cannot_be_edited(ana: Person, group: Group, api: Api, refused: Refused) -> None:
    mine = ana.start()
    cannot = "Bad Request: message can't be edited"
    await refused(cannot, "editMessageText", chat_id=ana.id, message_id=mine.message_id, text="x")
    service = group.messages[-1].message_id
    await refused(cannot, "editMessageText", chat_id=group.id, message_id=service, text="x")
    for markup in ({"keyboard": [["a"]]}, {"force_reply": True}):
        closed = await sent(api, ana.id, reply_markup=markup)
        await refused(cannot, "editMessageText", chat_id=ana.id, message_id=closed, text="x")
    removing = await sent(api, ana.id, reply_markup={"remove_keyboard": True})
    assert (await api("editMessageText", chat_id=ana.id, message_id=removing, text="x"))[0] == 200


async def test_photos(ana: Person, refused: Refused) -> None:
    photo = await uploaded(ana)
    target = {"chat_id": ana.id, "message_id": photo["message_id"]}
    await refused("Bad Request: there is no text in the message to edit", "editMessageText", **target, text="x")
    await refused("Bad Request: there is no photo in the request", "sendPhoto", chat_id=ana.id)
    wrong = "Bad Request: wrong file identifier/HTTP URL specified"
    await refused(wrong, "sendPhoto", chat_id=ana.id, photo="AgACAgIAAnothing")
    known = photo["photo"][0]["file_id"]
    too_long = "Bad Request: message caption is too long"
    await refused(too_long, "sendPhoto", chat_id=ana.id, photo=known, caption="x" * 1025)
    mine = ana.start().message_id
    media = {"type": "photo", "media": known}
    await refused(
        "Bad Request: message media can't be edited", "editMessageMedia", chat_id=ana.id, message_id=mine, media=media
    )
    await refused("Bad Request: invalid file_id", "getFile", file_id="nothing")


async def test_a_photo_must_be_a_picture(double: Double, ana: Person, http: aiohttp.ClientSession) -> None:
    for content, problem in ((b"no picture", "IMAGE_PROCESS_FAILED"), (png(300, 2), "PHOTO_INVALID_DIMENSIONS")):
        form = aiohttp.FormData({"chat_id": str(ana.id)})
        form.add_field("photo", content, filename="a.png")
        async with http.post(f"{double.base_url}42:TEST/sendPhoto", data=form) as response:
            assert (await response.json())["description"] == f"Bad Request: {problem}"


async def test_deleting(
    double: Double, ana: Person, group: Group, supergroup: Group, api: Api, refused: Refused
) -> None:
    await refused("Bad Request: message to delete not found", "deleteMessage", chat_id=ana.id, message_id=77)
    await refused("Bad Request: message identifier is not specified", "deleteMessage", chat_id=ana.id)
    await refused("Bad Request: chat identifier is not specified", "deleteMessage", message_id=1)
    await refused("Bad Request: message identifiers are not specified", "deleteMessages", chat_id=ana.id)
    hers = ana.say(group, "hello")
    cannot = "Bad Request: message can't be deleted"
    await refused(cannot, "deleteMessage", chat_id=group.id, message_id=hers.message_id)
    old, old_too = await sent(api, group.id), await sent(api, supergroup.id)
    double.advance(48 * 3600)
    await refused(f"{cannot} for everyone", "deleteMessage", chat_id=group.id, message_id=old)
    await refused(cannot, "deleteMessage", chat_id=supergroup.id, message_id=old_too)
    assert (await api("editMessageText", chat_id=group.id, message_id=old, text="edited at any age"))[0] == 200


async def test_pinning(ana: Person, group: Group, supergroup: Group, api: Api, refused: Refused) -> None:
    for place in (group, supergroup):
        message = await sent(api, place.id)
        await refused(
            "Bad Request: not enough rights to manage pinned messages in the chat",
            "pinChatMessage",
            chat_id=place.id,
            message_id=message,
        )
        place.promote_bot(ana)
        assert (await api("pinChatMessage", chat_id=place.id, message_id=message))[0] == 200
    await refused("Bad Request: message to pin not found", "pinChatMessage", chat_id=group.id, message_id=77)
    await refused("Bad Request: message to unpin not found", "unpinChatMessage", chat_id=ana.id)


async def test_members(
    double: Double, ana: Person, group: Group, supergroup: Group, api: Api, refused: Refused
) -> None:
    cho = double.person("Cho", started=True)
    member = {"method": "getChatMember", "user_id": cho.id}
    await refused("Bad Request: member not found", chat_id=group.id, **member)
    await refused("Bad Request: member not found", "getChatMember", chat_id=supergroup.id, user_id=12345)
    await refused("Bad Request: invalid user_id specified", "getChatMember", chat_id=supergroup.id)
    status, body = await api("getChatMember", chat_id=supergroup.id, user_id=cho.id)
    assert (status, body["result"]["status"]) == (200, "left")
    await refused(
        "Bad Request: there are no administrators in the private chat", "getChatAdministrators", chat_id=ana.id
    )


async def test_answering_presses(double: Double, group: Group, api: Api, refused: Refused) -> None:
    await sent(api, group.id, reply_markup=OK)
    await refused(TOO_OLD, "answerCallbackQuery", callback_query_id="1", text="x")
    query = double["Ben"].tap(group, "Join")
    answer = {"method": "answerCallbackQuery", "callback_query_id": query}
    await refused("Bad Request: MESSAGE_TOO_LONG", text="x" * 201, **answer)
    for url in ("https://example.org", "https://t.me/other_bot?start=x", "https://t.me/avalon_bot"):
        await refused("Bad Request: URL_INVALID", url=url, **answer)
    assert (await api(**answer, text="x" * 200))[0] == 200
    await refused(TOO_OLD, text="again", **answer)


async def test_reactions(ana: Person, api: Api, refused: Refused) -> None:
    message = await sent(api, ana.id)
    react = {"method": "setMessageReaction", "chat_id": ana.id}
    good = {"type": "emoji", "emoji": "🎉"}
    await refused("Bad Request: message to react not found", message_id=77, reaction=[good], **react)
    bad = {"type": "emoji", "emoji": "🗡"}
    await refused("Bad Request: REACTION_INVALID", message_id=message, reaction=[bad], **react)
    await refused("Bad Request: REACTIONS_TOO_MANY", message_id=message, reaction=[good, good], **react)


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"commands": [{"command": "NewGame", "description": "x"}]}, "Bad Request: BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "", "description": "x"}]}, "Bad Request: command must be non-empty"),
        ({"commands": [{"command": "a" * 33, "description": "x"}]}, "Bad Request: command length must not exceed 32"),
        ({"commands": [{"command": "a", "description": ""}]}, "Bad Request: command description must be non-empty"),
        (
            {"commands": [{"command": "a", "description": "x" * 257}]},
            "Bad Request: command description length must not exceed 256",
        ),
        ({"commands": [], "language_code": "pt-br"}, "Bad Request: invalid language code specified"),
        (
            {"commands": [], "scope": {"type": "everybody"}},
            "Bad Request: can't parse BotCommandScope: Unsupported type specified",
        ),
        ({"commands": [], "scope": {"type": "chat", "chat_id": 1}}, "Bad Request: chat not found"),
    ],
)
async def test_commands(refused: Refused, params: dict[str, Any], description: str) -> None:
    await refused(description, "setMyCommands", **params)


async def test_descriptions(refused: Refused) -> None:
    await refused("Bad Request: description is too long", "setMyDescription", description="x" * 513)
    await refused("Bad Request: short description is too long", "setMyShortDescription", short_description="x" * 121)


async def test_tokens_methods_and_paths(double: Double, http: aiohttp.ClientSession, refused: Refused) -> None:
    await refused("Not Found: method not found", "sendHugs", code=404)
    assert [call.method for call in double.world.journal.unknown()] == ["sendHugs"]
    for token, description in (
        ("42:OTHER", "Unauthorized"),
        ("rubbish", "Unauthorized: invalid token specified"),
    ):
        async with http.get(f"{double.base_url}{token}/getMe") as response:
            assert (response.status, (await response.json())["description"]) == (401, description)


async def test_flood(double: Double, group: Group, http: aiohttp.ClientSession) -> None:
    double.fault("sendMessage", code=429, parameters={"retry_after": 15})
    body = {"chat_id": group.id, "text": "x"}
    async with http.post(f"{double.base_url}42:TEST/sendMessage", data=body) as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "15")
        assert await response.json() == {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 15",
            "parameters": {"retry_after": 15},
        }


async def test_arguments_come_in_every_form(double: Double, ana: Person, http: aiohttp.ClientSession) -> None:
    """Query string, urlencoded, multipart, JSON; methods in any case; GET and POST."""
    url, chat = f"{double.base_url}42:TEST/", str(ana.id)
    markup = json.dumps(OK)
    multipart = aiohttp.FormData({"chat_id": chat, "text": "three", "reply_markup": markup}, default_to_multipart=True)
    asked = (
        http.get(f"{url}sendmessage", params={"chat_id": chat, "text": "one", "reply_markup": markup}),
        http.post(f"{url}SENDMESSAGE", data={"chat_id": chat, "text": "two", "reply_markup": markup}),
        http.post(f"{url}sendMessage", data=multipart),
        http.post(f"{url}sendMessage", json={"chat_id": ana.id, "text": "four", "reply_markup": OK}),
    )
    for request in asked:
        async with request as response:
            assert response.status == 200
    assert [message.text for message in ana.sees()] == ["one", "two", "three", "four"]
    assert all(ana.keyboard(message) == [["Join"]] for message in ana.sees())


async def test_arguments_that_telegram_lacks_are_ignored_but_recorded(double: Double, ana: Person, api: Api) -> None:
    await sent(api, ana.id, text="x", parsemode="HTML")
    assert double.calls("sendMessage")[0].unknown_params == ["parsemode"]
    with pytest.raises(AssertionError, match="parsemode"):
        double.assert_well_behaved()
