"""Taking one person out of a table that is no longer open: what stays is a game in which nobody can be named.

Pure functions; an open table is never touched, since its game needs its people.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tgavalon.table.model import Sitter, Table
from tgavalon.table.ports import Canvas

NOBODY: Final = 0
"""The user id that stands for somebody who has been forgotten; Telegram gives it to nobody."""


def table_without(table: Table, user: int) -> Table:
    """The same table with nothing left of `user`; the same value where there was nothing, or where it is open."""
    if table.is_open:
        return table
    return replace(
        table,
        host=NOBODY if table.host == user else table.host,
        sitters=tuple(_anonymous(table) if sitter.user == user else sitter for sitter in table.sitters),
        bets=tuple(bet for bet in table.bets if bet.user != user),
        armed=tuple(armed for armed in table.armed if armed.user != user),
        end_votes=table.end_votes - {user},
        past_users=table.past_users - {user},
    )


def canvas_without(canvas: Canvas, user: int) -> Canvas:
    """The same canvas without the messages in the private chat of `user`, which has the id of the person."""
    return {slot: shown for slot, shown in canvas.items() if shown.place.chat != user}


def _anonymous(table: Table) -> Sitter:
    return Sitter(NOBODY, name="", language=table.language, away=True)
