"""Admins who post as their group, and people who post as a channel: the bot cannot seat a chat."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot

ANONYMOUS = "You are posting as the group. Tap Join on the table: I can see who taps."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot, kind="supergroup")


async def test_typing_join_says_how_to_join(friends: Friends) -> None:
    await friends.command(friends.people[1], "/newgame")
    async with friends.nothing_changes():
        await friends.command(friends.people[0], "/join", anonymous=True)
    assert friends.newest() == ANONYMOUS


async def test_tapping_join_seats_the_person_who_taps(friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame", anonymous=True)
    assert not (await friends.table()).sitters
    await friends.press(friends.people[0], friends.group, "🪑 Join")
    assert [sitter.user for sitter in (await friends.table()).sitters] == [friends.people[0].id]


async def test_whoever_sits_down_first_hosts_a_table_that_was_opened_anonymously(friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame", anonymous=True)
    for person in friends.people[1:]:
        person.start()
        await friends.heard()
        await friends.press(person, friends.group, "🪑 Join")
    table = await friends.table()
    assert table.host == friends.people[1].id
    await friends.until_reads("– host")
    await friends.press(friends.people[1], friends.group, "⚙️ Settings")
    await friends.until_reads("The host and group admins tap to change a setting.")


async def test_commands_of_players_explain_themselves(friends: Friends) -> None:
    await friends.open_table()
    for command in ("/leave", "/role"):
        async with friends.nothing_changes():
            await friends.command(friends.people[0], command, anonymous=True)
        assert friends.newest() == ANONYMOUS
    await friends.command(friends.people[0], "/settings", anonymous=True)
    await friends.until_reads("The host and group admins tap to change a setting.")
    await friends.command(friends.people[0], "/endgame", anonymous=True)
    assert "The table has been closed." in friends.newest()


async def test_a_channel_cannot_sit_down_or_host(double: Double, friends: Friends) -> None:
    await _as_channel(double, friends, "/newgame")
    table = await friends.table()
    assert not table.sitters
    async with friends.nothing_changes():
        await _as_channel(double, friends, "/join")
    assert friends.newest() == ANONYMOUS
    async with friends.nothing_changes():
        await _as_channel(double, friends, "/settings")
    assert friends.newest() == "Only the host or a group admin can do that."


async def _as_channel(double: Double, friends: Friends, command: str) -> None:
    """What arrives when somebody writes under the name of their channel (Bot API, Message.sender_chat)."""
    message = friends.people[0].say(friends.group, "hello")
    update = {
        "message_id": message.message_id,
        "date": message.date,
        "chat": {"id": friends.group.id, "type": "supergroup", "title": "Friends"},
        "from": {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"},
        "sender_chat": {"id": -1001999999999, "type": "channel", "title": "Ana's news"},
        "text": f"{command}@avalon_bot",
        "entities": [{"type": "bot_command", "offset": 0, "length": len(command) + 11}],
    }
    double.world.updates.add("message", update, ("chat", friends.group.id))
    await friends.heard()
