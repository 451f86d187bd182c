"""Why a step is refused: the error codes of the core and the exception that carries them.

The codes are stable: replay prints them, and every language has a sentence for each.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why an action, a deal or a set of options is refused."""

    GAME_OVER = "game_over"
    NO_SUCH_SEAT = "no_such_seat"

    NOT_PROPOSING = "not_proposing"
    NOT_LEADER = "not_leader"
    PROPOSAL_IS_OVER = "proposal_is_over"
    WRONG_TEAM_SIZE = "wrong_team_size"
    TEAM_IS_FULL = "team_is_full"
    DUPLICATE_MEMBER = "duplicate_member"
    NO_SUCH_QUEST = "no_such_quest"
    QUEST_OUT_OF_ORDER = "quest_out_of_order"
    QUEST_ALREADY_PLAYED = "quest_already_played"
    QUEST_LOCKED = "quest_locked"
    QUEST_NOT_CHOSEN = "quest_not_chosen"

    NO_VOTE_NOW = "no_vote_now"
    VOTE_IS_OVER = "vote_is_over"
    VOTES_MISSING = "votes_missing"

    NO_QUEST_NOW = "no_quest_now"
    QUEST_IS_OVER = "quest_is_over"
    NOT_ON_TEAM = "not_on_team"
    CARD_ALREADY_PLAYED = "card_already_played"
    CARDS_MISSING = "cards_missing"
    GOOD_CANNOT_FAIL = "good_cannot_fail"

    NO_LADY_NOW = "no_lady_now"
    NOT_LADY = "not_lady"
    LADY_SELF = "lady_self"
    LADY_IMMUNE = "lady_immune"
    LADY_MUST_EXAMINE = "lady_must_examine"

    NO_SHOT_NOW = "no_shot_now"
    NOT_ASSASSIN = "not_assassin"
    SHOT_SELF = "shot_self"

    MOMENT_IS_OVER = "moment_is_over"

    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    TOO_MANY_EVIL_ROLES = "too_many_evil_roles"
    ROLES_DO_NOT_FIT = "roles_do_not_fit"
    DUPLICATE_ROLE = "duplicate_role"
    MORGANA_NEEDS_PERCIVAL = "morgana_needs_percival"
    DAGGER_NEEDS_ROLE = "dagger_needs_role"
    DAGGER_NOT_EVIL = "dagger_not_evil"
    NO_DAGGER = "no_dagger"
    LADY_NOT_ALLOWED = "lady_not_allowed"
    NOT_IN_PRESET = "not_in_preset"


class Illegal(Exception):
    """An illegal step; the state it was tried on is unchanged.

    The text is the reason's code alone, so that it can be logged: it never holds a role or a name.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def require(condition: bool, reason: Reason) -> None:
    """Raise `Illegal(reason)` unless `condition` holds."""
    if not condition:
        raise Illegal(reason)
