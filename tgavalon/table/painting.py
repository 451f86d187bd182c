"""What to do so that a chat shows its feed: a pure comparison of the wanted posts with what has been shown.

Old keyboards go first, since taking them off can be repeated; then quiet edits; then new messages. A post that was
skipped because later ones are already shown is never sent late.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tgavalon.table.feed import Feed, original
from tgavalon.table.ports import Canvas, Shown
from tgavalon.ui.screen import Post, Screen, same_buttons


class Kind(StrEnum):
    """What one step does."""

    FORGET = "forget"
    DELETE = "delete"
    STRIP = "strip"
    EDIT = "edit"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Step:
    """One call, or none for FORGET. `post` with EDIT and SEND, `shown` with all but SEND."""

    kind: Kind
    epoch: str
    shown: Shown | None = None
    post: Post | None = None


def plan(feed: Feed | None, shown: Canvas) -> list[Step]:
    """The steps for one chat. `shown` is by epoch; a chat without a feed keeps its messages, without buttons.

    A moment that has passed keeps the message it had last, though it was brought down as a new one in its time.
    """
    posts = feed.posts if feed is not None else ()
    wanted = {post.epoch: post for post in posts}
    kept = {
        epoch: post
        for epoch, old in shown.items()
        if (post := wanted.get(epoch) or wanted.get(original(epoch))) is not None and not _elsewhere(old, feed)
    }
    steps = [_retire(epoch, old, feed) for epoch, old in shown.items() if epoch not in kept]
    steps += [
        Step(Kind.EDIT, epoch, shown[epoch], post)
        for epoch, post in kept.items()
        if shown[epoch].digest != post.screen.digest
    ]
    there = {post.epoch for post in kept.values()}
    latest = max((index for index, post in enumerate(posts) if post.epoch in there), default=-1)
    steps += [Step(Kind.SEND, post.epoch, None, post) for post in posts[latest + 1 :]]
    return sorted(steps, key=lambda step: _ORDER[step.kind])


def is_urgent(step: Step) -> bool:
    """Whether people wait for this step: a new message or new buttons, rather than a count that has moved on or an old
    keyboard that goes (its buttons do nothing any more)."""
    if step.kind is Kind.EDIT and step.shown is not None and step.post is not None:
        screen = step.post.screen
        return acts(screen) and not same_buttons(step.shown.digest, screen.digest)
    return step.kind is Kind.SEND


def patience(steps: list[Step]) -> float:
    """Seconds for which these steps, none of them urgent, may wait for others to come along."""
    return min((step.post.patience for step in steps if step.post is not None), default=0.0)


def choose(steps: list[Step], *, tight: bool) -> Step:
    """The step to do next: the first, or where calls have become few (`tight`), the one that matters most."""
    return min(steps, key=_rank) if tight else steps[0]


def _rank(step: Step) -> int:
    """What people wait for goes before counts that have moved on, then come results, and last old keyboards."""
    if is_urgent(step):
        return 0
    if step.kind is not Kind.EDIT or step.post is None:
        return 3
    return 1 if acts(step.post.screen) else 2


def acts(screen: Screen) -> bool:
    """Whether a screen has buttons that do something at the table, which an old message must not keep."""
    return any(button.tap is not None for row in screen.rows for button in row)


_ORDER = {kind: index for index, kind in enumerate(Kind)}


def _elsewhere(old: Shown, feed: Feed | None) -> bool:
    return feed is not None and old.place.chat != feed.place.chat


def _retire(epoch: str, old: Shown, feed: Feed | None) -> Step:
    if _elsewhere(old, feed):
        return Step(Kind.FORGET, epoch, old)
    if old.fleeting:
        return Step(Kind.DELETE, epoch, old)
    last = feed.last_look(epoch) if feed is not None else None
    if last is not None and last.digest != old.digest:
        return Step(Kind.EDIT, epoch, old, Post(epoch, last))
    return Step(Kind.STRIP if old.buttons else Kind.FORGET, epoch, old)
