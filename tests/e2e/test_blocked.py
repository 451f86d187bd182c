"""Players whom the bot cannot write to: the group is told once, and they play on with alerts and buttons there."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Card, Over, Questing
from tgavalon.core.roles import Role, Side
from tgavalon.ui.taps import IN_GROUP, Tap, Verb, encode

TOLD = "press Start in a private chat with me, or play with the buttons here."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def on_a_quest_with(friends: Friends, role: Role) -> Person:
    """A team with this role on it, and its first player has blocked the bot."""
    await friends.begin()
    roles = (await friends.game()).roles
    seat = roles.index(role)
    person = (await friends.by_seat())[seat]
    person.block()
    await friends.heard()
    team = await friends.team()
    await friends.propose(team if seat in team else (*team[1:], seat))
    await friends.vote()
    await friends.settled()
    return person


async def test_the_group_is_told_once_and_no_message_is_tried_again(double: Double, friends: Friends) -> None:
    await friends.begin()
    person = friends.people[2]
    messages = len(friends.people[0].hears(friends.group))
    person.block()
    await friends.heard()
    assert len(friends.people[0].hears(friends.group)) == messages
    assert f"✉️ I cannot write to \u2068{person.name}\u2069 (3): {TOLD}" in friends.newest()
    before = len(double.calls("sendMessage"))
    await friends.propose(await friends.team())
    await friends.settled()
    refused = [call for call in double.calls("sendMessage")[before:] if call.params["chat_id"] == str(person.id)]
    assert not refused


async def test_a_block_that_is_found_out_by_a_refusal(double: Double, friends: Friends) -> None:
    await friends.open_table()
    person = friends.people[2]
    double.fault("sendMessage", chat=person.id, code=403, description="Forbidden: bot was blocked by the user")
    await friends.press(friends.people[0], friends.group, "▶️ Start the game")
    await friends.heard()
    assert f"✉️ I cannot write to \u2068{person.name}\u2069 (3): {TOLD}" in friends.newest()
    assert "You are" in (await friends.tap(person, friends.group, Verb.ROLE)).text


@pytest.mark.parametrize("success", [True, False])
async def test_an_evil_player_plays_in_the_group(friends: Friends, success: bool) -> None:
    person = await on_a_quest_with(friends, Role.ASSASSIN)
    labels = friends.people[0].labels(friends.group)
    assert {"Play Success", "Play Fail"} <= {*labels}
    if success:
        answer = await friends.press(person, friends.group, "Play Success")
        assert (answer.text, answer.alert) == ("Your card is in.", False)
    else:
        shown = friends.newest()
        answer = await friends.press(person, friends.group, "Play Fail")
        assert (answer.text, answer.alert) == ("Play Fail? Tap it again to play it. It cannot be taken back.", True)
        await friends.settled()
        assert friends.newest() == shown
        friends.a_moment_later()
        answer = await friends.press(person, friends.group, "Play Fail")
        assert (answer.text, answer.alert) == ("Your card is in.", False)
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    assert (Card.SUCCESS if success else Card.FAIL) in phase.cards


async def test_a_good_player_plays_in_the_group(friends: Friends) -> None:
    person = await on_a_quest_with(friends, Role.MERLIN)
    async with friends.nothing_changes():
        answer = await friends.press(person, friends.group, "Play Fail")
        assert answer.text == "Good players can only play Success."
    assert (await friends.press(person, friends.group, "Play Success")).text == "Your card is in."


async def test_others_may_use_the_buttons_of_the_group_too(friends: Friends) -> None:
    person = await on_a_quest_with(friends, Role.MERLIN)
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    seats = await friends.by_seat()
    other = next(seats[seat] for seat in phase.team if seats[seat] != person)
    assert (await friends.press(other, friends.group, "Play Success")).text == "Your card is in."
    await friends.heard()
    assert not other.shows(None, "✅ Success")


async def test_the_lady_tells_in_an_alert(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, 7)
    await friends.open_table()
    await friends.set("Lady of the Lake", "on")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    holder = await friends.holder()
    holder.block()
    await friends.heard()
    for _ in range(2):
        game = await friends.game()
        team = [seat for seat in range(7) if seat != game.lady][: game.team_size(len(game.quests) + 1)]
        await friends.propose(team)
        await friends.vote()
        await friends.play()
    merlin = (await friends.game()).roles.index(Role.MERLIN)
    target = merlin if (await friends.by_seat())[merlin] != holder else (await friends.on_side(Side.EVIL))[0]
    answer = await friends.examine(target)
    assert answer.alert
    assert answer.text.endswith(("is good.", "is evil."))


async def test_the_assassin_strikes_from_the_group(friends: Friends) -> None:
    await friends.begin()
    for _ in range(3):
        await friends.quest()
    killer = await friends.with_role(Role.ASSASSIN)
    killer.block()
    await friends.heard()
    roles = (await friends.game()).roles
    merlin, servant = roles.index(Role.MERLIN), roles.index(Role.SERVANT)
    answer = await friends.tap(killer, friends.group, Verb.BET, 0, servant)
    assert (answer.text, answer.alert) == (
        "Is this player Merlin? Tap the name again. You cannot change it afterwards.",
        True,
    )
    await friends.tap(killer, friends.group, Verb.BET, 0, merlin)
    async with friends.nothing_changes():
        own = (await friends.by_seat()).index(killer)
        assert (await friends.tap(killer, friends.group, Verb.BET, 0, own)).text == "You cannot name yourself."
    friends.a_moment_later()
    answer = await friends.tap(killer, friends.group, Verb.BET, 0, merlin)
    assert answer.text == "The dagger has struck. The group sees whom."
    await friends.until_reads("Evil wins!")
    over = (await friends.game()).phase
    assert isinstance(over, Over)
    assert over.target == merlin


async def test_an_unblocked_player_gets_the_cards_again(friends: Friends) -> None:
    person = await on_a_quest_with(friends, Role.ASSASSIN)
    assert TOLD in friends.newest()
    person.unblock()
    await friends.heard()
    assert TOLD not in friends.newest()
    assert "Play Fail" not in friends.people[0].labels(friends.group)
    assert [message.text[:2] for message in person.hears()[-2:]] == ["🎭 ", "⚔️"]
    await friends.card(person, success=False)
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    assert Card.FAIL in phase.cards


async def test_a_card_in_the_group_is_no_card_of_another_quest(friends: Friends) -> None:
    person = await on_a_quest_with(friends, Role.ASSASSIN)
    table = (await friends.table()).id
    async with friends.nothing_changes():
        answer = await friends.forge(person, encode(table, Tap(Verb.FAIL, 2, IN_GROUP)))
    assert answer.text == "This quest is over."


async def test_an_account_that_is_deleted_in_the_middle_of_a_game(friends: Friends) -> None:
    await friends.begin()
    gone, host = friends.people[3], friends.people[0]
    gone.deactivate()
    await friends.propose(await friends.team())
    for person in await friends.others_than(gone):
        await friends.ballot(person, approve=True)
    await friends.tap(host, friends.group, Verb.HURRY)
    friends.a_moment_later()
    await friends.tap(host, friends.group, Verb.HURRY)
    await friends.until_reads("✅ Approved, ")
    gone.leave(friends.group)
    await friends.heard()
    assert "🪑 Take seat 4" in host.labels(friends.group)
