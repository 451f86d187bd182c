"""Which screens a change cannot have touched, so that they need not be drawn again.

While a team is chosen or voted on, only the group sees that the draft or the ballots change, and only in its last
message but for a reminder. A test compares this with the feeds themselves, over whole games.
"""

from __future__ import annotations

from dataclasses import replace

from tgavalon.core.game import Game, Proposing, Voting
from tgavalon.table.model import Table


def only_the_group_sees(before: Table, after: Table) -> bool:
    """Whether the two differ in nothing that a private chat shows."""
    if before.game is None or after.game is None or not _same_moment(before.game, after.game):
        return False
    unseen = replace(
        before,
        game=after.game,
        version=after.version,
        touched=after.touched,
        deadline=after.deadline,
        reminder=after.reminder,
        reminded=after.reminded,
    )
    return unseen == after


def only_the_present_differs(before: Table, after: Table) -> bool:
    """Whether, of two between which only the group sees a difference, that is all in the message of the moment."""
    if not before.reminded and not after.reminded:
        return True  # no reminder tells of the times
    return (before.deadline, before.reminder, before.reminded) == (after.deadline, after.reminder, after.reminded)


def _same_moment(before: Game, after: Game) -> bool:
    """Whether nothing but the draft or the ballots of one proposal may have changed."""
    old, new = before.phase, after.phase
    if isinstance(old, Proposing) and isinstance(new, Proposing):
        return old.proposal == new.proposal and replace(before, phase=new) == after
    if isinstance(old, Voting) and isinstance(new, Voting):
        return old.proposal == new.proposal and replace(before, phase=new) == after
    return False
