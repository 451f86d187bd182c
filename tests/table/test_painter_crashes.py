"""Crashes, outages and other workers: what must be shown is shown in the end, and by one worker at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.table.fakes import FakeMessenger, FakeStore
from tests.table.jumping import at_once
from tests.table.kit import GROUP_CHAT, ID, dealt, lobby, user
from tests.table.studio import Studio
from tgavalon.table import easel as easel_module
from tgavalon.table.feed import Feed, feeds
from tgavalon.table.model import Place, Table
from tgavalon.table.painter import ASK_AGAIN, FIRST_ASKED, LEASE
from tgavalon.table.ports import Answer, Leased, Verdict
from tgavalon.ui.taps import Verb


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


async def sweeping(studio: Studio, seconds: float) -> None:
    """The painter's part of a worker's second, every second."""
    for _ in range(int(seconds)):
        await studio.clock.sleep(1)
        await studio.painter.sweep()
    await studio.painter.idle()


# The mark that something is left to paint.


@at_once
async def test_what_was_saved_before_a_crash_is_painted_by_the_next_worker() -> None:
    async with Studio(dealt()) as studio:
        assert not studio.is_painted
        await studio.painter.catch_up()
        await studio.painter.idle()
        assert len(studio.group) == 3
        assert studio.is_painted


@at_once
async def test_what_another_worker_left_behind_is_found_within_seconds() -> None:
    async with Studio() as studio:
        studio.store.put(dealt())
        await sweeping(studio, FIRST_ASKED + 2)
        assert len(studio.group) == 3
        assert studio.is_painted


@at_once
async def test_a_crash_between_sending_and_recording_sends_again_and_loses_nothing() -> None:
    """Nobody can know that the message arrived: it is sent once more, and the newer one is looked after."""
    store, messenger = FakeStore(), FakeMessenger()
    async with Studio(lobby(), store=store, messenger=messenger) as first:
        gate = messenger.gates[GROUP_CHAT] = asyncio.Event()
        first.painter.wake(ID)
        await first.clock.sleep(1)
        store.is_read_only = True
        gate.set()
        await first.clock.sleep(0.5)
    assert len(messenger.hears(GROUP_CHAT)) == 1
    store.is_read_only = False
    async with Studio(store=store, messenger=messenger, worker="two") as second:
        await sweeping(second, LEASE + ASK_AGAIN + 2)
        assert len(second.group) == 2
        assert second.is_painted
        await second.service.change(ID, lambda table: replace(table, settings_open=True))
        await second.painter.idle()
        assert second.group[-1].offers(Verb.SET)
        assert not second.group[0].offers(Verb.SET)


@at_once
async def test_a_chat_that_cannot_be_written_to_does_not_keep_the_mark() -> None:
    """It is tried with the next change, and not for ever by every worker that starts."""
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.UNREACHABLE)]
        await studio.paint()
        assert studio.group == []
        assert studio.is_painted


@at_once
async def test_a_change_during_the_last_call_keeps_the_mark_until_it_is_painted_too() -> None:
    async with Studio(lobby(2)) as studio:
        gate = studio.messenger.gates[GROUP_CHAT] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        await studio.service.change(ID, lambda table: replace(table, settings_open=True))
        assert not studio.is_painted
        gate.set()
        await studio.painter.idle()
        assert studio.group[-1].offers(Verb.SET)
        assert studio.is_painted


@at_once
async def test_a_change_by_another_worker_during_our_work_is_found_at_its_end() -> None:
    async with Studio(lobby(2)) as studio:
        gate = studio.messenger.gates[GROUP_CHAT] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        studio.store.put(replace(studio.table, version=2, settings_open=True))
        gate.set()
        await studio.painter.idle()
        assert studio.group[-1].offers(Verb.SET)
        assert studio.is_painted


# A store that is away.


@at_once
async def test_a_table_is_painted_once_the_store_is_back() -> None:
    async with Studio(dealt()) as studio:
        studio.store.is_away = True
        studio.painter.wake(ID)
        await studio.clock.sleep(10)
        assert studio.messenger.calls == []
        studio.store.is_away = False
        await studio.painter.idle()
        assert len(studio.group) == 3
        assert studio.is_painted


@at_once
async def test_what_could_not_be_recorded_is_recorded_later_and_not_sent_twice() -> None:
    async with Studio(dealt()) as studio:
        gate = studio.messenger.gates[GROUP_CHAT] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        studio.store.is_read_only = True
        gate.set()
        await studio.clock.sleep(5)
        studio.store.is_read_only = False
        await studio.painter.idle()
        assert len(studio.group) == 3
        assert studio.canvas() == {"lobby", "deal", "team:1"}
        assert studio.is_painted


@at_once
async def test_the_store_hears_of_somebody_who_cannot_be_reached_when_it_is_back() -> None:
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[user(2)] = [Answer(Verdict.UNREACHABLE)] * 20
        gate = studio.messenger.gates[user(2)] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        studio.store.is_away = True
        gate.set()
        await studio.clock.sleep(5)
        studio.store.is_away = False
        await studio.painter.idle()
        assert not studio.table.sitters[2].ready
        assert studio.is_painted


# One worker at a time.


@at_once
async def test_a_table_is_painted_by_one_worker_at_a_time() -> None:
    store, messenger = FakeStore(), FakeMessenger()
    gate = messenger.gates[GROUP_CHAT] = asyncio.Event()
    async with (
        Studio(dealt(), store=store, messenger=messenger) as one,
        Studio(store=store, messenger=messenger, worker="two") as two,
    ):
        one.painter.wake(ID)
        await one.clock.sleep(1)
        two.painter.wake(ID)
        for _ in range(30):
            await one.clock.sleep(1)
            await one.painter.sweep()
            await two.painter.sweep()
        assert messenger.kinds(GROUP_CHAT) == ["send"]
        gate.set()
        await one.painter.idle()
        await two.painter.idle()
        assert messenger.kinds(GROUP_CHAT) == ["send"] * 3
        assert one.is_painted


@at_once
async def test_the_tables_of_a_worker_that_has_died_are_taken_up() -> None:
    store = FakeStore()
    store.put(dealt())
    store.leases[ID] = "dead", LEASE
    async with Studio(store=store, worker="two") as studio:
        await sweeping(studio, LEASE - 2)
        assert studio.messenger.calls == []
        await sweeping(studio, ASK_AGAIN + 3)
        assert len(studio.group) == 3
        assert studio.is_painted


@at_once
async def test_whoever_stops_leaves_at_once_what_is_left_to_the_next() -> None:
    store, messenger = FakeStore(), FakeMessenger()
    studio = Studio(dealt(), store=store, messenger=messenger)
    messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LATER, seconds=600)]
    studio.painter.wake(ID)
    await studio.clock.sleep(5)
    await studio.painter.close()
    calls = len(messenger.calls)
    assert ID in store.behind
    assert store.leases == {}
    async with Studio(store=store, messenger=messenger, worker="two") as second:
        await second.painter.catch_up()
        await second.painter.idle()
        assert len(second.group) == 3
        assert all(len(second.private(seat)) == 1 for seat in range(5)), "what was recorded is not sent again"
    assert len(messenger.calls) == calls + 3


@at_once
async def test_a_call_on_its_way_is_waited_for_when_painting_stops() -> None:
    studio = Studio(lobby())
    gate = studio.messenger.gates[GROUP_CHAT] = asyncio.Event()
    studio.painter.wake(ID)
    await studio.clock.sleep(1)
    closing = asyncio.ensure_future(studio.painter.close())
    await studio.clock.sleep(1)
    gate.set()
    await closing
    assert studio.canvas() == {"lobby"}


@at_once
async def test_nothing_is_left_running_when_painting_has_stopped() -> None:
    studio = Studio(dealt())
    studio.messenger.gates[GROUP_CHAT] = asyncio.Event()
    studio.painter.wake(ID)
    await studio.clock.sleep(1)
    await studio.painter.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@at_once
async def test_a_table_that_was_changed_by_others_is_not_forgotten_by_those_who_lost_it() -> None:
    """Our lease ran out while the store was away, another worker painted, and ours gives way."""
    store, messenger = FakeStore(), FakeMessenger()
    gate = messenger.gates[user(0)] = asyncio.Event()
    async with (
        Studio(dealt(), store=store, messenger=messenger) as one,
        Studio(store=store, messenger=messenger, worker="two") as two,
    ):
        one.painter.wake(ID)
        await one.clock.sleep(LEASE + 1)
        del messenger.gates[user(0)]
        two.painter.wake(ID)
        await two.painter.idle()
        await two.taps(0, Verb.PICK, 1, 2)
        await two.painter.idle()
        gate.set()
        await one.painter.idle()
        assert one.is_painted
        assert one.group[-1].offers(Verb.UNPICK)
        assert len(one.group) == 3


# Faults of ours.


@at_once
async def test_a_table_that_cannot_be_drawn_holds_up_no_other(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(dealt(), id="B" * 10, place=Place(-5))

    def draw(table: Table) -> Mapping[str, Feed]:
        if table.id == ID and table.reposts == 0:
            raise ZeroDivisionError("a fault of ours")
        return feeds(table)

    monkeypatch.setattr(easel_module, "feeds", draw)
    async with Studio(dealt(), other) as studio:
        studio.painter.wake(ID)
        studio.painter.wake(other.id)
        await sweeping(studio, 20)
        assert len(studio.messenger.hears(-5)) == 3
        assert studio.group == []
        assert len(errors(caplog)) == 1, "it is not tried again and again"
        assert "ZeroDivisionError" in errors(caplog)[0]
        await studio.clock.sleep(LEASE)
        await studio.service.repost(ID)
        await studio.painter.idle()
        assert len(studio.group) == 3


@at_once
async def test_a_messenger_that_breaks_holds_up_no_other_table(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(dealt(), id="B" * 10, place=Place(-5))
    async with Studio(dealt(), other) as studio:
        send = studio.messenger.send

        async def break_down(place: Place, *rest: object) -> Answer:
            if place.chat == GROUP_CHAT:
                raise ZeroDivisionError("a fault of ours")
            return await send(place, *rest)  # type: ignore[arg-type]  # as they came

        monkeypatch.setattr(studio.messenger, "send", break_down)
        studio.painter.wake(ID)
        studio.painter.wake(other.id)
        await studio.painter.idle()
        assert len(studio.messenger.hears(-5)) == 3
        assert "ZeroDivisionError" in errors(caplog)[0]


@at_once
async def test_a_table_that_is_not_there_any_more_is_nothing_to_paint() -> None:
    async with Studio() as studio:
        await studio.paint()
        assert studio.messenger.calls == []
        assert studio.painter.backlog == 0


@at_once
async def test_a_table_may_change_while_its_lease_is_being_prolonged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was planned before is planned anew: the private chat that was to be written to may be none any more."""
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[user(2)] = [Answer(Verdict.LATER, seconds=LEASE + 5)]
        studio.painter.wake(ID)
        await studio.clock.sleep(LEASE + 1)
        answered, lease = asyncio.Event(), studio.store.lease

        async def slowly(table: str, worker: str, seconds: float, version: int = 0) -> Leased | None:
            await answered.wait()
            return await lease(table, worker, seconds, version)

        monkeypatch.setattr(studio.store, "lease", slowly)
        await studio.clock.sleep(5)
        await studio.closes()
        await studio.clock.sleep(5)
        answered.set()
        await studio.painter.idle()
        assert errors(caplog) == []
        assert studio.private(2) == []
        assert studio.is_painted
