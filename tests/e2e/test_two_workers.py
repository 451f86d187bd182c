"""Two whole bots on one store, and every update for either of them, or for both at once: the effect is that of one."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.bot.test_webhook import free_port
from tests.conftest import fresh_prefix
from tests.e2e.conftest import QuickClock
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.bot.webhook import Door
from tgavalon.core.game import Proposing, Questing
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.redis_store import RedisStore
from tgavalon.table import painter as painter_module
from tgavalon.table.model import Stage
from tgavalon.table.ports import Answer
from tgavalon.ui.taps import Tap, Verb, encode

Raw = dict[str, Any]
Choose = Callable[[Raw], tuple[AvalonBot, ...]]


@dataclass
class Post:
    """Hands each update to the workers that `choose` names, each as soon as it is there, as a balancer may."""

    double: Double
    workers: tuple[AvalonBot, AvalonBot]
    choose: Choose
    under_way: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self) -> None:
        """Until cancelled."""
        updates = self.double.world.updates
        while True:
            for update in updates.pending():
                if update.update_id not in self.under_way:
                    task = asyncio.create_task(self._deliver(update.body()))
                    self.under_way[update.update_id] = task
            await updates.changed.wait()

    async def _deliver(self, update: Raw) -> None:
        await asyncio.gather(*(worker.intake.take(update) for worker in self.choose(update)))
        self.double.world.updates.confirm([update["update_id"]])


@dataclass
class Pair:
    """Two workers, and friends who play with whichever they meet."""

    friends: Friends
    post: Post
    first: AvalonBot
    second: AvalonBot

    def to_both(self) -> None:
        """From now on each update comes to both at the same moment."""
        self.post.choose = lambda _: self.post.workers

    def to(self, worker: AvalonBot) -> None:
        """From now on everything comes to this one."""
        self.post.choose = lambda _: (worker,)

    async def settled(self) -> None:
        """Everything has been taken and painted, whoever did it."""
        await self.friends.double.until(lambda: not self.friends.double.world.updates.pending())
        for worker in (self.first, self.second, self.first):
            await worker.idle()


@pytest.fixture
async def pair(double: Double, valkey_url: str, clock: QuickClock) -> AsyncIterator[Pair]:
    prefix = fresh_prefix()
    stores = [RedisStore(valkey_url, prefix=prefix) for _ in range(2)]
    first, second = (
        AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, door=_door(), clock=clock) for store in stores
    )
    async with first.running(), second.running():
        await double.until(lambda: len(double.calls("setWebhook")) == 2)
        double.world.webhook = None  # what would go there is delivered by the post
        turns = itertools.cycle((first, second))
        post = Post(double, (first, second), lambda _: (next(turns),))
        delivering = asyncio.create_task(post.run())
        yield Pair(Friends.gather(double, first), post, first, second)
        delivering.cancel()
        with suppress(asyncio.CancelledError):
            await delivering
    for store in stores:
        await store.close()


def _door() -> Door:
    port = free_port()
    return Door(f"http://127.0.0.1:{port}/telegram", "127.0.0.1", port)


def said_twice(friends: Friends) -> list[str]:
    """What the group can read more than once."""
    counts = Counter(message.text for message in friends.people[0].hears(friends.group))
    return [text for text, count in counts.items() if count > 1]


@pytest.mark.parametrize("both", [False, True], ids=["in turn", "both at once"])
async def test_a_whole_game(pair: Pair, both: bool) -> None:
    friends = pair.friends
    if both:
        pair.to_both()
    await friends.open_table()
    await friends.deal()
    for quest in range(3):
        await friends.quest()
        assert len((await friends.game()).quests) == quest + 1
    await friends.shoot(merlin=False)
    await friends.until_reads("wins!")
    await pair.settled()
    game = await friends.game()
    assert (len(game.proposals), game.successes) == (3, 3)
    assert said_twice(friends) == []
    for person in friends.people:
        assert sum("🎭 Your role" in message.text for message in person.hears()) == 1


async def test_every_press_at_both_at_once(pair: Pair) -> None:
    """A press is answered once, by whoever is first; a vote, a kick and a wish not to wait have one effect."""
    friends = pair.friends
    await friends.open_table()
    pair.to_both()
    await friends.double.until(lambda: not friends.double.world.updates.pending())
    friends.people[0].command(friends.group, "/kick 4")
    await pair.settled()
    assert [person.name for person in await friends.by_seat()] == ["Ana", "Ben", "Cho", "Eli"]
    friends.people = [*friends.people[:3], friends.people[4], friends.people[3]]
    await friends.press(friends.people[4], friends.group, "🪑 Join")
    await friends.until_reads("Everybody is ready")
    await friends.deal()
    await friends.tap(friends.people[0], friends.group, Verb.HURRY)
    assert isinstance((await friends.game()).phase, Proposing)
    team = await friends.team()
    await friends.propose(team)
    await friends.until(lambda: all(one.shows(friends.group, "👍 Approve") for one in friends.people))
    await asyncio.gather(*(one.press(friends.group, "👍 Approve") for one in friends.people))
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    await friends.play()
    await pair.settled()
    queries = Counter(answer.query for person in friends.people for answer in person.answers)
    assert set(queries.values()) == {1}


async def test_different_presses_at_both_at_once(pair: Pair) -> None:
    """Two workers deal with the presses of one moment; whoever loses the race decides again, and nothing is lost."""
    friends = pair.friends
    await friends.open_table()
    await friends.deal()
    await friends.propose(await friends.team())
    await friends.until(lambda: all(one.shows(friends.group, "👍 Approve") for one in friends.people))
    await asyncio.gather(*(one.press(friends.group, "👍 Approve") for one in friends.people))
    assert (await friends.game()).proposals[-1].ballots == (True,) * 5


async def test_a_seat_that_two_people_take_at_two_workers(pair: Pair) -> None:
    friends, double = pair.friends, pair.friends.double
    await friends.begin()
    newcomers = [double.person(name, language_code="en") for name in ("Yan", "Zoe")]
    for person in newcomers:
        person.join(friends.group)
        person.start()
    friends.people[4].command(friends.group, "/leave")
    await pair.settled()
    data = encode((await friends.table()).id, Tap(Verb.TAKE_SEAT, 0, 4))
    presses = [friends.forged(person, data) for person in newcomers]
    answers = [(await friends.answer_to(press)).text for press in presses]
    assert sorted(answers) == ["That seat is taken.", "You are at the table, on seat 5."]
    await pair.settled()
    winner = (await friends.by_seat())[4]
    loser = next(person for person in newcomers if person != winner)
    assert friends.reads(winner, "🎭 Your role")
    assert not friends.reads(loser, "🎭 Your role")


async def test_somebody_leaves_while_the_leader_picks_them(pair: Pair) -> None:
    friends = pair.friends
    await friends.begin()
    leader, table = await friends.leader(), (await friends.table()).id
    seat = next(s for s, person in enumerate(await friends.by_seat()) if person != leader)
    gone = (await friends.by_seat())[seat]
    press = friends.forged(leader, encode(table, Tap(Verb.PICK, 1, seat)))
    gone.command(friends.group, "/leave")
    await friends.answer_to(press)
    await pair.settled()
    after = await friends.table()
    assert after.sitters[seat].away
    assert after.game is not None
    assert isinstance(after.game.phase, Proposing)
    assert seat in after.game.phase.draft
    assert f"🪑 Take seat {seat + 1}" in leader.labels(friends.group)


@pytest.mark.parametrize("lost", [False, True], ids=["the answer is late", "the call is refused"])
async def test_the_group_moves_while_the_other_worker_paints(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    friends = pair.friends
    await friends.begin()
    await pair.settled()
    pair.to(pair.first)
    entered, go_on = asyncio.Event(), asyncio.Event()
    send = pair.first._messenger.send

    async def held_up(*args: Any) -> Answer:
        if lost:
            entered.set()
            await go_on.wait()
            return await send(*args)
        answer = await send(*args)
        entered.set()
        await go_on.wait()
        return answer

    with monkeypatch.context() as slow:
        slow.setattr(pair.first._messenger, "send", held_up)
        await friends.bot.service.repost((await friends.table()).id)
        async with asyncio.timeout(10):
            await entered.wait()
    pair.to(pair.second)
    friends.group.migrate()
    await friends.double.until(lambda: not friends.double.world.updates.pending())
    go_on.set()
    await friends.until(lambda: bool(friends.people[0].labels(friends.group)))
    await pair.settled()
    assert said_twice(friends) == []
    await friends.finish()


async def test_a_worker_dies_in_the_middle_of_painting(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its call hangs and its lease is not prolonged any more; the other takes the table up and paints it."""
    monkeypatch.setattr(painter_module, "ASK_AGAIN", 0.1)
    friends = pair.friends
    await friends.open_table()
    await pair.settled()
    pair.to(pair.first)
    entered = asyncio.Event()
    dead: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def hang(*_: Any) -> Answer:
        entered.set()
        return await dead

    async def asleep() -> None:
        """A dead worker sweeps no more."""

    with monkeypatch.context() as short:
        short.setattr(painter_module, "LEASE", 0.5)
        short.setattr(pair.first._messenger, "send", hang)
        short.setattr(pair.first.painter, "sweep", asleep)
        friends.people[0].tap(friends.group, encode((await friends.table()).id, Tap(Verb.START)))
        async with asyncio.timeout(10):
            await entered.wait()
        pair.to(pair.second)
        await friends.double.until(lambda: "choose 2 players for quest 1" in friends.text(), timeout=20)
        await friends.until(lambda: all(friends.reads(person, "🎭 Your role") for person in friends.people))
    dead.set_exception(asyncio.CancelledError())
    assert (await friends.table()).stage is Stage.TEAM
    assert said_twice(friends) == []


async def test_a_poisoned_update_at_both_workers(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each worker tells its number and the class of its error, and both go on; nothing of it is told twice over."""
    friends = pair.friends
    await friends.open_table()
    await friends.deal()
    pair.to_both()
    with monkeypatch.context() as broken:
        for worker in (pair.first, pair.second):
            broken.setattr(worker.service, "change", _poison)
        answer = await friends.tap(await friends.leader(), friends.group, Verb.PICK, 1, 0)
    assert answer.text == "That did not work just now. Nothing has changed: please tap again."
    await friends.quest()
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 2
    for record in errors:
        assert re.fullmatch(r"update \d+: ValueError at test_two_workers\.py:\d+", record.getMessage())
        assert record.exc_info is None
    assert "Merlin" not in caplog.text
    caplog.clear()


def _poison(*_: Any, **__: Any) -> Coroutine[Any, Any, None]:
    raise ValueError("Ana is Merlin")
