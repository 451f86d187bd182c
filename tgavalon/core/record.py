"""The game record `avalon-record/1`: the values that reading gives and writing takes.

A record is one JSON object a game, the counterpart of chess's PGN. `record_reading.read` turns any JSON value into a
`Record` or a `Refusal`, `record_writing.write` turns a `Record` into its JSON object. Nobody here opens files or parses
text, and names are the only thing a record says about people.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tgavalon.core.game import Game
from tgavalon.core.reasons import Reason

FORMAT = "avalon-record/1"

MAX_NAME_LENGTH = 256
"""The longest display name a record may hold, in code points."""


class Fault(StrEnum):
    """What is wrong with a record where no rule of the game has been broken."""

    WRONG_FORMAT = "wrong_format"
    BAD_HEADER = "bad_header"
    UNKNOWN_OPTION = "unknown_option"
    MALFORMED_MOVE = "malformed_move"
    RESULT_MISMATCH = "result_mismatch"


@dataclass(frozen=True, slots=True)
class FairDeal:
    """The two halves of a fair deal (see commitment.py), both in lower-case hexadecimal digits."""

    salt: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Record:
    """One game with the names of its players, by seat."""

    players: tuple[str, ...]
    game: Game
    deal: FairDeal | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a JSON value is not the record of a legal game.

    `move` is the index of the first illegal or malformed move, from 0; None where the header, the result or the value
    as a whole is at fault. `message` is an English sentence for whoever made the record.
    """

    code: Reason | Fault
    message: str
    move: int | None = None
