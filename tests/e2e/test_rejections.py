"""Votes that reject: ties, and the fifth rejection under each of its three rules."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Outcome, Over, Proposing, Questing
from tgavalon.core.roles import Side


async def begun(double: Double, bot: AvalonBot, players: int = 5, **settings: str) -> Friends:
    friends = Friends.gather(double, bot, players)
    await friends.open_table()
    for name, value in settings.items():
        await friends.set(name.replace("_", " "), value)
    if settings:
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


async def reject(friends: Friends, times: int) -> None:
    for _ in range(times):
        await friends.propose(await friends.team())
        await friends.vote(approve=False)


async def test_the_crown_passes_and_the_count_is_shown(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot)
    first = (await friends.game()).leader
    await reject(friends, 2)
    await friends.until_reads("Rejected teams in a row: 2 of 5")
    assert (await friends.game()).leader == (first + 2) % 5
    await friends.settled()
    assert "⛔ Rejected, 5 to 0" in friends.text()
    await friends.quest()
    await friends.settled()
    assert "Rejected teams in a row" not in friends.newest()


async def test_the_fifth_rejection_ends_the_game(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot)
    await reject(friends, 5)
    await friends.until_reads("Five teams in a row were rejected.")
    over = (await friends.game()).phase
    assert over == Over(Side.EVIL, Outcome.FIVE_REJECTIONS)
    await friends.settled()
    assert "🔁 Play again" in friends.people[0].labels(friends.group)


async def test_the_fifth_rejection_gives_the_quest_to_evil(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, Fifth_team_in_a_row="if rejected, evil wins the quest")
    await reject(friends, 5)
    await friends.until_reads("💀 Quest 1 goes to evil: five teams were rejected.")
    game = await friends.game()
    assert isinstance(game.phase, Proposing)
    assert (game.rejections, game.failures) == (0, 1)
    assert game.successes == 0
    assert "for quest 2." in friends.newest()
    await reject(friends, 5)
    await reject(friends, 5)
    await friends.until_reads("Evil wins!")
    assert "Three quests have failed." in friends.newest()


async def test_the_fifth_team_goes_without_a_vote(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, Fifth_team_in_a_row="goes without a vote")
    await reject(friends, 4)
    await friends.until_reads("This team goes without a vote!")
    await friends.propose(await friends.team(good_wins=False))
    await friends.until_reads("The fifth team goes without a vote.")
    await friends.settled()
    assert isinstance((await friends.game()).phase, Questing)
    assert not any("Approve" in label for label in friends.people[0].labels(friends.group))
    evil = await friends.on_side(Side.EVIL)
    await friends.play(evil[:1])
    await friends.until_reads("💀 Quest 1 failed: 1 Fail.")
    await friends.settled()
    assert "Rejected teams in a row" not in friends.newest()
    await friends.finish()


@pytest.mark.parametrize(("rules", "goes"), [("Rulebook", False), ("Vietnamese rules", True)])
async def test_a_tie(double: Double, bot: AvalonBot, rules: str, goes: bool) -> None:
    friends = await begun(double, bot, 6, Rules=rules)
    await friends.propose(await friends.team())
    for number, person in enumerate(await friends.by_seat()):
        await friends.ballot(person, approve=number % 2 == 1)
    await friends.until_reads("✅ Approved, 3 to 3" if goes else "⛔ Rejected, 3 to 3")
    assert isinstance((await friends.game()).phase, Questing) == goes


async def test_a_vote_can_be_changed_until_the_last_one(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot)
    await friends.propose(await friends.team())
    seats = await friends.by_seat()
    for person in seats[:4]:
        answer = await friends.ballot(person, approve=False)
        assert answer.text == "Your vote: Reject. You can change it until the last one is in."
    for person in seats[:3]:
        await friends.ballot(person, approve=True)
    await friends.until_reads("4 of 5 votes are in. Waiting for")
    await friends.ballot(seats[4], approve=False)
    await friends.until_reads("✅ Approved, 3 to 2")
    assert (await friends.game()).proposals[-1].ballots == (True, True, True, False, False)


async def test_an_open_vote_names_who_is_missing_and_nobody_else(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot)
    await friends.propose(await friends.team())
    seats = await friends.by_seat()
    for person in (seats[3], seats[0]):
        await friends.ballot(person, approve=False)
    await friends.until_reads("2 of 5 votes are in.")
    await friends.settled()
    line = next(line for line in friends.newest().splitlines() if "votes are in" in line)
    names = [seat.name for seat in seats if seat.name in line]
    assert names == [seats[1].name, seats[2].name, seats[4].name]


@pytest.mark.parametrize("shown", [True, False])
async def test_the_vote_history(double: Double, bot: AvalonBot, shown: bool) -> None:
    friends = await begun(double, bot, Vote_history="on" if shown else "off")
    await reject(friends, 1)
    await friends.settled()
    assert ("approved" in friends.newest()) == shown
