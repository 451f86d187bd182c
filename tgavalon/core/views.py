"""What one onlooker may know of a game: built up from nothing, never stripped from the whole.

`public_view` is for the group, `seat_view` for the player at one seat. Two games that an onlooker cannot tell apart
give equal views (tests/core/test_views.py goes through all deals).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tgavalon.core.game import (
    Assassinating,
    Card,
    Check,
    Examining,
    Game,
    Outcome,
    Over,
    Proposal,
    Proposing,
    Quest,
    Questing,
    Voting,
    goes_without_vote,
    open_quests,
)
from tgavalon.core.play import examinable
from tgavalon.core.roles import Knowledge, Role, Side, in_order, knowledge
from tgavalon.core.ruleset import QUESTS, Ruleset


@dataclass(frozen=True, slots=True)
class PlayedQuest:
    """A completed quest as everybody sees it; `forfeited` where five rejections decided it and no card was played."""

    number: int
    team: tuple[int, ...]
    success: bool
    fails: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class Space:
    """One quest on the board. `played` is None while it is still to come."""

    number: int
    size: int
    fails_needed: int
    played: PlayedQuest | None


@dataclass(frozen=True, slots=True)
class TeamNow:
    """The leader is putting a team together: the draft everybody can watch."""

    proposal: int
    quest: int | None
    size: int | None
    draft: tuple[int, ...]
    open_quests: tuple[int, ...]
    without_vote: bool


@dataclass(frozen=True, slots=True)
class VoteNow:
    """A vote is open: who is still missing, by seat, and nothing about who voted what."""

    proposal: int
    quest: int
    team: tuple[int, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QuestNow:
    """A team is on its quest: only how many cards are in."""

    quest: int
    team: tuple[int, ...]
    cards_in: int


@dataclass(frozen=True, slots=True)
class LadyNow:
    """The holder of the Lady of the Lake is choosing among `choices`."""

    after: int
    holder: int
    choices: tuple[int, ...]
    may_pass: bool


@dataclass(frozen=True, slots=True)
class ShotNow:
    """The dagger is choosing. `evil` is by seat, where the ruleset shows evil first, else None."""

    evil: tuple[tuple[int, Role], ...] | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over and every card is open. `cards` is by quest, then in the order of its team."""

    winner: Side
    outcome: Outcome
    target: int | None
    dagger: int | None
    roles: tuple[Role, ...]
    cards: tuple[tuple[int, tuple[Card, ...]], ...]


