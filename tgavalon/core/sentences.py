"""One English sentence for each reason, for those who make records and read logs.

What players see is not taken from here: it comes from the language catalogue.
"""

from __future__ import annotations

from tgavalon.core.reasons import Reason

_SENTENCES = {
    Reason.GAME_OVER: "The game is already over.",
    Reason.NO_SUCH_SEAT: "There is no such seat at this table.",
    Reason.NOT_PROPOSING: "No team can be proposed now.",
    Reason.NOT_LEADER: "Only the leader proposes a team.",
    Reason.PROPOSAL_IS_OVER: "That proposal is over.",
    Reason.WRONG_TEAM_SIZE: "The team does not have the size this quest needs.",
    Reason.TEAM_IS_FULL: "The team is already full.",
    Reason.DUPLICATE_MEMBER: "The team names the same seat twice.",
    Reason.NO_SUCH_QUEST: "Quests are numbered from 1 to 5.",
    Reason.QUEST_OUT_OF_ORDER: "Quests are played in order from 1 to 5.",
    Reason.QUEST_ALREADY_PLAYED: "That quest has already been played.",
    Reason.QUEST_LOCKED: "Quest 5 is not open yet.",
    Reason.QUEST_NOT_CHOSEN: "The leader has to choose a quest first.",
    Reason.NO_VOTE_NOW: "There is no vote now.",
    Reason.VOTE_IS_OVER: "That vote is over.",
    Reason.VOTES_MISSING: "A vote needs exactly one ballot from every seat.",
    Reason.NO_QUEST_NOW: "No team is on a quest now.",
    Reason.QUEST_IS_OVER: "That quest is over.",
    Reason.NOT_ON_TEAM: "A card comes from somebody who is not on the team.",
    Reason.CARD_ALREADY_PLAYED: "That player has already played another card.",
    Reason.CARDS_MISSING: "A quest needs one card from every member of the team.",
    Reason.GOOD_CANNOT_FAIL: "A good player can only play Success.",
    Reason.NO_LADY_NOW: "The Lady of the Lake is not used now.",
    Reason.NOT_LADY: "Only the holder uses the Lady of the Lake.",
    Reason.LADY_SELF: "The holder of the Lady of the Lake cannot examine herself.",
    Reason.LADY_IMMUNE: "That player cannot be examined by the Lady of the Lake.",
    Reason.LADY_MUST_EXAMINE: "By these rules the Lady of the Lake has to be used.",
    Reason.NO_SHOT_NOW: "It is not the time to name Merlin.",
    Reason.NOT_ASSASSIN: "Only the holder of the dagger names Merlin.",
    Reason.SHOT_SELF: "The holder of the dagger cannot name himself.",
    Reason.MOMENT_IS_OVER: "That moment is over.",
    Reason.TOO_FEW_PLAYERS: "Avalon needs at least 5 players.",
    Reason.TOO_MANY_PLAYERS: "Avalon takes at most 10 players.",
    Reason.TOO_MANY_EVIL_ROLES: "There are more evil roles than evil seats.",
    Reason.ROLES_DO_NOT_FIT: "The roles do not fit the number of players and of evil seats.",
    Reason.DUPLICATE_ROLE: "A role that exists once is dealt twice.",
    Reason.MORGANA_NEEDS_PERCIVAL: "Morgana needs Percival.",
    Reason.DAGGER_NEEDS_ROLE: "The role that is to hold the dagger does not play.",
    Reason.DAGGER_NOT_EVIL: "Only an evil player can hold the dagger.",
    Reason.NO_DAGGER: "Merlin plays, and nobody holds the dagger.",
    Reason.LADY_NOT_ALLOWED: "By these rules the Lady of the Lake does not play at this table.",
    Reason.NOT_IN_PRESET: "These rules do not have that option.",
}


def sentence(reason: Reason) -> str:
    """The English sentence for `reason`; it names nobody and no role's owner."""
    return _SENTENCES[reason]
