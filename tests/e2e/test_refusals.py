"""Every way in which Telegram says no to a message: the game goes on, and the group is told once whom it concerns."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Questing
from tgavalon.ui.taps import Verb

TO_A_PERSON = (
    (403, "Forbidden: bot can't initiate conversation with a user"),
    (403, "Forbidden: bot was blocked by the user"),
    (403, "Forbidden: user is deactivated"),
    (400, "Bad Request: chat not found"),
    (400, "Bad Request: PEER_ID_INVALID"),
)
TO_A_GROUP = (
    (403, "Forbidden: bot was kicked from the supergroup chat"),
    (403, "Forbidden: bot is not a member of the supergroup chat"),
    (403, "Forbidden: the group chat was deleted"),
    (400, "Bad Request: not enough rights to send text messages to the chat"),
    (400, "Bad Request: CHAT_WRITE_FORBIDDEN"),
    (400, "Bad Request: CHAT_RESTRICTED"),
    (400, "Bad Request: TOPIC_CLOSED"),
    (400, "Bad Request: TOPIC_DELETED"),
    (400, "Bad Request: message thread not found"),
    (400, "Bad Request: chat not found"),
)
OF_A_MESSAGE = (
    (400, "Bad Request: message to edit not found"),
    (400, "Bad Request: message can't be edited"),
    (400, "Bad Request: there is no text in the message to edit"),
    (400, "Bad Request: MESSAGE_ID_INVALID"),
)
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def test_nobody_can_be_written_to(double: Double, friends: Friends) -> None:
    """Each for another reason: the group is told once of all of them, and they play a quest with what is there."""
    await friends.open_table()
    await friends.settled()
    for person, (code, description) in zip(friends.people, TO_A_PERSON, strict=True):
        double.fault("sendMessage", times=1, chat=person.id, code=code, description=description)
    await friends.press(friends.people[0], friends.group, "▶️ Start the game")
    await friends.until_reads("press Start in a private chat with me, or play with the buttons here.")
    await friends.heard()
    for seat, person in enumerate(friends.people):
        assert f"\u2068{person.name}\u2069 ({seat + 1})" in friends.newest()
        assert (await friends.tap(person, friends.group, Verb.ROLE)).text.startswith("You are")
    assert friends.text().count("✉️") == 1
    team = await friends.team()
    await friends.propose(team)
    await friends.vote()
    seats = await friends.by_seat()
    for seat in team:
        assert (await friends.press(seats[seat], friends.group, "Play Success")).text == "Your card is in."
    await friends.until_reads("🏆 Quest 1 succeeded")


async def test_the_group_cannot_be_written_to(double: Double, friends: Friends) -> None:
    """Every press is answered and counts meanwhile; one refusal is not asked for again, and the next change shows."""
    await friends.begin()
    table = (await friends.table()).id
    for code, description in TO_A_GROUP:
        await friends.settled()
        before = friends.people[0].last(friends.group).message_id
        double.fault("sendMessage", times=1, chat=friends.group.id, code=code, description=description)
        calls = len(double.calls("sendMessage"))
        await friends.bot.service.repost(table)
        await friends.settled()
        assert friends.people[0].last(friends.group).message_id == before, description
        assert len(double.calls("sendMessage")) == calls + 1, "what is refused is not tried again and again"
        answer = await friends.bot.service.repost(table)
        await friends.settled()
        assert answer.after.version > answer.before.version
        assert friends.people[0].last(friends.group).message_id > before, description
    await friends.finish()


async def test_taps_count_while_the_group_cannot_be_written_to(friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.until(lambda: all(one.shows(friends.group, "👍 Approve") for one in friends.people))
    await friends.settled()
    friends.group.restrict_bot(can_send=False)
    await friends.vote()
    assert isinstance((await friends.game()).phase, Questing)
    friends.group.restrict_bot(can_send=True)
    await friends.command(friends.people[0], "/table")
    assert "The team is on its quest" in friends.newest() or "cards are in" in friends.newest()
    await friends.play()
    await friends.finish()


async def test_a_message_that_cannot_be_edited_is_sent_anew_once(double: Double, friends: Friends) -> None:
    await friends.begin()
    for number, (code, description) in enumerate(OF_A_MESSAGE, start=1):
        team = await friends.team()
        await friends.propose(team)
        await friends.settled()
        double.fault("editMessageText", times=1, chat=friends.group.id, code=code, description=description)
        before = len(friends.people[0].hears(friends.group))
        seats = await friends.by_seat()
        await friends.ballot(seats[0], approve=False)
        await friends.settled()
        assert len(friends.people[0].hears(friends.group)) == before + 1, description
        for person in seats[1:]:
            await friends.ballot(person, approve=False)
        await friends.until(lambda number=number: friends.text().count("⛔ Rejected") >= number)  # type: ignore[misc]
    assert (await friends.game()).rejections == len(OF_A_MESSAGE)


async def test_a_press_that_is_too_old_to_be_answered_counts(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.until(lambda: friends.people[0].shows(friends.group, "👍 Approve"))
    double.fault("answerCallbackQuery", times=1, code=400, description=TOO_OLD)
    friends.people[0].tap(friends.group, "👍 Approve")
    await friends.until_reads("1 of 5 votes are in.")
    assert len([call for call in double.calls("answerCallbackQuery") if call.status == 400]) == 1
    for person in (await friends.by_seat())[1:]:
        await friends.ballot(person, approve=True)
    assert isinstance((await friends.game()).phase, Questing)


async def test_a_group_that_seems_to_be_deleted_has_moved(double: Double, friends: Friends) -> None:
    await friends.begin()
    double.fault("sendMessage", code=403, chat=friends.group.id, description="Forbidden: the group chat was deleted")
    await friends.bot.service.repost((await friends.table()).id)
    await friends.settled()
    friends.group.migrate()
    await friends.heard()
    assert "choose 2 players for quest 1" in friends.newest()
    await friends.finish()


async def test_a_group_is_deleted_and_its_table_holds_up_no_other(double: Double, bot: AvalonBot) -> None:
    gone = Friends.gather(double, bot)
    await gone.begin()
    gone.group.delete()
    others = Friends.named(double, bot, ("Kim", "Lou", "Max", "Nia", "Oda"))
    await bot.service.repost((await gone.table()).id)
    await others.begin()
    assert (await gone.table()).is_open
    await bot.service.end((await gone.table()).id, gone.people[0].id)
    await others.quest()


async def test_the_bot_pins_nothing(double: Double, friends: Friends) -> None:
    """So it needs no right to, and nothing fails where it has none."""
    await friends.begin()
    await friends.finish()
    assert not [call for call in double.calls() if "pin" in call.method.lower()]
