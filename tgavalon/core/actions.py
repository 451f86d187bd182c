"""What can be done to a game, as frozen values.

Each action states an absolute intention and the numbered moment it is meant for, so that doing it twice or too late
is harmless. `by` is the seat that acts. `CastVotes` and `PlayCards` are the same steps taken by the whole table at
once, as a record tells them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tgavalon.core.game import Card, Phase


@dataclass(frozen=True, slots=True)
class ChooseQuest:
    """The leader names the quest of proposal number `proposal`."""

    by: int
    proposal: int
    quest: int


@dataclass(frozen=True, slots=True)
class Pick:
    """The leader puts `seat` on the draft of the team, or takes it off."""

    by: int
    proposal: int
    seat: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Propose:
    """The leader proposes `team` for `quest` (None: the quest that is chosen or next)."""

    by: int
    proposal: int
    team: tuple[int, ...]
    quest: int | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One player votes on proposal number `proposal`; a later vote replaces an earlier one."""

    by: int
    proposal: int
    approve: bool = field(repr=False)


@dataclass(frozen=True, slots=True)
class CastVotes:
    """Everybody's vote on proposal number `proposal`, by seat."""

    proposal: int
    ballots: tuple[bool, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayCard:
    """One member of the team plays a card on quest number `quest`."""

    by: int
    quest: int
    card: Card = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayCards:
    """All cards of quest number `quest`, by seat."""

    quest: int
    cards: Mapping[int, Card] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Examine:
    """The holder examines `seat` after `after` completed quests; None passes, where the ruleset lets her."""

    by: int
    after: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class Assassinate:
    """The dagger names `seat` as Merlin."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """Time has run out on `moment`, the phase as `moment_of` names it: what is missing is done for the absent."""

    moment: tuple[str, int]


Action = ChooseQuest | Pick | Propose | Vote | CastVotes | PlayCard | PlayCards | Examine | Assassinate | TimeUp


def moment_of(phase: Phase) -> tuple[str, int]:
    """The name and number of a phase: equal for two states exactly when they wait for the same thing."""
    number = getattr(phase, "proposal", None) or getattr(phase, "quest", None) or getattr(phase, "after", None) or 0
    return type(phase).__name__.lower(), number
