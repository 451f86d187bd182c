"""One table while it is painted: its latest state, what is shown of it, the chats at work, and how long it is ours.

Values and bookkeeping only; what to paint is planned in painting.py and done by brush.py.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import IntEnum

from tgavalon.table.feed import GROUP, Feed, feeds, group_feed, with_present
from tgavalon.table.model import Place, Table
from tgavalon.table.painting import Step, acts, plan
from tgavalon.table.ports import Answer, Canvas, Shown
from tgavalon.table.redrawing import only_the_group_sees, only_the_present_differs

SEPARATOR = "/"
"""Between slot and epoch in the key of a canvas."""


class Stale(IntEnum):
    """How much of the group's feed must be drawn anew."""

    NOTHING = 0
    PRESENT = 1
    GROUP = 2


@dataclass(slots=True)
class Easel:
    """`shown` is by slot and epoch, `tasks` by slot. `until` is when the lease ends, in seconds of the event loop, and
    `recorded` what the store knows to be shown.

    `wanted` was drawn for `drawn`, but for the group's feed, or its present moment, where that is `stale`: it is drawn
    when it is needed. A slot is `hurried` while it waits for the first turn that its chat has.

    `lock` is held while the table is looked at and while work on it is ended, so that neither cuts into the other.
    """

    table: Table
    recorded: Canvas
    until: float
    shown: dict[str, dict[str, Shown]] = field(init=False)
    wanted: dict[str, Feed] = field(default_factory=dict)
    drawn: Table | None = None
    stale: Stale = Stale.NOTHING
    is_new: bool = True
    news: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    hurried: set[str] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    put_away: bool = False

    def __post_init__(self) -> None:
        """Take up what is shown where the last worker left it."""
        self.shown = {}
        for key, shown in self.recorded.items():
            slot, _, epoch = key.partition(SEPARATOR)
            self.shown.setdefault(slot, {})[epoch] = shown

    @property
    def slots(self) -> set[str]:
        """Every chat that shows something, or should."""
        return {*self.wanted, *self.shown}

    @property
    def is_done(self) -> bool:
        """Whether every chat shows what it should, as far as it can be written to."""
        return not any(self.steps(slot) for slot in self.slots)

    @property
    def canvas(self) -> dict[str, Shown]:
        """What is shown, as it is stored."""
        return {
            f"{slot}{SEPARATOR}{epoch}": shown for slot, epochs in self.shown.items() for epoch, shown in epochs.items()
        }

    def steps(self, slot: str) -> list[Step]:
        """What is left to do in one chat."""
        if slot == GROUP and self.stale:
            whole, self.stale = self.stale is Stale.GROUP, Stale.NOTHING
            self.wanted[GROUP] = group_feed(self.table) if whole else with_present(self.wanted[GROUP], self.table)
        return [] if slot in self.paused else plan(self.wanted.get(slot), self.shown.get(slot, {}))

    def draw(self) -> bool:
        """Bring what is wanted up to the latest version; whether that may concern any chat but the group."""
        before, self.drawn = self.drawn, self.table
        if before is None or not only_the_group_sees(before, self.table):
            self.wanted, self.stale = feeds(self.table), Stale.NOTHING
            return True
        self.stale = max(self.stale, Stale.PRESENT if only_the_present_differs(before, self.table) else Stale.GROUP)
        return False

    def place(self, slot: str, step: Step) -> Place:
        """Where a step writes to."""
        return self.wanted[slot].place if step.shown is None else step.shown.place

    def record(self, slot: str, step: Step, place: Place, answer: Answer) -> None:
        """Note that a step has been done at `place`."""
        shown = self.shown.setdefault(slot, {})
        if step.post is None:
            shown.pop(step.epoch, None)
            return
        screen = step.post.screen
        message = answer.message if step.shown is None else step.shown.message
        if message is None:
            raise ValueError("a sent message has an id")
        shown[step.epoch] = Shown(place, message, screen.digest, acts(screen), step.post.fleeting)

    def announce(self) -> None:
        """Wake whoever waits to write to one of the chats."""
        for news in self.news.values():
            news.set()
