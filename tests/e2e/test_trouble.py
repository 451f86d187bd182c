"""When Telegram, the network or an admin gets in the way: the game goes on, and nothing is told twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Questing
from tgavalon.table.ports import Answer
from tgavalon.ui.taps import Verb

ROLE = "🎭 My role"


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def test_flood_control_on_the_last_vote(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    double.fault("editMessageText", times=2, chat=friends.group.id, code=429, parameters={"retry_after": 20})
    double.fault("sendMessage", times=1, chat=friends.group.id, code=429, parameters={"retry_after": 20})
    await friends.vote()
    await friends.until_reads("✅ Approved, 5 to 0")
    await friends.play()
    await friends.finish()


async def test_flood_control_in_one_chat_holds_up_no_other(double: Double, friends: Friends) -> None:
    await friends.open_table()
    slow = friends.people[3]
    double.fault("sendMessage", times=1, chat=slow.id, code=429, parameters={"retry_after": 3600})
    await friends.press(friends.people[0], friends.group, "▶️ Start the game")
    await friends.until_reads("choose 2 players for quest 1")
    others = [person for person in friends.people if person != slow]
    await friends.until(lambda: all(friends.reads(person, "🎭 Your role") for person in others))
    assert "You are" in (await friends.press(slow, friends.group, ROLE)).text
    await friends.quest() if 3 not in await friends.team() else await friends.propose(await friends.team())


@pytest.mark.parametrize("code", [500, 502])
async def test_a_server_that_fails_now_and_then(double: Double, friends: Friends, code: int) -> None:
    await friends.open_table()
    for method in ("sendMessage", "editMessageText", "editMessageReplyMarkup"):
        double.fault(method, times=2, code=code)
    await friends.deal()
    await friends.quest()
    await friends.finish()
    assert friends.text().count("Night falls on Camelot.") == 1


async def test_connections_that_break_before_the_call(double: Double, friends: Friends) -> None:
    await friends.open_table()
    double.fault("sendMessage", times=4, drop="before")
    await friends.deal()
    await friends.settled()
    assert friends.text().count("Night falls on Camelot.") == 1
    await friends.finish()


async def test_an_answer_that_is_lost_after_the_effect(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    double.fault("editMessageText", times=1, chat=friends.group.id, drop="after")
    double.fault("sendMessage", times=1, drop="after")
    await friends.vote()
    await friends.play()
    await friends.settled()
    assert friends.text().count("🏆 Quest 1 succeeded: no Fail.") <= 3
    await friends.finish()


async def test_an_answer_to_a_tap_that_is_lost(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    double.fault("answerCallbackQuery", times=1, drop="after")
    await friends.vote()
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)


async def test_an_admin_deletes_the_screen(friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    friends.group.delete_message(friends.people[0].last(friends.group))
    first, *others = await friends.by_seat()
    friends.answers.append(await friends.forge(first, f"{(await friends.table()).id}:approve:1:0"))
    await friends.settled()
    assert friends.text().count("1 of 5 votes are in.") == 1
    for person in others:
        await friends.ballot(person, approve=True)
    await friends.play()
    await friends.finish()


async def test_an_admin_deletes_what_is_over(friends: Friends) -> None:
    await friends.begin()
    messages = len(friends.people[0].hears(friends.group))
    for message in friends.people[0].hears(friends.group)[:-1]:
        friends.group.delete_message(message)
    await friends.settled()
    await friends.quest()
    await friends.settled()
    assert friends.text().count("Night falls on Camelot.") == 0
    assert len(friends.people[0].hears(friends.group)) < messages + 3
    await friends.finish()


async def test_a_deleted_screen_is_brought_back_on_request(friends: Friends) -> None:
    await friends.begin()
    friends.group.delete_message(friends.people[0].last(friends.group))
    await friends.command(friends.people[1], "/table")
    assert "choose 2 players for quest 1" in friends.newest()
    await friends.command(friends.people[1], "/table")
    assert len([label for label in friends.people[0].labels(friends.group) if label == "🌐"]) == 1


async def test_the_bot_is_kicked_and_comes_back(friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    old = friends.people[0].last(friends.group)
    friends.group.remove_bot(friends.people[0])
    await friends.heard()
    before = await friends.table()
    friends.group.add_bot(friends.people[0])
    await friends.heard()
    assert (await friends.table()).id == before.id
    newest = friends.people[0].last(friends.group)
    assert newest.message_id > old.message_id
    assert "votes are in" in newest.text
    await friends.vote()
    await friends.play()
    await friends.finish()


async def test_a_kick_that_is_noticed_by_a_refusal(double: Double, friends: Friends) -> None:
    await friends.begin()
    friends.group.remove_bot(friends.people[0])
    await friends.bot.service.repost((await friends.table()).id)
    await friends.settled()
    before = len(double.calls("sendMessage"))
    await friends.settled()
    assert len(double.calls("sendMessage")) == before
    friends.group.add_bot(friends.people[0])
    await friends.heard()
    await friends.finish()


async def test_the_bot_is_let_in_again_while_a_refusal_is_on_its_way(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    await friends.begin()
    entered, go_on, send = asyncio.Event(), asyncio.Event(), friends.bot._messenger.send

    async def held_up(*args: Any) -> Answer:
        answer = await send(*args)
        entered.set()
        await go_on.wait()
        return answer

    old = friends.people[0].last(friends.group).message_id
    friends.group.remove_bot(friends.people[0])
    with monkeypatch.context() as slow:
        slow.setattr(friends.bot._messenger, "send", held_up)
        await friends.bot.service.repost((await friends.table()).id)
        async with asyncio.timeout(10):
            await entered.wait()
    friends.group.add_bot(friends.people[0])
    await friends.until(lambda: not friends.double.world.updates.pending())
    go_on.set()
    await friends.until(lambda: friends.people[0].last(friends.group).message_id > old)
    await friends.finish()


async def test_the_right_to_write_is_taken_and_given_back(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, kind="supergroup")
    await friends.begin()
    friends.group.restrict_bot(can_send=False)
    await friends.command(friends.people[1], "/table")
    friends.group.restrict_bot(can_send=True)
    await friends.heard()
    assert friends.people[0].last(friends.group).buttons()
    await friends.finish()


async def test_an_admin_cannot_be_looked_up(double: Double, friends: Friends) -> None:
    await friends.open_table()
    friends.people[1].promoted_in(friends.group)
    double.fault("getChatMember", times=1, code=500)
    async with friends.nothing_changes():
        answer = await friends.press(friends.people[1], friends.group, "⚙️ Settings")
    assert answer.text == "That did not work just now. Nothing has changed: please tap again."
    assert not (await friends.press(friends.people[1], friends.group, "⚙️ Settings")).text


async def test_nobody_is_looked_up_who_is_seen_to_be_inside(double: Double, friends: Friends) -> None:
    await friends.open_table()
    assert not double.calls("getChatMember")


async def test_a_fault_of_our_own_leaves_no_press_unanswered(
    friends: Friends, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await friends.begin()
    leader = await friends.leader()
    with monkeypatch.context() as broken:
        broken.setattr(friends.bot.service, "change", None)
        answer = await friends.tap(leader, friends.group, Verb.PICK, 1, 0)
    assert answer.text == "That did not work just now. Nothing has changed: please tap again."
    assert [record.levelname for record in caplog.records if record.levelname == "ERROR"] == ["ERROR"]
    caplog.clear()
    await friends.finish()
