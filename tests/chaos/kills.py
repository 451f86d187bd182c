"""A bot that is killed at random moments while people play, and the people, who tap once and wait.

Each tap is made once. What the people meant to do is written down move by move, as a record tells it, and compared with
the record of the finished game: a lost tap would leave the game waiting for ever, one that counts twice would change a
move.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.telegram_users import Double, Group, NoButton, Person
from tgavalon.core.game import Assassinating, Card, Game, Over, Proposing, Questing, Voting
from tgavalon.core.roles import Role, Side
from tgavalon.playground.model import Nonsense
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.history import record_of
from tgavalon.table.model import Place, Table
from tgavalon.ui.taps import Tap, Verb, encode

PATIENCE = 120.0
LOOK_EVERY = 0.02


@dataclass
class Killer:
    """Starts the bot's process again whenever it has killed it, and counts the kills.

    Most lives end up to `longest` seconds after the bot has asked for updates, however long it took to start; every
    fourth ends while it starts.
    """

    double: Double
    command: list[str]
    dice: random.Random
    longest: float
    kills: int = 0
    process: asyncio.subprocess.Process | None = None

    async def run(self) -> None:
        """Start and kill until cancelled."""
        while True:
            polls = self._polls()
            self.process = await asyncio.create_subprocess_exec(*self.command)
            if self.dice.random() < 0.75:
                await self.double.until(lambda polls=polls: self._polls() > polls, timeout=PATIENCE)  # type: ignore[misc]
            try:
                await asyncio.wait_for(self.process.wait(), self.dice.uniform(0.05, self.longest))
            except TimeoutError:
                self.process.kill()
                self.kills += 1
                await self.process.wait()
            else:
                raise AssertionError(f"the bot ended by itself with {self.process.returncode}")

    async def stop(self) -> None:
        """Kill what still runs."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    def _polls(self) -> int:
        return len(self.double.calls("getUpdates"))


@asynccontextmanager
async def killed_at_random(
    double: Double, redis_url: str, dice: random.Random, longest: float
) -> AsyncIterator[Killer]:
    """The bot running, and dying again and again."""
    command = [sys.executable, "-m", "tests.chaos.worker", double.url.rstrip("/"), redis_url]
    killer = Killer(double, command, dice, longest)
    task = asyncio.create_task(killer.run())
    try:
        yield killer
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await killer.stop()


