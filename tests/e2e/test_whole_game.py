"""Whole games through the real bot, for every number of players."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Outcome, Over


@pytest.mark.parametrize("players", range(5, 11))
async def test_three_quests_succeed_and_merlin_lives(double: Double, bot: AvalonBot, players: int) -> None:
    friends = Friends.gather(double, bot, players)
    await friends.open_table()
    await friends.deal()
    for _ in range(3):
        await friends.quest()
    await friends.shoot(merlin=False)
    await double.until(lambda: "Good wins" in friends.text())
    await friends.settled()
    over = (await friends.game()).phase
    assert isinstance(over, Over)
    assert over.outcome is Outcome.MERLIN_SURVIVED
    assert all(answer.text or answer.url or not answer.unanswered for answer in friends.answers)
