"""Presses that come too late: whatever a button of an earlier moment says, it never counts for another one."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Proposing, Questing, Voting
from tgavalon.core.roles import Side
from tgavalon.ui.taps import Tap, Verb, encode

OLD = "That button is from an earlier moment. Use those of my newest message."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def refused(friends: Friends, seat: int, *taps: Tap) -> list[str]:
    """What the one on this seat is told for these old buttons, none of which changes anything."""
    told, person, table = [], (await friends.by_seat())[seat], (await friends.table()).id
    for tap in taps:
        async with friends.nothing_changes():
            answer = await friends.forge(person, encode(table, tap))
        assert answer.text
        told.append(answer.text)
    return told


async def test_buttons_of_the_lobby_once_the_game_has_begun(friends: Friends) -> None:
    await friends.begin()
    verbs = (Verb.JOIN, Verb.LEAVE, Verb.START, Verb.SETTINGS, Verb.LOBBY, Verb.SET)
    assert set(await refused(friends, 0, *map(Tap, verbs))) == {OLD}


async def test_reject_and_approve_of_a_vote_that_is_over_while_the_team_is_on_its_quest(friends: Friends) -> None:
    await friends.begin()
    evil = await friends.on_side(Side.EVIL)
    await friends.propose(await friends.team(good_wins=False))
    await friends.vote()
    for seat in (0, *evil):
        told = await refused(friends, seat, Tap(Verb.REJECT, 1), Tap(Verb.APPROVE, 1))
        assert set(told) == {"There is no vote now."}
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    assert set(phase.cards) == {None}


async def test_reject_of_a_vote_that_is_over_while_the_next_vote_is_open(friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.vote(approve=False)
    assert await refused(friends, 0, Tap(Verb.REJECT, 1)) == ["There is no vote now."]
    await friends.propose(await friends.team())
    assert await refused(friends, 0, Tap(Verb.REJECT, 1), Tap(Verb.APPROVE, 1)) == ["This vote is over."] * 2
    phase = (await friends.game()).phase
    assert isinstance(phase, Voting)
    assert set(phase.ballots) == {None}


async def test_a_vote_on_a_team_that_is_not_yet_proposed(friends: Friends) -> None:
    await friends.begin()
    assert await refused(friends, 0, Tap(Verb.REJECT, 1)) == ["There is no vote now."]
    await friends.propose(await friends.team())
    assert await refused(friends, 0, Tap(Verb.APPROVE, 2)) == ["This vote is over."]


async def test_buttons_of_an_earlier_team(friends: Friends) -> None:
    await friends.begin()
    leader, team = (await friends.game()).leader, await friends.team()
    mask = sum(1 << seat for seat in team)
    taps = (Tap(Verb.PICK, 1, team[0]), Tap(Verb.UNPICK, 1, team[0]), Tap(Verb.PROPOSE, 1, mask), Tap(Verb.QUEST, 1, 1))
    await friends.propose(team)
    assert set(await refused(friends, leader, *taps)) == {"The team has already been proposed."}
    await friends.vote(approve=False)
    assert set(await refused(friends, leader, *taps)) == {"That team is history. Use the buttons of my newest message."}
    phase = (await friends.game()).phase
    assert isinstance(phase, Proposing)
    assert not phase.draft


async def test_cards_of_an_earlier_quest(friends: Friends) -> None:
    await friends.begin()
    evil = (await friends.on_side(Side.EVIL))[0]
    await friends.quest(good_wins=False)
    taps = (Tap(Verb.SUCCESS, 1), Tap(Verb.FAIL, 1), Tap(Verb.FAIL, 1, 1), Tap(Verb.FAIL_SURELY, 1))
    assert set(await refused(friends, evil, *taps)) == {"No team is on a quest now."}
    await friends.propose(await friends.team(good_wins=False))
    await friends.vote()
    assert set(await refused(friends, evil, *taps)) == {"This quest is over."}


async def test_another_card_than_the_one_that_was_played(friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team(good_wins=False))
    await friends.vote()
    evil = (await friends.on_side(Side.EVIL))[0]
    member = (await friends.by_seat())[evil]
    await friends.press(member, None, "✅ Success")
    taps = (Tap(Verb.FAIL, 1), Tap(Verb.FAIL, 1, 1), Tap(Verb.FAIL_SURELY, 1))
    assert set(await refused(friends, evil, *taps)) == {"Your card is already in."}


async def test_buttons_of_the_shot_and_of_the_lady_at_another_time(friends: Friends) -> None:
    await friends.begin()
    killer = (await friends.game()).dagger
    assert killer is not None
    shots = [Tap(verb, 0, (killer + 1) % 5) for verb in (Verb.AIM, Verb.SHOOT, Verb.BET)]
    assert set(await refused(friends, killer, *shots)) == {"It is not the time to name Merlin."}
    told = await refused(friends, 0, Tap(Verb.EXAMINE, 2, 1), Tap(Verb.PASS, 2))
    assert set(told) == {"The Lady of the Lake is not asked now."}


async def test_every_button_once_the_game_is_over(friends: Friends) -> None:
    await friends.begin()
    await friends.finish()
    game_verbs = {
        Verb.QUEST, Verb.PICK, Verb.UNPICK, Verb.PROPOSE, Verb.APPROVE, Verb.REJECT, Verb.SUCCESS, Verb.FAIL,
        Verb.FAIL_SURELY, Verb.BACK, Verb.EXAMINE, Verb.PASS, Verb.AIM, Verb.SHOOT, Verb.BET,
    }  # fmt: skip
    for verb in game_verbs:
        assert await refused(friends, 0, Tap(verb, 1)) == ["The game is over."]
    closed = "This table is closed. Open a new one with /newgame."
    for verb in (Verb.JOIN, Verb.LEAVE, Verb.START, Verb.SETTINGS, Verb.SET, Verb.HURRY, Verb.TAKE_SEAT):
        assert await refused(friends, 0, Tap(verb)) == [closed]


async def test_every_button_once_the_table_is_closed(friends: Friends) -> None:
    await friends.begin()
    table = (await friends.table()).id
    await friends.command(friends.people[0], "/endgame")
    for verb in set(Verb) - {Verb.ROLE, Verb.RECORD, Verb.AGAIN, Verb.LANGUAGE, Verb.RULES}:
        answer = await friends.forge(friends.people[0], encode(table, Tap(verb, 1)))
        assert answer.text == "This table is closed. Open a new one with /newgame."
    record = await friends.forge(friends.people[0], encode(table, Tap(Verb.RECORD)))
    assert record.text == "That comes when the game is over."


async def test_a_button_whose_message_was_deleted_while_it_was_pressed(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.propose(await friends.team())
    await friends.settled()
    person = friends.people[0]
    message, _ = person.find(friends.group, "👍 Approve")
    query = person.tap(friends.group, "👍 Approve")
    friends.group.delete_message(message)
    await double.until(lambda: any(answer.query == query for answer in person.answers))
    assert person.answers[-1].text.startswith("Your vote: Approve.")
