"""The painter: what is on Telegram becomes what should be, whatever Telegram answers and whoever is in its way."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.table.jumping import at_once
from tests.table.kit import GROUP_CHAT, ID, dealt, lobby, user
from tests.table.studio import Studio
from tgavalon.table import seating
from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Verdict
from tgavalon.ui.taps import Verb

QUIET = 120.0
"""Seconds after which a chat has all its calls again, so that steps come in their order."""


@pytest.fixture(autouse=True)
def no_errors(caplog: pytest.LogCaptureFixture) -> None:
    """Faults of ours are logged as errors, and a test that expects one says so by clearing the log."""
    caplog.set_level(logging.INFO)


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


# When all is well.


@at_once
async def test_everything_that_should_be_shown_is_shown_and_recorded() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        assert [message.offers(Verb.PICK) for message in studio.group] == [False, False, True]
        assert all(len(studio.private(seat)) == 1 for seat in range(5))
        assert studio.canvas() == {"lobby", "deal", "team:1"}
        assert studio.canvas(str(user(3))) == {"role"}
        assert studio.is_painted
        assert studio.store.leases == {}
        assert {call.table for call in studio.messenger.calls} == {ID}


@at_once
async def test_what_has_not_changed_costs_nothing() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        calls = len(studio.messenger.calls)
        for _ in range(3):
            await studio.paint()
        assert len(studio.messenger.calls) == calls


@at_once
async def test_a_change_within_a_moment_is_a_quiet_edit_of_the_same_message() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT) == ["send", "send", "send", "edit"]
        assert studio.group[-1].offers(Verb.UNPICK)


@at_once
async def test_a_new_moment_takes_the_old_buttons_off_and_is_a_new_message() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.clock.sleep(QUIET)
        await studio.taps(0, Verb.PROPOSE, 1, 0b11)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT)[3:] == ["edit", "send"]
        assert [message.offers(Verb.PICK) for message in studio.group] == [False] * 4
        assert studio.group[-1].offers(Verb.APPROVE)


@at_once
async def test_a_table_brought_down_strips_before_it_sends() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.clock.sleep(QUIET)
        await studio.service.repost(ID)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT)[3:] == ["strip", "send"]
        assert [message.offers(Verb.PICK) for message in studio.group] == [False, False, False, True]


@at_once
async def test_when_calls_are_few_what_people_wait_for_goes_first_and_the_old_buttons_go_all_the_same() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        for _ in range(20):
            await studio.service.repost(ID)
            await studio.clock.sleep(2)
        await studio.painter.idle()
        assert "send strip" in " ".join(studio.messenger.kinds(GROUP_CHAT))
        assert [message.offers(Verb.PICK) for message in studio.group].count(True) == 1
        assert studio.group[-1].offers(Verb.PICK)


@at_once
async def test_a_reminder_is_deleted_when_it_is_over() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.service.change(ID, lambda table: replace(table, reminded=True), by_person=False)
        await studio.painter.idle()
        assert len(studio.group) == 4
        await studio.service.change(ID, lambda table: replace(table, reminded=False), by_person=False)
        await studio.painter.idle()
        assert len(studio.group) == 3
        assert "delete" in studio.messenger.kinds(GROUP_CHAT)


# Coalescing, and frames that are skipped.


@at_once
async def test_taps_that_come_together_cost_one_edit() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.taps(0, Verb.PROPOSE, 1, 0b11)
        await studio.painter.idle()
        await studio.clock.sleep(30)
        before = len(studio.messenger.kinds(GROUP_CHAT))
        for seat in range(4):
            await studio.taps(seat, Verb.APPROVE, 1)
            await studio.clock.sleep(0.04)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT)[before:] == ["edit"]
        assert "4 of 5" in studio.group[-1].screen.text


@at_once
async def test_counts_are_not_edited_more_than_every_few_seconds() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.taps(0, Verb.PROPOSE, 1, 0b11)
        await studio.painter.idle()
        await studio.clock.sleep(60)
        before = len(studio.messenger.calls)
        for _ in range(10):
            for seat in range(4):
                await studio.taps(seat, Verb.APPROVE, 1)
                await studio.clock.sleep(0.5)
                await studio.taps(seat, Verb.REJECT, 1)
            await studio.service.change(ID, lambda table: replace(table, end_votes=table.end_votes ^ {user(0)}))
        await studio.painter.idle()
        times = [call.at for call in studio.messenger.calls[before:] if call.chat == GROUP_CHAT]
        assert all(later - earlier >= 2.99 for earlier, later in pairwise(times))
        assert studio.is_painted


@at_once
async def test_what_is_over_before_it_could_be_shown_is_shown_as_it_ended() -> None:
    """Nobody may write for a minute, and a whole vote goes by: its result is there, its buttons never were."""
    async with Studio(dealt()) as studio:
        await studio.paint()
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LATER, seconds=60)]
        await studio.taps(0, Verb.PROPOSE, 1, 0b11)
        await studio.clock.sleep(5)
        await studio.all_vote(1, Verb.REJECT)
        await studio.painter.idle()
        texts = [message.screen.text for message in studio.group[3:]]
        assert "Rejected, 5 to 0" in texts[0]
        assert len(texts) == 2
        assert studio.group[-1].offers(Verb.PICK)
        assert not any(message.offers(Verb.APPROVE) for message in studio.group)
        assert studio.messenger.calls[-1].at >= 60


# What Telegram answers.


@at_once
async def test_a_chat_that_has_to_wait_holds_up_no_other() -> None:
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LATER, seconds=120)]
        await studio.paint()
        firsts = {call.chat: call.at for call in reversed(studio.messenger.calls)}
        assert all(firsts[user(seat)] < 1 for seat in range(5))
        group = [call.at for call in studio.messenger.calls if call.chat == GROUP_CHAT]
        assert group[1] >= 120
        assert studio.is_painted


@at_once
async def test_a_table_that_has_to_wait_holds_up_no_other() -> None:
    other = replace(dealt(), id="B" * 10, place=Place(-5))
    async with Studio(dealt(), other) as studio:
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LATER, seconds=120)]
        studio.painter.wake(other.id)
        await studio.paint()
        assert next(call.at for call in studio.messenger.calls if call.chat == -5) < 5


@at_once
async def test_a_message_that_is_gone_is_sent_anew_once() -> None:
    """Somebody deletes the table's message; the next change brings it back."""
    async with Studio(dealt()) as studio:
        await studio.paint()
        studio.group[-1].exists = False
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT)[3:] == ["edit", "send"]
        assert studio.group[-1].offers(Verb.UNPICK)
        await studio.paint()
        assert len(studio.messenger.kinds(GROUP_CHAT)) == 5


