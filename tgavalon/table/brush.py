"""Painting one chat of one table, call by call, as slowly as Telegram demands and with what the world answers.

Before each call the easel must still be ours, and after each what is shown is recorded; both are the painter's to see
to. Which table to paint is not known here.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

from tgavalon.table.budget import Budget
from tgavalon.table.easel import Easel
from tgavalon.table.feed import GROUP
from tgavalon.table.model import Place
from tgavalon.table.painting import Kind, Step, choose, is_urgent, patience
from tgavalon.table.ports import Answer, Clock, Messenger, StoreUnavailable, Verdict

log = logging.getLogger(__name__)

STORE_AWAY = 1.0
"""Seconds until the store is tried again."""
LONGEST_BACK_OFF = 30.0
_STALE = (Verdict.MOVED, Verdict.UNREACHABLE, Verdict.REFUSED)
"""Verdicts after which a chat is left alone, until the table changes."""

OnEasel = Callable[[Easel], Awaitable[bool]]


class Brush:
    """Does the steps of one slot until none is left.

    `holds` tells whether the easel may be painted on now, `note` records what is shown. `on_unreachable(user)` and
    `on_moved(chat, new_chat)` tell the service what the world answered.
    """

    def __init__(
        self,
        messenger: Messenger,
        clock: Clock,
        budget: Budget,
        holds: OnEasel,
        note: OnEasel,
        on_unreachable: Callable[[int], Awaitable[None]],
        on_moved: Callable[[int, int], Awaitable[None]],
    ) -> None:
        self._messenger = messenger
        self._clock = clock
        self._budget = budget
        self._holds = holds
        self._note = note
        self._on_unreachable = on_unreachable
        self._on_moved = on_moved
        self._stopping = False

    def stop(self) -> None:
        """Begin no further call."""
        self._stopping = True

    async def paint(self, easel: Easel, slot: str) -> None:
        """Make the chat of a slot show what it should."""
        failures, since = 0, self._clock.now()
        while not self._stopping and not easel.put_away and (steps := easel.steps(slot)):
            chat = easel.place(slot, steps[0]).chat
            step = choose(steps, tight=self._budget.is_tight(chat, self._clock.now()))
            if step.kind is Kind.FORGET:
                del easel.shown[slot][step.epoch]
                continue
            news = easel.news.setdefault(slot, asyncio.Event())
            news.clear()
            if await self._held_up(easel, slot, step, news, since) or not await self._holds(easel):
                continue
            if easel.steps(slot) != steps:
                continue  # the table has changed while the step was held up
            place, version = easel.place(slot, step), easel.table.version
            answer = await self._call(easel, place, step)
            if easel.table.version != version and answer.verdict in _STALE:
                continue  # it was an answer to what is no longer wanted: the group has moved or let the bot in again
            failures, since = failures + 1 if answer.verdict is Verdict.LOST else 0, self._clock.now()
            await self._take(easel, slot, step, place, answer)
            if failures:
                await self._pause(news, min(LONGEST_BACK_OFF, 2.0**failures) * random.uniform(0.5, 1.0))

    async def _held_up(self, easel: Easel, slot: str, step: Step, news: asyncio.Event, since: float) -> bool:
        """Wait until the chat may be written to; True if the table changed meanwhile and must be planned anew.

        Changes that nobody waits for are also given time, from `since` on, for others to come along.
        """
        steps, now = easel.steps(slot), self._clock.now()
        chat = easel.place(slot, step).chat
        urgent = chat > 0 or any(is_urgent(step) for step in steps)
        wait = self._budget.wait(chat, now, urgent=urgent)
        if not urgent:
            wait = max(wait, since + patience(steps) - now)
        if wait <= 0:
            return False
        if urgent:
            easel.hurried.add(slot)
        try:
            return await self._pause(news, wait)
        finally:
            easel.hurried.discard(slot)

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

    async def _call(self, easel: Easel, place: Place, step: Step) -> Answer:
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

    async def _take(self, easel: Easel, slot: str, step: Step, place: Place, answer: Answer) -> None:
        shown = easel.shown.setdefault(slot, {})
        match answer.verdict:
            case Verdict.DONE:
                easel.record(slot, step, place, answer)
                if len(easel.tasks) > 1 or easel.steps(slot):  # else it is recorded at once as the end of the work
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

    async def _tell(self, easel: Easel, slot: str, telling: Awaitable[None]) -> None:
        """Leave a slot alone until the service has made a change of what the world has answered."""
        easel.paused.add(slot)
        try:
            await telling
        except StoreUnavailable as unavailable:
            log.warning("table %s does not know yet about %s: %s", easel.table.id, slot, unavailable)
            await self._clock.sleep(STORE_AWAY)
            easel.paused.discard(slot)
