"""From a host's choices to a dealt game: role sets, their refusals and warnings, and the deal itself.

The shuffle is drawn by the caller and passed in; here it is only checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tgavalon.core.game import Game, Proposing, changed
from tgavalon.core.play import opening
from tgavalon.core.reasons import Reason, require
from tgavalon.core.roles import UNIQUE_ROLES, Role, Side, in_order
from tgavalon.core.ruleset import MAX_PLAYERS, MIN_PLAYERS, Ruleset, evil_players


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """Which roles a host wants at the table: the optional ones, and whether Merlin plays."""

    optional: frozenset[Role] = frozenset()
    merlin: bool = True


class Caution(StrEnum):
    """What a host should know about a legal but unwise choice."""

    PERCIVAL_ALONE_WITH_FIVE = "percival_alone_with_five"
    POWERLESS_WITHOUT_MERLIN = "powerless_without_merlin"
    LADY_BELOW_ADVISED = "lady_below_advised"


def check_players(players: int) -> None:
    """Raise `Illegal` unless `players` can play the game."""
    require(players >= MIN_PLAYERS, Reason.TOO_FEW_PLAYERS)
    require(players <= MAX_PLAYERS, Reason.TOO_MANY_PLAYERS)


def role_set(players: int, choice: RoleChoice, dagger: Role = Role.ASSASSIN) -> tuple[Role, ...]:
    """The roles of a table of `players`, in listing order.

    Raises `Illegal`: wrong number of players, more evil roles than evil seats, Morgana without Percival, or a dagger
    given to a good role or to one that does not play.
    """
    check_players(players)
    wanted = set(choice.optional)
    require(Role.MORGANA not in wanted or Role.PERCIVAL in wanted, Reason.MORGANA_NEEDS_PERCIVAL)
    if choice.merlin:
        wanted.add(Role.MERLIN)
        require(dagger.side is Side.EVIL, Reason.DAGGER_NOT_EVIL)
        require(dagger is Role.ASSASSIN or dagger in wanted, Reason.DAGGER_NEEDS_ROLE)
        wanted.add(dagger)
    evil = [role for role in wanted if role.side is Side.EVIL]
    good = [role for role in wanted if role.side is Side.GOOD]
    minions = evil_players(players) - len(evil)
    require(minions >= 0, Reason.TOO_MANY_EVIL_ROLES)
    servants = players - evil_players(players) - len(good)
    return in_order([*good, *[Role.SERVANT] * servants, *evil, *[Role.MINION] * minions])


def role_cautions(players: int, choice: RoleChoice) -> tuple[Caution, ...]:
    """What a host should be told about a legal choice of roles."""
    found = []
    company = choice.optional & {Role.MORDRED, Role.MORGANA}
    if players == MIN_PLAYERS and choice.merlin and Role.PERCIVAL in choice.optional and not company:
        found.append(Caution.PERCIVAL_ALONE_WITH_FIVE)
    if not choice.merlin and choice.optional - {Role.OBERON}:
        found.append(Caution.POWERLESS_WITHOUT_MERLIN)
    return tuple(found)


def new_game(ruleset: Ruleset, roles: tuple[Role, ...], leader: int, dagger: int | None = None) -> Game:
    """A dealt game: `roles` by seat, `leader` the first leader's seat, `dagger` the seat that names Merlin.

    Without `dagger` the owner of the ruleset's dagger role holds it. Raises `Illegal` where the roles do not fit the
    table. The Lady of the Lake starts on the first leader's right.
    """
    check_deal(roles)
    require(0 <= leader < len(roles), Reason.NO_SUCH_SEAT)
    holder = _dagger_holder(ruleset, roles, dagger)
    lady = (leader - 1) % len(roles) if ruleset.lady else None
    game = Game(ruleset, roles, holder, leader, leader, Proposing(1, None), lady=lady)
    return changed(game, phase=opening(game))


def check_deal(roles: tuple[Role, ...]) -> None:
    """Raise `Illegal` unless `roles` has the right number of evil seats and no unique role twice."""
    check_players(len(roles))
    require(max(map(roles.count, UNIQUE_ROLES)) <= 1, Reason.DUPLICATE_ROLE)
    evil = [role.side for role in roles].count(Side.EVIL)
    require(evil == evil_players(len(roles)), Reason.ROLES_DO_NOT_FIT)


def _dagger_holder(ruleset: Ruleset, roles: tuple[Role, ...], dagger: int | None) -> int | None:
    if Role.MERLIN not in roles:
        return None
    if dagger is None:
        require(ruleset.dagger in roles, Reason.NO_DAGGER)
        dagger = roles.index(ruleset.dagger)
    require(0 <= dagger < len(roles), Reason.NO_SUCH_SEAT)
    require(roles[dagger].side is Side.EVIL, Reason.DAGGER_NOT_EVIL)
    return dagger