@at_once
async def test_an_old_message_that_is_gone_is_forgotten() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        await studio.clock.sleep(QUIET)
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.GONE)]
        await studio.service.repost(ID)
        await studio.painter.idle()
        assert studio.messenger.kinds(GROUP_CHAT)[3:] == ["strip", "send"]
        assert studio.canvas() == {"lobby", "deal", "team:1+1"}


@at_once
async def test_whoever_cannot_be_written_to_is_reported_and_left_alone() -> None:
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[user(2)] = [Answer(Verdict.UNREACHABLE)] * 9
        await studio.paint()
        assert not studio.table.sitters[2].ready
        assert not studio.store.people[user(2)].ready
        assert studio.messenger.kinds(user(2)) == ["send"]
        assert "I cannot write to" in studio.group[-1].screen.text
        assert studio.is_painted
        studio.messenger.verdicts.clear()
        await studio.service.reachable(studio.store.people[user(2)], ready=True)
        await studio.painter.idle()
        assert len(studio.private(2)) == 1


@at_once
async def test_a_group_that_cannot_be_written_to_is_tried_again_with_the_next_change() -> None:
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.UNREACHABLE)]
        await studio.paint()
        assert studio.messenger.kinds(GROUP_CHAT) == ["send"]
        assert all(len(studio.private(seat)) == 1 for seat in range(5))
        assert all(sitter.ready for sitter in studio.table.sitters)
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.painter.idle()
        assert studio.group[-1].offers(Verb.UNPICK)


