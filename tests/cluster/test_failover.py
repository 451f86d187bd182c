"""A replica takes over in mid-vote, and the game goes on: no accepted tap is lost, none counts twice.

A master, its replica, the real bot, and people who tap again until they hear that their tap has counted. Who has heard
that never taps again, so a lost ballot would keep the vote open for ever. One of them taps at the worst moment, when a
master that does not ask its replica would still say yes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cluster.fleet import Fleet
from tests.e2e.conftest import QuickClock, clock, double, no_errors_are_logged, worker
from tests.e2e.players import Friends
from tests.store.replicas import SERVICE, Server, Switch, ask, halted, master_port, pair, watch, watched_by
from tests.store.waiting import until
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Questing, Voting
from tgavalon.store.redis_store import RedisStore, next_due
from tgavalon.store.server_program import find_server
from tgavalon.table.history import record_of
from tgavalon.table.model import Table
from tgavalon.table.ports import StoreUnavailable
from tgavalon.ui.catalogue import translator
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.taps import Tap, Verb, encode

__all__ = ["clock", "double", "no_errors_are_logged"]

BUSY = sentence(translator("en"), Refusal.BUSY)
BALLOTS = (True, True, False, True, False)
PATIENCE = 25.0


@pytest.fixture
async def servers() -> AsyncIterator[tuple[Server, Server]]:
    """A master and its replica, either of which would take every write without the other."""
    async with pair(await find_server()) as both:
        yield both


@dataclass
class Vote:
    """Five people and one vote, and how often somebody was told to try again.

    `worst` is set when the worst moment has come, and `tapped` once the tap at that moment has been answered.
    """

    friends: Friends
    table: Table
    busy: int = 0
    worst: asyncio.Event = field(default_factory=asyncio.Event)
    tapped: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def begin(cls, friends: Friends) -> Vote:
        """Everybody has a card, and a team is proposed."""
        await friends.propose(await friends.team())
        return cls(friends, await friends.table())

    async def insist(self, person: Person, approve: bool) -> None:
        """Tap until it has counted."""
        async with asyncio.timeout(PATIENCE):
            while not await self._tap(person, approve):
                self.busy += 1

    async def at_the_worst_moment(self, person: Person, approve: bool) -> None:
        """Tap then, and insist."""
        await self.worst.wait()
        self.busy += not await self._tap(person, approve)
        self.tapped.set()
        await self.insist(person, approve)

    async def waver(self, person: Person, end: asyncio.Event) -> None:
        """Change one's mind again and again, as fast as one is answered."""
        approve = False
        while not end.is_set():
            approve = not approve
            self.busy += not await self._tap(person, approve)

    async def _tap(self, person: Person, approve: bool) -> bool:
        verb, words = (Verb.APPROVE, "Approve") if approve else (Verb.REJECT, "Reject")
        answer = await self.friends.forged(person, encode(self.table.id, Tap(verb, 1))).answer
        assert answer.text == BUSY or answer.text.startswith(f"Your vote: {words}."), answer
        return answer.text != BUSY


async def seated(double: Double, bot: AvalonBot, pace: str | None = None) -> Friends:
    """Everybody has a card."""
    friends = Friends.gather(double, bot)
    await friends.open_table()
    if pace is not None:
        await friends.set("Timers", pace)
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


async def voted_through(vote: Vote, change: Callable[[], Awaitable[None]]) -> None:
    """Four vote while the change is under way, one of them again and again; the fifth has not voted yet."""
    people, over = await vote.friends.by_seat(), asyncio.Event()
    await vote.insist(people[1], BALLOTS[1])
    wavering = asyncio.create_task(vote.waver(people[0], over))
    try:
        late = vote.at_the_worst_moment(people[3], BALLOTS[3])
        await asyncio.gather(change(), vote.insist(people[2], BALLOTS[2]), late)
    finally:
        over.set()
        await wavering
    await vote.insist(people[0], BALLOTS[0])
    phase = (await vote.friends.game()).phase
    assert isinstance(phase, Voting)
    assert phase.ballots == (*BALLOTS[:4], None)


async def played_to_the_end(vote: Vote, last: bool = BALLOTS[4]) -> None:
    """The quests, and a record that says what everybody was told; `last` is the fifth ballot."""
    friends = vote.friends
    await friends.play()
    await friends.finish()
    record = record_of(await friends.table())
    assert record is not None
    moves = json.loads(record)["moves"]
    assert moves[1] == {"vote": [*BALLOTS[:4], last]}
    assert sum("vote" in move for move in moves) == 3
    assert friends.text().count("Good wins!") == 1


async def timers_stand(store: RedisStore, vote: Vote) -> None:
    """The server that is the master now finds the table when something is due there, and not before."""
    table = await vote.friends.table()
    due = float(next_due(table))
    assert await store.due(due) == (table.id,)
    assert await store.due(due - 1) == ()


