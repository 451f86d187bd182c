"""Updates that come twice: a table remembers those whose effect it holds, where doing it again would do something else.

Telegram sends an update again until it hears that it was taken: after a crash, or to another worker. A vote or a card
is the same however often it comes; a seat that is freed by its number, or a tap that confirms itself, is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tgavalon.table.model import Table

KEPT: Final = 24
"""How many updates a table remembers: more than come again at once."""
BEFORE: Final = 10_000
"""Numbers below that of the update that opened the table which count as earlier: after a quiet week they start again
anywhere (Bot API, Update.update_id)."""

Decide = Callable[[Table], Table]


def once(update: int, decide: Decide) -> Decide:
    """`decide`, which leaves a table as it is that holds the effect of `update`, or was opened by it or after it.

    0 is no update: then nothing is remembered.
    """

    def decided(table: Table) -> Table:
        if is_repeated(table, update):
            return table
        after = decide(table)
        return after if after == table or not update else replace(after, done=(*after.done, update)[-KEPT:])

    return decided


def is_repeated(table: Table, update: int) -> bool:
    """Whether what `update` asked for was done before, here or at an earlier table."""
    if not update:
        return False
    return update in table.done or (table.opened_by > 0 and 0 <= table.opened_by - update < BEFORE)
