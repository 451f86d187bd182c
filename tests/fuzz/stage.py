"""A bot that is handed updates one by one, over a store in memory and the double, for as long as a test throws them.

One event loop serves all examples of a test, since a bot is too dear to be made for each.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.e2e.conftest import QuickClock
from tests.table.fakes import FakeStore
from tests.table.kit import FIVE, Evening, dealt
from tests.telegram_users import Answer, Double, Group, Message, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.playground import wire
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.playground.model import Press
from tgavalon.table.model import Place, Sitter, Stage, Table

T = TypeVar("T")
Raw = dict[str, Any]

POISON = re.compile(r"update -?\d+( is dropped)?: \w+( at [\w.<>]+:\d+)?")
"""How a poisoned update is reported: by its number and what kind of error it was."""
_PATIENCE = 20.0
_numbers = itertools.count(900_000_001)


class Errors(logging.Handler):
    """Every line that the bot has logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Workbench:
    """`friends` sit at a table in `group`, in the middle of `stage`; `stranger` is no member of the group."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self.errors = Errors()
        self.double = Double()
        self.store = FakeStore()

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self.errors)
        self.run(self._set_up())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run(self._stack.aclose())
        finally:
            logging.getLogger().removeHandler(self.errors)
            self._runner.close()

    async def _set_up(self) -> None:
        await self._stack.enter_async_context(self.double)
        self.friends = [self.double.person(name, started=True) for name in ("Ana", "Ben", "Cho", "Dee", "Eli")]
        self.idler = self.double.person("Ned", started=True)
        self.stranger = self.double.person("Zoe", started=True)
        self.group: Group = self.double.group("Friends", [*self.friends, self.idler], kind="supergroup")
        self.elsewhere: Group = self.double.group("Others", [self.stranger], kind="supergroup")
        self.bot = AvalonBot(TEST_TOKEN, self.double.url.rstrip("/"), self.store, clock=QuickClock())
        await self._stack.enter_async_context(self.bot._initialized())
        self._stack.push_async_callback(self._stop)
        self.reset()
        await self.paint()

    async def _stop(self) -> None:
        await self.bot.intake.drain(1.0)
        await self.bot._finish_painting()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the bot's loop."""
        return self._runner.run(work)

    def reset(self) -> Table:
        """Put the table back to where it was."""
        self.store.put(replace(self._template(), version=self._version() + 1))
        return self.table

    def _version(self) -> int:
        return max((table.version for table in self.store.tables.values()), default=0)

    @property
    def table(self) -> Table:
        return self.store.tables[self._template().id]

    def _template(self) -> Table:
        evening = Evening(dealt(FIVE))
        if self._stage is not Stage.TEAM:
            evening.proposes(0, 3)
        if self._stage in (Stage.QUEST, Stage.SHOT):
            evening.all_approve()
        if self._stage is Stage.SHOT:
            evening.plays(1, 0, 3).quest(0, 1, 2).quest(0, 1)
        assert evening.stage is self._stage
        sitters = tuple(Sitter(one.id, one.name, "en", ready=True) for one in self.friends)
        place = Place(self.group.id)
        return replace(evening.table, place=place, sitters=sitters, host=sitters[0].user, deadline=None, reminder=None)

    async def paint(self) -> None:
        """Bring all screens up to date."""
        self.bot.painter.wake(self.table.id)
        await self.bot.idle()

    async def feed(self, raw: Raw) -> None:
        """Hand an update to the bot, as polling does, and wait until it is taken."""
        async with asyncio.timeout(_PATIENCE):
            await self.bot.intake.take(raw)
        await self.bot.idle()

    def numbered(self, raw: Raw) -> Raw:
        """The update with an id of its own."""
        return {**raw, "update_id": next(_numbers)}

    def press(self, person: Person, data: str, on: Message) -> tuple[Press, Raw]:
        """A press as it would arrive, whether or not there is such a button."""
        world, answer = self.double.world, asyncio.get_running_loop().create_future()
        now, query = world.clock.now(), world.new_query_id()
        press = Press(query, person.id, on.chat_id, on.message_id, data, now, now + 60.0, answer)
        world.presses[query] = press
        return press, self.numbered({"callback_query": wire.press_json(world, press)})

    async def answer(self, person: Person, data: str, on: Message) -> Answer:
        """What is said to a press."""
        press, raw = self.press(person, data, on)
        await self.feed(raw)
        async with asyncio.timeout(_PATIENCE):
            return await press.answer

    def complaints(self) -> list[str]:
        """What was logged as an error since the last time."""
        lines, self.errors.lines = self.errors.lines, []
        return lines

    def complaints_but_for_poison(self) -> list[str]:
        """The same without the reports of poisoned updates."""
        return [line for line in self.complaints() if not POISON.fullmatch(line)]
