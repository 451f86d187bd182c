"""One table as a frozen value: everything that is stored and nothing that can be derived.

A table is one lobby and the game that comes of it; playing again makes a new table. It has an id of its own, since chat
ids change when a group becomes a supergroup. Times are seconds since the epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from tgavalon.core.deal import RoleChoice
from tgavalon.core.game import Game, Over
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.ruleset import Ruleset
from tgavalon.ui.taps import Tap

NOBODY = 0
"""A user id that Telegram gives to nobody: the host of a table at which nobody sits yet."""


class Pace(StrEnum):
    """How long the table waits for somebody."""

    OFF = "off"
    RELAXED = "relaxed"
    NORMAL = "normal"
    FAST = "fast"


class Closing(StrEnum):
    """Why a table closed without a winner."""

    IDLE = "idle"
    HOST = "host"
    VOTE = "vote"
    ABANDONED = "abandoned"
    LEFT = "left"


class Stage(StrEnum):
    """What the table is waiting for: the state of its conversation."""

    LOBBY = "lobby"
    TEAM = "team"
    VOTE = "vote"
    QUEST = "quest"
    LADY = "lady"
    SHOT = "shot"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Place:
    """Where messages go: a chat and, in a forum, one topic of it (None for General and for ordinary chats)."""

    chat: int
    topic: int | None = None


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat. `ready`: the bot can write to them in private; `away`: they left, the seat is on offer."""

    user: int
    name: str
    language: str
    ready: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What the host has chosen for this table."""

    preset: PresetName = PresetName.RULEBOOK
    ruleset: Ruleset = PRESETS[PresetName.RULEBOOK].ruleset
    choice: RoleChoice = RoleChoice()
    pace: Pace = Pace.OFF
    show_votes: bool = True


@dataclass(frozen=True, slots=True)
class Armed:
    """A tap of `user` at the time `at` that asked "are you sure?" and awaits its answer."""

    user: int
    tap: Tap = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True)
class StandIn:
    """What was done for players who were not waited for: the team, votes or cards of proposal or quest `number`."""

    stage: Stage
    number: int
    seats: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Bet:
    """Whom the person `user` bets the dagger will name, shown only after the shot."""

    user: int
    name: str
    seat: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done:
    """The last update of `user` whose effect must not come twice."""

    user: int
    update: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table, from the lobby to the end of its game.

    `version` grows by one with every stored change. `salt` is the secret half of the deal's commitment. `deadline` and
    `reminder` are when time runs out on the phase and when those it waits for are reminded, None where there is no
    timer. `anchor` is the lobby's message in the group, to which private chats link back. `reposts` counts how often
    somebody asked for the current screen anew. `touched` is when a person last did something. `past_users` are those
    who have held a card of this game and left. `opened_by` is the update that opened the table, and `done` are the last
    ones that must not be done twice (see repeats.py), while it is open.
    """

    id: str
    version: int
    place: Place
    title: str
    language: str
    host: int
    created: float
    touched: float
    sitters: tuple[Sitter, ...] = ()
    options: Options = Options()
    settings_open: bool = False
    game: Game | None = field(default=None, repr=False)
    salt: str = field(default="", repr=False)
    closing: Closing | None = None
    deadline: float | None = None
    reminder: float | None = None
    reminded: bool = False
    anchor: int | None = None
    reposts: int = 0
    armed: tuple[Armed, ...] = field(default=(), repr=False)
    bets: tuple[Bet, ...] = field(default=(), repr=False)
    stand_ins: tuple[StandIn, ...] = ()
    end_votes: frozenset[int] = field(default=frozenset(), repr=False)
    past_users: frozenset[int] = frozenset()
    opened_by: int = 0
    done: tuple[Done, ...] = ()

    @property
    def stage(self) -> Stage:
        """What the table is waiting for."""
        if self.closing is not None:
            return Stage.CLOSED
        if self.game is None:
            return Stage.LOBBY
        return _STAGES[type(self.game.phase).__name__]

    @property
    def is_open(self) -> bool:
        """Whether something can still happen at this table."""
        return self.closing is None and not (self.game is not None and isinstance(self.game.phase, Over))

    def seat_of(self, user: int) -> int | None:
        """The seat that `user` sits on, or None."""
        return next((seat for seat, sitter in enumerate(self.sitters) if sitter.user == user and not sitter.away), None)


_STAGES = {
    "Proposing": Stage.TEAM,
    "Voting": Stage.VOTE,
    "Questing": Stage.QUEST,
    "Examining": Stage.LADY,
    "Assassinating": Stage.SHOT,
    "Over": Stage.OVER,
}
