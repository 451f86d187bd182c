"""The test kit of the core: a game told in the game's own words.

`Story("Ana:merlin Ben:percival …")` deals, its verbs play, and every verb returns the story. Besides playing, each step
checks what must hold of any step at all: the state it started from is untouched, and doing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from enum import StrEnum
from typing import Self, TypeVar

import pytest

from tgavalon.core.actions import (
    Action,
    Assassinate,
    CastVotes,
    ChooseQuest,
    Examine,
    Pick,
    PlayCard,
    PlayCards,
    Propose,
    TimeUp,
    Vote,
    moment_of,
)
from tgavalon.core.deal import new_game
from tgavalon.core.game import Card, Examining, Game, Outcome, Over, Phase, Proposing, Questing, Voting
from tgavalon.core.play import apply
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import Approval, FifthRejection, LadyImmunity, QuestOrder, Ruleset

P = TypeVar("P", bound=Phase)

FIVE = "Ana:merlin Ben:percival Cho:servant Dee:morgana Eli:assassin"
SEVEN = "Ana:merlin Ben:percival Cho:servant Dee:servant Eli:mordred Fay:morgana Gus:assassin"
TEN = (
    "Ana:merlin Ben:percival Cho:servant Dee:servant Eli:servant Fay:servant "
    "Gus:mordred Hal:morgana Ida:oberon Jon:assassin"
)


OPTIONS: dict[str, type[StrEnum]] = {
    "approval": Approval,
    "fifth_rejection": FifthRejection,
    "quest_order": QuestOrder,
    "lady_immunity": LadyImmunity,
    "dagger": Role,
}


def rules(**options: str | bool) -> Ruleset:
    """The rulebook's rules but for these options, written as in a record."""
    values = {name: OPTIONS[name](value) if isinstance(value, str) else value for name, value in options.items()}
    return Ruleset(**values)  # type: ignore[arg-type]  # the enum of each name is looked up just above


