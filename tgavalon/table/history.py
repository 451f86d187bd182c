"""The record of a table's game, with display names and nothing else about the people."""

from __future__ import annotations

import json

from tgavalon.core.commitment import commit
from tgavalon.core.game import Over
from tgavalon.core.record import FairDeal, Record
from tgavalon.core.record_writing import write
from tgavalon.table.model import Closing, Table


def has_record(table: Table) -> bool:
    """Whether a game was played to its end or abandoned by all: a record tells every role, so others have none."""
    return table.game is not None and (isinstance(table.game.phase, Over) or table.closing is Closing.ABANDONED)


def record_of(table: Table) -> bytes | None:
    """The record of a table's game, as one line of JSON; None where it has none."""
    if table.game is None or not has_record(table):
        return None
    deal = FairDeal(table.salt, seal(table)) if table.salt else None
    record = write(Record(_names(table), table.game, deal))
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def seal(table: Table) -> str:
    """The commitment to the table's deal; empty before it."""
    if table.game is None or not table.salt:
        return ""
    game = table.game
    return commit(table.salt, game.roles, game.first_leader, game.dagger)


def _names(table: Table) -> tuple[str, ...]:
    return tuple(sitter.name or str(seat + 1) for seat, sitter in enumerate(table.sitters))
