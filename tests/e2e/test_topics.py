"""Forums: every topic has a table of its own, and General is no topic."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.taps import Verb


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot, kind="supergroup", forum=True)


def in_topic(friends: Friends, topic: int | None) -> list[str]:
    """What the bot has written there."""
    return [message.text for message in friends.people[0].hears(friends.group) if message.topic == topic]


async def test_two_tables_in_two_topics_and_one_in_general(double: Double, bot: AvalonBot, friends: Friends) -> None:
    tables = []
    for topic in (friends.group.topic("Red"), friends.group.topic("Blue"), None):
        table = Friends(double, bot, friends.group, friends.people, topic)
        await table.command(friends.people[0], "/newgame")
        for person in friends.people:
            answer = await table.tap(person, friends.group, Verb.JOIN)
            if answer.url:
                person.open(answer.url)
            await table.heard()
        await table.tap(friends.people[0], friends.group, Verb.START)
        tables.append(table)
    await friends.heard()
    for table in tables:
        texts = in_topic(friends, table.topic)
        assert sum("Night falls on Camelot." in text for text in texts) == 1
        assert "choose 2 players for quest 1" in texts[-1]
    assert len({(await table.table()).id for table in tables}) == 3
    await tables[0].quest()
    await tables[2].quest(good_wins=False)
    await tables[1].propose(await tables[1].team())
    await friends.settled()
    assert [len((await table.game()).quests) for table in tables] == [1, 0, 1]
    for person in friends.people:
        cards = [message.text for message in person.hears() if "🎭 Your role" in message.text]
        assert len(cards) == 3


async def test_answers_to_commands_stay_in_their_topic(double: Double, bot: AvalonBot, friends: Friends) -> None:
    topic = friends.group.topic("Red")
    red = Friends(double, bot, friends.group, friends.people, topic)
    await red.command(friends.people[0], "/rules")
    await red.command(friends.people[0], "/table")
    assert [text.splitlines()[0] for text in in_topic(friends, topic)] == [
        "📖 The game (Rulebook)",
        "There is no table here. Open one with /newgame.",
    ]
    assert len(in_topic(friends, None)) == 1


async def test_a_whole_game_in_a_topic(double: Double, bot: AvalonBot, friends: Friends) -> None:
    red = Friends(double, bot, friends.group, friends.people, friends.group.topic("Red"))
    await red.begin()
    await red.finish()
    await red.press(friends.people[1], friends.group, "📄 Record")
    await red.until_reads("The record of this game.")
    topics = {message.topic for message in friends.people[0].hears(friends.group)}
    assert topics == {None, red.topic}
    assert len(in_topic(friends, None)) == 1


async def test_the_way_back_leads_into_the_topic(double: Double, bot: AvalonBot, friends: Friends) -> None:
    red = Friends(double, bot, friends.group, friends.people, friends.group.topic("Red"))
    await red.begin()
    _, button = friends.people[0].find(None, "↩️ To the group")
    chat = str(friends.group.id).removeprefix("-100")
    assert button["url"].startswith(f"https://t.me/c/{chat}/{red.topic}/")


async def test_a_reply_in_an_ordinary_supergroup_is_no_topic(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, kind="supergroup")
    friends.people[0].command(friends.group, "/newgame")
    await friends.heard()
    lobby = friends.people[0].last(friends.group)
    friends.people[1].say(friends.group, "/table@avalon_bot", reply_to=lobby)
    await friends.heard()
    assert "There is no table here" not in friends.text()
