"""Callback data and links that the bot never made: each press gets one polite answer, and nothing changes."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.taps import Tap, Verb, encode

OLD = "That button is from an earlier moment. Use those of my newest message."
CLOSED = "This table is closed. Open a new one with /newgame."
BAD_LINK = "That link does not lead to an open table. Tap Join in your group once more."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def test_data_of_no_known_form(friends: Friends) -> None:
    await friends.begin()
    table = (await friends.table()).id
    for data in (
        "",
        ":::",
        "join",
        "\u202e",
        "شطرنج",
        "💥" * 16,
        f"{table}:join",
        f"{table}:fly:1:1",
        f"{table}:approve:-1:0",
        f"{table}:approve:1:99999999999999",
        f"{table}:approve:١:0",
        f"{table}:approve:1:0\n",
        f" {table}:approve:1:0",
        f"{table}:APPROVE:1:0",
        "-:join:0:0",
        "-:approve:1:0",
        "x" * 64,
    ):
        async with friends.nothing_changes():
            assert (await friends.forge(friends.people[0], data)).text == OLD, data


async def test_a_table_that_does_not_exist(friends: Friends) -> None:
    await friends.begin()
    for verb in Verb:
        async with friends.nothing_changes():
            answer = await friends.forge(friends.people[0], encode("AAAAAAAAAA", Tap(verb, 1, 1)))
        assert answer.text == CLOSED, verb


@pytest.mark.parametrize("value", [99, 999_999])
async def test_seats_quests_and_pages_that_do_not_exist(friends: Friends, value: int) -> None:
    await friends.begin()
    leader, table = await friends.leader(), (await friends.table()).id
    for tap in (
        Tap(Verb.PICK, 1, value),
        Tap(Verb.UNPICK, 1, value),
        Tap(Verb.PROPOSE, 1, value),
        Tap(Verb.QUEST, 1, value),
        Tap(Verb.TAKE_SEAT, 0, value),
        Tap(Verb.APPROVE, value),
        Tap(Verb.SUCCESS, value),
        Tap(Verb.EXAMINE, value, value),
        Tap(Verb.SET, value, value),
    ):
        async with friends.nothing_changes():
            assert (await friends.forge(leader, encode(table, tap))).text, tap
    for tap in (Tap(Verb.RULES, 0, value), Tap(Verb.LANGUAGE, 0, value)):
        assert (await friends.forge(leader, encode("-", tap))).text == OLD


async def test_settings_and_values_that_do_not_exist(friends: Friends) -> None:
    await friends.open_table()
    table = (await friends.table()).id
    for tap in (Tap(Verb.SET, 99, 0), Tap(Verb.SET, 0, 99), Tap(Verb.SET, 999_999, 999_999)):
        async with friends.nothing_changes():
            answer = await friends.forge(friends.people[0], encode(table, tap))
        assert answer.text == "These rules do not have that choice."


async def test_the_table_of_another_group(double: Double, bot: AvalonBot, friends: Friends) -> None:
    await friends.begin()
    table = (await friends.table()).id
    stranger = double.person("Stranger", language_code="en")
    others = Friends(double, bot, double.group("Others", [stranger]), [stranger])
    await others.command(stranger, "/newgame")
    for verb in Verb:
        async with friends.nothing_changes():
            assert (await others.forge(stranger, encode(table, Tap(verb, 1, 1)))).text == OLD, verb
    for player in friends.people[:2]:
        player.join(others.group)
        async with friends.nothing_changes():
            assert (await others.forge(player, encode(table, Tap(Verb.APPROVE, 1)))).text == OLD


async def test_the_private_buttons_of_somebody_else(friends: Friends) -> None:
    await friends.begin()
    for _ in range(3):
        await friends.quest()
    seats, game, table = await friends.by_seat(), await friends.game(), (await friends.table()).id
    assert game.dagger is not None
    for seat, person in enumerate(seats):
        if seat == game.dagger:
            continue
        for verb in (Verb.AIM, Verb.SHOOT):
            async with friends.nothing_changes():
                answer = await friends.forge(person, encode(table, Tap(verb, 0, game.dagger)), person.last())
            assert answer.text == "Only the one who holds the dagger names Merlin."
    for target, text in ((game.dagger, "You cannot name yourself."), (99, "There is no such seat.")):
        async with friends.nothing_changes():
            killer = seats[game.dagger]
            answer = await friends.forge(killer, encode(table, Tap(Verb.SHOOT, 0, target)), killer.last())
        assert answer.text == text


async def test_deep_links(double: Double, friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    stranger = double.person("Stranger", language_code="en")
    payloads = ("join_", "join_x", "join_AAAAAAAAAA", "join_" + "A" * 59, "join_join_join_", "join_------")
    for payload in payloads:
        before = len(stranger.hears())
        async with friends.nothing_changes():
            stranger.start(payload)
            await double.until(lambda before=before: len(stranger.hears()) > before)  # type: ignore[misc]
        assert stranger.last().text == BAD_LINK, payload
    stranger.start("something_else")
    await friends.heard()
    assert "Welcome" in stranger.last().text


async def test_a_link_to_a_table_whose_game_has_begun(double: Double, friends: Friends) -> None:
    await friends.open_table()
    payload = f"join_{(await friends.table()).id}"
    late = double.person("Late", language_code="en")
    late.join(friends.group)
    await friends.deal()
    async with friends.nothing_changes():
        late.start(payload)
        await double.until(lambda: bool(late.hears()))
    assert [message.text for message in late.hears()] == ["That is only possible before the game begins."]
