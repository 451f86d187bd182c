"""A game of quick people in a world made of values and in time that jumps: the painter's policy without any noise.

The messenger refuses as Telegram's limits do, and takes a moment for each call.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from tests.load.lag import Look, Saved, look_of
from tests.table.fakes import FakeClock, FakeMessenger, FakeStore
from tests.table.kit import ID
from tests.table.studio import Studio
from tgavalon.core.reasons import Illegal
from tgavalon.playground.limits import FloodLimits
from tgavalon.playground.puppets import VisibleButton
from tgavalon.playground.refusals import Refusal
from tgavalon.puppeteer import Puppeteer
from tgavalon.table.model import Place, Table
from tgavalon.table.playing import play
from tgavalon.table.ports import Answer, Verdict
from tgavalon.ui.refusals import Refused
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import decode, encode

LATENCY = 0.1
"""Seconds that a call takes."""


class LimitedMessenger(FakeMessenger):
    """A Telegram in memory with limits. `shown` is what was sent where and when, `refused` counts the 429s."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.limits = FloodLimits(self.clock)  # type: ignore[arg-type]  # it asks for the time only
        self.limits.on = True
        self.shown: list[tuple[float, int, Look]] = []
        self.refused = 0
        self.changed = asyncio.Event()

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        return self._note(place, screen, await super().send(place, table, screen))

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        return self._note(place, screen, await super().edit(place, message, table, screen))

    async def _answer(self, kind: str, chat: int, message: int | None, table: str | None = None) -> Answer:
        await asyncio.sleep(LATENCY)
        try:
            self.limits.charge(chat)
        except Refusal as refusal:
            self.refused += 1
            return Answer(Verdict.LATER, seconds=refusal.parameters["retry_after"])
        return await super()._answer(kind, chat, message, table)

    def _note(self, place: Place, screen: Screen, answer: Answer) -> Answer:
        if answer.verdict is Verdict.DONE:
            self.shown.append((self.clock.now(), place.chat, look_of(ID, screen)))
            changed, self.changed = self.changed, asyncio.Event()
            changed.set()
        return answer


class NotingStore(FakeStore):
    """A store that keeps everything that was saved, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.history: list[Saved] = []

    def put(self, table: Table) -> Table:
        self.history.append(Saved(self.clock.now(), table))
        return super().put(table)


@dataclass
class Rehearsal:
    """One game. `reaction` are the seconds, at least and at most, from what somebody sees to their tap."""

    reaction: tuple[float, float]
    dice: random.Random
    messenger: LimitedMessenger = field(default_factory=LimitedMessenger)
    store: NotingStore = field(default_factory=NotingStore)

    async def play(self, table: Table) -> Table:
        """The finished table."""
        async with Studio(table, store=self.store, messenger=self.messenger) as studio:
            studio.painter.wake(table.id)
            players = [asyncio.create_task(self._act(studio, sitter.user)) for sitter in table.sitters]
            await asyncio.gather(*players)
            await studio.painter.idle()
            return studio.table

    async def _act(self, studio: Studio, user: int) -> None:
        puppeteer = Puppeteer(studio.store, random.Random(self.dice.random()))
        while studio.table.is_open:
            changed = self.messenger.changed
            if await puppeteer.choose(user, self._buttons(user)) is None:
                await changed.wait()
                continue
            await asyncio.sleep(self.dice.uniform(*self.reaction))
            wish = await puppeteer.choose(user, self._buttons(user))
            if wish is not None:
                await self._tap(studio, user, wish.data or "")

    async def _tap(self, studio: Studio, user: int, data: str) -> None:
        found, now = decode(data), studio.clock.now()
        assert found is not None
        try:
            await studio.service.change(ID, lambda table: play(table, user, "", found[1], now))
        except (Illegal, Refused):
            return  # somebody else's tap came first

    def _buttons(self, user: int) -> list[VisibleButton]:
        return [
            VisibleButton(message.chat, message.number, "", encode(ID, tap), None, "", 0)
            for message in self.messenger.messages
            if message.exists and (message.chat < 0 or message.chat == user)
            for tap in message.taps
        ]
