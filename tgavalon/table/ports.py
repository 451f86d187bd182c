"""The doors of this room: what a table needs from a store, a messenger and a clock.

The Redis store and the Telegram messenger implement these; nothing here knows either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tgavalon.table.model import Place, Table
from tgavalon.ui.screen import Screen


@dataclass(frozen=True, slots=True)
class Person:
    """What is remembered of a person. `language` is what they chose, None while they have chosen nothing.

    `hint` is the language Telegram last named for them; `ready` whether the bot can write to them in private.
    """

    user: int
    name: str = ""
    language: str | None = None
    hint: str | None = None
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """What is remembered of a group chat: the language an admin chose and the options last played."""

    chat: int
    language: str | None = None
    migrated_to: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A message on Telegram that the painter is answerable for. `fleeting` ones are deleted when no longer wanted."""

    place: Place
    message: int
    digest: str
    buttons: bool
    fleeting: bool = False


Canvas = Mapping[str, Shown]
"""What is on Telegram of one table, by slot and epoch."""


MOST_DUE = 100
"""Most tables that one look at the due times returns, unless all are asked for."""


@dataclass(frozen=True, slots=True)
class Leased:
    """What a worker is handed with the lease of a table: the table as stored, or None where the worker has this
    version already; what is shown; and when its group was lately written to, by whichever worker.
    """

    table: Table | None
    canvas: Canvas
    spent: tuple[float, ...] = ()


class Painted(StrEnum):
    """What came of recording what is shown."""

    DONE = "done"
    """Nothing is left to paint, and the lease has ended."""
    BEHIND = "behind"
    """A newer version has been saved, or not all was painted."""
    LOST = "lost"
    """Another worker holds the lease: nothing was recorded."""


class StoreUnavailable(Exception):
    """The store did not answer, refused to write, or has not stored safely. The text names no secret.

    What was to be saved may be there nevertheless; doing it again has no second effect.
    """


class Store(Protocol):
    """Where tables live. Every method may raise `StoreUnavailable`."""

    async def load(self, table: str) -> Table | None:
        """The table with this id as last saved."""
        ...

    async def create(self, table: Table) -> bool:
        """Store a new table and make it the one at its place; False where an open table is already there."""
        ...

    async def save(self, table: Table, expected: int) -> bool:
        """Store `table` if the stored version is `expected`, else change nothing and return False.

        Version, next due time, the mark that its screens are behind, and the indexes follow in the same step. A table
        that is no longer open stays readable for 30 days.
        """
        ...

    async def confirm(self, table: str) -> None:
        """Return once what is stored of a table is as safe as what `save` has acknowledged.

        It may not be: a save that has failed may still have been stored, only not everywhere it must.
        """
        ...

    async def at(self, place: Place) -> str | None:
        """The id of the open table at this place."""
        ...

    async def last_at(self, place: Place) -> str | None:
        """The id of the table whose game finished last at this place."""
        ...

    async def of_user(self, user: int) -> tuple[str, ...]:
        """The ids of the open tables this person sits at, oldest first."""
        ...

    async def in_chat(self, chat: int) -> tuple[str, ...]:
        """The ids of the open tables in all topics of a chat."""
        ...

    async def due(self, now: float, most: int | None = MOST_DUE) -> tuple[str, ...]:
        """Open tables of which the deadline or reminder is at or before `now`, most overdue first; `most` or all."""
        ...

    async def alive(self, now: float) -> float | None:
        """Note that a worker is at work, and tell when one last was; None where none ever was."""
        ...

    async def unpainted(self) -> Mapping[str, int]:
        """Tables saved since their screens were last painted, with the version that was saved last."""
        ...

    async def lease(self, table: str, worker: str, seconds: float, version: int = 0) -> Leased | None:
        """Let `worker` alone paint a table for so long; None where another worker does, or the table is gone.

        Asking again prolongs it. `version` is the one that the worker knows already.
        """
        ...

    async def release(self, table: str, worker: str) -> None:
        """End the lease, if `worker` holds it."""
        ...

    async def canvas(self, table: str) -> Canvas:
        """What the painter has recorded as shown of this table."""
        ...

    async def paint(
        self,
        table: str,
        version: int,
        canvas: Canvas,
        done: bool,
        *,
        worker: str | None = None,
        spent: Sequence[float] = (),
    ) -> Painted:
        """Record what is shown; with `done`, also that `version` is fully painted, unless a newer one was saved.

        With `worker`, only if no other worker holds the lease, which ends with DONE. `spent` is when the table's group
        was lately written to.
        """
        ...

    async def person(self, user: int) -> Person | None:
        """What is remembered of a person."""
        ...

    async def save_person(self, person: Person) -> None:
        """Remember a person."""
        ...

    async def forget(self, user: int) -> None:
        """Delete everything remembered of a person outside running games."""
        ...

    async def group(self, chat: int) -> Group | None:
        """What is remembered of a group chat."""
        ...

    async def save_group(self, group: Group) -> None:
        """Remember a group chat."""
        ...


class Verdict(StrEnum):
    """How the world answered one call."""

    DONE = "done"
    GONE = "gone"
    """The message no longer exists or can no longer be edited."""
    UNREACHABLE = "unreachable"
    """The chat cannot be written to: never started, blocked, kicked, deleted, not allowed."""
    MOVED = "moved"
    """The group has become a supergroup with another id."""
    LATER = "later"
    """Telegram asks to wait."""
    LOST = "lost"
    """The connection failed; the call may or may not have taken effect."""
    REFUSED = "refused"
    """Telegram will never accept this call: a fault of ours."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one call. `message` with DONE after a send, `chat` with MOVED, `seconds` with LATER."""

    verdict: Verdict
    message: int | None = None
    chat: int | None = None
    seconds: float = 0.0


class Messenger(Protocol):
    """The way to Telegram for screens. No method raises for what Telegram or the network answers."""

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        """Send `screen` as a new message; its buttons belong to the table with id `table`."""
        ...

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        """Make an earlier message look like `screen`; DONE also where it already did."""
        ...

    async def strip(self, place: Place, message: int) -> Answer:
        """Take the buttons off an earlier message; DONE also where it had none."""
        ...

    async def delete(self, place: Place, message: int) -> Answer:
        """Delete an earlier message; DONE also where it was gone."""
        ...


class Roster(Protocol):
    """Who belongs to a group, as Telegram tells it."""

    async def is_member(self, chat: int, user: int) -> bool:
        """Whether `user` is in the group now."""
        ...

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether `user` is an admin of the group now."""
        ...


class Clock(Protocol):
    """Time, so that tests can turn it."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
