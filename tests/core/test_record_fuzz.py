"""Any JSON value whatever is read or refused; nothing makes reading fail in another way."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.core.random_games import random_game
from tests.core.story import FIVE, Story
from tests.core.test_record_refusals import NAMES, Json, finished, spoiled, told
from tgavalon.core.record import Record, Refusal
from tgavalon.core.record_reading import read
from tgavalon.core.record_writing import write

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=20,
)
KEYS = ["format", "players", "ruleset", "roles", "leader", "assassin", "moves", "result", "deal"]
MOVE_PARTS = st.sampled_from(
    ["propose", "vote", "quest", "lady", "assassinate", "timed_out", "team", "0", "1", "success"]
)
ANY_MOVE = st.dictionaries(MOVE_PARTS, ANY_JSON | st.dictionaries(MOVE_PARTS, ANY_JSON, max_size=3), max_size=3)


@given(value=ANY_JSON)
def test_any_json_whatever_is_refused(value: object) -> None:
    assert isinstance(read(value), Refusal)


@given(key=st.sampled_from(KEYS), value=ANY_JSON)
def test_any_json_in_the_place_of_a_key_is_read_or_refused(key: str, value: object) -> None:
    assert isinstance(read({**finished(), key: value}), Record | Refusal)


@given(options=st.dictionaries(st.sampled_from(["lady", "approval", "quest_order", "x"]), ANY_JSON))
def test_any_json_in_the_place_of_an_option_is_read_or_refused(options: Json) -> None:
    assert isinstance(read({**told(Story(FIVE)), "ruleset": options}), Record | Refusal)


@given(index=st.integers(0, 9), move=ANY_MOVE | ANY_JSON)
def test_any_json_in_the_place_of_a_move_is_played_or_refused(index: int, move: object) -> None:
    assert isinstance(read(spoiled(index, move)), Record | Refusal)


@given(seed=st.integers(0, 2**16), changes=st.randoms(use_true_random=False))
def test_a_record_with_one_value_changed_is_read_or_refused(seed: int, changes: Random) -> None:
    """Somewhere deep in the record of a random game one value becomes another one of the record."""
    value: Json = write(Record(NAMES, random_game(Random(seed), 10)))
    places = list(_places(value))
    donor, target = changes.choice(places), changes.choice(places)
    container, key = target
    container[key] = deepcopy(donor[0][donor[1]])
    assert isinstance(read(json.loads(json.dumps(value))), Record | Refusal)


def _places(value: object) -> list[tuple[Any, Any]]:
    """Every (container, key) in a JSON value."""
    if isinstance(value, dict):
        return [(value, key) for key in value] + [place for inner in value.values() for place in _places(inner)]
    if isinstance(value, list):
        inner = [place for item in value for place in _places(item)]
        return [(value, index) for index in range(len(value))] + inner
    return []
