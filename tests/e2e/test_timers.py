"""Tables with timers: one reminder in each phase, then what is missing is done for the absent, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.e2e.conftest import QuickClock, worker
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Outcome, Over, Proposing, Voting
from tgavalon.core.roles import Side
from tgavalon.table.model import Pace, Stage, Table
from tgavalon.table.ports import Store
from tgavalon.table.timers import SECONDS

LONG = 30.0
"""Seconds of real time for what takes some minutes of the quick clock."""


async def dealt(friends: Friends, pace: str = "fast", lady: bool = False) -> Friends:
    await friends.open_table()
    await friends.set("Timers", pace)
    if lady:
        await friends.set("Lady of the Lake", "on")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


def reminders(double: Double) -> list[str]:
    """Every reminder that was ever sent."""
    return [call.params["text"] for call in double.calls("sendMessage") if call.params["text"].startswith("⏰")]


async def test_a_game_that_nobody_plays_comes_to_its_end(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot))
    await double.until(lambda: "wins!" in friends.text(), timeout=LONG)
    await friends.settled()
    game = await friends.game()
    assert game.phase == Over(Side.EVIL, Outcome.FIVE_REJECTIONS)
    for number, proposal in enumerate(game.proposals):
        leader = (game.first_leader + number) % 5
        assert proposal.team == tuple(sorted((leader, (leader + 1) % 5)))
        assert proposal.ballots == tuple(seat in proposal.team for seat in range(5))
    assert "⏰" not in friends.text()
    assert len(reminders(double)) == 2 * len(game.proposals)


async def test_cards_checks_and_the_shot_of_those_who_are_away(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot), lady=True)
    for quest in (1, 2, 3):
        team = await friends.team(good_wins=False)
        await friends.propose(team)
        await friends.vote()
        text = f"🏆 Quest {quest} succeeded: no Fail."
        await double.until(lambda text=text: text in friends.text(), timeout=LONG)  # type: ignore[misc]
        if quest == 2:
            await double.until(lambda: "keeps the Lady of the Lake for now." in friends.text(), timeout=LONG)
    await double.until(lambda: "Good wins!" in friends.text(), timeout=LONG)
    await friends.settled()
    game = await friends.game()
    assert game.phase == Over(Side.GOOD, Outcome.MERLIN_SURVIVED, None)
    assert "did not strike." in friends.newest()
    assert len([text for text in reminders(double) if "The table is waiting." in text]) == 4


async def test_a_reminder_calls_those_who_are_missing(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot))
    leader = await friends.leader()
    await double.until(lambda: "⏰" in friends.text(), timeout=LONG)
    reminder = friends.people[0].last(friends.group)
    assert f"\u2068{leader.name}\u2069" in reminder.text
    assert reminder.body is not None
    assert [entity["user_id"] for entity in reminder.body.entities if entity["type"] == "text_mention"] == [leader.id]
    await friends.propose(await friends.team())
    await friends.until(lambda: "⏰" not in friends.text())
    assert isinstance((await friends.game()).phase, Voting)


async def test_a_reminder_of_a_quest_names_nobody(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot))
    await friends.propose(await friends.team())
    await friends.vote()
    await double.until(lambda: any("The table is waiting." in text for text in reminders(double)), timeout=LONG)
    [text] = [text for text in reminders(double) if "The table is waiting." in text]
    assert not any(person.name in text for person in friends.people)


async def test_what_was_done_is_kept_when_time_is_up(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot))
    team = await friends.team()
    await friends.propose(team)
    outside = next(person for seat, person in enumerate(await friends.by_seat()) if seat not in team)
    await friends.ballot(outside, approve=True)
    await double.until(lambda: "✅ Approved" in friends.text() or "⛔ Rejected" in friends.text(), timeout=LONG)
    seats = await friends.by_seat()
    ballots = (await friends.game()).proposals[0].ballots
    assert ballots == tuple(seat in team or seats[seat] == outside for seat in range(5))


async def test_no_timers_no_hurry(double: Double, bot: AvalonBot) -> None:
    friends = await dealt(Friends.gather(double, bot), pace="no timers")
    table = await friends.table()
    assert (table.reminder, table.deadline) == (None, table.touched + 48 * 3600)


async def due(friends: Friends, stage: Stage, change: Callable[[Table], Table]) -> None:
    """Change a time of the present moment and nothing else, unless it is over by itself already."""
    table = (await friends.table()).id
    await friends.bot.service.change(
        table, lambda table: change(table) if table.stage is stage else table, by_person=False
    )


@pytest.mark.parametrize(  # the faster the table, the slower the clock: a busy machine must not miss a moment
    ("pace", "clock"), [(Pace.RELAXED, 60.0), (Pace.NORMAL, 30.0), (Pace.FAST, 15.0)], indirect=["clock"]
)
async def test_every_stage_at_every_pace(double: Double, bot: AvalonBot, clock: QuickClock, pace: Pace) -> None:
    """Nobody does anything but to send three teams: each moment has its time, one reminder, and an end of its own."""
    friends = await dealt(Friends.gather(double, bot), pace=pace, lady=True)
    seen = []
    while (table := await friends.table()).is_open:
        seen.append(table.stage)
        assert table.deadline is not None
        assert table.reminder is not None
        assert table.deadline - table.reminder == pytest.approx(SECONDS[pace][table.stage] / 2, abs=1e-3)
        if table.stage is Stage.TEAM:
            await friends.propose(await friends.team())
            continue
        await friends.settled()
        await due(friends, table.stage, lambda table: replace(table, reminder=clock.now()))
        await double.until(lambda: friends.text().count("⏰") == 1, timeout=LONG)
        if table.stage is Stage.VOTE:
            await due(friends, table.stage, lambda table: replace(table, deadline=clock.now() + 3600))
            await friends.vote()
            continue
        await due(friends, table.stage, lambda table: replace(table, deadline=clock.now()))
        await over(friends, table)
    await friends.settled()
    quest = [Stage.TEAM, Stage.VOTE, Stage.QUEST]
    assert seen == [*quest, *quest, Stage.LADY, *quest, Stage.SHOT]
    assert "⏰" not in friends.text()


async def over(friends: Friends, table: Table) -> None:
    """The worker has done for the absent what this moment asked for."""
    async with asyncio.timeout(LONG):
        while (await friends.table()).stage is table.stage:  # noqa: ASYNC110  the store tells nobody
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("away", [10.0, 7200.0])
async def test_the_time_that_the_bot_was_away_counts_against_nobody(
    double: Double, store: Store, clock: QuickClock, away: float
) -> None:
    bot = worker(double, store, clock)
    async with bot.running():
        friends = await dealt(Friends.gather(double, bot), pace="relaxed")
        before = await friends.table()
    clock.turn(away)
    friends.bot = worker(double, store, clock)
    async with friends.bot.running():
        await friends.command(friends.people[0], "/help")
        table = await friends.table()
        assert table.stage is Stage.TEAM
        assert table.deadline is not None
        assert before.deadline is not None
        left = before.deadline - (clock.now() - away)
        assert table.deadline - clock.now() >= left - 20
        assert isinstance((await friends.game()).phase, Proposing)


async def test_a_lobby_is_not_idle_while_the_bot_is_away(double: Double, store: Store, clock: QuickClock) -> None:
    bot = worker(double, store, clock)
    async with bot.running():
        friends = Friends.gather(double, bot)
        await friends.open_table()
    clock.turn(2 * 3600)
    friends.bot = worker(double, store, clock)
    async with friends.bot.running():
        await friends.command(friends.people[0], "/help")
        assert (await friends.table()).stage is Stage.LOBBY
        await friends.deal()
