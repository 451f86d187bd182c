"""Flood buckets, ordered faults and the clock."""

import asyncio
import itertools

import aiohttp
import pytest

from tests.playground.conftest import Api
from tests.telegram_users import Double, Group, Person
from tgavalon.playground.clock import Clock
from tgavalon.playground.limits import CHAT_BURST, GROUP_CALLS, FloodLimits
from tgavalon.playground.refusals import Refusal


@pytest.fixture
def group(double: Double) -> Group:
    double.world.limits.on = True
    return double.group("Friends", ["Ana"])


async def pour(double: Double, api: Api, chat: int, seconds: float) -> int:
    """Send as fast as `retry_after` allows for so long; how many got through. Every wait must prove honest."""
    start, through, texts = double.world.clock.now(), 0, itertools.count()
    refused_before = False
    while double.world.clock.now() < start + seconds:
        status, body = await api("sendMessage", chat_id=chat, text=str(next(texts)))
        if status == 200:
            through += 1
            refused_before = False
        else:
            assert status == 429
            assert not refused_before, "after waiting retry_after seconds the call must fit"
            refused_before = True
            double.advance(body["parameters"]["retry_after"])
    return through


async def test_a_group_takes_about_twenty_a_minute(double: Double, group: Group, api: Api) -> None:
    assert await pour(double, api, group.id, 60) == GROUP_CALLS
    assert await pour(double, api, group.id, 120) <= 2 * GROUP_CALLS + 1


async def test_sends_and_edits_share_the_group_s_budget(double: Double, group: Group, api: Api) -> None:
    message = (await api("sendMessage", chat_id=group.id, text="0"))[1]["result"]["message_id"]
    for number in range(1, GROUP_CALLS):
        double.advance(1)
        text = str(number)
        assert (await api("editMessageText", chat_id=group.id, message_id=message, text=text))[0] == 200
    double.advance(1)
    status, body = await api("sendMessage", chat_id=group.id, text="one too many")
    assert (status, body["description"]) == (429, f"Too Many Requests: retry after {body['parameters']['retry_after']}")
    assert 35 <= body["parameters"]["retry_after"] <= 41


async def test_a_private_chat_takes_a_burst_and_then_one_a_second(double: Double, api: Api) -> None:
    double.world.limits.on = True
    ana = double.person("Ana", started=True)
    assert CHAT_BURST + 55 <= await pour(double, api, ana.id, 60) <= CHAT_BURST + 61


class StoppedClock(Clock):
    """Moves only when it is turned."""

    def now(self) -> float:
        return 1_764_538_875 + self.offset


def test_thirty_a_second_overall() -> None:
    clock = StoppedClock()
    limits = FloodLimits(clock)
    limits.on = True
    for chat in range(30):
        limits.charge(chat)
    with pytest.raises(Refusal, match=r"^Too Many Requests: retry after 1$"):
        limits.charge(30)
    clock.advance(1)
    for chat in range(30):
        limits.charge(chat)
    with pytest.raises(Refusal, match=r"^Too Many Requests: retry after 1$"):
        limits.charge(30)


def test_switched_off_there_is_no_limit() -> None:
    limits = FloodLimits(StoppedClock())
    for _ in range(1000):
        limits.charge(-41)


async def test_one_chat_s_flood_is_not_another_s(double: Double, group: Group, api: Api) -> None:
    ana = double["Ana"]
    ana.start()
    for _ in range(CHAT_BURST + 1):
        await api("sendMessage", chat_id=group.id, text="x")
    assert (await api("sendMessage", chat_id=group.id, text="x"))[0] == 429
    assert (await api("sendMessage", chat_id=ana.id, text="x"))[0] == 200


async def test_answers_to_presses_are_free(double: Double, group: Group, api: Api) -> None:
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    await api("sendMessage", chat_id=group.id, text="x", reply_markup=markup)
    for _ in range(60):
        query = double["Ana"].tap(group, "Join")
        assert (await api("answerCallbackQuery", callback_query_id=query))[0] == 200


@pytest.fixture
def ana(double: Double) -> Person:
    return double.person("Ana", started=True)


async def test_a_fault_strikes_as_often_as_ordered(double: Double, ana: Person, api: Api) -> None:
    double.fault("sendMessage", times=2, code=400, description="Bad Request: no mood")
    statuses = [(await api("sendMessage", chat_id=ana.id, text="x"))[0] for _ in range(3)]
    assert statuses == [400, 400, 200]
    assert [call.status for call in double.calls("sendMessage")] == [400, 400, 200]


async def test_a_fault_strikes_only_its_method_and_chat(double: Double, ana: Person, api: Api) -> None:
    ben = double.person("Ben", started=True)
    double.fault("SENDMESSAGE", code=500, chat=ben.id)
    assert (await api("getMe"))[0] == 200
    assert (await api("sendMessage", chat_id=ana.id, text="x"))[0] == 200
    assert (await api("sendMessage", chat_id=ben.id, text="x"))[0] == 500


async def test_a_slow_answer_takes_effect_at_once(double: Double, ana: Person, api: Api) -> None:
    double.fault("sendMessage", delay=30)
    slow = asyncio.create_task(api("sendMessage", chat_id=ana.id, text="x"))
    await double.until(lambda: bool(ana.sees()))
    assert not slow.done()
    double.advance(30)
    assert (await asyncio.wait_for(slow, 5))[0] == 200


@pytest.mark.parametrize(("drop", "arrived"), [("before", 0), ("after", 1)])
async def test_lost_connections(double: Double, ana: Person, api: Api, drop: str, arrived: int) -> None:
    double.fault("sendMessage", drop=drop)
    with pytest.raises(aiohttp.ClientError):
        await api("sendMessage", chat_id=ana.id, text="x")
    assert len(ana.sees()) == arrived
    assert double.calls("sendMessage")[0].status == 0


async def test_overlapping_presses_of_one_button(ana: Person, api: Api) -> None:
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    await api("sendMessage", chat_id=ana.id, text="x", reply_markup=markup)
    first, second = ana.tap(None, "Join"), ana.tap(None, "Join")
    assert first != second
    for query in (second, first):
        assert (await api("answerCallbackQuery", callback_query_id=query, text=query))[0] == 200
    assert [answer.text for answer in ana.answers] == [second, first]


async def test_the_clock_wakes_sleepers() -> None:
    clock = Clock()
    sleeper = asyncio.create_task(clock.sleep(3600))
    await asyncio.sleep(0)
    clock.advance(3599)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.advance(1)
    await asyncio.wait_for(sleeper, 5)
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)
