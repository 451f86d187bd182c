"""Until when a press of a button must be answered, counted from its arrival: the client gives up some 15 seconds later.

Whatever keeps a press waiting, as a store that hangs or a long line before it, it is refused by then. What a press asks
for is not known here.
"""

from __future__ import annotations

import asyncio

from telegram import Update

ANSWER_WITHIN = 9.0
"""Seconds of real time."""


class Deadlines:
    """The presses that have arrived and are not dealt with yet."""

    def __init__(self) -> None:
        self._ends: dict[int, float] = {}

    def arrived(self, update: Update) -> None:
        """Note the time of a press; other updates may take as long as they need."""
        if update.callback_query is not None:
            self._ends[update.update_id] = asyncio.get_running_loop().time() + ANSWER_WITHIN

    def limit(self, update: Update) -> asyncio.Timeout:
        """The time that is left to deal with an update: a block for it, which raises `TimeoutError`."""
        return asyncio.timeout_at(self._ends.pop(update.update_id, None))
