"""What the painter's policy makes of quick and of slow people, in time that jumps: the same on every machine."""

from __future__ import annotations

import random

import pytest

from tests.load.lag import lags
from tests.load.rehearsal import Rehearsal
from tests.table.jumping import at_once
from tests.table.kit import GROUP_CHAT, TEN, dealt
from tgavalon.ui.taps import Verb

ACTED_WITHIN = 4.0
"""Seconds after which the group's screen offers what can be done now, however fast people are."""
COUNTED_WITHIN = 10.0
"""Seconds after which it says how many votes or cards are in."""


@pytest.mark.parametrize("reaction", [(0.0, 0.2), (0.2, 1.5), (1.0, 5.0), (3.0, 20.0)], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_screen_keeps_up_and_ends_up_right(reaction: tuple[float, float], seed: int) -> None:
    @at_once
    async def game() -> None:
        rehearsal = Rehearsal(reaction, random.Random(seed))
        table = await rehearsal.play(dealt(TEN, leader=seed))
        messenger = rehearsal.messenger
        found = lags(rehearsal.store.history, [(at, look) for at, chat, look in messenger.shown if chat == GROUP_CHAT])
        assert messenger.refused == 0
        assert found.never == 0
        assert max(found.acted) <= ACTED_WITHIN
        assert max(found.counted, default=0.0) <= COUNTED_WITHIN
        assert table.game is not None
        *earlier, end = messenger.hears(GROUP_CHAT)
        assert "wins!" in end.screen.text
        left = {tap.verb for message in earlier for tap in message.taps}
        assert left <= {Verb.ROLE, Verb.GLANCE}
        assert not any("Everybody votes" in message.screen.text for message in earlier)
        assert len(earlier) >= 2 * len(table.game.proposals)

    game()
