"""Coming and going: leaving the lobby and the game, substitutes, the host's task, and seats that are kicked."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.roles import Role
from tgavalon.ui.taps import Tap, Verb, encode


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


@pytest.fixture
def zoe(double: Double, friends: Friends) -> Person:
    """A member of the group who does not play yet."""
    zoe = double.person("Zoe", language_code="en")
    zoe.join(friends.group)
    return zoe


async def names(friends: Friends) -> list[str]:
    return [person.name for person in await friends.by_seat()]


async def test_leaving_the_lobby_closes_ranks(friends: Friends) -> None:
    await friends.open_table()
    answer = await friends.press(friends.people[2], friends.group, "🚪 Leave")
    assert answer.text == "You have left the table."
    await friends.command(friends.people[3], "/leave")
    assert await names(friends) == ["Ana", "Ben", "Eli"]
    await friends.until_reads("2 more players needed.")


async def test_the_host_leaves_and_the_next_one_hosts(friends: Friends) -> None:
    await friends.open_table()
    await friends.command(friends.people[0], "/leave")
    await friends.until_reads("1. \u2068Ben\u2069 – host")
    await friends.press(friends.people[1], friends.group, "⚙️ Settings")
    await friends.until_reads("The host and group admins tap to change a setting.")


async def test_everybody_leaves_the_lobby(friends: Friends) -> None:
    await friends.open_table()
    for person in friends.people:
        await friends.command(person, "/leave")
    assert "🛑 Everybody has left the table." in friends.newest()
    assert not friends.people[0].labels(friends.group)
    await friends.command(friends.people[3], "/newgame")
    assert await names(friends) == ["Dee"]


async def test_joining_by_command_and_by_link_and_with_a_chat_that_is_open(friends: Friends, zoe: Person) -> None:
    await friends.command(friends.people[0], "/newgame")
    await friends.command(friends.people[1], "/join")
    assert await names(friends) == ["Ana", "Ben"]
    assert friends.newest() == "⏳ Waiting for a press of Start in a private chat with me: \u2068Ben\u2069 (2)."
    await friends.press(friends.people[1], friends.group, friends.people[1].labels(friends.group)[-1])
    zoe.start()
    await friends.heard()
    assert "✅ You sit at" in friends.people[1].last().text
    answer = await friends.tap(zoe, friends.group, Verb.JOIN)
    assert (answer.text, answer.url) == ("You are at the table now.", "")
    link = (await friends.tap(friends.people[0], friends.group, Verb.JOIN)).url
    friends.people[0].open(link)
    await friends.heard()
    assert "✅ You sit at" in friends.people[0].last().text
    lobby = next(m.text for m in friends.people[0].hears(friends.group) if "the table is open" in m.text)
    assert "⏳" not in lobby


async def test_the_eleventh_finds_no_seat(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, 10)
    await friends.open_table()
    late = double.person("Late", language_code="en")
    late.join(friends.group)
    await friends.settled()
    assert not late.shows(friends.group, "🪑 Join")
    table = (await friends.table()).id
    async with friends.nothing_changes():
        assert (await friends.forge(late, encode(table, Tap(Verb.JOIN)))).text == "All ten seats are taken."
        await friends.command(late, "/join")
    assert friends.newest() == "All ten seats are taken."


async def test_kick_takes_somebody_off_the_lobby(friends: Friends) -> None:
    await friends.open_table()
    await friends.command(friends.people[0], "/kick 3")
    await friends.command(friends.people[0], "/kick ٣")
    assert await names(friends) == ["Ana", "Ben", "Eli"]


async def test_leaving_the_group_gives_up_the_seat(friends: Friends) -> None:
    await friends.open_table()
    friends.people[4].leave(friends.group)
    friends.people[3].kicked_from(friends.group)
    await friends.heard()
    assert await names(friends) == ["Ana", "Ben", "Cho"]


async def test_a_substitute_who_has_never_met_the_bot(friends: Friends, zoe: Person) -> None:
    await friends.begin()
    gone = await friends.with_role(Role.MERLIN)
    seat = (await friends.by_seat()).index(gone)
    await friends.command(gone, "/leave")
    await friends.until_reads(f"🪑 \u2068{gone.name}\u2069 ({seat + 1}) left.")
    answer = await friends.press(zoe, friends.group, f"🪑 Take seat {seat + 1}")
    assert answer.url
    zoe.open(answer.url)
    await friends.heard()
    assert (await friends.by_seat())[seat] == zoe
    assert friends.reads(zoe, "You are 🧙 Merlin, on the side of good.")
    assert friends.reads(zoe, f"Seat {seat + 1}.")
    assert not friends.reads(zoe, "has already begun")
    assert "left." not in friends.newest()
    assert "Merlin" in (await friends.tap(zoe, friends.group, Verb.ROLE)).text
    async with friends.nothing_changes():
        answer = await friends.tap(gone, friends.group, Verb.ROLE)
    assert answer.text == "You are not at this table."
    friends.people[friends.people.index(gone)] = zoe
    await friends.finish()


async def test_a_substitute_gets_the_card_that_is_still_to_be_played(friends: Friends, zoe: Person) -> None:
    await friends.begin()
    team = await friends.team()
    await friends.propose(team)
    await friends.vote()
    gone = (await friends.by_seat())[team[0]]
    zoe.start()
    await friends.heard()
    await friends.command(gone, "/leave")
    await friends.press(zoe, friends.group, f"🪑 Take seat {team[0] + 1}")
    await friends.card(zoe, success=True)
    await friends.card((await friends.by_seat())[team[1]], success=True)
    await friends.until_reads("🏆 Quest 1 succeeded: no Fail.")


async def test_the_private_cards_of_one_who_left_lose_their_buttons(friends: Friends) -> None:
    await friends.begin()
    team = await friends.team()
    await friends.propose(team)
    await friends.vote()
    gone = (await friends.by_seat())[team[0]]
    await friends.until(lambda: gone.shows(None, "✅ Success"))
    await friends.command(gone, "/leave")
    assert not gone.shows(None, "✅ Success")


async def test_who_has_held_a_card_takes_no_other_seat(friends: Friends, zoe: Person) -> None:
    await friends.begin()
    seats = await friends.by_seat()
    await friends.command(seats[1], "/leave")
    await friends.command(seats[2], "/leave")
    async with friends.nothing_changes():
        answer = await friends.press(seats[1], friends.group, "🪑 Take seat 3")
        assert answer.text == "You have already had a role in this game, so you cannot take another seat."
        answer = await friends.press(seats[3], friends.group, "🪑 Take seat 3")
        assert answer.text == "You are already at the table."
    zoe.start()
    await friends.heard()
    answer = await friends.press(zoe, friends.group, "🪑 Take seat 3")
    assert answer.text == "You are at the table, on seat 3."
    table = (await friends.table()).id
    async with friends.nothing_changes():
        answer = await friends.forge(seats[1], encode(table, Tap(Verb.TAKE_SEAT, 0, 2)))
        assert answer.text == "You have already had a role in this game, so you cannot take another seat."
    answer = await friends.press(seats[1], friends.group, "🪑 Take seat 2")
    assert answer.text == "You are at the table, on seat 2."
    assert await friends.by_seat() == [seats[0], seats[1], zoe, *seats[3:]]


async def test_two_people_want_the_same_seat(friends: Friends, zoe: Person, double: Double) -> None:
    await friends.begin()
    yan = double.person("Yan", language_code="en")
    yan.join(friends.group)
    for person in (zoe, yan):
        person.start()
    await friends.heard()
    await friends.command(friends.people[4], "/leave")
    data = encode((await friends.table()).id, Tap(Verb.TAKE_SEAT, 0, 4))
    presses = [friends.forged(person, data) for person in (zoe, yan)]
    answers = [(await friends.answer_to(press)).text for press in presses]
    assert sorted(answers) == ["That seat is taken.", "You are at the table, on seat 5."]


async def test_the_host_leaves_a_game(friends: Friends) -> None:
    await friends.begin()
    await friends.command(friends.people[0], "/leave")
    assert (await friends.table()).host == friends.people[1].id
    answer = await friends.tap(friends.people[1], friends.group, Verb.HURRY)
    assert answer.text.startswith("Go on without the leader?")


async def test_everybody_leaves_a_game(friends: Friends) -> None:
    await friends.begin()
    for person in friends.people:
        await friends.command(person, "/leave")
    assert "🛑 Everybody has left the table." in friends.newest()
