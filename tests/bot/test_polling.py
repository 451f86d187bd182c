"""At least once in: an update is confirmed to Telegram only when its handler is through, and holds up only its own."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from telegram import Bot, Update

from tests.telegram_users import Double, Person
from tgavalon.bot.polling import WINDOW, Intake, NotTaken, Polling, TokenRefused
from tgavalon.bot.transport import AiohttpRequest
from tgavalon.playground.clock import wait_any
from tgavalon.table.ports import StoreUnavailable

ALLOWED = ("message", "callback_query", "my_chat_member")


async def until(double: Double, condition: Callable[[], bool]) -> None:
    """Wait for a condition, looked at after each change of the world or of the queue of updates."""
    async with asyncio.timeout(5):
        while not condition():
            await wait_any(double.world.changed, double.world.updates.changed)


class QuickClock:
    """Waits only as long as the gate is shut, and remembers for how long it was asked to."""

    def __init__(self, double: Double) -> None:
        self.double = double
        self.slept: list[float] = []
        self.gate = asyncio.Event()
        self.gate.set()

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.double.world.changed.fire()
        await asyncio.sleep(0)
        await self.gate.wait()


def text_of(update: Update) -> str:
    message = update.effective_message
    assert message is not None
    assert message.text is not None
    return message.text


def chat_of(update: Update) -> Hashable:
    return update.effective_chat.id if update.effective_chat else None


class Desk:
    """A handler that writes down what it gets and does with it what the test says."""

    def __init__(self, double: Double) -> None:
        self.double = double
        self.started: list[str] = []
        self.finished: list[str] = []
        self.reply: Callable[[str], Awaitable[None]] | None = None

    async def handle(self, update: Update) -> None:
        text = text_of(update)
        self.started.append(text)
        self.double.world.changed.fire()
        if self.reply is not None:
            await self.reply(text)
        self.finished.append(text)
        self.double.world.changed.fire()

    async def until_finished(self, *texts: str) -> None:
        await until(self.double, lambda: sorted(self.finished) == sorted(texts))

    async def until_started(self, count: int) -> None:
        await until(self.double, lambda: len(self.started) >= count)


@pytest.fixture
async def bot(double: Double) -> AsyncIterator[Bot]:
    transport = AiohttpRequest()
    bot = Bot(double.world.token, base_url=double.base_url, request=transport, get_updates_request=transport)
    await transport.initialize()
    yield bot
    await transport.shutdown()


@pytest.fixture
def desk(double: Double) -> Desk:
    return Desk(double)


@pytest.fixture
def clock(double: Double) -> QuickClock:
    return QuickClock(double)


@asynccontextmanager
async def polling(
    bot: Bot, desk: Desk, clock: QuickClock, grace: float = 5.0, **options: Any
) -> AsyncIterator[Polling]:
    """A running poller, stopped at the end."""
    intake = Intake(bot, desk.handle, chat_of, clock, **options)
    poller = Polling(bot, intake, ALLOWED, clock, wait=30, grace=grace)
    task = asyncio.create_task(poller.run())
    try:
        yield poller
    finally:
        poller.stop()
        await task


def started(double: Double, *names: str) -> list[Person]:
    return [double.person(name, started=True) for name in names]


def pending(double: Double) -> int:
    return len(double.world.updates.pending())


async def until_confirmed(double: Double) -> None:
    await until(double, lambda: pending(double) == 0)


def offsets(double: Double) -> list[int]:
    return [int(call.params["offset"]) for call in double.calls("getUpdates") if "offset" in call.params]


async def test_an_update_is_handled_and_confirmed(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    (ana,) = started(double, "Ana")
    async with polling(bot, desk, clock) as poller:
        ana.say(None, "one")
        await desk.until_finished("one")
        await until_confirmed(double)
        assert poller.last_success is not None
        assert abs(poller.last_success - time.time()) < 60
    assert clock.slept == []
    double.assert_well_behaved()


async def test_a_webhook_is_taken_down_once_and_the_kinds_are_named(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    (ana,) = started(double, "Ana")
    await bot.set_webhook("http://127.0.0.1:9/hook")
    async with polling(bot, desk, clock):
        ana.say(None, "one")
        await until_confirmed(double)
    assert len(double.calls("deleteWebhook")) == 1
    assert double.calls()[1].method == "deleteWebhook"
    assert double.calls("getUpdates")[0].params["allowed_updates"] == '["message", "callback_query", "my_chat_member"]'


async def test_nothing_is_confirmed_while_it_is_handled_and_others_get_on(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    ana, ben = started(double, "Ana", "Ben")
    gate = asyncio.Event()

    async def reply(text: str) -> None:
        if text == "slow":
            await gate.wait()

    desk.reply = reply
    async with polling(bot, desk, clock):
        ana.say(None, "slow")
        await desk.until_started(1)
        slow = double.world.updates.pending()[0].update_id
        for text in ("one", "two", "three"):
            ben.say(None, text)
            await until(double, lambda text=text: text in desk.finished)  # type: ignore[misc]
        assert pending(double) == 4
        assert all(offset <= slow for offset in offsets(double))
        gate.set()
        await until_confirmed(double)
    assert desk.started == ["slow", "one", "two", "three"]  # each once, though fetched over and over
    assert len(double.calls("getUpdates")) > 4


async def test_updates_of_one_chat_are_handled_in_order(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    ana, ben = started(double, "Ana", "Ben")
    gate = asyncio.Event()

    async def reply(text: str) -> None:
        if text == "ana 1":
            await gate.wait()

    desk.reply = reply
    for number in range(1, 6):
        ana.say(None, f"ana {number}")
        ben.say(None, f"ben {number}")
    async with polling(bot, desk, clock):
        await until(double, lambda: "ben 5" in desk.finished)
        assert desk.finished == [f"ben {number}" for number in range(1, 6)]
        gate.set()
        await until_confirmed(double)
    assert [text for text in desk.finished if text.startswith("ana")] == [f"ana {number}" for number in range(1, 6)]


@pytest.mark.parametrize("trouble", [NotTaken, StoreUnavailable])
async def test_what_could_not_be_saved_is_tried_again_and_blocks_only_its_chat(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, trouble: type[Exception]
) -> None:
    ana, ben = started(double, "Ana", "Ben")
    clock.gate.clear()
    away = True

    async def reply(text: str) -> None:
        if text == "ana 1" and away:
            raise trouble

    desk.reply = reply
    async with polling(bot, desk, clock):
        ana.say(None, "ana 1")
        ana.say(None, "ana 2")
        await until(double, lambda: bool(clock.slept))
        ben.say(None, "ben")
        await until(double, lambda: desk.finished == ["ben"])
        assert pending(double) == 3
        away = False
        clock.gate.set()
        await until_confirmed(double)
    assert desk.finished == ["ben", "ana 1", "ana 2"]
    assert desk.started.count("ana 1") == 2


async def test_while_nothing_gets_through_nothing_is_given_up(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    """The store is away, for longer than any number of tries."""
    ana, ben = started(double, "Ana", "Ben")
    away = True

    async def reply(_text: str) -> None:
        if away:
            raise StoreUnavailable

    desk.reply = reply
    async with polling(bot, desk, clock, tries=3):
        ana.say(None, "ana")
        ben.say(None, "ben")
        await desk.until_started(60)
        assert pending(double) == 2
        away = False
        await desk.until_finished("ana", "ben")
        await until_confirmed(double)
    assert max(clock.slept) <= 5.0
    assert clock.slept[0] <= 0.1


async def test_what_can_never_be_saved_is_given_up_once_others_got_through(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture
) -> None:
    ana, ben = started(double, "Ana", "Ben")

    async def reply(text: str) -> None:
        if text == "never":
            raise NotTaken("the table of Merlin")

    desk.reply = reply
    async with polling(bot, desk, clock, tries=3):
        ana.say(None, "never")
        await desk.until_started(5)
        ben.say(None, "ben")
        ana.say(None, "next")
        await desk.until_finished("ben", "next")
        await until_confirmed(double)
    assert "is dropped: NotTaken" in caplog.text
    assert "Merlin" not in caplog.text


async def test_a_poisoned_update_is_logged_without_content_and_holds_nobody_up(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture
) -> None:
    (ana,) = started(double, "Ana")

    async def reply(text: str) -> None:
        if "Merlin" in text:
            raise ZeroDivisionError(text)

    desk.reply = reply
    async with polling(bot, desk, clock):
        ana.say(None, "Ana is Merlin")
        number = double.world.updates.pending()[0].update_id
        ana.say(None, "next")
        await desk.until_finished("next")
        await until_confirmed(double)
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith(f"update {number} is dropped: ZeroDivisionError at test_polling.py:")
    assert "Merlin" not in caplog.text


ODD: tuple[object, ...] = (
    {"message_id": 5},
    {"message_id": 5, "date": "yesterday", "chat": {"id": 1, "type": "private"}},
    {"message_id": 5, "date": 10**30, "chat": {"id": 1, "type": "private"}},
    {"message_id": 5, "date": 1, "chat": {"secret": "Merlin"}},
    {"message_id": 5, "date": 1, "chat": 7},
    "Merlin",
    ["Merlin"],
    17,
)


@pytest.mark.parametrize("payload", ODD)
async def test_an_update_that_cannot_be_read_holds_nobody_up(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture, payload: Any
) -> None:
    (ana,) = started(double, "Ana")
    double.world.updates.add("message", payload, ("chat", 1))
    ana.say(None, "next")
    async with polling(bot, desk, clock):
        await desk.until_finished("next")
        await until_confirmed(double)
    assert "is dropped" in caplog.text
    assert "Merlin" not in caplog.text


async def test_a_handler_that_hangs_is_cancelled_and_tried_again(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    (ana,) = started(double, "Ana")

    async def reply(_text: str) -> None:
        if len(desk.started) == 1:
            await asyncio.Event().wait()

    desk.reply = reply
    async with polling(bot, desk, clock, limit=0.05):
        ana.say(None, "one")
        await desk.until_finished("one")
        await until_confirmed(double)
    assert desk.started == ["one", "one"]


async def test_a_timeout_inside_a_handler_is_an_error_like_any_other(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture
) -> None:
    (ana,) = started(double, "Ana")

    async def reply(_text: str) -> None:
        raise TimeoutError

    desk.reply = reply
    async with polling(bot, desk, clock):
        ana.say(None, "one")
        await until_confirmed(double)
    assert desk.started == ["one"]
    assert "is dropped: TimeoutError" in caplog.text


async def test_stopping_finishes_what_runs_confirms_it_and_leaves_the_rest(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    ana, ben = started(double, "Ana", "Ben")
    gate = asyncio.Event()

    async def reply(text: str) -> None:
        if text != "ben":
            await gate.wait()

    desk.reply = reply
    async with polling(bot, desk, clock) as poller:
        ana.say(None, "running")
        ben.say(None, "ben")
        ana.say(None, "waiting")
        await desk.until_finished("ben")
        poller.stop()
        gate.set()
    assert sorted(desk.finished) == ["ben", "running"]
    assert pending(double) == 1
    assert double.world.updates.pending()[0].payload["text"] == "waiting"
    assert double.calls("getUpdates")[-1].params["timeout"] == "0"


async def test_stopping_does_not_wait_for_ever_and_what_was_cut_off_comes_again(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    ana, ben = started(double, "Ana", "Ben")

    async def reply(text: str) -> None:
        if text == "stuck":
            await asyncio.Event().wait()

    desk.reply = reply
    async with polling(bot, desk, clock, grace=0.05):
        ana.say(None, "stuck")
        ben.say(None, "ben")
        await desk.until_finished("ben")
    assert pending(double) == 2
    desk.reply = None
    async with polling(bot, desk, clock):
        await until_confirmed(double)
    assert sorted(desk.finished) == ["ben", "ben", "stuck"]


async def test_stopping_does_not_wait_for_a_retry(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    (ana,) = started(double, "Ana")
    clock.gate.clear()

    async def reply(_text: str) -> None:
        raise NotTaken

    desk.reply = reply
    async with polling(bot, desk, clock, grace=3600):
        ana.say(None, "one")
        await until(double, lambda: bool(clock.slept))
    assert pending(double) == 1


async def test_a_killed_process_loses_nothing(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    """Cancelled in the middle, without the courtesy of a stop, as near to SIGKILL as one process gets."""
    ana, ben = started(double, "Ana", "Ben")

    async def reply(text: str) -> None:
        if text == "ana":
            await asyncio.Event().wait()

    desk.reply = reply
    poller = Polling(bot, Intake(bot, desk.handle, chat_of, clock), ALLOWED, clock, wait=30, grace=0)
    task = asyncio.create_task(poller.run())
    ana.say(None, "ana")
    ben.say(None, "ben")
    await desk.until_finished("ben")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert pending(double) == 2
    desk.reply = None
    async with polling(bot, desk, clock):
        await until(double, lambda: "ana" in desk.finished)
        await until_confirmed(double)


async def test_a_lost_answer_brings_the_same_updates_again_and_they_are_handled_once(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture
) -> None:
    (ana,) = started(double, "Ana")
    double.fault("getUpdates", times=4, drop="after")
    for number in range(5):
        ana.say(None, f"{number}")
    async with polling(bot, desk, clock):
        await until_confirmed(double)
    assert desk.finished == ["0", "1", "2", "3", "4"]
    assert len(clock.slept) == 4
    assert all(0.25 * 2**n <= slept <= 0.5 * 2**n for n, slept in enumerate(clock.slept))
    assert caplog.text.count("No updates from Telegram for now") == 1


async def test_an_outage_is_waited_out_ever_more_slowly_but_not_for_ever(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    (ana,) = started(double, "Ana")
    double.fault("deleteWebhook", times=2, code=502)
    double.fault("getUpdates", times=12, code=500)
    ana.say(None, "one")
    async with polling(bot, desk, clock):
        await until_confirmed(double)
    assert max(clock.slept) <= 30
    assert min(clock.slept[-3:]) >= 15


async def test_stopping_during_an_outage(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    clock.gate.clear()
    double.fault("getUpdates", times=1, drop="before")
    async with polling(bot, desk, clock) as poller:
        await until(double, lambda: bool(double.calls("getUpdates")))
        assert poller.last_success is None


async def test_flood_control_is_obeyed(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    (ana,) = started(double, "Ana")
    double.fault("getUpdates", code=429, parameters={"retry_after": 17})
    ana.say(None, "one")
    async with polling(bot, desk, clock):
        await until_confirmed(double)
    assert clock.slept == [17.0]


async def test_a_second_program_is_named_once_in_a_clear_line(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture
) -> None:
    (ana,) = started(double, "Ana")
    description = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    double.fault("getUpdates", times=3, code=409, description=description)
    ana.say(None, "one")
    async with polling(bot, desk, clock):
        await until_confirmed(double)
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == 1
    assert lines[0].startswith("Another program receives this bot's updates; stop it")


@pytest.mark.parametrize("known_at_first", [False, True])
async def test_an_unknown_token_ends_it(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, caplog: pytest.LogCaptureFixture, known_at_first: bool
) -> None:
    (ana,) = started(double, "Ana")
    if known_at_first:
        await bot.initialize()
    intake = Intake(bot, desk.handle, chat_of, clock)
    poller = Polling(bot, intake, ALLOWED, clock, wait=30)
    task = asyncio.create_task(poller.run())
    ana.say(None, "one")
    await desk.until_finished("one")
    double.world.token = "42:another"
    ana.say(None, "two")
    with pytest.raises(TokenRefused) as caught:
        await task
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "42:TEST" not in shown


def full_windows(double: Double) -> int:
    return sum(len(call.response.get("result", ())) == WINDOW for call in double.calls("getUpdates"))


def blocking(*gates: tuple[str, asyncio.Event]) -> Callable[[str], Awaitable[None]]:
    async def reply(text: str) -> None:
        for name, gate in gates:
            if text == name:
                await gate.wait()

    return reply


async def test_a_full_window_is_waited_for_and_not_asked_for_again_and_again(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tgavalon.bot.polling._LAST_GLANCE", 0.0)
    people = started(double, *(f"P{number}" for number in range(WINDOW + 20)))
    gate = asyncio.Event()
    desk.reply = blocking(("0", gate))
    for number, person in enumerate(people):
        person.say(None, f"{number}")
    async with polling(bot, desk, clock):
        await until(double, lambda: len(desk.finished) == WINDOW - 1 and full_windows(double) == 2)
        for _ in range(2000):  # turns of the loop: dozens of requests, if any were made
            await asyncio.sleep(0)
        assert full_windows(double) == 2
        assert len(desk.started) == WINDOW
        gate.set()
        await until_confirmed(double)
    assert len(desk.finished) == len(people)


async def test_a_window_that_moved_on_while_it_was_fetched_is_fetched_again(
    double: Double, bot: Bot, desk: Desk, clock: QuickClock
) -> None:
    """The first of two slow ones is through before the answer is here: there is room for one more."""
    first, second = asyncio.Event(), asyncio.Event()
    desk.reply = blocking(("0", first), ("1", second))
    double.fault("getUpdates", times=2, delay=60)
    for number, person in enumerate(started(double, *(f"P{number}" for number in range(WINDOW + 5)))):
        person.say(None, f"{number}")
    async with polling(bot, desk, clock):
        await until(double, lambda: full_windows(double) == 1)
        double.advance(60)
        await until(double, lambda: len(desk.finished) == WINDOW - 2 and full_windows(double) == 2)
        first.set()
        await until(double, lambda: "0" in desk.finished)
        double.advance(60)
        await until(double, lambda: f"{WINDOW}" in desk.finished)
        second.set()
        await until_confirmed(double)


async def test_update_ids_may_start_again_anywhere(double: Double, bot: Bot, desk: Desk, clock: QuickClock) -> None:
    """As they do after a quiet week."""
    (ana,) = started(double, "Ana")
    async with polling(bot, desk, clock):
        ana.say(None, "before")
        await until_confirmed(double)
        double.advance(31)  # the poll that confirmed comes to its end
        await until(double, lambda: "offset" not in double.calls("getUpdates")[-1].params)
        double.world.updates._next_id = 4711
        ana.say(None, "after")
        await desk.until_finished("before", "after")
        await until_confirmed(double)


async def test_a_long_poll_is_not_cut_short_by_the_read_timeout(double: Double, desk: Desk, clock: QuickClock) -> None:
    transport = AiohttpRequest(read_timeout=0.3)
    await transport.initialize()
    bot = Bot(double.world.token, base_url=double.base_url, request=transport)
    poller = Polling(bot, Intake(bot, desk.handle, chat_of, clock), ALLOWED, clock, wait=1)
    task = asyncio.create_task(poller.run())
    await until(double, lambda: len([call for call in double.calls("getUpdates") if call.status]) >= 1)
    poller.stop()
    await task
    await transport.shutdown()
    assert clock.slept == []


async def test_an_update_that_was_met_is_not_started_again(bot: Bot, desk: Desk, clock: QuickClock) -> None:
    intake = Intake(bot, desk.handle, chat_of, clock)
    raw = {
        "update_id": 5,
        "message": {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}, "text": "one"},
    }
    first = intake.take(raw)
    assert intake.take(raw) is first
    await first
    assert intake.take(raw) is first
    await intake.drain(1)
    assert desk.finished == ["one"]
    late = intake.take({**raw, "update_id": 6})
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not late.done()
    assert desk.started == ["one"]


async def test_memory_of_past_updates_is_bounded(
    bot: Bot, desk: Desk, clock: QuickClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tgavalon.bot.polling._REMEMBERED", 10)
    intake = Intake(bot, desk.handle, chat_of, clock)
    for number in range(100):
        message = {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}, "text": "x"}
        await intake.take({"update_id": number, "message": message})
    assert sorted(intake._known) == list(range(90, 100))
    assert intake._lines == {}
