"""Bot API calls of a whole undisputed game of three quests, by method, for five to ten players.

`python -m tests.benchmarks.bench_calls [--games 3] [--players 5 6 7 8 9 10]` prints one JSON object. The bot is the
real one against the double and a Valkey of its own; people tap at a human pace, which a clock runs through a minute a
second. Calls are counted from /newgame to the end. Limited are all but answers to taps and polls: the aim is 3n + 40.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.e2e.conftest import QuickClock
from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.roles import Role
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.ui.taps import Verb

FREE = frozenset({"answerCallbackQuery", "getUpdates"})
TALK = (20.0, 90.0)
"""Seconds of talk before a team is chosen, and before the shot."""
TAP = (1.0, 4.0)
"""Seconds between the taps of one person."""
CROWD = (0.0, 12.0)
"""Seconds that each of several people takes, all starting at the same moment."""


class Pace:
    """How long people take, in seconds of the clock."""

    def __init__(self, clock: QuickClock, dice: random.Random) -> None:
        self.clock, self.dice = clock, dice

    async def wait(self, span: tuple[float, float]) -> None:
        await self.clock.sleep(self.dice.uniform(*span))

    async def crowd(self, *people: Any) -> None:
        """Everybody does something after a while of their own; the doings are given as functions."""

        async def one(doing: Any) -> None:
            await self.wait(CROWD)
            await doing()

        await asyncio.gather(*(one(doing) for doing in people))


async def game(players: int, seed: int, url: str) -> Counter[str]:
    """The calls of one game."""
    clock, dice = QuickClock(), random.Random(seed)
    pace, store = Pace(clock, dice), RedisStore(url, prefix=f"calls-{players}-{seed}")
    async with Double() as double:
        bot = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, clock=clock, dice=random.Random(seed))
        async with bot.running():
            friends = Friends.gather(double, bot, players)
            await introduced(double)
            await friends.heard()
            start = len(double.calls())
            await lobby(friends, pace)
            for _ in range(3):
                await quest(friends, pace)
            await shot(friends, pace)
            await friends.heard()
            counted = Counter(call.method for call in double.calls()[start:])
    await store.close()
    return counted


async def introduced(double: Double) -> None:
    """The commands have been described in the last language: what a bot does once, not in each game."""
    quiet = -1
    while len(double.calls()) != quiet:
        quiet = len(double.calls())
        await asyncio.sleep(0.5)


async def lobby(friends: Friends, pace: Pace) -> None:
    """Everybody joins, presses Start in private, and the host starts the game."""
    friends.people[0].command(friends.group, "/newgame")

    async def join(person: Person) -> None:
        answer = await friends.press(person, friends.group, "🪑 Join")
        await pace.wait(TAP)
        person.open(answer.url)

    await pace.crowd(*(lambda person=person: join(person) for person in friends.people))
    await friends.until_reads("Everybody is ready")
    await pace.wait(TAP)
    await friends.deal()


async def quest(friends: Friends, pace: Pace) -> None:
    """A team of good players is chosen, everybody approves, and everybody on it plays Success."""
    await pace.wait(TALK)
    game, seats = await friends.game(), await friends.by_seat()
    number, leader = len(game.proposals) + 1, seats[game.leader]
    team = await friends.team()
    for seat in team:
        await friends.tap(leader, friends.group, Verb.PICK, number, seat)
        await pace.wait(TAP)
    await friends.tap(leader, friends.group, Verb.PROPOSE, number, sum(1 << seat for seat in team))
    await pace.crowd(*(lambda person=person: friends.ballot(person, approve=True) for person in seats))
    await pace.crowd(*(lambda seat=seat: friends.card(seats[seat], success=True) for seat in team))


async def shot(friends: Friends, pace: Pace) -> None:
    """The Assassin names a loyal servant."""
    await pace.wait(TALK)
    game, killer = await friends.game(), await friends.with_role(Role.ASSASSIN)
    await friends.tap(killer, None, Verb.AIM, 0, game.roles.index(Role.SERVANT))
    await pace.wait(TAP)
    await friends.press(killer, None, "Yes, this is Merlin")
    await friends.until_reads("Good wins!")


def row(players: int, games: Iterable[Counter[str]]) -> dict[str, Any]:
    """The medians of some games with so many players."""
    games = list(games)
    methods = sorted({method for counted in games for method in counted} - {"getUpdates"})
    limited = [sum(count for method, count in counted.items() if method not in FREE) for counted in games]
    found = round(statistics.median(limited))
    return {
        "players": players,
        "limited": found,
        "most": max(limited),
        "aim": 3 * players + 40,
        "met": found <= 3 * players + 40,
        "by_method": {m: round(statistics.median(counted[m] for counted in games)) for m in methods},
    }


async def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="Bot API calls of a whole game.")
    options.add_argument("--players", type=int, nargs="*", default=[*range(5, 11)])
    options.add_argument("--games", type=int, default=3, help="games for each number of players; medians are shown")
    chosen = options.parse_args()
    rows = []
    async with EmbeddedServer(None) as server:
        for players in chosen.players:
            games = [await game(players, seed, server.url) for seed in range(chosen.games)]
            rows.append(row(players, games))
    json.dump(
        {"machine": platform.machine(), "python": platform.python_version(), "results": rows}, sys.stdout, indent=1
    )
    sys.stdout.write("\n")


if __name__ == "__main__":
    asyncio.run(main())