async def leads(sentinels: list[Server], server: Server) -> bool:
    """Whether all Sentinels send everybody there."""
    return await master_port(sentinels) == server.port


async def is_counted(vote: Vote) -> bool:
    """Whether the vote is over."""
    return isinstance((await vote.friends.game()).phase, Questing)


async def can_save(store: RedisStore, table: Table) -> bool:
    """Whether a save finds a master, and that a replica."""
    try:
        await store.confirm(table.id)
    except StoreUnavailable:
        return False
    return True


class TestSentinel:
    """Sentinels choose the master, and the bot asks them."""

    @pytest.fixture
    async def sentinels(self, servers: tuple[Server, Server]) -> AsyncIterator[list[Server]]:
        async with watch(await find_server(), *servers) as sentinels:
            yield sentinels

    @pytest.fixture
    async def store(self, sentinels: list[Server]) -> AsyncIterator[RedisStore]:
        store = await RedisStore.connected(watched_by(sentinels), replicas=1)
        yield store
        await store.close()

    @pytest.fixture
    async def bot(self, double: Double, store: RedisStore, clock: QuickClock) -> AsyncIterator[AvalonBot]:
        bot = worker(double, store, clock)
        async with bot.running():
            yield bot

    async def test_the_master_is_killed(
        self, double: Double, bot: AvalonBot, store: RedisStore, servers: tuple[Server, Server], sentinels: list[Server]
    ) -> None:
        vote = await Vote.begin(await seated(double, bot))
        first, second = servers

        async def killed() -> None:
            with halted(second):
                vote.worst.set()
                await vote.tapped.wait()
                await first.kill()
            await until(lambda: leads(sentinels, second))
            await first.start()  # the Sentinels make it a replica
            await until(lambda: can_save(store, vote.table))

        await voted_through(vote, killed)
        assert vote.busy
        await timers_stand(store, vote)
        await vote.insist((await vote.friends.by_seat())[4], BALLOTS[4])
        await played_to_the_end(vote)

    async def test_another_master_is_ordered(
        self, double: Double, bot: AvalonBot, store: RedisStore, servers: tuple[Server, Server], sentinels: list[Server]
    ) -> None:
        vote = await Vote.begin(await seated(double, bot))
        first, second = servers

        async def ordered() -> None:
            await ask(sentinels[0], "SENTINEL", "FAILOVER", SERVICE)
            await until(second.is_master)
            vote.worst.set()
            await until(lambda: leads(sentinels, second))
            await until(first.is_replica)  # until then it takes what is sent to it
            await until(lambda: can_save(store, vote.table))

        await voted_through(vote, ordered)
        await timers_stand(store, vote)
        await vote.insist((await vote.friends.by_seat())[4], BALLOTS[4])
        await played_to_the_end(vote)

    async def test_the_command_line(
        self, double: Double, sentinels: list[Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TGAVALON_REDIS_REPLICAS", "1")
        fleet = Fleet(double, watched_by(sentinels), tmp_path, ports=[0])
        await fleet.start(0)
        assert await fleet.stop(0) == 0
        assert fleet.errors() == []


def go_at(clock: QuickClock, speed: float) -> None:
    """Let time go at another speed from now on."""
    now = clock.now()
    clock.speed = speed
    clock.ahead += now - clock.now()


class TestByHand:
    """One address for whichever server is the master, and somebody who promotes the other."""

    @pytest.fixture
    async def switch(self, servers: tuple[Server, Server]) -> AsyncIterator[Switch]:
        async with Switch(servers[0]) as switch:
            yield switch

    @pytest.fixture
    async def store(self, switch: Switch) -> AsyncIterator[RedisStore]:
        store = await RedisStore.connected(switch.url, replicas=1)
        yield store
        await store.close()

    @pytest.fixture
    async def bot(self, double: Double, store: RedisStore, clock: QuickClock) -> AsyncIterator[AvalonBot]:
        go_at(clock, 20.0)
        bot = worker(double, store, clock)
        async with bot.running():
            yield bot

    async def test_the_replica_takes_the_masters_place(
        self,
        double: Double,
        bot: AvalonBot,
        store: RedisStore,
        servers: tuple[Server, Server],
        switch: Switch,
        clock: QuickClock,
    ) -> None:
        """Connections to the old master stay open: it only says that it is read-only now. Then the vote's time ends."""
        vote = await Vote.begin(await seated(double, bot, "relaxed"))
        first, second = servers

        async def promoted() -> None:
            await second.lead()
            vote.worst.set()
            await vote.tapped.wait()
            switch.server = second
            await first.follow(second)
            await until(lambda: can_save(store, vote.table))

        await voted_through(vote, promoted)
        await timers_stand(store, vote)
        go_at(clock, 60.0)
        await until(lambda: is_counted(vote))
        go_at(clock, 20.0)
        team = (await vote.friends.game()).proposals[0].team
        await played_to_the_end(vote, last=4 in team)
