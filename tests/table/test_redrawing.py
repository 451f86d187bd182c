"""What is not drawn again would look the same: over whole random games, for every pair of neighbouring versions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.store.tables import changed, game_at, lobby
from tgavalon.table.feed import GROUP, feeds, group_feed, with_present
from tgavalon.table.model import Table
from tgavalon.table.redrawing import only_the_group_sees, only_the_present_differs


def game(seed: int) -> list[Table]:
    """Every version of a game in which the bot can write to everybody."""
    tables = game_at(lobby(users=()), seed, players=5 + seed % 4)
    return [replace(t, sitters=tuple(replace(s, ready=True) for s in t.sitters), deadline=None) for t in tables]


@pytest.mark.parametrize("seed", range(12))
def test_private_screens_do_not_change_where_only_the_group_sees(seed: int) -> None:
    tables, quiet = game(seed), 0
    for before, after in pairwise(tables):
        if only_the_group_sees(before, after):
            quiet += 1
            old, new = feeds(before), feeds(after)
            del old[GROUP], new[GROUP]
            assert old == new
    assert quiet > len(tables) // 4, "most taps choose or vote"


@pytest.mark.parametrize("seed", range(12))
def test_drawing_the_present_moment_alone_gives_the_whole_feed(seed: int) -> None:
    tables, quiet = game(seed), 0
    for before, after in pairwise(tables):
        if only_the_group_sees(before, after) and only_the_present_differs(before, after):
            quiet += 1
            assert with_present(group_feed(before), after) == group_feed(after)
    assert quiet > len(tables) // 4


def test_a_reminder_is_more_than_the_present_moment() -> None:
    table = replace(game(1)[1], deadline=100.0, reminder=50.0)
    reminded = changed(table, reminded=True)
    assert only_the_group_sees(table, reminded)
    assert not only_the_present_differs(table, reminded)
    assert with_present(group_feed(table), reminded) != group_feed(reminded)


def test_whatever_else_changes_is_drawn() -> None:
    table = game(1)[0]
    sitters = (replace(table.sitters[0], name="Other"), *table.sitters[1:])
    for change in ({"title": "Other"}, {"language": "fa"}, {"sitters": sitters}, {"reposts": 1}, {"anchor": 5}):
        assert not only_the_group_sees(table, changed(table, **change)), change
    assert only_the_group_sees(table, changed(table, reminded=True, touched=5.0))
