"""The intentions that buttons carry, and their form in callback data.

A tap is absolute ("approve proposal 7"), never relative, and names its moment by number, so that old buttons and
double taps are harmless. Callback data is `table:verb:number:value`, at most 64 bytes, ASCII, and holds no secret and
no person: the actor is whoever tapped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

TABLE_ID = re.compile(r"[A-Za-z0-9]{10}")
_DATA = re.compile(r"([A-Za-z0-9]{10}|-):([a-z_]{1,16}):([0-9]{1,6}):([0-9]{1,6})")
NO_TABLE = "-"
IN_GROUP = 1
"""The value of a secret choice's button in the group, where no question can be asked before it counts."""


class Verb(StrEnum):
    """What a button can intend."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    SETTINGS = "settings"
    LOBBY = "lobby"
    SET = "set"

    QUEST = "quest"
    PICK = "pick"
    UNPICK = "unpick"
    PROPOSE = "propose"
    APPROVE = "approve"
    REJECT = "reject"
    SUCCESS = "success"
    FAIL = "fail"
    FAIL_SURELY = "fail_surely"
    BACK = "back"
    EXAMINE = "examine"
    PASS = "pass"
    AIM = "aim"
    SHOOT = "shoot"
    BET = "bet"

    ROLE = "role"
    GLANCE = "glance"
    HURRY = "hurry"
    TAKE_SEAT = "take_seat"
    END = "end"
    AGAIN = "again"
    RECORD = "record"

    LANGUAGE = "language"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Tap:
    """One intention: `number` is the proposal, quest or other moment it is meant for, `value` a seat or choice."""

    verb: Verb
    number: int = 0
    value: int = 0


def encode(table: str, tap: Tap) -> str:
    """Callback data for `tap` at the table with id `table` (`NO_TABLE` for buttons of no table)."""
    return f"{table}:{tap.verb}:{tap.number}:{tap.value}"


def decode(data: str) -> tuple[str, Tap] | None:
    """The table id and tap in callback data, or None where it is not of this form: anybody can forge it."""
    match = _DATA.fullmatch(data)
    if match is None:
        return None
    table, verb, number, value = match.groups()
    if verb not in set(Verb):
        return None
    return table, Tap(Verb(verb), int(number), int(value))
