"""Messages of the bot beside the tables' screens: answers to commands, greetings. They take their turn.

What Telegram allows a chat is shared with the painter, so it is counted in the same budget, of which the screens have
the first choice: nobody can hold up a game by asking for help. It decides nothing else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from telegram import Bot

from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.table.budget import Budget
from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Clock, Verdict
from tgavalon.ui.screen import Screen

SEND_WITHIN = 30.0
"""Seconds after which nobody expects an answer to a command any more."""
EDIT_WITHIN = 10.0
"""Seconds after which it is too late for what a button asked for: the press itself is waiting to be answered."""


class TurnTaker(TelegramMessenger):
    """A messenger that waits for its turn in a chat, and for as long as Telegram asks it to.

    LATER is its answer only where its turn comes too late; then nothing was sent.
    """

    def __init__(self, bot: Bot, budget: Budget, clock: Clock) -> None:
        super().__init__(bot)
        self._budget = budget
        self._clock = clock

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        """As the port says."""
        sending = super().send
        return await self._in_turn(place, SEND_WITHIN, edit=False, call=lambda: sending(place, table, screen))

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        """As the port says."""
        editing = super().edit
        return await self._in_turn(place, EDIT_WITHIN, edit=True, call=lambda: editing(place, message, table, screen))

    async def _in_turn(
        self, place: Place, within: float, *, edit: bool, call: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        chat, end = place.chat, self._clock.now() + within
        while True:
            now = self._clock.now()
            wait = self._budget.wait(chat, now, urgent=chat > 0)
            if now + wait > end:
                return Answer(Verdict.LATER, seconds=wait)
            if wait > 0:
                await self._clock.sleep(wait)
                continue
            self._budget.spend(chat, now, edit=edit)
            answer = await call()
            if answer.verdict is not Verdict.LATER:
                return answer
            self._budget.close(chat, self._clock.now() + answer.seconds)
