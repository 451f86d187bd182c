"""While Telegram cannot be reached nobody can tap, so nobody's time runs out; afterwards they have what was left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import QuickClock
from tests.e2e.players import Friends
from tests.store.waiting import until
from tests.telegram_users import Double
from tgavalon.bot import polling
from tgavalon.bot.app import AvalonBot
from tgavalon.bot.polling import Polling
from tgavalon.table.model import Stage, Table

AWAY = 3600.0
"""Seconds of the bot's clock: many times what a leader has with relaxed timers."""

SILENCES: dict[str, dict[str, Any]] = {
    "500": {"code": 500},
    "connections lost": {"drop": "before"},
    "no answer": {"delay": 60.0, "code": 500},
}


@pytest.fixture
async def friends(double: Double, bot: AvalonBot, monkeypatch: pytest.MonkeyPatch) -> Friends:
    """A table with relaxed timers, and a bot that polls for a second only and has little patience with silence."""
    monkeypatch.setattr(polling, "SILENCE", 0.5)
    assert isinstance(bot._source, Polling)
    bot._source._wait = 1
    bot._transport._read = 1.0
    friends = Friends.gather(double, bot)
    await friends.open_table()
    await friends.set("Timers", "relaxed")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


def left(table: Table, clock: QuickClock) -> float:
    assert table.deadline is not None
    return table.deadline - clock.now()


@pytest.mark.parametrize("kind", SILENCES)
async def test_no_time_runs_out_while_telegram_is_away(
    double: Double, bot: AvalonBot, clock: QuickClock, friends: Friends, kind: str
) -> None:
    double.fault("getUpdates", times=10_000, **SILENCES[kind])
    await until(lambda: not bot.hears)
    before = await friends.table()
    remaining, began = left(before, clock), clock.now()
    clock.turn(AWAY)
    await until(lambda: clock.now() > began + AWAY + 60)  # a minute in which a sweeper could do harm
    now = await friends.table()
    assert (now.stage, now.reminded, now.game) == (before.stage, before.reminded, before.game)
    double.world.faults.clear()
    await until(lambda: bot.hears)

    async def is_given_back() -> bool:
        return left(await friends.table(), clock) > 0

    await until(is_given_back)
    now = await friends.table()
    assert (now.stage, now.game) == (before.stage, before.game)
    assert left(now, clock) > remaining - 120
    await friends.propose(await friends.team())
    assert (await friends.table()).stage is Stage.VOTE


async def test_a_deadline_passes_as_ever_once_telegram_is_back(
    double: Double, bot: AvalonBot, clock: QuickClock, friends: Friends
) -> None:
    """The guard is no way round the timers."""
    double.fault("getUpdates", times=3, code=500)
    await until(lambda: not bot.hears)
    await until(lambda: bot.hears)

    async def is_voted_on() -> bool:
        return (await friends.table()).stage is Stage.VOTE

    clock.turn(max(0.0, left(await friends.table(), clock) - 10))
    await until(is_voted_on)
