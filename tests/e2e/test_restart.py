"""The bot stops and another one starts on the same store: every game goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.e2e.conftest import QuickClock, worker
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.core.game import Voting
from tgavalon.core.roles import Role
from tgavalon.table.model import Stage
from tgavalon.table.ports import Store
from tgavalon.ui.taps import Tap, Verb, encode


class Shift:
    """Workers that follow each other on one store; between them people go on tapping."""

    def __init__(self, double: Double, store: Store, clock: QuickClock) -> None:
        self.double, self.store, self.clock = double, store, clock
        self.friends: Friends | None = None
        self.number = 0

    @asynccontextmanager
    async def working(self) -> AsyncIterator[Friends]:
        """A worker for the block; it is cancelled at the end of it."""
        self.number += 1
        bot = worker(self.double, self.store, self.clock, seed=self.number)
        up, done = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            async with bot.running():
                up.set()
                await done.wait()

        task = asyncio.create_task(work())
        await up.wait()
        self.friends = self.friends or Friends.gather(self.double, bot)
        self.friends.bot = bot
        try:
            yield self.friends
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def shift(double: Double, store: Store, clock: QuickClock) -> Shift:
    return Shift(double, store, clock)


async def test_in_the_lobby(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.open_table()
        leave = encode((await friends.table()).id, Tap(Verb.LEAVE))
        await friends.settled()
    press = friends.forged(friends.people[4], leave)
    async with shift.working():
        assert (await friends.answer_to(press)).text == "You have left the table."
        await friends.until_reads("1 more player needed.")
        await friends.press(friends.people[4], friends.group, "🪑 Join")
        await friends.deal()


@pytest.mark.parametrize("stage", [Stage.TEAM, Stage.VOTE, Stage.QUEST, Stage.SHOT, Stage.OVER])
async def test_in_every_stage_of_a_game(shift: Shift, stage: Stage) -> None:
    async with shift.working() as friends:
        await friends.begin()
        await _go_to(friends, stage)
        await friends.settled()
        texts = [message.text for message in friends.people[0].hears(friends.group)]
        before = await friends.table()
    async with shift.working():
        await friends.heard()
        assert [message.text for message in friends.people[0].hears(friends.group)] == texts
        assert (await friends.table()).game == before.game
        await _go_on(friends, stage)


async def test_with_the_lady(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.open_table()
        await friends.set("Lady of the Lake", "on")
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
        await friends.deal()
        await friends.quest()
        await friends.quest()
        await friends.until_reads("whose loyalty do you want to see?")
        lady = (await friends.game()).lady
        assert lady is not None
    async with shift.working():
        assert (await friends.examine((lady + 1) % 5)).alert
        await friends.finish()


async def test_votes_that_came_while_it_was_away(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.begin()
        await friends.propose(await friends.team())
        await friends.ballot(friends.people[0], approve=True)
        table = (await friends.table()).id
        await friends.settled()
    presses = [friends.forged(person, encode(table, Tap(Verb.APPROVE, 1))) for person in friends.people[1:]]
    async with shift.working():
        for press in presses:
            assert (await friends.answer_to(press)).text.startswith("Your vote: Approve.")
        await friends.until_reads("✅ Approved, 5 to 0")
        await friends.play()


async def test_a_question_that_was_asked_before(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.begin()
        await friends.quest()
        await friends.propose(await friends.team(good_wins=False))
        await friends.vote()
        evil = (await friends.game()).roles.index(Role.ASSASSIN)
        killer = (await friends.by_seat())[evil]
        await friends.press(killer, None, "❌ Fail")
        await friends.settled()
    async with shift.working():
        assert (await friends.press(killer, None, "Yes, play Fail")).text == "Your card is in."


async def test_it_stops_in_the_middle_of_painting(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.open_table()
        shift.double.fault("sendMessage", times=3, chat=friends.group.id, code=429, parameters={"retry_after": 3600})
        await friends.press(friends.people[0], friends.group, "▶️ Start the game")
    shift.double.world.faults.clear()
    async with shift.working():
        await friends.until_reads("choose 2 players for quest 1")
        await friends.until(lambda: all(friends.reads(person, "🎭 Your role") for person in friends.people))
        await friends.settled()
        assert friends.text().count("Night falls on Camelot.") == 1
        for person in friends.people:
            assert sum("🎭 Your role" in message.text for message in person.hears()) == 1
        await friends.finish()


async def test_every_restart_of_a_game(shift: Shift) -> None:
    async with shift.working() as friends:
        await friends.open_table()
    async with shift.working():
        await friends.deal()
    for _ in range(3):
        async with shift.working():
            await friends.propose(await friends.team())
        async with shift.working():
            phase = (await friends.game()).phase
            assert isinstance(phase, Voting)
            await friends.vote()
        async with shift.working():
            await friends.play()
    async with shift.working():
        await friends.shoot(merlin=False)
        await friends.until_reads("Good wins!")
        await friends.settled()
    assert friends.text().count("Night falls on Camelot.") == 1
    assert friends.text().count("Good wins!") == 1


async def _go_to(friends: Friends, stage: Stage) -> None:
    if stage in (Stage.SHOT, Stage.OVER):
        for _ in range(3):
            await friends.quest()
        if stage is Stage.OVER:
            await friends.shoot(merlin=False)
        return
    await friends.quest()
    if stage in (Stage.VOTE, Stage.QUEST):
        await friends.propose(await friends.team())
    if stage is Stage.QUEST:
        await friends.vote()


async def _go_on(friends: Friends, stage: Stage) -> None:
    if stage is Stage.OVER:
        await friends.press(friends.people[1], friends.group, "🔁 Play again")
        await friends.until_reads("Everybody is ready")
        return
    if stage is Stage.VOTE:
        await friends.vote()
    if stage in (Stage.VOTE, Stage.QUEST):
        await friends.play()
    await friends.finish()
