"""How a game or a lobby ends before its time, and what can be done after the end."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.e2e.conftest import QuickClock
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.commitment import commit
from tgavalon.core.record import Record
from tgavalon.core.record_reading import read
from tgavalon.table.model import Stage
from tgavalon.ui.taps import Tap, Verb, encode


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def test_the_host_ends_the_game(friends: Friends) -> None:
    await friends.begin()
    await friends.command(friends.people[0], "/endgame")
    assert "🛑 The host or a group admin has ended this game. Nobody wins." in friends.newest()
    assert not [label for label in friends.people[0].labels(friends.group) if label != "🎭 My role"]


async def test_an_admin_ends_the_game(friends: Friends) -> None:
    await friends.begin()
    friends.people[4].promoted_in(friends.group)
    await friends.command(friends.people[4], "/endgame")
    assert "🛑 The host or a group admin has ended this game. Nobody wins." in friends.newest()


async def test_the_players_vote_to_end_and_only_the_count_is_shown(friends: Friends) -> None:
    await friends.begin()
    for person, count in ((friends.people[1], 1), (friends.people[3], 2)):
        await friends.command(person, "/endgame")
        await friends.command(person, "/endgame")
        assert f"🛑 {count} of 3 votes to end this game." in friends.newest()
        line = next(line for line in friends.newest().splitlines() if "votes to end" in line)
        assert not any(player.name in line for player in friends.people)
    await friends.command(friends.people[2], "/endgame")
    assert "🛑 Enough players have voted to end this game." in friends.newest()


async def test_a_vote_of_somebody_who_leaves_no_longer_counts(friends: Friends) -> None:
    await friends.begin()
    await friends.command(friends.people[1], "/endgame")
    await friends.command(friends.people[1], "/leave")
    assert "votes to end" not in friends.newest()


async def test_no_roles_are_told_of_a_game_that_was_broken_off(friends: Friends) -> None:
    await friends.begin()
    await friends.quest()
    await friends.command(friends.people[0], "/endgame")
    await friends.command(friends.people[0], "/record")
    assert friends.newest() == "No game has been finished here yet."
    assert "Assassin" not in friends.newest()


async def test_an_hour_without_a_touch_closes_the_lobby(friends: Friends, clock: QuickClock) -> None:
    await friends.open_table()
    table = await friends.table()
    assert table.deadline == table.touched + 3600
    await friends.bot.service.change(table.id, lambda table: replace(table, deadline=clock.now()), by_person=False)
    await friends.until_reads("💤 Nobody touched this table for an hour, so I have closed it.")
    await friends.settled()
    assert not friends.people[0].labels(friends.group)
    await friends.command(friends.people[0], "/newgame")
    assert "the table is open" in friends.newest()


async def test_two_days_without_a_tap_end_a_game_with_a_word_and_a_record(friends: Friends, clock: QuickClock) -> None:
    await friends.begin()
    await friends.quest()
    table = await friends.table()
    assert table.deadline == table.touched + 48 * 3600
    await friends.bot.service.change(table.id, lambda table: replace(table, deadline=clock.now()), by_person=False)
    await friends.until_reads("💤 Nothing has happened in this game for two days, so I have ended it.")
    await friends.settled()
    assert not any(person.shows(None, "✅ Success") for person in friends.people)
    await friends.press(friends.people[1], friends.group, "📄 Record")
    await friends.until_reads("The record of this game.")
    media = friends.people[0].last(friends.group).media
    assert media is not None
    record = read(json.loads(media.content))
    assert isinstance(record, Record)
    assert len(record.game.quests) == 1
    await friends.command(friends.people[0], "/newgame")
    assert "the table is open" in friends.newest()


async def test_play_again_keeps_seats_and_options(friends: Friends) -> None:
    await friends.open_table()
    await friends.set("Timers", "relaxed")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.finish()
    old = await friends.table()
    answer = await friends.press(friends.people[2], friends.group, "🔁 Play again")
    assert answer.text == "The table is open again."
    new = await friends.table()
    assert (new.stage, new.host, new.options) == (Stage.LOBBY, friends.people[2].id, old.options)
    assert [sitter.user for sitter in new.sitters] == [sitter.user for sitter in old.sitters]
    await friends.until_reads("Everybody is ready")
    friends.people = [friends.people[2], *friends.people[:2], *friends.people[3:]]
    await friends.deal()


async def test_play_again_is_for_those_who_played(friends: Friends, double: Double) -> None:
    await friends.begin()
    await friends.finish()
    zoe = double.person("Zoe", language_code="en")
    zoe.join(friends.group)
    async with friends.nothing_changes():
        answer = await friends.press(zoe, friends.group, "🔁 Play again")
    assert answer.text == "You are not at this table."


async def test_play_again_while_another_table_is_open(friends: Friends) -> None:
    await friends.begin()
    await friends.finish()
    again = encode((await friends.table()).id, Tap(Verb.AGAIN))
    await friends.command(friends.people[1], "/newgame")
    answer = await friends.press(friends.people[0], friends.group, again)
    assert answer.text == "You are at the table now."
    for person in friends.people[2:]:
        await friends.press(person, friends.group, again)
    await friends.until_reads("Everybody is ready")
    await friends.press(friends.people[1], friends.group, "▶️ Start the game")
    async with friends.nothing_changes():
        answer = await friends.press(friends.people[0], friends.group, again)
    assert answer.text == "That is only possible before the game begins."


async def test_the_record_can_be_replayed(friends: Friends) -> None:
    await friends.begin()
    await friends.quest(good_wins=False)
    await friends.finish(merlin=True)
    game, table = await friends.game(), await friends.table()
    caption = "The record of this game. Anybody can replay and check it."
    for number in (1, 2):
        if number == 1:
            answer = await friends.press(friends.people[1], friends.group, "📄 Record")
            assert answer.text == "Here is the record."
        else:
            await friends.command(friends.people[1], "/record")
        await friends.until(lambda number=number: friends.text().count(caption) == number)  # type: ignore[misc]
        message = friends.people[0].last(friends.group)
        assert message.media is not None
        assert message.media.name.endswith(".json")
        text = message.media.content.decode()
        record = read(json.loads(text))
        assert isinstance(record, Record)
        assert record.game == game
        assert record.players == tuple(person.name for person in await friends.by_seat())
        assert record.deal is not None
        assert record.deal.commitment == commit(table.salt, game.roles, game.first_leader, game.dagger)
        assert record.deal.commitment in friends.text()
        assert not any(str(person.id) in text for person in friends.people)


async def test_there_is_no_record_before_the_end(friends: Friends) -> None:
    await friends.begin()
    async with friends.nothing_changes():
        answer = await friends.forge(friends.people[0], encode((await friends.table()).id, Tap(Verb.RECORD)))
    assert answer.text == "That comes when the game is over."
    await friends.command(friends.people[0], "/record")
    assert friends.newest() == "No game has been finished here yet."
