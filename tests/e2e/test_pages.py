"""What can be read: greetings, help, the rules by topic; and what is forgotten on request."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.catalogue import languages
from tgavalon.ui.help import COMMANDS, TOPICS


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def test_a_group_is_greeted_once(double: Double, bot: AvalonBot) -> None:
    friends = Friends.named(double, bot, ["Ana", "Ben"], with_bot=False)
    friends.group.add_bot(friends.people[0])
    await friends.heard()
    assert [message.text[:8] for message in friends.people[1].hears(friends.group)] == ["👋 Hello!"]
    friends.group.promote_bot(friends.people[0])
    await friends.heard()
    assert len(friends.people[1].hears(friends.group)) == 1


async def test_start_in_private_greets_and_leads_into_a_group(friends: Friends, double: Double) -> None:
    person = friends.people[0]
    person.start()
    await friends.heard()
    [greeting] = person.hears()
    assert len(greeting.text.splitlines()) == 3
    _, button = person.find(None, "➕ Add me to a group")
    empty = double.group("Empty", [person], with_bot=False)
    person.open(button["url"], empty)
    await friends.heard()
    texts = [message.text for message in person.hears(empty)]
    assert any("👋 Hello!" in text for text in texts)
    assert any("Commands" in text for text in texts)


async def test_help_lists_every_command(friends: Friends) -> None:
    person = friends.people[0]
    for place in (None, friends.group):
        person.command(place, "/help")
        await friends.heard()
        body = person.last(place).body
        assert body is not None
        commands = [entity for entity in body.entities if entity["type"] == "bot_command"]
        assert len(commands) >= len(COMMANDS)
        assert all(f"/{command}\u2069 – " in body.text for command in COMMANDS)


async def test_the_commands_are_described_in_every_language(double: Double, friends: Friends) -> None:
    await friends.until(lambda: len(double.world.commands) == len(languages()))
    for (_, language), commands in double.world.commands.items():
        assert language in ("", *languages())
        assert [command["command"] for command in commands] == [*COMMANDS]


@pytest.mark.parametrize("private", [True, False])
async def test_the_rules_are_turned_page_by_page(friends: Friends, private: bool) -> None:
    person, place = friends.people[0], None if private else friends.group
    person.command(place, "/rules")
    await friends.heard()
    page, count = person.last(place), len(person.hears(place))
    for topic in TOPICS:
        label = f"• {topic} •" if person.shows(page, f"• {topic} •") else topic
        answer = await friends.press(person, place, label)
        assert not answer.text
        await friends.until(lambda topic=topic: f"📖 {topic} (Rulebook)" in person.last(place).text)  # type: ignore[misc]
    assert len(person.hears(place)) == count


async def test_the_rules_of_the_table_are_those_that_are_played(friends: Friends) -> None:
    await friends.open_table()
    await friends.set("Rules", "Spanish rules")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    await friends.command(friends.people[1], "/rules")
    assert "📖 The game (Spanish rules)" in friends.newest()
    assert "5 players: 3 good, 2 evil" in friends.newest()
    assert "7 players" not in friends.newest()


async def test_the_state_of_the_table_at_a_glance(friends: Friends) -> None:
    await friends.open_table()
    outsider = friends.people[0]
    answer = await friends.press(outsider, friends.group, "🌐")
    assert (answer.text, answer.alert) == ("✅ Everybody is ready. The host can start.", True)
    await friends.deal()
    await friends.settled()
    leader, seats = await friends.leader(), await friends.by_seat()
    other = next(person for person in seats if person != leader)
    answer = await friends.press(leader, friends.group, "🌐")
    assert answer.text == "It is your turn: choose 2 players for quest 1."
    answer = await friends.press(other, friends.group, "🌐")
    assert answer.text == f"\u2068{leader.name}\u2069 ({seats.index(leader) + 1}) chooses 2 players for quest 1."
    await friends.propose(await friends.team())
    await friends.settled()
    answer = await friends.press(outsider, friends.group, "🌐")
    assert answer.text.endswith("Your vote is missing.")


async def test_the_role_is_shown_in_private_and_in_an_alert(friends: Friends) -> None:
    await friends.begin()
    person = friends.people[1]
    count = len(person.hears())
    await friends.command(person, "/role")
    assert len(person.hears()) == count + 1
    assert "🎭 Your role at \u2068Friends\u2069" in person.last().text
    person.command(None, "/role")
    await friends.heard()
    assert len(person.hears()) == count + 2
    assert person.last().protected
    answer = await friends.press(person, friends.group, "🎭 My role")
    assert answer.alert
    assert "You are" in answer.text


async def test_the_card_can_be_seen_in_the_group_by_who_cannot_be_written_to(friends: Friends) -> None:
    await friends.begin()
    person = friends.people[1]
    person.block()
    await friends.heard()
    await friends.command(person, "/role")
    assert "I cannot write to you. Tap “My role” on the table instead." in friends.newest()


async def test_forgetting_a_person(friends: Friends, bot: AvalonBot) -> None:
    await friends.begin()
    await friends.finish()
    person, table = friends.people[1], await friends.table()
    store = bot.service.store
    assert await store.person(person.id) is not None
    person.command(None, "/forgetme")
    await friends.heard()
    assert "I have deleted what I know about you" in person.last().text
    assert await store.person(person.id) is None
    old = await store.load(table.id)
    assert old is not None
    assert person.id not in {sitter.user for sitter in old.sitters}
    assert person.name not in {sitter.name for sitter in old.sitters}


async def test_forgetting_somebody_in_a_game_leaves_the_game_alone(friends: Friends) -> None:
    await friends.begin()
    async with friends.nothing_changes():
        friends.people[1].command(None, "/forgetme")
        await friends.heard()
    await friends.finish()
