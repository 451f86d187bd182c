"""What the indexes must say of one table: its signpost, kept in the table's hash beside the blob.

The signposts of places, chats and people live in other slots than the table, so they cannot change in the same step.
They are therefore a superset, written before the table that needs them and verified against its hash by whoever reads
them. That a saved table needs others than the one before is seen by comparing two signposts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tgavalon.core.game import Over
from tgavalon.store.codec import Unreadable
from tgavalon.store.forgetting import NOBODY
from tgavalon.table.model import Place, Table

_LINE: Final = re.compile(
    r"(open|finished|closed) (-?[0-9]{1,20}) (-|[0-9]{1,20}) ((?:-?[0-9]{1,20}(?:,-?[0-9]{1,20})*)?)"
)


class Life(StrEnum):
    """Whether a table is open, and if not, whether its game was played to the end."""

    OPEN = "open"
    FINISHED = "finished"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Signpost:
    """How a table is found: by its place, and by the people it seats, or has named once it is no longer open."""

    life: Life
    place: Place
    users: frozenset[int]

    @property
    def is_open(self) -> bool:
        """Whether something can still happen at the table."""
        return self.life is Life.OPEN

    def line(self) -> str:
        """One line of ASCII, equal for equal signposts."""
        topic = "-" if self.place.topic is None else self.place.topic
        return f"{self.life} {self.place.chat} {topic} {','.join(map(str, sorted(self.users)))}"


def signpost_of(table: Table) -> Signpost:
    """The signpost that `table` needs."""
    if table.is_open:
        return Signpost(Life.OPEN, table.place, frozenset(s.user for s in table.sitters if not s.away))
    played = table.game is not None and isinstance(table.game.phase, Over)
    return Signpost(Life.FINISHED if played else Life.CLOSED, table.place, named_at(table))


def named_at(table: Table) -> frozenset[int]:
    """Everybody whom a table holds something of."""
    seated = {table.host, *(sitter.user for sitter in table.sitters)}
    others = {*(armed.user for armed in table.armed), *(bet.user for bet in table.bets)}
    return frozenset(seated | others | table.end_votes | table.past_users) - {NOBODY}


def parse_signpost(line: str) -> Signpost:
    """The signpost that `Signpost.line` wrote. Raises `Unreadable` on anything else."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise Unreadable("stored signpost damaged")
    life, chat, topic, users = match.groups()
    place = Place(int(chat), None if topic == "-" else int(topic))
    return Signpost(Life(life), place, frozenset(map(int, users.split(","))) if users else frozenset())