@dataclass
class Players:
    """People who play one game in one group and write down every move they make."""

    double: Double
    store: RedisStore
    group: Group
    people: dict[int, Person]
    dice: random.Random
    moves: list[dict[str, Any]] = field(default_factory=list)

    async def table(self) -> Table | None:
        """The table in the group, open or finished."""
        place = Place(self.group.id)
        found = await self.store.at(place) or await self.store.last_at(place)
        return await self.store.load(found) if found is not None else None

    async def game(self) -> Game:
        """The game as it is stored."""
        table = await self.table()
        assert table is not None
        assert table.game is not None
        return table.game

    async def tap(self, user: int, place: Group | None, tap: Tap) -> None:
        """Tap a button once, as soon as it is there."""
        table = await self.table()
        assert table is not None
        data = encode(table.id, tap)
        person = self.people[user]
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.double.until(lambda: person.shows(place, data), timeout=PATIENCE)
                try:
                    person.tap(place, data)
                except (NoButton, Nonsense):
                    continue  # the keyboard changed between looking and tapping
                return

    async def wait(self, until: Callable[[Table], bool]) -> Table:
        """The table once it has come that far."""
        async with asyncio.timeout(PATIENCE):
            while True:
                table = await self.table()
                if table is not None and until(table):
                    return table
                await asyncio.sleep(LOOK_EVERY)

    async def sit_down(self) -> None:
        """Open a table, join it and start the game."""
        first, *others = self.people.values()
        for person in self.people.values():
            person.start()
        first.command(self.group, "/newgame")
        await self.wait(lambda table: table.game is None)
        for person in others:
            await self.tap(person.id, self.group, Tap(Verb.JOIN))
        everybody = len(self.people)
        await self.wait(lambda table: sum(sitter.ready for sitter in table.sitters) == everybody)
        await self.tap(first.id, self.group, Tap(Verb.START))
        await self.wait(lambda table: table.game is not None)

    async def play(self) -> Table:
        """Play to the end, move by move."""
        while True:
            table = await self.wait(lambda table: table.game is not None)
            game = table.game
            assert game is not None
            seats = [sitter.user for sitter in table.sitters]
            match game.phase:
                case Proposing():
                    await self.propose(game, seats)
                case Voting():
                    await self.vote(game, seats)
                case Questing():
                    await self.quest(game, seats)
                case Assassinating():
                    await self.shoot(game, seats)
                case Over():
                    return table

    async def propose(self, game: Game, seats: list[int]) -> None:
        """The leader picks a team seat by seat and proposes it."""
        phase = game.phase
        assert isinstance(phase, Proposing)
        assert phase.quest is not None
        team = sorted(self.dice.sample(range(game.seats), game.team_size(phase.quest)))
        leader = seats[game.leader]
        for seat in team:
            await self.tap(leader, self.group, Tap(Verb.PICK, phase.proposal, seat))
            await self.wait(lambda table, seat=seat: seat in _draft(table))  # type: ignore[misc]
        await self.tap(leader, self.group, Tap(Verb.PROPOSE, phase.proposal, sum(1 << seat for seat in team)))
        await self.wait(lambda table: table.game is not None and isinstance(table.game.phase, Voting))
        self.moves.append({"propose": {"team": team, "quest": phase.quest}})

    async def vote(self, game: Game, seats: list[int]) -> None:
        """Everybody votes at once, in any order."""
        phase = game.phase
        assert isinstance(phase, Voting)
        ballots = [game.rejections == 4 or self.dice.random() < 0.6 for _ in seats]
        for seat in self.dice.sample(range(game.seats), game.seats):
            verb = Verb.APPROVE if ballots[seat] else Verb.REJECT
            await self.tap(seats[seat], self.group, Tap(verb, phase.proposal))
        await self.wait(lambda table: table.game is not None and len(table.game.proposals) == phase.proposal)
        self.moves.append({"vote": ballots})

    async def quest(self, game: Game, seats: list[int]) -> None:
        """Everybody on the team plays a card at once, in any order."""
        phase = game.phase
        assert isinstance(phase, Questing)
        cards = {}
        for seat in self.dice.sample(phase.team, len(phase.team)):
            fails = game.roles[seat].side is Side.EVIL and self.dice.random() < 0.5
            cards[seat] = Card.FAIL if fails else Card.SUCCESS
            await self.tap(seats[seat], None, Tap(Verb.FAIL if fails else Verb.SUCCESS, phase.quest))
            if fails:
                await self.tap(seats[seat], None, Tap(Verb.FAIL_SURELY, phase.quest))
        played = len(game.quests) + 1
        await self.wait(lambda table: table.game is not None and len(table.game.quests) == played)
        self.moves.append({"quest": {str(seat): cards[seat].value for seat in phase.team}})

    async def shoot(self, game: Game, seats: list[int]) -> None:
        """The dagger names somebody."""
        assert game.dagger is not None
        target = next(seat for seat, role in enumerate(game.roles) if role is Role.MERLIN)
        killer = seats[game.dagger]
        await self.tap(killer, None, Tap(Verb.AIM, 0, target))
        await self.tap(killer, None, Tap(Verb.SHOOT, 0, target))
        await self.wait(lambda table: not table.is_open)
        self.moves.append({"assassinate": target})


def recorded_moves(table: Table) -> list[dict[str, Any]]:
    """The moves in the record of a finished game."""
    record = record_of(table)
    assert record is not None
    moves: list[dict[str, Any]] = json.loads(record)["moves"]
    return moves


def _draft(table: Table) -> frozenset[int]:
    game = table.game
    return game.phase.draft if game is not None and isinstance(game.phase, Proposing) else frozenset()
