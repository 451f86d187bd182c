"""A bot killed with SIGKILL at random moments of whole games loses no tap and counts none twice.

`pytest tests/chaos --kills 500` goes on until so many kills have been survived; the ordinary run stops at twenty.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from tests.chaos.kills import Players, killed_at_random, recorded_moves
from tests.telegram_users import Double
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli")
LONGEST_LIFE = 2.0


async def test_no_kill_loses_a_tap_or_counts_one_twice(kills: int, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("TGAVALON_CHAOS_SEED", random.randrange(10**6)))
    dice = random.Random(seed)
    survived = games = 0
    async with EmbeddedServer(None) as server, Double() as double:
        store = RedisStore(server.url)
        async with killed_at_random(double, server.url, dice, LONGEST_LIFE) as killer:
            while killer.kills < kills:
                people = [double.person(name) for name in NAMES]
                group = double.group(f"Game {games}", people)
                players = Players(double, store, group, {person.id: person for person in people}, dice)
                await players.sit_down()
                table = await players.play()
                assert recorded_moves(table) == players.moves, f"seed {seed}"
                games += 1
            survived = killer.kills
        await store.close()
    double.assert_well_behaved()
    with capsys.disabled():
        methods = Counter(call.method for call in double.calls())
        print(f"\n{games} games, {survived} kills, seed {seed}, {methods['sendMessage']} messages")  # noqa: T201
