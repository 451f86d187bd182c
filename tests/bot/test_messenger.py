"""The messenger over real HTTP: what a screen looks like on arrival, and what each of Telegram's refusals means."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.telegram_users import Double, Group
from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.bot.transport import AiohttpRequest
from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Messenger, Verdict
from tgavalon.ui.screen import Button, Screen, Style
from tgavalon.ui.taps import Tap, Verb, encode

TABLE = "Ab3Ab3Ab3A"
APPROVE = Tap(Verb.APPROVE, 7)
SCREEN = Screen(
    "Is this team <b>good</b>? Tom &lt;3 https://example.org",
    rows=(
        (
            Button("Approve", APPROVE, style=Style.SUCCESS),
            Button("Reject", Tap(Verb.REJECT, 7), style=Style.DANGER),
        ),
        (Button("Rules", url="https://t.me/avalon_bot?start=rules"),),
    ),
)
PLAIN = Screen("Nothing to press.")


@pytest.fixture
async def bot(double: Double) -> AsyncIterator[Bot]:
    transport = AiohttpRequest()
    async with Bot(
        double.world.token, base_url=double.base_url, request=transport, get_updates_request=transport
    ) as it:
        yield it


@pytest.fixture
async def messenger(bot: Bot) -> AsyncIterator[TelegramMessenger]:
    messenger = TelegramMessenger(bot)
    yield messenger
    await messenger.close()


@pytest.fixture
def group(double: Double) -> Group:
    return double.group("Friends", ["Ana", "Ben"])


async def sent(messenger: Messenger, place: Place, screen: Screen = SCREEN) -> int:
    answer = await messenger.send(place, TABLE, screen)
    assert answer.message is not None, answer
    assert answer == Answer(Verdict.DONE, message=answer.message)
    return answer.message


async def test_a_screen_arrives_as_it_was_meant(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    number = await sent(messenger, Place(group.id))
    message = double["Ana"].last(group)
    assert message.message_id == number
    assert message.body is not None
    assert message.body.text == "Is this team good? Tom <3 https://example.org"
    assert [entity["type"] for entity in message.body.entities] == ["bold", "url"]
    assert message.keyboard == [
        [
            {"text": "Approve", "callback_data": encode(TABLE, APPROVE), "style": "success"},
            {"text": "Reject", "callback_data": encode(TABLE, Tap(Verb.REJECT, 7)), "style": "danger"},
        ],
        [{"text": "Rules", "url": "https://t.me/avalon_bot?start=rules"}],
    ]
    params = double.calls("sendMessage")[-1].params
    assert params["link_preview_options"] == '{"is_disabled": true}'
    assert not params.keys() & {"protect_content", "disable_notification", "message_thread_id"}
    double.assert_well_behaved()


async def test_a_secret_and_silent_screen_says_so(double: Double, messenger: TelegramMessenger) -> None:
    ana = double.person("Ana", started=True)
    await sent(messenger, Place(ana.id), Screen("You are Merlin.", protected=True, silent=True))
    params = double.calls("sendMessage")[-1].params
    assert (params["protect_content"], params["disable_notification"]) == ("true", "true")


async def test_an_edit_changes_text_and_buttons_and_is_done_twice(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    number = await sent(messenger, Place(group.id))
    for _ in range(2):
        assert await messenger.edit(Place(group.id), number, TABLE, PLAIN) == Answer(Verdict.DONE)
    message = double["Ana"].last(group)
    assert (message.body and message.body.text, message.keyboard) == ("Nothing to press.", None)
    assert await messenger.edit(Place(group.id), number, TABLE, SCREEN) == Answer(Verdict.DONE)
    assert double["Ana"].shows(group, "Approve")
    assert double.calls("editMessageText")[-1].params["link_preview_options"] == '{"is_disabled": true}'
    double.assert_well_behaved()


async def test_stripping_takes_only_the_buttons_and_is_done_twice(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    number = await sent(messenger, Place(group.id))
    for _ in range(2):
        assert await messenger.strip(Place(group.id), number) == Answer(Verdict.DONE)
    message = double["Ana"].last(group)
    assert message.keyboard is None
    assert message.body is not None
    assert message.body.text.startswith("Is this team good?")


async def test_deleting_is_done_twice(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    number = await sent(messenger, Place(group.id))
    for _ in range(2):
        assert await messenger.delete(Place(group.id), number) == Answer(Verdict.DONE)
    assert double["Ana"].hears(group) == []


async def test_a_message_that_an_admin_deleted_is_gone(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    number = await sent(messenger, Place(group.id))
    group.delete_message(double["Ana"].last(group))
    assert await messenger.edit(Place(group.id), number, TABLE, PLAIN) == Answer(Verdict.GONE)
    assert await messenger.strip(Place(group.id), number) == Answer(Verdict.GONE)


async def test_a_message_of_somebody_else_is_as_good_as_gone(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    theirs = double["Ana"].say(group, "hello").message_id
    assert await messenger.edit(Place(group.id), theirs, TABLE, PLAIN) == Answer(Verdict.GONE)


async def test_an_old_message_cannot_be_deleted_but_edited(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    number = await sent(messenger, Place(group.id))
    double.advance(49 * 3600)
    assert await messenger.delete(Place(group.id), number) == Answer(Verdict.GONE)
    assert await messenger.edit(Place(group.id), number, TABLE, PLAIN) == Answer(Verdict.DONE)


async def test_topics(double: Double, messenger: TelegramMessenger) -> None:
    forum = double.group("Forum", ["Ana"], kind="supergroup", forum=True)
    topic = forum.topic("Avalon")
    await sent(messenger, Place(forum.id, topic))
    assert double["Ana"].last(forum).topic == topic
    await sent(messenger, Place(forum.id))
    assert double["Ana"].last(forum).topic is None
    assert await messenger.send(Place(forum.id, topic + 90), TABLE, PLAIN) == Answer(Verdict.UNREACHABLE)


async def test_a_migrated_group_tells_its_new_id(messenger: TelegramMessenger, group: Group) -> None:
    old = group.id
    number = await sent(messenger, Place(old))
    new = group.migrate()
    assert await messenger.send(Place(old), TABLE, SCREEN) == Answer(Verdict.MOVED, chat=new)
    assert await messenger.edit(Place(old), number, TABLE, PLAIN) == Answer(Verdict.MOVED, chat=new)


async def test_who_cannot_be_written_to(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    unreachable = Answer(Verdict.UNREACHABLE)
    ana, ben = double["Ana"], double["Ben"]
    assert await messenger.send(Place(99), TABLE, PLAIN) == unreachable
    ana.command(group, "/newgame")
    assert await messenger.send(Place(ana.id), TABLE, PLAIN) == unreachable
    ben.start()
    await sent(messenger, Place(ben.id))
    ben.block()
    assert await messenger.send(Place(ben.id), TABLE, PLAIN) == unreachable
    group.restrict_bot(can_send=False)
    assert await messenger.send(Place(group.id), TABLE, PLAIN) == unreachable
    group.remove_bot(ana)
    assert await messenger.send(Place(group.id), TABLE, PLAIN) == unreachable


async def test_nobody_at_the_other_end_is_lost() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    transport = AiohttpRequest()
    await transport.initialize()
    messenger = TelegramMessenger(Bot("42:TEST", base_url=f"http://127.0.0.1:{port}/bot", request=transport))
    assert await messenger.send(Place(1), TABLE, PLAIN) == Answer(Verdict.LOST)
    assert await messenger.answer("1") is Verdict.LOST
    await transport.shutdown()


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_lost_answer_is_lost(double: Double, messenger: TelegramMessenger, group: Group, moment: str) -> None:
    double.fault("sendMessage", drop=moment)
    assert await messenger.send(Place(group.id), TABLE, PLAIN) == Answer(Verdict.LOST)


DONE, GONE, AWAY, LOST, NO = Verdict.DONE, Verdict.GONE, Verdict.UNREACHABLE, Verdict.LOST, Verdict.REFUSED
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content"
    " and reply markup of the message"
)
TAG = 'can\'t parse entities: Unsupported start tag "p" at byte offset 5'
REFUSALS: tuple[tuple[int, str, Verdict], ...] = (
    (400, f"Bad Request: {NOT_MODIFIED}", DONE),
    (400, "Bad Request: message to edit not found", GONE),
    (400, "Bad Request: message can't be edited", GONE),
    (400, "Bad Request: there is no text in the message to edit", GONE),
    (400, "Bad Request: there is no caption in the message to edit", GONE),
    (400, "Bad Request: message media can't be edited", GONE),
    (400, "Bad Request: MESSAGE_ID_INVALID", GONE),
    (400, "Bad Request: message to delete not found", DONE),
    (400, "Bad Request: message can't be deleted", GONE),
    (400, "Bad Request: message can't be deleted for everyone", GONE),
    (400, "Bad Request: message to be replied not found", NO),
    (400, "Bad Request: message to pin not found", NO),
    (400, "Bad Request: not enough rights to manage pinned messages in the chat", NO),
    (400, "Bad Request: BUTTON_DATA_INVALID", NO),
    (400, "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard", NO),
    (400, "Bad Request: inline keyboard button text must be non-empty", NO),
    (400, "Bad Request: reply markup is too long", NO),
    (400, "Bad Request: message text is empty", NO),
    (400, "Bad Request: message is too long", NO),
    (400, "Bad Request: MESSAGE_TOO_LONG", NO),
    (400, "Bad Request: message caption is too long", NO),
    (400, "Bad Request: text is too long", NO),
    (400, f"Bad Request: {TAG}", NO),
    (400, "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"", NO),
    (400, 'Bad Request: can\'t parse entities: Unmatched end tag at byte offset 9, expected "</b>", found "</i>"', NO),
    (400, "Bad Request: can't parse entities: Unexpected end tag at byte offset 9", NO),
    (400, "Bad Request: can't parse entities: Unclosed start tag at byte offset 9", NO),
    (400, "Bad Request: unsupported parse_mode", NO),
    (400, "Bad Request: query is too old and response timeout expired or query ID is invalid", GONE),
    (400, "Bad Request: chat not found", AWAY),
    (403, "Forbidden: bot can't initiate conversation with a user", AWAY),
    (403, "Forbidden: bot was blocked by the user", AWAY),
    (403, "Forbidden: user is deactivated", AWAY),
    (403, "Forbidden: bot was kicked from the group chat", AWAY),
    (403, "Forbidden: bot was kicked from the supergroup chat", AWAY),
    (403, "Forbidden: bot is not a member of the group chat", AWAY),
    (403, "Forbidden: bot is not a member of the supergroup chat", AWAY),
    (403, "Forbidden: the group chat was deleted", AWAY),
    (400, "Bad Request: group chat was upgraded to a supergroup chat", AWAY),
    (400, "Bad Request: not enough rights to send text messages to the chat", AWAY),
    (400, "Bad Request: not enough rights to send photos to the chat", AWAY),
    (400, "Bad Request: have no rights to send a message", AWAY),
    (400, "Bad Request: CHAT_WRITE_FORBIDDEN", AWAY),
    (400, "Bad Request: CHAT_RESTRICTED", AWAY),
    (400, "Bad Request: USER_IS_BLOCKED", AWAY),
    (400, "Bad Request: PEER_ID_INVALID", AWAY),
    (400, "Bad Request: message thread not found", AWAY),
    (400, "Bad Request: TOPIC_CLOSED", AWAY),
    (400, "Bad Request: TOPIC_DELETED", AWAY),
    (400, "Bad Request: member not found", NO),
    (400, "Bad Request: there are no administrators in the private chat", NO),
    (400, "Bad Request: there is no photo in the request", NO),
    (400, "Bad Request: wrong file identifier/HTTP URL specified", NO),
    (400, "Bad Request: chat_id is empty", NO),
    (409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", LOST),
    (401, "Unauthorized", LOST),
    (401, "Unauthorized: invalid token specified", LOST),
    (404, "Not Found: method not found", NO),
    (500, "Internal Server Error: restart", LOST),
    (502, "Bad Gateway", LOST),
)


@pytest.mark.parametrize(("code", "description", "verdict"), REFUSALS)
async def test_each_refusal_has_its_verdict(
    double: Double,
    messenger: TelegramMessenger,
    group: Group,
    caplog: pytest.LogCaptureFixture,
    code: int,
    description: str,
    verdict: Verdict,
) -> None:
    place = Place(group.id)
    double.fault(times=5, code=code, description=description)
    answers = [
        await messenger.send(place, TABLE, SCREEN),
        await messenger.edit(place, 1, TABLE, SCREEN),
        await messenger.strip(place, 1),
        await messenger.delete(place, 1),
        Answer(await messenger.answer("1")),
    ]
    assert answers == [Answer(verdict)] * 5
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    if verdict is NO:
        assert [error.partition(" ")[0] for error in errors] == [
            "sendMessage",
            "editMessageText",
            "editMessageReplyMarkup",
            "deleteMessage",
            "answerCallbackQuery",
        ]
    else:
        assert len(errors) == (5 if code in (401, 409) else 0)


async def test_flood_control_names_the_seconds(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    double.fault(times=2, code=429, parameters={"retry_after": 15})
    later = Answer(Verdict.LATER, seconds=15.0)
    assert await messenger.send(Place(group.id), TABLE, SCREEN) == later
    assert await messenger.edit(Place(group.id), 1, TABLE, SCREEN) == later


async def test_a_refusal_is_logged_with_method_and_description_but_nothing_that_was_sent(
    double: Double, messenger: TelegramMessenger, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await messenger.send(Place(group.id), TABLE, Screen("Ana is <merlin>Merlin</merlin>"))
    assert answer == Answer(Verdict.REFUSED)
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage() == (
        "sendMessage was refused: Can't parse entities: unsupported start tag … at byte offset 7"
    )
    assert "merlin" not in caplog.text.lower()
    assert double.world.token not in caplog.text


async def test_a_quoted_address_is_not_logged(
    double: Double, messenger: TelegramMessenger, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    double.fault(
        code=400, description="Bad Request: inline keyboard button URL 'x://secret' is invalid: Wrong HTTP URL"
    )
    await messenger.send(Place(group.id), TABLE, SCREEN)
    assert "secret" not in caplog.text
    assert "inline keyboard button url … is invalid" in caplog.text.lower()


async def press(double: Double, messenger: TelegramMessenger, group: Group) -> str:
    await sent(messenger, Place(group.id))
    return double["Ben"].tap(group, "Approve")


async def test_a_press_is_answered(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    query = await press(double, messenger, group)
    assert await messenger.answer(query, "You approve.") is Verdict.DONE
    (answer,) = double["Ben"].answers
    assert (answer.text, answer.alert, answer.url) == ("You approve.", False, "")
    query = double["Ben"].tap(group, "Approve")
    assert await messenger.answer(query, "x" * 200, alert=True) is Verdict.DONE
    assert (double["Ben"].answers[-1].text, double["Ben"].answers[-1].alert) == ("x" * 200, True)
    double.assert_well_behaved()


async def test_an_answer_may_open_the_private_chat(double: Double, messenger: TelegramMessenger, group: Group) -> None:
    query = await press(double, messenger, group)
    link = "t.me/avalon_bot?start=abc"
    assert await messenger.answer(query, url=link) is Verdict.DONE
    assert double["Ben"].answers[-1].url == link


async def test_a_late_answer_is_no_error(
    double: Double, messenger: TelegramMessenger, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    query = await press(double, messenger, group)
    double.advance(60)
    await double.until(lambda: bool(double["Ben"].answers))
    assert await messenger.answer(query, "You approve.") is Verdict.GONE
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_text_that_is_too_long_is_a_fault_of_ours_and_the_press_is_answered_all_the_same(
    double: Double, messenger: TelegramMessenger, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    query = await press(double, messenger, group)
    assert await messenger.answer(query, "Merlin" * 40) is Verdict.DONE
    assert double["Ben"].answers[-1].text == ""
    assert "a text of 240 characters is too long" in caplog.text
    assert "Merlin" not in caplog.text


async def test_a_refused_answer_is_given_without_text(
    double: Double, messenger: TelegramMessenger, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    query = await press(double, messenger, group)
    double.fault("answerCallbackQuery", code=400, description="Bad Request: MESSAGE_TOO_LONG")
    assert await messenger.answer(query, "You approve.") is Verdict.DONE
    assert double["Ben"].answers[-1].text == ""
    assert "answerCallbackQuery was refused: Message_too_long" in caplog.text


async def test_answers_are_not_held_up_by_slow_messages(
    double: Double, messenger: TelegramMessenger, group: Group
) -> None:
    """Thirty messages wait for Telegram; an answer goes through beside them."""
    query = await press(double, messenger, group)
    double.fault("sendMessage", times=30, delay=3600)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(30):
            tasks.create_task(messenger.send(Place(group.id), TABLE, PLAIN))
        await double.until(lambda: len(double["Ana"].hears(group)) == 31)
        assert await messenger.answer(query, "You approve.") is Verdict.DONE
        double.advance(3600)
