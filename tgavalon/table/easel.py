"""One table while it is painted: its latest state, what is shown of it, the chats at work, and how long it is ours.

Values and bookkeeping only; what to paint is planned in painting.py and done by the painter.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tgavalon.table.feed import Feed
from tgavalon.table.model import Table
from tgavalon.table.painting import Step, acts, plan
from tgavalon.table.ports import Answer, Canvas, Shown

SEPARATOR = "/"
"""Between slot and epoch in the key of a canvas."""


@dataclass(slots=True)
class Easel:
    """`shown` is by slot and epoch, `tasks` by slot. `until` is when the lease ends, in seconds of the event loop.

    `lock` is held while the table is looked at and while the easel is put away, so that neither cuts into the other.
    """

    table: Table
    shown: dict[str, dict[str, Shown]]
    until: float
    wanted: dict[str, Feed] = field(default_factory=dict)
    news: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    put_away: bool = False

    @property
    def slots(self) -> set[str]:
        """Every chat that shows something, or should."""
        return {*self.wanted, *self.shown}

    def steps(self, slot: str) -> list[Step]:
        """What is left to do in one chat."""
        return [] if slot in self.paused else plan(self.wanted.get(slot), self.shown.get(slot, {}))

    @property
    def is_done(self) -> bool:
        """Whether every chat shows what it should, as far as it can be written to."""
        return not any(self.steps(slot) for slot in self.slots)

    def chat(self, slot: str, step: Step) -> int:
        """The chat that a step writes to."""
        return self.wanted[slot].place.chat if step.shown is None else step.shown.place.chat

    def record(self, slot: str, step: Step, answer: Answer) -> None:
        """Note that a step has been done."""
        shown = self.shown[slot]
        if step.post is None:
            shown.pop(step.epoch, None)
            return
        screen = step.post.screen
        place = self.wanted[slot].place if step.shown is None else step.shown.place
        message = answer.message if step.shown is None else step.shown.message
        if message is None:
            raise ValueError("a sent message has an id")
        shown[step.epoch] = Shown(place, message, screen.digest, acts(screen), step.post.fleeting)

    @property
    def canvas(self) -> dict[str, Shown]:
        """What is shown, as it is stored."""
        return {
            f"{slot}{SEPARATOR}{epoch}": shown for slot, epochs in self.shown.items() for epoch, shown in epochs.items()
        }


def by_slot(canvas: Canvas) -> dict[str, dict[str, Shown]]:
    """A stored canvas as an easel holds it."""
    slots: dict[str, dict[str, Shown]] = {}
    for key, shown in canvas.items():
        slot, _, epoch = key.partition(SEPARATOR)
        slots.setdefault(slot, {})[epoch] = shown
    return slots