Now = TeamNow | VoteNow | QuestNow | LadyNow | ShotNow | Ended


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody at the table may know.

    `roles` lists the roles in play and says nothing about seats; `quests` is in the order they were played.
    """

    seats: int
    ruleset: Ruleset
    roles: tuple[Role, ...]
    first_leader: int
    leader: int
    board: tuple[Space, ...]
    rejections: int
    proposals: tuple[Proposal, ...]
    quests: tuple[PlayedQuest, ...]
    checks: tuple[Check, ...]
    lady: int | None
    now: Now

    @property
    def last_vote(self) -> Proposal | None:
        """The last team that was decided on."""
        return self.proposals[-1] if self.proposals else None


@dataclass(frozen=True, slots=True)
class SeatView:
    """What the player at `seat` may know: the public view and their own secrets.

    `ballot` and `card` are what this player has put in now; `may_play` the cards they may play now; `cards` what they
    have played on completed quests, as (quest, card); `checked` what the Lady showed them, as (after how many quests,
    seat, side); `targets` whom they may be offered to assassinate now: everybody not known to them to be evil, so that
    the list gives nobody away. `repr` shows the public view alone.
    """

    public: PublicView
    seat: int
    role: Role = field(repr=False)
    holds_dagger: bool = field(repr=False)
    knowledge: Knowledge = field(repr=False)
    ballot: bool | None = field(repr=False)
    card: Card | None = field(repr=False)
    may_play: tuple[Card, ...] = field(repr=False)
    cards: tuple[tuple[int, Card], ...] = field(repr=False)
    checked: tuple[tuple[int, int, Side], ...] = field(repr=False)
    targets: tuple[int, ...] = field(repr=False)


def public_view(game: Game) -> PublicView:
    """What everybody at the table may know of `game`."""
    quests = tuple(_played(quest) for quest in game.quests)
    return PublicView(
        seats=game.seats,
        ruleset=game.ruleset,
        roles=in_order(game.roles),
        first_leader=game.first_leader,
        leader=game.leader,
        board=_board(game, quests),
        rejections=game.rejections,
        proposals=game.proposals,
        quests=quests,
        checks=game.checks,
        lady=game.lady,
        now=_now(game),
    )


def seat_view(game: Game, seat: int) -> SeatView:
    """What the player at `seat` may know of `game`."""
    phase = game.phase
    playing = isinstance(phase, Questing) and seat in phase.team
    return SeatView(
        public=public_view(game),
        seat=seat,
        role=game.roles[seat],
        holds_dagger=seat == game.dagger,
        knowledge=knowledge(game.roles, seat),
        ballot=phase.ballots[seat] if isinstance(phase, Voting) else None,
        card=phase.cards[phase.team.index(seat)] if isinstance(phase, Questing) and playing else None,
        may_play=_may_play(game, seat) if playing else (),
        cards=_cards_of(game, seat),
        checked=_checked_by(game, seat),
        targets=targets(game) if seat == game.dagger and isinstance(phase, Assassinating) else (),
    )


def targets(game: Game) -> tuple[int, ...]:
    """Whom the owner of the dagger does not know to be evil; Oberon is among them unless evil has been shown."""
    if game.dagger is None:
        return ()
    known = knowledge(game.roles, game.dagger).evil | {game.dagger}
    if game.ruleset.evil_shown_before_assassination:
        known |= {seat for seat, _ in _evil(game)}
    return tuple(seat for seat in range(game.seats) if seat not in known)


def _played(quest: Quest) -> PlayedQuest:
    return PlayedQuest(quest.number, quest.team, quest.success, quest.fails, quest.cards is None)


def _board(game: Game, quests: tuple[PlayedQuest, ...]) -> tuple[Space, ...]:
    played = {quest.number: quest for quest in quests}
    return tuple(
        Space(number, game.team_size(number), game.fails_needed(number), played.get(number)) for number in QUESTS
    )


def _now(game: Game) -> Now:
    match game.phase:
        case Proposing() as phase:
            return _team_now(game, phase)
        case Voting() as phase:
            missing = tuple(seat for seat, ballot in enumerate(phase.ballots) if ballot is None)
            return VoteNow(phase.proposal, phase.quest, phase.team, missing)
        case Questing() as phase:
            return QuestNow(phase.quest, phase.team, sum(card is not None for card in phase.cards))
        case Examining() as phase:
            choices = tuple(sorted(examinable(game)))
            return LadyNow(phase.after, phase.holder, choices, game.ruleset.lady_optional)
        case Assassinating():
            return ShotNow(_evil(game) if game.ruleset.evil_shown_before_assassination else None)
        case Over() as phase:
            cards = tuple((quest.number, quest.cards) for quest in game.quests if quest.cards is not None)
            return Ended(phase.winner, phase.outcome, phase.target, game.dagger, game.roles, cards)


def _team_now(game: Game, phase: Proposing) -> TeamNow:
    size = game.team_size(phase.quest) if phase.quest is not None else None
    draft = tuple(sorted(phase.draft))
    return TeamNow(phase.proposal, phase.quest, size, draft, open_quests(game), goes_without_vote(game))


def _evil(game: Game) -> tuple[tuple[int, Role], ...]:
    return tuple((seat, role) for seat, role in enumerate(game.roles) if role.side is Side.EVIL)


def _may_play(game: Game, seat: int) -> tuple[Card, ...]:
    return (Card.SUCCESS, Card.FAIL) if game.roles[seat].side is Side.EVIL else (Card.SUCCESS,)


def _cards_of(game: Game, seat: int) -> tuple[tuple[int, Card], ...]:
    return tuple(
        (quest.number, quest.cards[quest.team.index(seat)])
        for quest in game.quests
        if quest.cards is not None and seat in quest.team
    )


def _checked_by(game: Game, seat: int) -> tuple[tuple[int, int, Side], ...]:
    return tuple(
        (check.after, check.examined, game.roles[check.examined].side)
        for check in game.checks
        if check.holder == seat and check.examined is not None
    )
