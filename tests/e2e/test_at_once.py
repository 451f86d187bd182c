"""Many people at the same instant, double taps and presses that arrive twice."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from tests.e2e.conftest import QuickClock
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Proposing, Questing, Voting
from tgavalon.table.ports import Person as PortPerson
from tgavalon.table.service import Service
from tgavalon.ui.taps import Tap, Verb, encode


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot, 10)


async def all_join(friends: Friends) -> None:
    friends.people[0].command(friends.group, "/newgame")
    await friends.until(lambda: friends.people[0].shows(friends.group, "🪑 Join"))
    answers = await asyncio.gather(*(person.press(friends.group, "🪑 Join") for person in friends.people))
    for person, answer in zip(friends.people, answers, strict=True):
        person.open(answer.url)
    await friends.heard()


async def test_ten_people_join_at_the_same_instant(friends: Friends) -> None:
    await all_join(friends)
    table = await friends.table()
    assert {sitter.user for sitter in table.sitters} == {person.id for person in friends.people}
    assert all(sitter.ready for sitter in table.sitters)
    for person in friends.people:
        assert len(person.hears()) == 1
    await friends.until_reads("Everybody is ready")


async def test_two_workers_on_one_store_lose_nobody(bot: AvalonBot, clock: QuickClock, friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    table, store = (await friends.table()).id, bot.service.store
    other = Service(store, clock, bot.service.roster, lambda table: bot.painter.wake(table.id))
    people = [PortPerson(one.id, one.name, ready=True) for one in friends.people]
    for person in people:
        await store.save_person(person)
    services = itertools.cycle((bot.service, other))
    await asyncio.gather(*(next(services).join(table, person) for person in people))
    await friends.until_reads("Everybody is ready")
    assert {sitter.user for sitter in (await friends.table()).sitters} == {person.user for person in people}


async def test_everybody_votes_at_the_same_instant(friends: Friends) -> None:
    await all_join(friends)
    await friends.deal()
    await friends.propose(await friends.team())
    await friends.until(lambda: friends.people[0].shows(friends.group, "👍 Approve"))
    await asyncio.gather(*(person.press(friends.group, "👍 Approve") for person in friends.people))
    game = await friends.game()
    assert isinstance(game.phase, Questing)
    assert game.proposals[-1].ballots == (True,) * 10


async def test_the_same_press_twice_before_its_answer(friends: Friends) -> None:
    await all_join(friends)
    await friends.deal()
    leader, table = await friends.leader(), (await friends.table()).id
    for tap in (Tap(Verb.PICK, 1, 0), Tap(Verb.PICK, 1, 1), Tap(Verb.PICK, 1, 2), Tap(Verb.PROPOSE, 1, 0b111)):
        await _twice(friends, leader.name, encode(table, tap))
    phase = (await friends.game()).phase
    assert isinstance(phase, Voting)
    assert phase.team == (0, 1, 2)
    for person in friends.people:
        await _twice(friends, person.name, encode(table, Tap(Verb.REJECT, 1)))
    game = await friends.game()
    assert isinstance(game.phase, Proposing)
    assert game.rejections == 1


async def test_joining_and_leaving_twice(friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    table = (await friends.table()).id
    answers = await _twice(friends, "Ben", encode(table, Tap(Verb.JOIN)))
    assert all("?start=join_" in answer for answer in answers)
    assert len((await friends.table()).sitters) == 2
    answers = await _twice(friends, "Ben", encode(table, Tap(Verb.LEAVE)))
    assert answers == ["You have left the table.", "You are not at this table."]


async def test_starting_twice_deals_once(friends: Friends) -> None:
    await all_join(friends)
    table = (await friends.table()).id
    await _twice(friends, "Ana", encode(table, Tap(Verb.START)))
    await friends.settled()
    for person in friends.people:
        assert sum("🎭 Your role" in message.text for message in person.hears()) == 1


async def test_a_double_tap_on_a_question_is_no_answer(
    friends: Friends, clock: QuickClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await all_join(friends)
    await friends.deal()
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    table = (await friends.table()).id
    answers = await _twice(friends, "Ana", encode(table, Tap(Verb.HURRY)))
    assert all("Tap again" in answer for answer in answers)
    assert isinstance((await friends.game()).phase, Proposing)


async def test_play_again_twice_opens_one_table(friends: Friends) -> None:
    await all_join(friends)
    await friends.deal()
    await friends.finish()
    answers = await _twice(friends, "Cho", encode((await friends.table()).id, Tap(Verb.AGAIN)))
    assert answers == ["The table is open again.", "You are at the table now."]
    assert friends.text().count("Everybody is ready") == 1


async def test_the_same_update_twice(double: Double, bot: AvalonBot, friends: Friends) -> None:
    await all_join(friends)
    await friends.deal()
    await friends.propose(await friends.team())
    await friends.settled()
    query = friends.people[0].tap(friends.group, "👎 Reject")
    update = next(u for u in double.world.updates.pending() if u.body().get("callback_query", {}).get("id") == query)
    first = bot.intake.take(update.body())
    assert bot.intake.take(update.body()) is first
    await friends.heard()
    assert [answer.query for answer in friends.people[0].answers].count(query) == 1


async def _twice(friends: Friends, name: str, data: str) -> list[str]:
    """Two presses at once; what each is told, in order. A link counts as its address."""
    presses = [friends.forged(friends.double[name], data) for _ in range(2)]
    answers = [await friends.answer_to(press) for press in presses]
    return [answer.text or answer.url for answer in answers]
