"""The four published rule texts as named choices of options.

A preset gives each option its first value and says which values a host may switch to. It is data: nothing branches on
a preset's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tgavalon.core.deal import RoleChoice
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    Approval,
    FifthRejection,
    LadyImmunity,
    QuestOrder,
    Ruleset,
)


class PresetName(StrEnum):
    """The rule texts a host can pick with one tap."""

    RULEBOOK = "rulebook"
    VIETNAMESE = "vietnamese"
    RUSSIAN_ONLINE = "russian_online"
    SPANISH = "spanish"


@dataclass(frozen=True, slots=True)
class Preset:
    """One rule text.

    `lady_from` is its limit for the Lady of the Lake (players), `lady_advised` only advice. `roles_by_count` maps a
    least number of players to roles that join from there; where it is None the host chooses.
    """

    ruleset: Ruleset
    quest_orders: tuple[QuestOrder, ...]
    lady_from: int = MIN_PLAYERS
    lady_advised: int = MIN_PLAYERS
    roles_by_count: tuple[tuple[int, frozenset[Role]], ...] | None = None

    def roles_for(self, players: int) -> RoleChoice | None:
        """The optional roles this text plays with `players`, or None where the host chooses."""
        if self.roles_by_count is None:
            return None
        joined = [roles for least, roles in self.roles_by_count if players >= least]
        return RoleChoice(frozenset().union(*joined))


PRESETS: dict[PresetName, Preset] = {
    PresetName.RULEBOOK: Preset(
        Ruleset(),
        quest_orders=(QuestOrder.FIXED, QuestOrder.TARGETING),
        lady_advised=7,
    ),
    PresetName.VIETNAMESE: Preset(
        Ruleset(
            approval=Approval.HALF,
            lady_immunity=LadyImmunity.HOLDER,
            evil_shown_before_assassination=True,
        ),
        quest_orders=(QuestOrder.FIXED, QuestOrder.TARGETING),
    ),
    PresetName.RUSSIAN_ONLINE: Preset(
        Ruleset(fifth_rejection=FifthRejection.NO_VOTE),
        quest_orders=(QuestOrder.FIXED,),
        lady_from=MAX_PLAYERS,
        roles_by_count=(
            (MIN_PLAYERS, frozenset({Role.MORDRED})),
            (7, frozenset({Role.PERCIVAL, Role.MORGANA})),
            (10, frozenset({Role.OBERON})),
        ),
    ),
    PresetName.SPANISH: Preset(
        Ruleset(
            fifth_rejection=FifthRejection.EVIL_WINS_QUEST,
            lady_optional=True,
            lady_immunity=LadyImmunity.LAST_HOLDER,
            evil_shown_before_assassination=True,
        ),
        quest_orders=(QuestOrder.FIXED, QuestOrder.LAST_LOCKED),
        lady_from=7,
    ),
}
