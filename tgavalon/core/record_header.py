"""The part of a record that says what game it is: players, rules, roles, who leads first.

Reads a parsed JSON value into a dealt game with its moves still unread. Types are checked here; whether the deal is a
legal one is decided by `new_game`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tgavalon.core.deal import new_game
from tgavalon.core.game import Game
from tgavalon.core.reasons import Reason, require
from tgavalon.core.record import FORMAT, MAX_NAME_LENGTH, FairDeal, Fault
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import Approval, FifthRejection, LadyImmunity, QuestOrder, Ruleset

MAX_SALT_LENGTH = 128
COMMITMENT_LENGTH = 64

_ROLES = {role.value: role for role in Role}
_HEX_DIGITS = frozenset("0123456789abcdef")
_CHOICES: dict[str, dict[str, StrEnum]] = {
    name: {value.value: value for value in values}
    for name, values in (
        ("approval", Approval),
        ("fifth_rejection", FifthRejection),
        ("quest_order", QuestOrder),
        ("lady_immunity", LadyImmunity),
    )
}
_SWITCHES = frozenset({"lady", "lady_optional", "evil_shown_before_assassination"})


class Flaw(Exception):
    """A value that is not what the format says, with the code and the sentence of the refusal it leads to."""

    def __init__(self, code: Fault, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Header:
    """A record whose moves have not been played yet; `moves` and `result` are as they stood in the JSON."""

    players: tuple[str, ...]
    game: Game
    deal: FairDeal | None
    moves: list[Any]
    result: Any


def read_header(value: object) -> Header:
    """The header of the record `value`, any parsed JSON.

    Raises `Flaw` where a key is missing or has the wrong type, `Illegal` where the deal is against the rules.
    """
    if not isinstance(value, dict):
        raise Flaw(Fault.WRONG_FORMAT, "A record is a JSON object.")
    if value.get("format") != FORMAT:
        raise Flaw(Fault.WRONG_FORMAT, f'A record says "format": "{FORMAT}".')
    players = _players(value.get("players"))
    roles = _roles(value.get("roles"))
    require(len(players) == len(roles), Reason.ROLES_DO_NOT_FIT)
    dagger = _seat("assassin", value["assassin"]) if value.get("assassin") is not None else None
    ruleset = _ruleset(value.get("ruleset", {}), _dagger_role(roles, dagger))
    game = new_game(ruleset, roles, _seat("leader", value.get("leader")), dagger)
    moves = value.get("moves")
    if not isinstance(moves, list):
        raise _bad('"moves" must be a list.')
    return Header(players, game, _fair_deal(value.get("deal")), moves, value.get("result"))


def _bad(message: str) -> Flaw:
    return Flaw(Fault.BAD_HEADER, message)


def _players(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _bad('"players" must be a list of names.')
    if any(len(name) > MAX_NAME_LENGTH for name in names):
        raise _bad(f"A player's name has at most {MAX_NAME_LENGTH} characters.")
    return tuple(names)


def _roles(names: object) -> tuple[Role, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) and name in _ROLES for name in names):
        raise _bad(f'"roles" must be a list of these: {", ".join(_ROLES)}.')
    return tuple([_ROLES[name] for name in names])


def _dagger_role(roles: tuple[Role, ...], dagger: int | None) -> Role:
    """The role that holds the dagger, where the record gives it to a seat that can have it."""
    if dagger is None or Role.MERLIN not in roles or not 0 <= dagger < len(roles):
        return Role.ASSASSIN
    return roles[dagger]


def _ruleset(options: object, dagger: Role) -> Ruleset:
    if not isinstance(options, dict):
        raise _bad('"ruleset" must be an object.')
    return Ruleset(**{name: _option(name, value) for name, value in options.items()}, dagger=dagger)


def _option(name: object, value: object) -> Any:
    if name in _SWITCHES:
        if not isinstance(value, bool):
            raise Flaw(Fault.UNKNOWN_OPTION, f'The rule option "{name}" is true or false.')
        return value
    choices = _CHOICES.get(name) if isinstance(name, str) else None
    if choices is None:
        raise Flaw(Fault.UNKNOWN_OPTION, f"There is no rule option {name!r:.60}.")
    if not isinstance(value, str) or value not in choices:
        raise Flaw(Fault.UNKNOWN_OPTION, f'The rule option "{name}" is one of these: {", ".join(choices)}.')
    return choices[value]


def _seat(name: str, value: object) -> int:
    if type(value) is not int:
        raise _bad(f'"{name}" must be a seat number.')
    return value


def _fair_deal(value: object) -> FairDeal | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _bad('"deal" must be an object with "salt" and "commitment".')
    salt = _hex("salt", value.get("salt"), range(1, MAX_SALT_LENGTH + 1))
    return FairDeal(salt, _hex("commitment", value.get("commitment"), range(COMMITMENT_LENGTH, COMMITMENT_LENGTH + 1)))


def _hex(name: str, value: object, lengths: range) -> str:
    if not isinstance(value, str) or len(value) not in lengths or not _HEX_DIGITS.issuperset(value):
        raise _bad(f'"{name}" must be {lengths[0]} to {lengths[-1]} lower-case hexadecimal digits.')
    return value
