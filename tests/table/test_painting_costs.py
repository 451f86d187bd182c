"""What a game costs: the calls that Telegram counts, at the pace of people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.table.jumping import at_once
from tests.table.kit import FIVE, ID, TEN, dealt, lobby
from tests.table.studio import Studio
from tgavalon.ui.taps import Verb

SIZES = {5: (2, 3, 2), 10: (3, 4, 4)}


async def play(studio: Studio, players: int, pause: float) -> None:
    """A game of three quests that nobody disputes, from the lobby to the end, with a tap every `pause` seconds."""
    table, clock = dealt(FIVE if players == 5 else TEN), studio.clock
    await studio.paint()
    for seat in range(2, players + 1):
        await clock.sleep(pause)
        await studio.service.change(ID, lambda t, seat=seat: replace(t, sitters=table.sitters[:seat]))  # type: ignore[misc]
    await clock.sleep(20)
    await studio.service.change(ID, lambda t: replace(t, game=table.game, salt=table.salt))
    for quest, size in enumerate(SIZES[players], 1):
        await clock.sleep(40)
        await play_quest(studio, quest, range(size), pause)
    await clock.sleep(60)
    await studio.taps(players - 1, Verb.AIM, 0, 1)
    await clock.sleep(5)
    await studio.taps(players - 1, Verb.SHOOT, 0, 1)
    await studio.painter.idle()


async def play_quest(studio: Studio, quest: int, team: range, pause: float) -> None:
    game = studio.table.game
    assert game is not None
    for seat in team:
        await studio.taps(game.leader, Verb.PICK, quest, seat)
        await studio.clock.sleep(pause)
    await studio.taps(game.leader, Verb.PROPOSE, quest, (1 << len(team)) - 1)
    for seat in range(game.seats):
        await studio.clock.sleep(pause)
        await studio.taps(seat, Verb.APPROVE, quest)
    for seat in team:
        await studio.clock.sleep(pause)
        await studio.taps(seat, Verb.SUCCESS, quest)


@pytest.mark.parametrize("players", [5, 10])
@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_a_game_that_nobody_disputes_is_cheap(players: int, pause: float) -> None:
    """At most 3n + 40 calls for n players, everything but answers to taps."""

    @at_once
    async def count() -> None:
        async with Studio(lobby(1)) as studio:
            await play(studio, players, pause)
            assert studio.group[-1].offers(Verb.AGAIN)
            assert len(studio.messenger.calls) <= 3 * players + 40

    count()


@pytest.mark.parametrize("players", [5, 10])
@pytest.mark.parametrize("pause", [0.5, 2.0, 5.0])
def test_no_group_is_written_to_more_than_telegram_allows(players: int, pause: float) -> None:
    """Twenty calls in any minute, and what people wait for is there at once all the same."""

    @at_once
    async def count() -> None:
        async with Studio(lobby(1)) as studio:
            await play(studio, players, pause)
            times = [call.at for call in studio.messenger.calls if call.chat < 0]
            assert all(len([at for at in times if start <= at < start + 59.9]) <= 20 for start in times)
            assert studio.is_painted

    count()
