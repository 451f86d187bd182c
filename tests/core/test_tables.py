"""The tables of the rulebook: sides, team sizes, Fail cards, approvals."""

from __future__ import annotations

import pytest

from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import Approval, evil_players, fails_needed, is_approved, team_size

SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}
EVIL = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}


@pytest.mark.parametrize("players", SIZES)
def test_teams_have_the_sizes_of_the_rulebook(players: int) -> None:
    assert tuple(team_size(players, quest) for quest in (1, 2, 3, 4, 5)) == SIZES[players]


@pytest.mark.parametrize("players", EVIL)
def test_evil_has_the_seats_of_the_rulebook(players: int) -> None:
    assert evil_players(players) == EVIL[players]


@pytest.mark.parametrize("players", SIZES)
def test_only_quest_four_needs_two_fails_and_only_from_seven_players(players: int) -> None:
    needed = tuple(fails_needed(players, quest) for quest in (1, 2, 3, 4, 5))
    assert needed == ((1, 1, 1, 2, 1) if players >= 7 else (1, 1, 1, 1, 1))


@pytest.mark.parametrize(
    ("players", "by_majority", "by_half"), [(5, 3, 3), (6, 4, 3), (7, 4, 4), (8, 5, 4), (9, 5, 5), (10, 6, 5)]
)
def test_how_many_approvals_send_a_team(players: int, by_majority: int, by_half: int) -> None:
    for approvals in range(players + 1):
        assert is_approved(Approval.MAJORITY, approvals, players) is (approvals >= by_majority)
        assert is_approved(Approval.HALF, approvals, players) is (approvals >= by_half)


def test_three_roles_are_good_and_five_are_evil() -> None:
    good = {role for role in Role if role.side is Side.GOOD}
    assert good == {Role.MERLIN, Role.PERCIVAL, Role.SERVANT}
    assert {role for role in Role if role.side is Side.EVIL} == set(Role) - good
