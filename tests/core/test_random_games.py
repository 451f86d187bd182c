"""What holds in any game whatever: random legal games under random rules, and any action in any state."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.random_games import play_out, random_game, random_opening
from tests.core.story import repeated
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
from tgavalon.core.game import Card, Game, Outcome, Over, Questing, Voting
from tgavalon.core.play import apply
from tgavalon.core.reasons import Illegal
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import FifthRejection, fails_needed, is_approved, team_size
from tgavalon.core.views import public_view, seat_view

PLAYERS = range(5, 11)
GAMES = 40


def deals(players: int) -> list[tuple[Random, Game]]:
    return [(dice, random_opening(dice, players)) for dice in (Random(f"{players}/{n}") for n in range(GAMES))]


@pytest.mark.parametrize("players", PLAYERS)
def test_every_state_on_the_way_keeps_the_rules(players: int) -> None:
    for dice, game in deals(players):
        for _, after in play_out(dice, game):
            check_history(after)
            check_crown(after)
            check_token(after)
            check_end(after)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_step_leaves_the_state_before_it_as_it_was(players: int) -> None:
    for dice, game in deals(players):
        before, copy = game, deepcopy(game)
        for _, after in play_out(dice, game):
            assert before == copy
            before, copy = after, deepcopy(after)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_step_that_is_delivered_again_changes_nothing(players: int) -> None:
    """Again at once it may be taken or refused; again after its moment it is always refused."""
    for dice, game in deals(players):
        past: list[tuple[Action, tuple[str, int]]] = []
        moment = moment_of(game.phase)
        for action, after in play_out(dice, game):
            assert repeated(after, action) == after
            past.append((action, moment))
            moment = moment_of(after.phase)
            for old in (old for old, then in past if then != moment):
                with pytest.raises(Illegal):
                    apply(after, old)


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_has_a_view_of_every_state(players: int) -> None:
    for dice, game in deals(players):
        for _, after in play_out(dice, game):
            public = public_view(after)
            assert all(seat_view(after, seat).public == public for seat in range(players))


def test_random_games_end_in_every_way() -> None:
    """The games above are worth playing: they reach every outcome, every rule of the fifth team and the Lady."""
    games = [random_game(Random(f"end/{n}"), players) for n in range(GAMES) for players in PLAYERS]
    ends = [game.phase for game in games if isinstance(game.phase, Over)]
    assert {end.outcome for end in ends} == set(Outcome)
    assert any(quest.cards is None for game in games for quest in game.quests)
    assert any(proposal.ballots is None for game in games for proposal in game.proposals)
    assert any(check.examined is None for game in games for check in game.checks)
    assert any(check.timed_out for game in games for check in game.checks)
    assert {len(game.checks) for game in games} == {0, 1, 2, 3}


SEATS = st.integers(-2, 11)
NUMBERS = st.integers(-1, 8)
CARDS = st.sampled_from(Card)
ANY_ACTION = st.one_of(
    st.builds(ChooseQuest, SEATS, NUMBERS, NUMBERS),
    st.builds(Pick, SEATS, NUMBERS, SEATS, st.booleans()),
    st.builds(Propose, SEATS, NUMBERS, st.lists(SEATS, max_size=6).map(tuple), st.none() | NUMBERS),
    st.builds(Vote, SEATS, NUMBERS, st.booleans()),
    st.builds(CastVotes, NUMBERS, st.lists(st.booleans(), max_size=11).map(tuple)),
    st.builds(PlayCard, SEATS, NUMBERS, CARDS),
    st.builds(PlayCards, NUMBERS, st.dictionaries(SEATS, CARDS, max_size=6)),
    st.builds(Examine, SEATS, NUMBERS, st.none() | SEATS),
    st.builds(Assassinate, SEATS, SEATS),
    st.builds(TimeUp, st.tuples(st.sampled_from(["proposing", "voting", "questing", "examining"]), NUMBERS)),
)


@given(players=st.sampled_from(PLAYERS), seed=st.integers(0, 2**16), stop=st.integers(0, 40), action=ANY_ACTION)
def test_any_action_in_any_state_is_a_legal_step_or_a_reason(
    players: int, seed: int, stop: int, action: Action
) -> None:
    dice = Random(seed)
    game = random_opening(dice, players)
    for (_, after), _ in zip(play_out(dice, game), range(stop), strict=False):
        game = after
    before = deepcopy(game)
    try:
        after = apply(game, action)
    except Illegal:
        after = game
    assert game == before
    check_history(after)
    check_crown(after)
    check_token(after)
    check_end(after)


def check_history(game: Game) -> None:
    """Every team, vote and quest of the past was one that the rules allow."""
    assert [proposal.number for proposal in game.proposals] == list(range(1, len(game.proposals) + 1))
    assert len({quest.number for quest in game.quests}) == len(game.quests) <= 5
    assert game.successes <= 3 >= game.failures
    for proposal in game.proposals:
        assert len(set(proposal.team)) == len(proposal.team) == team_size(game.seats, proposal.quest)
        assert list(proposal.team) == sorted(proposal.team)
        if proposal.ballots is not None:
            assert len(proposal.ballots) == game.seats
            assert proposal.approved is is_approved(game.ruleset.approval, sum(proposal.ballots), game.seats)
    for quest in game.quests:
        if quest.cards is None:
            assert not quest.success
            continue
        assert quest.fails == quest.cards.count(Card.FAIL)
        assert quest.success is (quest.fails < fails_needed(game.seats, quest.number))
        pairs = zip(quest.team, quest.cards, strict=True)
        assert all(game.roles[seat].side is Side.EVIL for seat, card in pairs if card is Card.FAIL)
    unvoted = [proposal for proposal in game.proposals if proposal.ballots is None]
    assert not unvoted or game.ruleset.fifth_rejection is FifthRejection.NO_VOTE


def check_crown(game: Game) -> None:
    """The crown moves one seat for each team that has been rejected or has come home, and not at the very end."""
    on_quest = isinstance(game.phase, Questing)
    at_end = isinstance(game.phase, Over) and game.phase.outcome is Outcome.FIVE_REJECTIONS
    steps = len(game.proposals) - on_quest - at_end
    assert game.leader == (game.first_leader + steps) % game.seats
    assert game.rejections == streak_of_rejections(game)
    if isinstance(game.phase, Voting):
        assert not (game.rejections == 4 and game.ruleset.fifth_rejection is FifthRejection.NO_VOTE)


def streak_of_rejections(game: Game) -> int:
    """How many teams have been rejected on the quest in question, the one that is being played included."""
    out = isinstance(game.phase, Questing)
    streak = 0
    for proposal in game.proposals[:-1] if out else game.proposals:
        streak = 0 if proposal.approved else streak + 1
        if streak == 5 and game.ruleset.fifth_rejection is FifthRejection.EVIL_WINS_QUEST:
            streak = 0
    return streak


def check_token(game: Game) -> None:
    """The token goes from hand to hand, and nobody is examined who may not be."""
    holder = (game.first_leader - 1) % game.seats if game.ruleset.lady else None
    for check in game.checks:
        assert check.holder == holder
        assert check.after in {2, 3, 4}
        assert check.examined != check.holder
        holder = check.holder if check.examined is None else check.examined
    assert game.lady == holder
    afters = [check.after for check in game.checks]
    assert afters == sorted(set(afters))


def check_end(game: Game) -> None:
    """The game is over exactly when the rules say so, and for the side they say."""
    phase = game.phase
    if not isinstance(phase, Over):
        assert game.failures < 3
        assert game.rejections < 5
        assert game.successes < 3 or Role.MERLIN in game.roles
        return
    assert phase.winner is (Side.GOOD if phase.outcome.value in GOOD_ENDS else Side.EVIL)
    assert (game.failures == 3) is (phase.outcome is Outcome.THREE_FAILED_QUESTS)
    assert (game.rejections == 5) is (phase.outcome is Outcome.FIVE_REJECTIONS)
    assert (game.successes == 3) is (phase.outcome.value in {*GOOD_ENDS, "merlin_assassinated"})
    named = None if phase.target is None else game.roles[phase.target]
    assert (named is Role.MERLIN) is (phase.outcome is Outcome.MERLIN_ASSASSINATED)
    assert (Role.MERLIN in game.roles) or phase.outcome is not Outcome.MERLIN_SURVIVED


GOOD_ENDS = frozenset({"merlin_survived", "three_successful_quests"})
