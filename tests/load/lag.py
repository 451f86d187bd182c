"""How far the screen that a table's people act on is behind what has been stored.

Measured from outside: what was saved and when, against the calls that the double received.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tgavalon.playground.clock import Clock
from tgavalon.playground.journal import Call
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.feed import GROUP, feeds
from tgavalon.table.model import Table
from tgavalon.ui.screen import Post, Screen
from tgavalon.ui.taps import encode

Look = tuple[str, tuple[str, ...]]
"""What a message says and what its buttons intend."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One stored change of a table, and when it was stored."""

    at: float
    table: Table


class WatchedStore(RedisStore):
    """The store, and a list of everything that was saved in it, in the order of saving."""

    def __init__(self, url: str, clock: Clock, prefix: str) -> None:
        super().__init__(url, prefix=prefix)
        self._clock = clock
        self.saves: list[Saved] = []

    async def create(self, table: Table) -> bool:
        return self._note(table, done=await super().create(table))

    async def save(self, table: Table, expected: int) -> bool:
        return self._note(table, done=await super().save(table, expected))

    def _note(self, table: Table, *, done: bool) -> bool:
        if done:
            self.saves.append(Saved(self._clock.now(), table))
        return done

    def history(self, table: str) -> list[Saved]:
        """What was saved of one table, by version."""
        return sorted((saved for saved in self.saves if saved.table.id == table), key=lambda saved: saved.table.version)


@dataclass(frozen=True, slots=True)
class Lags:
    """Seconds of the bot's clock from each stored change until the group's present screen was at least as new.

    `acted` are the changes after which people have other buttons or another moment before them, and `counted` those
    after which only the words differ, as a number of votes. `never` counts changes that were not shown at all.
    """

    acted: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    never: int = 0

    def __str__(self) -> str:
        return f"to act on: {_figures(self.acted)}; counts: {_figures(self.counted)}"


def lags(history: Sequence[Saved], shown: Iterable[tuple[float, Look]]) -> Lags:
    """The lag of every change in `history`, given what was sent to the table's group and when, earliest first."""
    wanted = [_current(saved.table) for saved in history]
    looks = [look_of(saved.table.id, post.screen) for saved, post in zip(history, wanted, strict=True)]
    versions: dict[Look, list[int]] = {}
    for index, look in enumerate(looks):
        versions.setdefault(look, []).append(index)
    found, now = Lags(), 0
    first_shown = [float("inf")] * len(history)  # when a screen at least as new as this one was first there
    for at, look in shown:
        known = [index for index in versions.get(look, ()) if history[index].at <= at]
        for index in range(now, known[-1] + 1 if known else now):
            first_shown[index] = at
        now = max(now, known[-1] + 1 if known else now)
    for index, saved in enumerate(history):
        before = looks[index - 1] if index else ("", ())
        if looks[index] == before:
            continue  # nothing is to be seen of it in the group
        lag = first_shown[index] - saved.at
        if lag == float("inf"):
            found = Lags(found.acted, found.counted, found.never + 1)
        elif looks[index][1] != before[1] or wanted[index].epoch != wanted[index - 1].epoch:
            found.acted.append(lag)
        else:
            found.counted.append(lag)
    return found


def look_of(table: str, screen: Screen) -> Look:
    """What is seen of a screen."""
    buttons = [button for row in screen.rows for button in row]
    return screen.text, tuple(encode(table, button.tap) if button.tap else button.url or "" for button in buttons)


def shown_by(calls: Iterable[Call]) -> list[tuple[float, Look]]:
    """What was sent by these calls, and when."""
    return [(call.at, look) for call in calls if call.status == 200 and (look := _look_in(call)) is not None]


def _look_in(call: Call) -> Look | None:
    if call.method not in ("sendMessage", "editMessageText"):
        return None
    markup: dict[str, Any] = json.loads(call.params.get("reply_markup", "{}"))
    buttons = [button for row in markup.get("inline_keyboard", []) for button in row]
    return call.params["text"], tuple(button.get("callback_data") or button.get("url", "") for button in buttons)


def _current(table: Table) -> Post:
    """The post that people act on: the newest in the group but for a reminder."""
    return [post for post in feeds(table)[GROUP].posts if not post.fleeting][-1]


def _figures(seconds: list[float]) -> str:
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    median = ordered[len(ordered) // 2]
    ninth = ordered[bisect_left(range(len(ordered)), int(len(ordered) * 0.9))]
    return f"median {median:.1f} s, 9 of 10 within {ninth:.1f} s, most {ordered[-1]:.1f} s of {len(ordered)}"
