"""The state of one game as frozen values; nothing here changes or decides anything.

Seats are numbered from 0 clockwise, quests from 1, proposals from 1 over the whole game. Facts that come in one by one
(ballots, cards) are kept by seat, never by time of arrival. `repr` hides roles and cards, so that no log can tell them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypedDict, Unpack

from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import (
    QUESTS,
    REJECTIONS_ALLOWED,
    FifthRejection,
    QuestOrder,
    Ruleset,
    fails_needed,
    team_size,
)


class Card(StrEnum):
    """A quest card."""

    SUCCESS = "success"
    FAIL = "fail"


class Outcome(StrEnum):
    """How a game was won."""

    THREE_FAILED_QUESTS = "three_failed_quests"
    FIVE_REJECTIONS = "five_rejections"
    MERLIN_ASSASSINATED = "merlin_assassinated"
    MERLIN_SURVIVED = "merlin_survived"
    THREE_SUCCESSFUL_QUESTS = "three_successful_quests"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A team that has been decided on. `ballots` is by seat; None where the team went without a vote."""

    number: int
    quest: int
    leader: int
    team: tuple[int, ...]
    ballots: tuple[bool, ...] | None
    approved: bool


@dataclass(frozen=True, slots=True)
class Quest:
    """A completed quest. `cards` is in the order of `team`; None where five rejections gave the quest to evil."""

    number: int
    team: tuple[int, ...]
    success: bool
    fails: int
    cards: tuple[Card, ...] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Check:
    """One turn of the Lady of the Lake after `after` completed quests. `examined` is None where she was not used.

    `timed_out` marks a check that the rules owed but that time ran out on.
    """

    after: int
    holder: int
    examined: int | None
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Proposing:
    """The leader puts a team together. `quest` is None until a leader who may choose has chosen."""

    proposal: int
    quest: int | None
    draft: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Voting:
    """Everybody votes on `team`. `ballots` is by seat, None where still missing."""

    proposal: int
    quest: int
    team: tuple[int, ...]
    ballots: tuple[bool | None, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Questing:
    """The team is on the quest. `cards` is in the order of `team`, None where still missing."""

    quest: int
    team: tuple[int, ...]
    cards: tuple[Card | None, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Examining:
    """The holder of the Lady of the Lake examines somebody, after `after` completed quests."""

    after: int
    holder: int


@dataclass(frozen=True, slots=True)
class Assassinating:
    """Three quests have succeeded and the dagger decides."""


@dataclass(frozen=True, slots=True)
class Over:
    """The end. `target` is whom the dagger hit, None where there was no assassination or time ran out on it."""

    winner: Side
    outcome: Outcome
    target: int | None = None


Phase = Proposing | Voting | Questing | Examining | Assassinating | Over


@dataclass(frozen=True)
class Game:
    """A whole game: the deal, the history and the phase.

    `roles` is by seat; `dagger` is the seat that names Merlin, None without Merlin. `proposals`, `quests` and `checks`
    are in the order they came.
    """

    ruleset: Ruleset
    roles: tuple[Role, ...] = field(repr=False)
    dagger: int | None = field(repr=False)
    first_leader: int
    leader: int
    phase: Phase
    rejections: int = 0
    proposals: tuple[Proposal, ...] = ()
    quests: tuple[Quest, ...] = ()
    checks: tuple[Check, ...] = ()
    lady: int | None = None

    @cached_property
    def seats(self) -> int:
        """How many players sit at the table."""
        return len(self.roles)

    @property
    def successes(self) -> int:
        """How many quests have succeeded."""
        return [quest.success for quest in self.quests].count(True)

    @property
    def failures(self) -> int:
        """How many quests have failed, those lost by five rejections included."""
        return len(self.quests) - self.successes

    def team_size(self, quest: int) -> int:
        """How many players quest number `quest` takes at this table."""
        return team_size(len(self.roles), quest)

    def fails_needed(self, quest: int) -> int:
        """How many Fail cards quest number `quest` needs to fail at this table."""
        return fails_needed(len(self.roles), quest)

    def clockwise(self, seat: int) -> int:
        """The seat after `seat`."""
        return (seat + 1) % len(self.roles)


class Changes(TypedDict, total=False):
    """The fields of a game that play changes."""

    leader: int
    phase: Phase
    rejections: int
    proposals: tuple[Proposal, ...]
    quests: tuple[Quest, ...]
    checks: tuple[Check, ...]
    lady: int | None


def changed(game: Game, **changes: Unpack[Changes]) -> Game:
    """A copy of `game` with these fields changed: `dataclasses.replace`, but five times as fast.

    Every step makes a copy, and replaying many games does little else; this is why `Game` has no slots.
    """
    copy = object.__new__(Game)
    object.__setattr__(copy, "__dict__", {**game.__dict__, **changes})
    return copy


def open_quests(game: Game) -> tuple[int, ...]:
    """The quests the leader may name now (rules, option `quest_order`)."""
    if game.ruleset.quest_order is QuestOrder.FIXED:
        return QUESTS[len(game.quests) : len(game.quests) + 1]
    played = {quest.number for quest in game.quests}
    left = tuple(number for number in QUESTS if number not in played)
    return tuple(number for number in left if number != QUESTS[-1] or _last_quest_is_open(game))


def goes_without_vote(game: Game) -> bool:
    """Whether the next team goes on its quest without a vote (rules, option `fifth_rejection`)."""
    last = game.rejections == REJECTIONS_ALLOWED - 1
    return last and game.ruleset.fifth_rejection is FifthRejection.NO_VOTE


def _last_quest_is_open(game: Game) -> bool:
    if game.ruleset.quest_order is QuestOrder.TARGETING:
        return game.successes >= 2
    return len(game.quests) == len(QUESTS) - 1
