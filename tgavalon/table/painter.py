"""The painter: makes what is on Telegram equal to what should be, latest first, as slowly as Telegram demands.

One task a table and chat, so that a chat that must wait holds up no other. What is shown is recorded after every call;
a table whose stored version is not fully painted is picked up again after a crash.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tgavalon.table.budget import Budget
from tgavalon.table.feed import GROUP, Feed, feeds
from tgavalon.table.model import Place, Table
from tgavalon.table.painting import Kind, Step, acts, is_urgent, plan
from tgavalon.table.ports import Answer, Canvas, Clock, Messenger, Shown, Store, StoreUnavailable, Verdict

log = logging.getLogger(__name__)

SETTLE = 0.2
"""Seconds a quiet edit in a group waits, so that taps that come together cost one edit."""
STORE_AWAY = 1.0
"""Seconds until the store is tried again."""
LONGEST_BACK_OFF = 30.0
SEPARATOR = "/"


@dataclass(slots=True)
class _Easel:
    """One table being painted: its latest state, what is shown by slot and epoch, and the chats at work."""

    table: Table
    shown: dict[str, dict[str, Shown]]
    wanted: dict[str, Feed] = field(default_factory=dict)
    news: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)


class Painter:
    """Paints tables that have changed.

    `on_unreachable(user)` and `on_moved(chat, new_chat)` tell the service what the world answered.
    """

    def __init__(
        self,
        store: Store,
        messenger: Messenger,
        clock: Clock,
        on_unreachable: Callable[[int], Awaitable[None]],
        on_moved: Callable[[int, int], Awaitable[None]],
    ) -> None:
        self._store = store
        self._messenger = messenger
        self._clock = clock
        self._on_unreachable = on_unreachable
        self._on_moved = on_moved
        self._budget = Budget()
        self._easels: dict[str, _Easel] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._working: set[asyncio.Task[None]] = set()

    def wake(self, table: str) -> None:
        """A table has changed, or may have: look at it soon."""
        if table in self._looking:
            self._again.add(table)
            return
        task = asyncio.create_task(self._look(table), name=f"look at {table}")
        self._looking[table] = task
        task.add_done_callback(lambda _: self._looked(table))

    async def catch_up(self) -> None:
        """Look at every table whose screens are behind, as after a crash."""
        for table in await self._store.unpainted():
            self.wake(table)

    async def idle(self) -> None:
        """Return once nothing is left to paint."""
        while tasks := [*self._looking.values(), *self._working]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stop painting; what is left undone is painted by the next worker."""
        self._again.clear()
        tasks = [*self._looking.values(), *self._working]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _looked(self, table: str) -> None:
        _report(self._looking.pop(table))
        if table in self._again:
            self._again.discard(table)
            self.wake(table)

    async def _look(self, table_id: str) -> None:
        try:
            easel = await self._easel(table_id)
        except StoreUnavailable as unavailable:
            log.warning("table %s is not painted now: %s", table_id, unavailable)
            await self._clock.sleep(STORE_AWAY)
            self._again.add(table_id)
            return
        if easel is None:
            return
        easel.wanted = feeds(easel.table)
        easel.paused.clear()
        for slot in {*easel.wanted, *easel.shown}:
            easel.news.setdefault(slot, asyncio.Event()).set()
            if slot not in easel.tasks and self._steps(easel, slot):
                self._start(easel, slot)
        if not easel.tasks:
            await self._finish(easel)
            self._easels.pop(table_id, None)

    async def _easel(self, table_id: str) -> _Easel | None:
        table = await self._store.load(table_id)
        if table is None:
            self._easels.pop(table_id, None)
            return None
        easel = self._easels.get(table_id)
        if easel is None:
            easel = _Easel(table, _by_slot(await self._store.canvas(table_id)))
            easel = self._easels.setdefault(table_id, easel)
        easel.table = table
        return easel

    def _start(self, easel: _Easel, slot: str) -> None:
        task = asyncio.create_task(self._work(easel, slot), name=f"paint {easel.table.id} {slot}")
        easel.tasks[slot] = task
        self._working.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        _report(task)

    async def _work(self, easel: _Easel, slot: str) -> None:
        try:
            await self._paint_slot(easel, slot)
        finally:
            easel.tasks.pop(slot, None)
        if not easel.tasks:
            await self._finish(easel)

    async def _finish(self, easel: _Easel) -> None:
        table = easel.table
        done = not any(self._steps(easel, slot) for slot in {*easel.wanted, *easel.shown})
        try:
            await self._store.paint(table.id, table.version, _canvas(easel), done)
        except StoreUnavailable as unavailable:
            log.warning("what is shown of table %s is not recorded: %s", table.id, unavailable)
            await self._clock.sleep(STORE_AWAY)
            self.wake(table.id)
            return
        if not easel.tasks and table.id not in self._looking:
            self._easels.pop(table.id, None)

    def _steps(self, easel: _Easel, slot: str) -> list[Step]:
        if slot in easel.paused:
            return []
        return plan(easel.wanted.get(slot), easel.shown.get(slot, {}))

    async def _paint_slot(self, easel: _Easel, slot: str) -> None:
        failures = 0
        while steps := self._steps(easel, slot):
            step = steps[0]
            if step.kind is Kind.FORGET:
                del easel.shown[slot][step.epoch]
                continue
            news = easel.news.setdefault(slot, asyncio.Event())
            news.clear()
            if await self._held_up(easel, slot, steps, news):
                continue
            place = _place(easel, slot, step)
            answer = await self._call(easel, place, step)
            failures = failures + 1 if answer.verdict is Verdict.LOST else 0
            await self._take(easel, slot, step, place, answer)
            if failures:
                await self._pause(news, min(LONGEST_BACK_OFF, 2.0**failures) * random.uniform(0.5, 1.0))

    async def _held_up(self, easel: _Easel, slot: str, steps: list[Step], news: asyncio.Event) -> bool:
        """Wait until the chat may be written to; True if the table changed meanwhile and must be planned anew."""
        chat = _place(easel, slot, steps[0]).chat
        urgent = chat > 0 or any(is_urgent(step) for step in steps)
        wait = self._budget.wait(chat, self._clock.now(), urgent=urgent)
        if wait > 0:
            return await self._pause(news, wait)
        if chat > 0 or any(step.kind is Kind.SEND for step in steps):
            return False
        await self._clock.sleep(SETTLE)
        return self._steps(easel, slot) != steps

    async def _pause(self, news: asyncio.Event, seconds: float) -> bool:
        """Wait that long, or less if there is news; whether there was news."""
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        hearing = asyncio.ensure_future(news.wait())
        try:
            await asyncio.wait({sleeping, hearing}, return_when=asyncio.FIRST_COMPLETED)
            return news.is_set()
        finally:
            sleeping.cancel()
            hearing.cancel()

    async def _call(self, easel: _Easel, place: Place, step: Step) -> Answer:
        self._budget.spend(place.chat, self._clock.now(), edit=step.kind is not Kind.SEND)
        table = easel.table.id
        if step.kind is Kind.SEND and step.post is not None:
            return await self._messenger.send(place, table, step.post.screen)
        if step.shown is None:
            raise TypeError("only a new message has not been shown yet")
        if step.kind is Kind.EDIT and step.post is not None:
            return await self._messenger.edit(step.shown.place, step.shown.message, table, step.post.screen)
        if step.kind is Kind.DELETE:
            return await self._messenger.delete(step.shown.place, step.shown.message)
        return await self._messenger.strip(step.shown.place, step.shown.message)

    async def _take(self, easel: _Easel, slot: str, step: Step, place: Place, answer: Answer) -> None:
        shown = easel.shown.setdefault(slot, {})
        match answer.verdict:
            case Verdict.DONE:
                _record(shown, step, place, answer)
                await self._note(easel)
            case Verdict.GONE:
                shown.pop(step.epoch, None)
            case Verdict.LATER:
                self._budget.close(place.chat, self._clock.now() + answer.seconds)
            case Verdict.MOVED if answer.chat is not None:
                await self._tell(easel, slot, self._on_moved(place.chat, answer.chat))
            case Verdict.UNREACHABLE if slot != GROUP:
                shown.clear()
                await self._tell(easel, slot, self._on_unreachable(place.chat))
            case Verdict.UNREACHABLE:
                easel.paused.add(slot)
            case Verdict.LOST:
                log.info("table %s: %s in %s may be lost; trying again", easel.table.id, step.kind, slot)
            case _:
                easel.paused.add(slot)
                log.error("table %s: %s of %s was refused", easel.table.id, step.kind, step.epoch)

    async def _tell(self, easel: _Easel, slot: str, telling: Awaitable[None]) -> None:
        """Leave a slot alone until the service has made a change of what the world has answered."""
        easel.paused.add(slot)
        try:
            await telling
        except StoreUnavailable as unavailable:
            log.warning("table %s does not know yet about %s: %s", easel.table.id, slot, unavailable)
            await self._clock.sleep(STORE_AWAY)
            easel.paused.discard(slot)

    async def _note(self, easel: _Easel) -> None:
        try:
            await self._store.paint(easel.table.id, easel.table.version, _canvas(easel), False)
        except StoreUnavailable as unavailable:
            log.warning("what is shown of table %s is not recorded yet: %s", easel.table.id, unavailable)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("%s: %s", task.get_name(), type(error).__name__, exc_info=error)


def _record(shown: dict[str, Shown], step: Step, place: Place, answer: Answer) -> None:
    if step.post is None:
        shown.pop(step.epoch, None)
        return
    screen = step.post.screen
    message = answer.message if step.shown is None else step.shown.message
    if message is None:
        raise ValueError("a sent message has an id")
    shown[step.epoch] = Shown(place, message, screen.digest, acts(screen), step.post.fleeting)


def _place(easel: _Easel, slot: str, step: Step) -> Place:
    return easel.wanted[slot].place if step.shown is None else step.shown.place


def _by_slot(canvas: Canvas) -> dict[str, dict[str, Shown]]:
    slots: dict[str, dict[str, Shown]] = {}
    for key, shown in canvas.items():
        slot, _, epoch = key.partition(SEPARATOR)
        slots.setdefault(slot, {})[epoch] = shown
    return slots


def _canvas(easel: _Easel) -> dict[str, Shown]:
    return {
        f"{slot}{SEPARATOR}{epoch}": shown for slot, epochs in easel.shown.items() for epoch, shown in epochs.items()
    }
