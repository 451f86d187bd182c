"""What is not drawn again would look the same: over whole random games, for every pair of neighbouring versions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.store.tables import changed, game_at, lobby
from tgavalon.table.feed import GROUP, feeds
from tgavalon.table.model import Table
from tgavalon.table.redrawing import only_the_group_sees


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


def test_whatever_else_changes_is_drawn() -> None:
    table = game(1)[0]
    sitters = (replace(table.sitters[0], name="Other"), *table.sitters[1:])
    for change in ({"title": "Other"}, {"language": "fa"}, {"sitters": sitters}, {"reposts": 1}, {"anchor": 5}):
        assert not only_the_group_sees(table, changed(table, **change)), change
    assert only_the_group_sees(table, changed(table, reminded=True, touched=5.0))
