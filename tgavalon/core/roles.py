"""The roles of Avalon and who knows whom.

A role is an enum member; what its owner learns at the reveal is decided in `knowledge` and nowhere else.
Nothing here knows about phases or moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """One of the two sides of the table."""

    GOOD = "good"
    EVIL = "evil"


class Role(StrEnum):
    """A role card, good roles first; the order is the one roles are listed in."""

    MERLIN = "merlin"
    PERCIVAL = "percival"
    SERVANT = "servant"
    ASSASSIN = "assassin"
    MORDRED = "mordred"
    MORGANA = "morgana"
    OBERON = "oberon"
    MINION = "minion"

    @property
    def side(self) -> Side:
        """The side this role plays for."""
        return Side.GOOD if self in GOOD_ROLES else Side.EVIL


GOOD_ROLES = frozenset({Role.MERLIN, Role.PERCIVAL, Role.SERVANT})
UNIQUE_ROLES = frozenset(Role) - {Role.SERVANT, Role.MINION}
OPTIONAL_ROLES = (Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON)

_ORDER = {role: index for index, role in enumerate(Role)}
_CONSPIRATORS = frozenset({Role.ASSASSIN, Role.MORDRED, Role.MORGANA, Role.MINION})
_SEEN_BY_MERLIN = frozenset({Role.ASSASSIN, Role.MORGANA, Role.OBERON, Role.MINION})


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a role card tells its owner.

    `evil`: seats known to be evil. `merlins`: seats of which one is Merlin, not told apart.
    """

    evil: frozenset[int] = frozenset()
    merlins: frozenset[int] = frozenset()


def in_order(roles: Iterable[Role]) -> tuple[Role, ...]:
    """The same roles in listing order, so that a public list says nothing about seats."""
    return tuple(sorted(roles, key=_ORDER.__getitem__))


def knowledge(roles: tuple[Role, ...], seat: int) -> Knowledge:
    """What the player at `seat` learns at the reveal, and nothing more (rules, table of roles).

    `roles` is by seat. Without Merlin in play Percival has no power.
    """
    mine = roles[seat]
    if mine in _CONSPIRATORS:
        return Knowledge(evil=_seats(roles, _CONSPIRATORS) - {seat})
    if mine is Role.MERLIN:
        return Knowledge(evil=_seats(roles, _SEEN_BY_MERLIN))
    if mine is Role.PERCIVAL and Role.MERLIN in roles:
        return Knowledge(merlins=_seats(roles, frozenset({Role.MERLIN, Role.MORGANA})))
    return Knowledge()


def _seats(roles: tuple[Role, ...], wanted: frozenset[Role]) -> frozenset[int]:
    return frozenset(seat for seat, role in enumerate(roles) if role in wanted)
