"""Updates that come twice: a table remembers whose wishes it has met, where meeting one again would do something else.

Telegram sends an update again until it hears that it was taken: after a crash, or to another worker. A vote or a card
is the same however often it comes; a seat that is freed by its number, or a tap that confirms itself, is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tgavalon.table.model import Done, Table

KEPT: Final = 24
"""How many people a table remembers this of: more than can do such things before updates come again."""
BEFORE: Final = 10_000
"""Numbers below another's that count as earlier: after a quiet week they start again anywhere (Bot API, Update)."""

Decide = Callable[[Table], Table]


def once(user: int, update: int, decide: Decide) -> Decide:
    """`decide`, which leaves a table as it is that has already met this wish of `user`, or a later one.

    `update` 0 is none: then nothing is remembered.
    """

    def decided(table: Table) -> Table:
        if is_repeated(table, user, update):
            return table
        after = decide(table)
        if after == table or not update:
            return after
        others = tuple(done for done in after.done if done.user != user)
        return replace(after, done=(*others, Done(user, update))[-KEPT:])

    return decided


def is_repeated(table: Table, user: int, update: int) -> bool:
    """Whether a wish is older than the table, or not newer than the last one of the same person that it has met."""
    later = (table.opened_by, *(done.update for done in table.done if done.user == user))
    return update > 0 and any(number and 0 <= number - update < BEFORE for number in later)