class Story:
    """A game that tests tell step by step; people are called by name, the first one named leads first."""

    def __init__(
        self, deal: str, *, leader: str = "", dagger: str = "", ruleset: Ruleset | None = None, **options: str | bool
    ) -> None:
        pairs = [person.split(":") for person in deal.split()]
        self.names_by_seat = [name for name, _ in pairs]
        self.game: Game = new_game(
            ruleset or rules(**options),
            tuple(Role(role) for _, role in pairs),
            self.seat(leader) if leader else 0,
            self.seat(dagger) if dagger else None,
        )

    # What is asked of a story.

    def seat(self, name: str) -> int:
        return self.names_by_seat.index(name)

    def seats(self, names: str) -> tuple[int, ...]:
        return tuple(self.seat(name) for name in names.split())

    def name(self, seat: int | None) -> str:
        return "" if seat is None else self.names_by_seat[seat]

    @property
    def phase(self) -> Phase:
        return self.game.phase

    @property
    def leader(self) -> str:
        return self.name(self.game.leader)

    @property
    def lady(self) -> str:
        return self.name(self.game.lady)

    @property
    def winner(self) -> Side:
        return self._end.winner

    @property
    def outcome(self) -> Outcome:
        return self._end.outcome

    @property
    def results(self) -> dict[int, bool]:
        """Whether each completed quest succeeded, in the order they were played."""
        return {quest.number: quest.success for quest in self.game.quests}

    @property
    def _end(self) -> Over:
        assert isinstance(self.game.phase, Over), self.game.phase
        return self.game.phase

    # What people do.

    def team(self, leader: str, team: str, quest: int | None = None) -> Self:
        """The leader proposes a team."""
        return self.does(Propose(self.seat(leader), self._proposal, self.seats(team), quest))

    def chooses(self, leader: str, quest: int) -> Self:
        """The leader names the quest."""
        return self.does(ChooseQuest(self.seat(leader), self._proposal, quest))

    def picks(self, leader: str, name: str, chosen: bool = True) -> Self:
        """The leader puts somebody on the draft or takes them off."""
        return self.does(Pick(self.seat(leader), self._proposal, self.seat(name), chosen))

    def votes(self, *, approve: str = "", reject: str = "") -> Self:
        """Everybody votes one by one; those who are not named vote the other way."""
        assert not (approve and reject), "name one side"
        named = self.seats(approve or reject)
        ballots = tuple((seat in named) is bool(approve) for seat in range(self.game.seats))
        return self._everybody_votes(ballots)

    def all_approve(self) -> Self:
        return self._everybody_votes((True,) * self.game.seats)

    def all_reject(self) -> Self:
        return self._everybody_votes((False,) * self.game.seats)

    def rejected(self, leader: str, team: str, quest: int | None = None) -> Self:
        """A team is proposed and everybody rejects it."""
        return self.team(leader, team, quest).all_reject()

    def rejections(self, times: int, quest: int | None = None) -> Self:
        """The next leaders, one after another, propose a team that everybody rejects."""
        for _ in range(times):
            number = quest or self._quest_in_question
            team = " ".join(self.names_by_seat[: self.game.team_size(number)])
            self.rejected(self.leader, team, quest)
        return self

    def cards(self, *, fails: str = "") -> Self:
        """The team plays its cards one by one; those named in `fails` play Fail."""
        phase = self._in(Questing)
        cards = {seat: Card.FAIL if seat in self.seats(fails) else Card.SUCCESS for seat in phase.team}
        together = apply(self.game, PlayCards(phase.quest, cards))
        for seat, card in cards.items():
            self.does(PlayCard(seat, phase.quest, card))
        assert self.game == together, "cards one by one and together are the same quest"
        return self

    def quest(self, leader: str, team: str, *, fails: str = "", quest: int | None = None) -> Self:
        """A team is proposed, approved by everybody where there is a vote, and plays its cards."""
        self.team(leader, team, quest)
        if isinstance(self.game.phase, Voting):
            self.all_approve()
        return self.cards(fails=fails)

    def checks(self, holder: str, examined: str) -> Self:
        """The holder of the Lady of the Lake examines somebody."""
        return self.does(Examine(self.seat(holder), self._in(Examining).after, self.seat(examined)))

    def passes(self, holder: str) -> Self:
        """The holder of the Lady of the Lake does not use her."""
        return self.does(Examine(self.seat(holder), self._in(Examining).after, None))

    def names(self, owner: str, target: str) -> Self:
        """The owner of the dagger names somebody as Merlin."""
        return self.does(Assassinate(self.seat(owner), self.seat(target)))

    def time_is_up(self) -> Self:
        return self.does(TimeUp(moment_of(self.game.phase)))

    def does(self, action: Action) -> Self:
        """One step, with what must hold of every step."""
        before = deepcopy(self.game)
        after = apply(self.game, action)
        assert self.game == before, "a step leaves the state it starts from as it was"
        assert repeated(after, action) == after, "a step that is done again changes nothing"
        self.game = after
        return self

    @contextmanager
    def refused(self, reason: Reason) -> Iterator[None]:
        """The steps inside are refused for `reason`, and nothing has changed."""
        before = deepcopy(self.game)
        with pytest.raises(Illegal) as caught:
            yield
        assert caught.value.reason is reason
        assert self.game == before, "a refused step leaves the state as it was"

    # Whole stretches of a story.

    def three_successes(self) -> Self:
        """Good wins three quests in a row, and whoever has the Lady on the way examines the first they may."""
        while self.game.successes < 3:
            self.good_quest()
        return self

    def good_quest(self) -> Self:
        """The next quest succeeds; a check that falls due before it goes to the first seat that may be examined."""
        if isinstance(self.game.phase, Examining):
            self.checks_anybody()
        number = self._quest_in_question
        return self.quest(self.leader, self.somebody(number), quest=number)

    def bad_quest(self) -> Self:
        """The next quest fails by as many cards as it needs; a check that falls due before it is made."""
        if isinstance(self.game.phase, Examining):
            self.checks_anybody()
        number = self._quest_in_question
        evil = [seat for seat, role in enumerate(self.game.roles) if role.side is Side.EVIL]
        failing = evil[: self.game.fails_needed(number)]
        others = [seat for seat in range(self.game.seats) if seat not in failing]
        team = [*failing, *others][: self.game.team_size(number)]
        fails = " ".join(self.name(seat) for seat in failing)
        return self.quest(self.leader, " ".join(self.name(seat) for seat in team), fails=fails, quest=number)

    def checks_anybody(self) -> Self:
        holder = self._in(Examining).holder
        past = {check.holder for check in self.game.checks}
        free = next(seat for seat in range(self.game.seats) if seat != holder and seat not in past)
        return self.checks(self.name(holder), self.name(free))

    def somebody(self, quest: int) -> str:
        """A team of the size that `quest` takes."""
        return " ".join(self.names_by_seat[: self.game.team_size(quest)])

    @property
    def _proposal(self) -> int:
        return self.game.phase.proposal if isinstance(self.game.phase, Proposing) else len(self.game.proposals) + 1

    @property
    def _quest_in_question(self) -> int:
        phase = self._in(Proposing)
        played = {quest.number for quest in self.game.quests}
        return phase.quest or min({1, 2, 3, 4, 5} - played)

    def _in(self, phase: type[P]) -> P:
        assert isinstance(self.game.phase, phase), self.game.phase
        return self.game.phase

    def _everybody_votes(self, ballots: tuple[bool, ...]) -> Self:
        assert isinstance(self.game.phase, Voting), self.game.phase
        proposal = self.game.phase.proposal
        together = apply(self.game, CastVotes(proposal, ballots))
        for seat, ballot in enumerate(ballots):
            self.does(Vote(seat, proposal, ballot))
        assert self.game == together, "votes one by one and together are the same vote"
        return self


def repeated(game: Game, action: Action) -> Game:
    """The game after `action` is delivered once more: changed by it, or as it was where it is refused."""
    try:
        return apply(game, action)
    except Illegal:
        return game
