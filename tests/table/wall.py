"""What hangs in each chat, if every step of every plan is done at once: feed and plan together, without a painter."""

from __future__ import annotations

from tgavalon.table.feed import GROUP, feeds
from tgavalon.table.model import Table
from tgavalon.table.painting import Kind, acts, plan
from tgavalon.table.ports import Shown
from tgavalon.ui.screen import Post


class Wall:
    """Keeps what is shown in each chat, and tells what a table changes about it."""

    def __init__(self) -> None:
        self.shown: dict[str, dict[str, Shown]] = {}
        self.posts: dict[tuple[str, str], Post] = {}
        self.messages = 0

    def shows(self, table: Table) -> dict[str, list[str]]:
        """The steps for this table by chat, as "send vote:1"; chats in which nothing happens are left out."""
        wanted = feeds(table)
        done: dict[str, list[str]] = {}
        for slot in sorted({*wanted, *self.shown}):
            canvas = self.shown.setdefault(slot, {})
            for step in plan(wanted.get(slot), dict(canvas)):
                done.setdefault(slot, []).append(f"{step.kind} {step.epoch}")
                if step.post is None:
                    del canvas[step.epoch]
                    continue
                self.messages += step.kind is Kind.SEND
                place = wanted[slot].place if step.shown is None else step.shown.place
                message = self.messages if step.shown is None else step.shown.message
                screen = step.post.screen
                canvas[step.epoch] = Shown(place, message, screen.digest, acts(screen), step.post.fleeting)
                self.posts[slot, step.epoch] = step.post
        return done

    def group(self, table: Table) -> list[str]:
        """The steps for the group, without what is only forgotten."""
        return [step for step in self.shows(table).get(GROUP, []) if not step.startswith("forget")]

    def private(self, table: Table) -> dict[str, list[str]]:
        """The steps for the private chats."""
        return {slot: steps for slot, steps in self.shows(table).items() if slot != GROUP}

    def reads(self, slot: str, epoch: str) -> str:
        """The text of a post that hangs there."""
        assert epoch in self.shown[slot]
        return self.posts[slot, epoch].screen.text
