"""No view tells a secret: what an onlooker cannot tell apart looks the same, over all deals of a role set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations, permutations
from random import Random

import pytest

from tests.core.random_games import play_out, random_opening
from tests.core.story import FIVE, SEVEN, TEN, Story, rules
from tests.core.worlds import (
    Ballots,
    Event,
    Examined,
    Fails,
    Shot,
    State,
    Team,
    everybody_may_know,
    may_know,
    reveal,
    states,
)
from tgavalon.core.actions import CastVotes, PlayCard, PlayCards, Vote
from tgavalon.core.game import Card, Over
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import Ruleset
from tgavalon.core.views import QuestNow, VoteNow, public_view, seat_view

LONG_STORY: list[Event] = [
    Team((0, 1), 1),
    Ballots("++-+-"),
    Fails(0),
    Team((0, 1, 4), 2),
    Ballots("+----"),
    Team((1, 2, 4), 2),
    Ballots("-++-+"),
    Fails(1),
    Examined(2),
    Team((0, 3), 3),
    Ballots("+++++"),
    Fails(0),
    Examined(0),
    Team((0, 2, 4), 4),
    Ballots("+++--"),
    Fails(0),
    Shot(1),
]
TWO_FAILS: list[Event] = [Team((0, 3, 4), 2), Ballots("+++++"), Fails(2), Team((1, 2), 1), Ballots("+++++"), Fails(0)]
BIG_STORY: list[Event] = [
    Team((0, 1, 2), 1),
    Ballots("++++++----"),
    Fails(1),
    Team((0, 3, 4, 5), 2),
    Ballots("++++++++++"),
    Fails(0),
    Examined(5),
    Team((2, 3, 6, 7), 3),
    Ballots("++++++++++"),
    Fails(2),
]


def role_set(deal: str) -> tuple[Role, ...]:
    return tuple(Role(role) for role in deal.split())


def all_deals(roles: str) -> list[tuple[Role, ...]]:
    return sorted(set(permutations(role_set(roles))))


def some_deals(deal: str, number: int) -> list[tuple[Role, ...]]:
    """A deal of many players, every deal that swaps two of them, and deals one more swap away."""
    dice = Random(deal)
    base = tuple(Role(person.split(":")[1]) for person in deal.split())
    near = [_swapped(base, pair) for pair in combinations(range(len(base)), 2)]
    far = [_swapped(dice.choice(near), tuple(dice.sample(range(len(base)), 2))) for _ in range(number)]
    return sorted({base, *near, *far})


def _swapped(deal: tuple[Role, ...], pair: tuple[int, ...]) -> tuple[Role, ...]:
    seats = list(range(len(deal)))
    seats[pair[0]], seats[pair[1]] = pair[1], pair[0]
    return tuple(deal[seat] for seat in seats)


def looks_the_same(worlds: list[State], known: Callable[[State], object], view: Callable[[State], object]) -> int:
    """Assert that states with one `known` have one `view`; how many states looked like another one."""
    seen: dict[object, object] = {}
    for state in worlds:
        shown = view(state)
        assert seen.setdefault(known(state), shown) == shown, "a view tells a secret"
    return len(worlds) - len(seen)


def check_secrets(ruleset: Ruleset, deals: list[tuple[Role, ...]], script: list[Event]) -> None:
    worlds = list(states(ruleset, deals, 0, script))
    seats = len(deals[0])
    assert max(len(state.moment) for state in worlds) >= len(script), "some world reaches the end of the script"
    assert looks_the_same(worlds, everybody_may_know, lambda state: public_view(state.game)) > 0
    assert looks_the_same(worlds, everybody_may_know, lambda state: repr(state.game)) > 0
    for seat in range(seats):
        assert looks_the_same(worlds, partial(_known, seat), partial(_seen, seat)) > 0


def _known(seat: int, state: State) -> object:
    return may_know(state, seat)


def _seen(seat: int, state: State) -> object:
    return seat_view(state.game, seat)


@pytest.mark.parametrize(
    ("roles", "shown"),
    [
        ("merlin percival servant morgana assassin", False),
        ("merlin percival servant morgana assassin", True),
        ("merlin percival servant oberon assassin", True),
        ("merlin servant servant mordred assassin", False),
        ("merlin servant servant assassin minion", True),
        ("servant servant servant minion minion", False),
        ("servant percival servant morgana oberon", True),
    ],
)
def test_worlds_that_cannot_be_told_apart_look_the_same(roles: str, shown: bool) -> None:
    ruleset = rules(lady=True, lady_immunity="holder", evil_shown_before_assassination=shown)
    check_secrets(ruleset, all_deals(roles), LONG_STORY)


def test_two_fails_of_three_cards_say_no_more_than_that() -> None:
    ruleset = rules(quest_order="targeting")
    check_secrets(ruleset, all_deals("merlin percival servant morgana assassin"), TWO_FAILS)


def test_a_dagger_in_another_hand_is_a_secret_of_its_owner() -> None:
    ruleset = rules(lady=True, lady_immunity="holder", dagger="mordred")
    check_secrets(ruleset, all_deals("merlin percival servant mordred oberon"), LONG_STORY)


def test_secrets_hold_at_large_tables() -> None:
    check_secrets(rules(lady=True), some_deals(TEN, 150), BIG_STORY)


def test_secrets_hold_with_seven_players() -> None:
    script: list[Event] = [
        Team((0, 4), 1),
        Ballots("+++++++"),
        Fails(1),
        Team((0, 1, 6), 2),
        Ballots("+++++++"),
        Fails(0),
    ]
    check_secrets(rules(lady=True), some_deals(SEVEN, 150), [*script, Examined(1)])


@pytest.mark.parametrize("deal", [FIVE, SEVEN, TEN, "Ana:servant Ben:percival Cho:servant Dee:morgana Eli:minion"])
def test_everybody_is_shown_what_the_reveal_gives_them(deal: str) -> None:
    game = Story(deal).game
    roles = [role.value for role in game.roles]
    for seat in range(game.seats):
        view = seat_view(game, seat)
        told = {(other, "evil") for other in view.knowledge.evil}
        told |= {(other, "merlin?") for other in view.knowledge.merlins}
        assert told == reveal(roles, seat)
        assert view.role is game.roles[seat]


def test_an_open_vote_shows_who_is_missing_and_nothing_else() -> None:
    table = Story(FIVE).team("Ana", "Ana Ben").does(Vote(3, 1, approve=False)).does(Vote(1, 1, approve=True))
    assert public_view(table.game).now == VoteNow(1, 1, (0, 1), missing=(0, 2, 4))
    assert seat_view(table.game, 3).ballot is False
    assert seat_view(table.game, 0).ballot is None


def test_an_open_quest_shows_how_many_cards_are_in_and_nothing_else() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").all_approve().does(PlayCard(4, 1, Card.FAIL))
    assert public_view(table.game).now == QuestNow(1, (0, 4), cards_in=1)
    assert seat_view(table.game, 4).card is Card.FAIL
    assert seat_view(table.game, 0).card is None


def test_cards_are_offered_to_those_who_may_play_them() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").all_approve()
    assert [seat_view(table.game, seat).may_play for seat in range(5)] == [
        (Card.SUCCESS,),
        (),
        (),
        (),
        (Card.SUCCESS, Card.FAIL),
    ]


def test_roles_are_public_after_the_end_and_not_before() -> None:
    dice = Random("roles")
    for players in (5, 7, 10):
        for _, game in play_out(dice, random_opening(dice, players)):
            now = public_view(game).now
            assert hasattr(now, "roles") is isinstance(game.phase, Over)


def test_no_repr_of_an_action_tells_a_secret() -> None:
    assert repr(Vote(1, 2, approve=True)) == repr(Vote(1, 2, approve=False))
    assert repr(CastVotes(2, (True, False))) == repr(CastVotes(2, (False, True)))
    assert repr(PlayCard(1, 2, Card.FAIL)) == repr(PlayCard(1, 2, Card.SUCCESS))
    assert repr(PlayCards(2, {1: Card.FAIL})) == repr(PlayCards(2, {1: Card.SUCCESS}))


@pytest.mark.parametrize("players", range(5, 11))
def test_no_repr_of_a_game_has_a_role_or_a_card(players: int) -> None:
    """The rules name the role that holds the dagger; that is public, so it is taken out of the text first."""
    for number in range(20):
        dice = Random(f"{players}/{number}")
        for action, game in play_out(dice, random_opening(dice, players)):
            text = f"{game!r} {action!r} {game.phase!r}".replace(repr(game.ruleset), "")
            assert "ruleset=" in text
            assert "Role." not in text
            assert "Card." not in text


@pytest.mark.parametrize("deal", [FIVE, TEN])
def test_no_repr_of_a_seats_view_tells_its_secrets(deal: str) -> None:
    game = Story(deal).team("Ana", Story(deal).somebody(1)).all_approve().game
    shown = {repr(seat_view(game, seat)).replace(f"seat={seat}", "seat=?") for seat in range(game.seats)}
    assert len(shown) == 1
