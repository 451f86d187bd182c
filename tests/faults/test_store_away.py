"""The store goes away in mid-game: taps are refused kindly and in time, nothing is half saved, and all goes on."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

import pytest

from tests.e2e.players import Friends
from tests.faults.conftest import Power, until_it_answers
from tests.store.waiting import until
from tests.telegram_users import Answer, Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Voting
from tgavalon.playground.double import ANSWER_WINDOW
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.history import record_of
from tgavalon.table.model import Table
from tgavalon.ui.catalogue import translator
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.taps import Tap, Verb, encode

BUSY = sentence(translator("en"), Refusal.BUSY)
IN_TIME = ANSWER_WINDOW - 3.0
"""Seconds of real time within which a press is answered, whatever the store does."""


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    """In the middle of a vote: two have voted, three have not."""
    friends = Friends.gather(double, bot)
    await friends.begin()
    await friends.propose(await friends.team())
    for person in friends.people[:2]:
        await friends.ballot(person, approve=True)
    await friends.settled()
    return friends


async def everybody_taps(friends: Friends, table: Table, people: list[Person]) -> tuple[list[Answer], float]:
    """Those people approve at the same moment: the answers, and the seconds until the last of them."""
    began = time.monotonic()
    presses = [friends.forged(person, encode(table.id, Tap(Verb.APPROVE, 1))) for person in people]
    async with asyncio.timeout(30.0):
        answers = [await press.answer for press in presses]
    return answers, time.monotonic() - began


async def refused_for_now(friends: Friends, table: Table) -> None:
    """Taps are answered with the alert that says so, and in time."""
    answers, seconds = await everybody_taps(friends, table, friends.people[2:])
    assert [(answer.text, answer.alert) for answer in answers] == [(BUSY, True)] * 3
    assert seconds < IN_TIME


async def goes_on(friends: Friends, before: Table) -> None:
    """The table is what it was, the same taps count now, and the game comes to its end, in its record too."""
    assert (await friends.table()).game == before.game
    answers, _ = await everybody_taps(friends, before, friends.people[2:])
    assert all(answer.text.startswith("Your vote: Approve.") for answer in answers), answers
    await friends.play()
    await friends.finish()
    record = record_of(await friends.table())
    assert record is not None
    assert json.loads(record)["moves"][1] == {"vote": [True] * 5}
    assert friends.text().count("Good wins!") == 1


async def switched_off(power: Power, _: RedisStore) -> None:
    await power.off()


async def switched_on(power: Power, store: RedisStore) -> None:
    await power.on()
    await until_it_answers(store)


async def hung(power: Power, _: RedisStore) -> None:
    power.hang()


async def awake(power: Power, store: RedisStore) -> None:
    power.go_on()
    await until_it_answers(store)


async def full(_: Power, store: RedisStore) -> None:
    await store._link.call("CONFIG", "SET", "maxmemory", "1")


async def emptied(_: Power, store: RedisStore) -> None:
    await store._link.call("CONFIG", "SET", "maxmemory", "0")


async def read_only(_: Power, store: RedisStore) -> None:
    await store._link.call("REPLICAOF", "127.0.0.1", "1")


async def writable(_: Power, store: RedisStore) -> None:
    await store._link.call("REPLICAOF", "NO", "ONE")


Turn = Callable[[Power, RedisStore], Awaitable[None]]
OUTAGES: dict[str, tuple[Turn, Turn]] = {
    "gone": (switched_off, switched_on),
    "hung": (hung, awake),
    "full": (full, emptied),
    "read-only": (read_only, writable),
}


@pytest.mark.parametrize("kind", OUTAGES)
async def test_taps_are_refused_kindly_and_the_game_goes_on(
    friends: Friends, power: Power, store: RedisStore, kind: str
) -> None:
    before = await friends.table()
    begin, end = OUTAGES[kind]
    await begin(power, store)
    try:
        await refused_for_now(friends, before)
    finally:
        await end(power, store)
    await goes_on(friends, before)


@pytest.mark.parametrize("kind", ["full", "read-only"])
async def test_cards_can_be_looked_at_while_nothing_can_be_saved(
    friends: Friends, power: Power, store: RedisStore, kind: str
) -> None:
    begin, end = OUTAGES[kind]
    await begin(power, store)
    answer = await friends.press(friends.people[0], friends.group, "🎭 My role")
    assert answer.alert
    assert answer.text.startswith("You are")
    await end(power, store)


@pytest.mark.parametrize("kind", OUTAGES)
async def test_commands_are_kept_until_the_store_is_back(
    friends: Friends, power: Power, store: RedisStore, kind: str
) -> None:
    """A command has no answer window: it has its effect when that can be saved, and has it once."""
    begin, end = OUTAGES[kind]
    leaver = friends.people[4]
    seat = (await friends.table()).seat_of(leaver.id)
    assert seat is not None
    await begin(power, store)
    leaver.command(friends.group, "/leave")
    await asyncio.sleep(0.5)  # long enough for a first try
    await end(power, store)

    async def has_left() -> bool:
        return (await friends.table()).sitters[seat].away

    await until(has_left)
    await friends.heard()
    assert "You are not at this table." not in friends.text()
    assert isinstance((await friends.game()).phase, Voting)


@pytest.mark.parametrize("kind", OUTAGES)
async def test_screens_that_could_not_be_recorded_are_right_afterwards(
    friends: Friends, power: Power, store: RedisStore, kind: str
) -> None:
    """The store goes away between a saved change and its screen."""
    double, begin, end = friends.double, *OUTAGES[kind]
    double.fault("sendMessage", times=1, delay=1.0, chat=friends.group.id)
    for person in friends.people[2:]:
        await friends.ballot(person, approve=False)
    await begin(power, store)
    await asyncio.sleep(1.5)  # the message arrives while the store is away
    await end(power, store)
    await friends.until_reads("choose 2 players for quest 1.")
    await friends.settled()
    teams = [message for message in friends.people[0].hears(friends.group) if "choose 2 players" in message.text]
    assert 1 <= len(teams) <= 2, "at most one duplicate of what was in flight"
    await friends.finish()
