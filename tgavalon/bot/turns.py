"""Messages of the bot beside the tables' screens: answers to commands, greetings. They take their turn.

What Telegram allows a chat is shared with the painter, so it is counted in the same budget, of which the screens have
the first choice: nobody can hold up a game by asking for help. Nor can anybody hold up those who tap or type in the
same chat: no update waits for a turn, that is what `beside` is for. It decides nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.table.budget import Budget
from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Clock, Verdict
from tgavalon.ui.screen import Screen

log = logging.getLogger(__name__)
T = TypeVar("T")
Call = Callable[[], Awaitable[Answer]]

SEND_WITHIN = 60.0
"""Seconds after which nobody expects an answer to a command any more."""
EDIT_WITHIN = 10.0
"""Seconds after which it is too late for what a button asked for."""
LOST_PAUSE = 1.0
"""Seconds after a call that was lost; each further one is waited for twice as long."""
LAST_TURNS = 3.0
"""Seconds of real time that what is under way is given when the bot stops."""


class TurnTaker:
    """Writes to a chat when its turn comes, first come first served, and when Telegram lets it.

    What is lost on the way is tried again for as long as somebody may wait for it.
    """

    def __init__(self, messenger: TelegramMessenger, budget: Budget, clock: Clock) -> None:
        self._messenger = messenger
        self._budget = budget
        self._clock = clock
        self._lines: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._redrawn: dict[tuple[int, int], Screen] = {}
        self._beside: set[asyncio.Task[Any]] = set()

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        """A new message. LATER where its turn came too late: then nothing was sent."""
        return await self._in_turn(place, SEND_WITHIN, False, lambda: self._messenger.send(place, table, screen))

    async def delete(self, place: Place, message: int) -> Answer:
        """Take a message back."""
        return await self._in_turn(place, SEND_WITHIN, False, lambda: self._messenger.delete(place, message))

    def redraw(self, place: Place, message: int, table: str, screen: Screen) -> None:
        """Show `screen` in a message, beside. One that waits for its turn gives way to a later one."""
        key = place.chat, message
        is_waiting, self._redrawn[key] = key in self._redrawn, screen
        if not is_waiting:
            self.beside(self._redraw(place, message, table))

    def is_crowded(self, place: Place) -> bool:
        """Whether the turn of a change would come too late just now."""
        return self._budget.wait(place.chat, self._clock.now(), urgent=place.chat > 0) > EDIT_WITHIN

    def beside(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something that takes its turn while other updates of the chat are dealt with."""
        task = asyncio.create_task(work, name="a message beside the screens")
        self._beside.add(task)
        task.add_done_callback(self._done)
        return task

    async def idle(self) -> None:
        """Return once nothing is under way beside."""
        while self._beside:
            await asyncio.wait(self._beside)

    async def close(self) -> None:
        """Finish what is under way, as far as it is not long in coming."""
        if self._beside:
            _, late = await asyncio.wait(self._beside, timeout=LAST_TURNS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._beside.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s: %s", task.get_name(), type(error).__name__, exc_info=error)

    async def _redraw(self, place: Place, message: int, table: str) -> None:
        key, shown = (place.chat, message), None

        async def edit() -> Answer:
            nonlocal shown
            shown = self._redrawn[key]
            return await self._messenger.edit(place, message, table, shown)

        try:
            while shown is not self._redrawn[key]:
                if (await self._in_turn(place, EDIT_WITHIN, True, edit)).verdict is Verdict.LATER:
                    break
        finally:
            del self._redrawn[key]

    async def _in_turn(self, place: Place, within: float, is_edit: bool, call: Call) -> Answer:
        chat, end = place.chat, self._clock.now() + within
        line = self._lines.setdefault(chat, asyncio.Lock())
        async with line:
            return await self._insist(chat, end, is_edit, call)

    async def _insist(self, chat: int, end: float, is_edit: bool, call: Call) -> Answer:
        pause = LOST_PAUSE
        while True:
            now = self._clock.now()
            has_room = chat > 0 or not self._budget.is_tight(chat, now)
            wait = self._budget.wait(chat, now, urgent=has_room)
            if now + wait > end:
                return Answer(Verdict.LATER, seconds=wait)
            if wait > 0:
                await self._clock.sleep(wait)
                continue
            self._budget.spend(chat, now, edit=is_edit)
            answer = await call()
            if answer.verdict is Verdict.LATER:
                self._budget.close(chat, self._clock.now() + answer.seconds)
            elif answer.verdict is Verdict.LOST and self._clock.now() + pause <= end:
                await self._clock.sleep(pause)
                pause *= 2
            else:
                return answer
