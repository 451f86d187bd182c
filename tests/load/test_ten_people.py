"""Ten people who tap as fast as they can through a whole game of the real bot, with Telegram's limits."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.chaos.kills import recorded_moves
from tests.e2e.players import Friends
from tests.load.conftest import SPEED
from tests.load.crowd import Crowd
from tests.load.lag import WatchedStore, lags, shown_by
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot

ACTED_WITHIN = 4.0
"""Seconds after which the group's screen offers what can be done now."""
COUNTED_WITHIN = 12.0
"""Seconds after which it says how many votes or cards are in."""
TICK = 0.01


class Machine:
    """How long this machine has kept everybody waiting at its worst, in real seconds."""

    def __init__(self) -> None:
        self.stall = 0.0

    async def watch(self) -> None:
        """Look at the clock for ever."""
        while True:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            self.stall = max(self.stall, time.monotonic() - due)


@asynccontextmanager
async def watched_machine() -> AsyncIterator[Machine]:
    machine = Machine()
    watching = asyncio.create_task(machine.watch())
    try:
        yield machine
    finally:
        watching.cancel()


async def test_nothing_is_lost_and_the_screen_keeps_up(
    double: Double, bot: AvalonBot, watched: WatchedStore, capsys: pytest.CaptureFixture[str]
) -> None:
    """All ten tap at once whatever the game wants of them, and idle and old buttons in between; two never rest."""
    seed = int(os.environ.get("TGAVALON_LOAD_SEED", random.randrange(10**6)))
    friends = Friends.gather(double, bot, 10)
    restless = {person.id for person in friends.people[:2]}
    crowd = Crowd(friends, random.Random(seed), lambda person: 0.2 if person.id in restless else 1.0)
    async with watched_machine() as machine:
        table = await crowd.play()
    history = watched.history(table.id)
    group = [call for call in double.calls() if call.params.get("chat_id") == str(friends.group.id)]
    found, stall = lags(history, shown_by(group)), machine.stall * SPEED
    with capsys.disabled():
        print(f"\n{len(crowd.taps)} taps, {len(group)} calls to the group, seed {seed}; {found}; stall {stall:.1f} s")  # noqa: T201
    assert recorded_moves(table) == crowd.expected_moves(table)
    assert not [one for one in crowd.taps if one.answer.unanswered]
    assert crowd.silent(history) == []
    assert not [call for call in double.calls() if call.status == 429]
    assert found.never == 0
    assert max(found.acted) <= ACTED_WITHIN + 2 * stall
    assert max(found.counted) <= COUNTED_WITHIN + 2 * stall
