"""The rule options as data, and the tables of the rulebook.

Where published rule texts disagree, the disagreement is a field of `Ruleset`; a preset (see presets.py) is only a
named choice of fields. No function of the core asks which preset is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tgavalon.core.roles import Role

MIN_PLAYERS = 5
MAX_PLAYERS = 10
QUESTS = (1, 2, 3, 4, 5)
QUESTS_TO_WIN = 3
REJECTIONS_ALLOWED = 5
LADY_AFTER_QUESTS = frozenset({2, 3, 4})

_EVIL_PLAYERS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
_TEAM_SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}


class Approval(StrEnum):
    """How many approvals send a team: strictly more than half, or half."""

    MAJORITY = "majority"
    HALF = "half"


class FifthRejection(StrEnum):
    """What the fifth rejection on one quest does."""

    EVIL_WINS_GAME = "evil_wins_game"
    EVIL_WINS_QUEST = "evil_wins_quest"
    NO_VOTE = "no_vote"


class QuestOrder(StrEnum):
    """Whether the leader also names the quest."""

    FIXED = "fixed"
    TARGETING = "targeting"
    LAST_LOCKED = "last_locked"


class LadyImmunity(StrEnum):
    """Whom the Lady of the Lake cannot examine, besides her holder."""

    PAST_HOLDERS = "past_holders"
    LAST_HOLDER = "last_holder"
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One choice of all rule options; the defaults are the `rulebook` preset's values.

    `dagger` is the role that names Merlin at the end: the Assassin, or Mordred or Morgana in groups that play so.
    """

    approval: Approval = Approval.MAJORITY
    fifth_rejection: FifthRejection = FifthRejection.EVIL_WINS_GAME
    quest_order: QuestOrder = QuestOrder.FIXED
    lady: bool = False
    lady_optional: bool = False
    lady_immunity: LadyImmunity = LadyImmunity.PAST_HOLDERS
    evil_shown_before_assassination: bool = False
    dagger: Role = Role.ASSASSIN


def evil_players(players: int) -> int:
    """How many of `players` (5 to 10) are evil."""
    return _EVIL_PLAYERS[players]


def team_size(players: int, quest: int) -> int:
    """How many of `players` (5 to 10) go on quest number `quest` (1 to 5)."""
    return _TEAM_SIZES[players][quest - 1]


def fails_needed(players: int, quest: int) -> int:
    """How many Fail cards quest number `quest` needs to fail: two on quest 4 with seven or more, else one."""
    return 2 if quest == 4 and players >= 7 else 1


def is_approved(approval: Approval, approvals: int, players: int) -> bool:
    """Whether `approvals` of `players` votes send the team."""
    if approval is Approval.HALF:
        return 2 * approvals >= players
    return 2 * approvals > players