@at_once
async def test_a_group_that_has_moved_gets_its_screens_in_its_new_chat() -> None:
    async with Studio(replace(dealt(), place=Place(-5))) as studio:
        await studio.paint()
        studio.messenger.verdicts[-5] = [Answer(Verdict.MOVED, chat=GROUP_CHAT)]
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.painter.idle()
        assert studio.table.place == Place(GROUP_CHAT)
        assert studio.messenger.kinds(-5)[3:] == ["edit"]
        assert studio.messenger.kinds(GROUP_CHAT) == ["send"] * 3
        assert studio.group[-1].offers(Verb.UNPICK)
        assert studio.is_painted


@at_once
async def test_a_call_that_is_lost_is_tried_again_ever_more_slowly() -> None:
    async with Studio(lobby()) as studio:
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LOST)] * 8
        await studio.paint()
        times = [call.at for call in studio.messenger.calls]
        pauses = [later - earlier for earlier, later in pairwise(times)]
        assert len(times) == 9
        assert 1 <= pauses[0] <= 2
        assert all(pause <= 30 + 1e-6 for pause in pauses)
        assert pauses[-1] >= 15
        assert len(studio.group) == 1
        assert studio.is_painted


@at_once
async def test_what_telegram_will_never_take_is_not_tried_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    async with Studio(dealt()) as studio:
        studio.messenger.verdicts[user(1)] = [Answer(Verdict.REFUSED)] * 9
        await studio.paint()
        assert studio.messenger.kinds(user(1)) == ["send"]
        assert len(studio.group) == 3
        assert errors(caplog) == [f"table {ID}: send of role was refused"]
        studio.messenger.verdicts.clear()
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.painter.idle()
        assert len(studio.private(1)) == 1


# Changes that cut in.


@at_once
async def test_a_table_may_close_while_a_message_is_on_its_way(caplog: pytest.LogCaptureFixture) -> None:
    """The card arrives after all; it is known, and nothing breaks."""
    async with Studio(dealt()) as studio:
        gate = studio.messenger.gates[user(2)] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        await studio.closes()
        await studio.clock.sleep(1)
        gate.set()
        await studio.painter.idle()
        assert len(studio.private(2)) == 1
        assert studio.is_painted
        assert "ended" in studio.group[-1].screen.text
        assert errors(caplog) == []


@at_once
async def test_a_player_may_leave_while_their_card_is_on_its_way(caplog: pytest.LogCaptureFixture) -> None:
    async with Studio(dealt()) as studio:
        gate = studio.messenger.gates[user(2)] = asyncio.Event()
        studio.painter.wake(ID)
        await studio.clock.sleep(1)
        await studio.service.change(ID, lambda table: seating.leave(table, user(2)))
        gate.set()
        await studio.painter.idle()
        assert studio.group[-1].offers(Verb.TAKE_SEAT)
        assert studio.is_painted
        assert errors(caplog) == []


@at_once
async def test_a_change_during_a_wait_is_painted_instead_of_what_was_waited_for() -> None:
    async with Studio(dealt()) as studio:
        await studio.paint()
        studio.messenger.verdicts[GROUP_CHAT] = [Answer(Verdict.LATER, seconds=20)]
        await studio.taps(0, Verb.PICK, 1, 1)
        await studio.clock.sleep(5)
        await studio.taps(0, Verb.PICK, 1, 2)
        await studio.taps(0, Verb.UNPICK, 1, 1)
        await studio.clock.sleep(5)
        await studio.taps(0, Verb.PICK, 1, 3)
        await studio.painter.idle()
        assert [tap.value for tap in studio.group[-1].taps if tap.verb is Verb.UNPICK] == [2, 3]
        assert studio.messenger.kinds(GROUP_CHAT)[3:] == ["edit", "edit"]
