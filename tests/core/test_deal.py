"""Role sets a host may and may not choose, and what makes a deal a legal one."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.core.story import rules
from tgavalon.core.deal import Caution, RoleChoice, check_players, new_game, role_cautions, role_set
from tgavalon.core.game import Game, Proposing
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.core.roles import OPTIONAL_ROLES, Role, Side, in_order
from tgavalon.core.ruleset import Ruleset, evil_players

EVERY_CHOICE = [
    RoleChoice(frozenset(roles), merlin)
    for count in range(5)
    for roles in combinations(OPTIONAL_ROLES, count)
    for merlin in (True, False)
]
FIVE = (Role.MERLIN, Role.SERVANT, Role.SERVANT, Role.MINION, Role.ASSASSIN)


def choice(roles: str = "", merlin: bool = True) -> RoleChoice:
    return RoleChoice(frozenset(Role(role) for role in roles.split()), merlin)


def refusal(players: int, roles: str, dagger: Role = Role.ASSASSIN, merlin: bool = True) -> Reason:
    with pytest.raises(Illegal) as caught:
        role_set(players, choice(roles, merlin), dagger)
    return caught.value.reason


def dealing(roles: tuple[Role, ...], leader: int = 0, dagger: int | None = None, role: str = "assassin") -> Reason:
    with pytest.raises(Illegal) as caught:
        new_game(rules(dagger=role), roles, leader, dagger)
    return caught.value.reason


@pytest.mark.parametrize("players", range(5, 11))
@pytest.mark.parametrize("wanted", EVERY_CHOICE)
def test_a_role_set_fills_the_table_or_is_refused_with_the_reason(players: int, wanted: RoleChoice) -> None:
    evil = [role for role in wanted.optional if role.side is Side.EVIL] + [Role.ASSASSIN] * wanted.merlin
    if Role.MORGANA in wanted.optional and Role.PERCIVAL not in wanted.optional:
        expected: Reason | None = Reason.MORGANA_NEEDS_PERCIVAL
    else:
        expected = Reason.TOO_MANY_EVIL_ROLES if len(evil) > evil_players(players) else None
    if expected is not None:
        with pytest.raises(Illegal) as caught:
            role_set(players, wanted)
        assert caught.value.reason is expected
        return
    roles = role_set(players, wanted)
    assert len(roles) == players
    assert sum(role.side is Side.EVIL for role in roles) == evil_players(players)
    assert {*wanted.optional, *evil} <= set(roles)
    assert (Role.MERLIN in roles) is (Role.ASSASSIN in roles) is wanted.merlin
    assert roles == in_order(roles)
    new_game(Ruleset(), roles, leader=0)


def test_ten_players_with_everything() -> None:
    assert role_set(10, choice("percival morgana mordred oberon")) == (
        Role.MERLIN,
        Role.PERCIVAL,
        *[Role.SERVANT] * 4,
        Role.ASSASSIN,
        Role.MORDRED,
        Role.MORGANA,
        Role.OBERON,
    )


def test_too_few_and_too_many_players() -> None:
    assert refusal(4, "") is Reason.TOO_FEW_PLAYERS
    assert refusal(11, "") is Reason.TOO_MANY_PLAYERS
    assert refusal(0, "") is Reason.TOO_FEW_PLAYERS
    for players in range(5, 11):
        check_players(players)


def test_morgana_needs_percival_with_and_without_merlin() -> None:
    assert refusal(7, "morgana") is Reason.MORGANA_NEEDS_PERCIVAL
    assert refusal(7, "morgana", merlin=False) is Reason.MORGANA_NEEDS_PERCIVAL


def test_evil_seats_are_not_enough_for_every_role() -> None:
    assert refusal(5, "percival morgana mordred") is Reason.TOO_MANY_EVIL_ROLES
    assert refusal(9, "percival morgana mordred oberon") is Reason.TOO_MANY_EVIL_ROLES


def test_a_dagger_in_another_hand_frees_the_assassins_seat() -> None:
    roles = role_set(5, choice("percival morgana mordred"), dagger=Role.MORDRED)
    assert roles == (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.MORDRED, Role.MORGANA)
    game = new_game(rules(dagger="mordred"), roles, leader=0)
    assert game.dagger == 3


def test_the_dagger_needs_an_evil_role_that_plays() -> None:
    assert refusal(7, "", dagger=Role.MORDRED) is Reason.DAGGER_NEEDS_ROLE
    assert refusal(7, "percival", dagger=Role.PERCIVAL) is Reason.DAGGER_NOT_EVIL
    assert role_set(7, choice(merlin=False), Role.MORDRED) == (*[Role.SERVANT] * 4, *[Role.MINION] * 3)


@pytest.mark.parametrize(
    ("players", "roles", "merlin", "expected"),
    [
        (5, "percival", True, (Caution.PERCIVAL_ALONE_WITH_FIVE,)),
        (5, "percival mordred", True, ()),
        (5, "percival morgana", True, ()),
        (5, "percival oberon", True, (Caution.PERCIVAL_ALONE_WITH_FIVE,)),
        (6, "percival", True, ()),
        (5, "", True, ()),
        (7, "percival morgana", False, (Caution.POWERLESS_WITHOUT_MERLIN,)),
        (7, "mordred", False, (Caution.POWERLESS_WITHOUT_MERLIN,)),
        (7, "oberon", False, ()),
        (7, "", False, ()),
    ],
)
def test_unwise_role_sets_come_with_a_warning(
    players: int, roles: str, merlin: bool, expected: tuple[Caution, ...]
) -> None:
    assert role_cautions(players, choice(roles, merlin)) == expected


def test_a_deal_opens_the_game() -> None:
    game = new_game(Ruleset(), FIVE, leader=3)
    assert game == Game(Ruleset(), FIVE, 4, 3, 3, Proposing(1, 1))


def test_a_deal_must_fit_the_table() -> None:
    assert dealing(FIVE[:4]) is Reason.TOO_FEW_PLAYERS
    assert dealing((Role.SERVANT,) * 11) is Reason.TOO_MANY_PLAYERS
    assert dealing((*FIVE[:3], Role.SERVANT, Role.ASSASSIN)) is Reason.ROLES_DO_NOT_FIT
    assert dealing((*FIVE[:2], Role.MINION, Role.MINION, Role.ASSASSIN)) is Reason.ROLES_DO_NOT_FIT
    assert dealing((Role.MERLIN, Role.MERLIN, *FIVE[2:])) is Reason.DUPLICATE_ROLE
    assert dealing((*FIVE[:3], Role.ASSASSIN, Role.ASSASSIN)) is Reason.DUPLICATE_ROLE


def test_the_first_leader_sits_at_the_table() -> None:
    assert dealing(FIVE, leader=5) is Reason.NO_SUCH_SEAT
    assert dealing(FIVE, leader=-1) is Reason.NO_SUCH_SEAT


def test_the_dagger_lies_with_an_evil_seat() -> None:
    assert dealing(FIVE, dagger=0) is Reason.DAGGER_NOT_EVIL
    assert dealing(FIVE, dagger=5) is Reason.NO_SUCH_SEAT
    assert dealing(FIVE, dagger=-1) is Reason.NO_SUCH_SEAT
    assert dealing((*FIVE[:3], Role.MINION, Role.MINION)) is Reason.NO_DAGGER
    assert dealing(FIVE, role="merlin") is Reason.DAGGER_NOT_EVIL
    assert dealing(FIVE, role="mordred") is Reason.NO_DAGGER
    assert new_game(Ruleset(), FIVE, leader=0, dagger=3).dagger == 3
    assert new_game(Ruleset(), (*FIVE[:3], Role.MINION, Role.MINION), leader=0, dagger=4).dagger == 4
