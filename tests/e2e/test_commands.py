"""Commands where they do not belong: one answer in words each, and nothing changes."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot

NO_TABLE = "There is no table here. Open one with /newgame."
NOT_SEATED = "You are not at this table."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def told(friends: Friends, person: Person, text: str, *, private: bool = False) -> str:
    """The one message with which the bot answers a command."""
    place = None if private else friends.group
    await friends.heard()
    before = len(person.hears(place))
    person.command(place, text)
    await friends.until(lambda: len(person.hears(place)) > before)
    await friends.heard()
    assert len(person.hears(place)) == before + 1
    return person.last(place).text


async def test_commands_of_a_group_in_private(friends: Friends) -> None:
    person = friends.people[0]
    for command in ("newgame", "join", "leave", "table", "settings", "kick", "endgame", "record"):
        text = await told(friends, person, f"/{command}", private=True)
        assert text == "This command works in a group.", command


async def test_commands_of_a_private_chat_in_a_group(friends: Friends) -> None:
    assert await told(friends, friends.people[0], "/forgetme") == "This command works in a private chat with me."


async def test_commands_at_no_table(friends: Friends) -> None:
    for command in ("join", "leave", "table", "role", "settings", "kick 1", "endgame"):
        assert await told(friends, friends.people[0], f"/{command}") == NO_TABLE, command
    assert await told(friends, friends.people[0], "/record") == "No game has been finished here yet."
    assert await told(friends, friends.people[0], "/role", private=True) == "You are in no game now."


async def test_a_second_newgame_brings_the_table_down(friends: Friends) -> None:
    await friends.open_table()
    for stage in ("lobby", "team"):
        table = await friends.table()
        before = friends.people[0].last(friends.group)
        await friends.command(friends.people[1], "/newgame")
        assert "There is already a table here. I have brought it down for you." in friends.text()
        after = await friends.table()
        assert (after.id, after.sitters, after.game) == (table.id, table.sitters, table.game)
        assert friends.people[0].last(friends.group).message_id > before.message_id
        labels = [person.labels(friends.group) for person in friends.people]
        assert labels[0].count("🌐") == 1, f"two screens of the {stage} have buttons"
        if stage == "lobby":
            await friends.deal()
            await friends.settled()


async def test_commands_before_and_after_their_time(friends: Friends, double: Double) -> None:
    await friends.open_table()
    zoe = double.person("Zoe", language_code="en")
    zoe.join(friends.group)
    host, guest = friends.people[0], friends.people[1]
    not_host = "Only the host or a group admin can do that."
    refusals = [
        (host, "/role", "The game has not begun yet."),
        (guest, "/settings", not_host),
        (guest, "/kick 1", not_host),
        (host, "/kick 9", "There is no such seat."),
        (host, "/kick x", "There is no such seat."),
        (host, "/kick", "Say which seat, for example /kick 3."),
        (guest, "/endgame", "The game has not begun yet."),
        (zoe, "/leave", NOT_SEATED),
        (zoe, "/endgame", "The game has not begun yet."),
    ]
    await _all_refused(friends, refusals)
    await friends.deal()
    await friends.settled()
    refusals = [
        (zoe, "/join", "That is only possible before the game begins."),
        (host, "/join", "That is only possible before the game begins."),
        (host, "/settings", "That is only possible before the game begins."),
        (host, "/kick 2", "That is only possible before the game begins."),
        (zoe, "/role", NOT_SEATED),
        (zoe, "/leave", NOT_SEATED),
        (zoe, "/endgame", NOT_SEATED),
    ]
    await _all_refused(friends, refusals)


async def _all_refused(friends: Friends, refusals: list[tuple[Person, str, str]]) -> None:
    for person, command, refusal in refusals:
        async with friends.nothing_changes():
            assert await told(friends, person, command) == refusal, command


async def test_what_is_not_for_this_bot_is_left_alone(friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    before = len(friends.people[0].hears(friends.group))
    for text in ("/newgame@other_bot", "/unknown@avalon_bot", "hello", "/", "/@avalon_bot", "newgame"):
        friends.people[0].say(friends.group, text)
    await friends.heard()
    assert len(friends.people[0].hears(friends.group)) == before


async def test_commands_in_any_spelling(friends: Friends) -> None:
    friends.people[0].say(friends.group, "/NewGame@Avalon_Bot   please")
    await friends.heard()
    assert "the table is open" in friends.text()


async def test_words_that_are_no_command_in_private(friends: Friends) -> None:
    assert await told(friends, friends.people[0], "/abracadabra", private=True) == (
        "I understand buttons and commands only: /help."
    )
    friends.people[0].say(None, "Hello, bot!")
    await friends.until(lambda: len(friends.people[0].hears()) == 2)
    assert friends.people[0].last().text == "I understand buttons and commands only: /help."


async def test_somebody_who_is_taken_off_is_told(friends: Friends) -> None:
    await friends.open_table()
    await friends.command(friends.people[0], "/kick 3")
    assert friends.people[2].last().text == "🚪 You have been taken off the table at \u2068Friends\u2069."


async def test_the_table_comes_down_without_its_settings(friends: Friends) -> None:
    await friends.open_table()
    await friends.press(friends.people[0], friends.group, "⚙️ Settings")
    await friends.until(lambda: friends.people[0].shows(friends.group, "↩️ Back to the table"))
    await friends.command(friends.people[1], "/table")
    assert "Everybody is ready" in friends.newest()


async def test_start_once_more_while_waiting_for_the_game(friends: Friends) -> None:
    await friends.open_table()
    assert await told(friends, friends.people[1], "/start", private=True) == (
        "✅ You sit at \u2068Friends\u2069. Your role will come here."
    )
