"""Callback data: every intention survives the way through it, and nothing that is forged gets in."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgavalon.ui.taps import NO_TABLE, Tap, Verb, decode, encode

TABLES = st.text(string.ascii_letters + string.digits, min_size=10, max_size=10) | st.just(NO_TABLE)
NUMBERS = st.integers(0, 999_999)
TAPS = st.builds(Tap, st.sampled_from(Verb), NUMBERS, NUMBERS)
TABLE = "Ab3Ab3Ab3A"


@given(TABLES, TAPS)
def test_a_tap_comes_back_as_it_was(table: str, tap: Tap) -> None:
    data = encode(table, tap)
    assert decode(data) == (table, tap)
    assert data.isascii()
    assert len(data) <= 64


@given(st.text() | st.from_regex(r"[A-Za-z0-9-]{1,12}:[a-z_]{1,20}:-?[0-9٠-٩]{1,8}:[0-9]{0,8}\n?", fullmatch=True))
def test_anything_else_is_nothing_or_exactly_that(data: str) -> None:
    """What is accepted at all is what `encode` writes, up to zeros in front."""
    found = decode(data)
    if found is not None:
        table, tap = found
        written = encode(table, tap).split(":")
        assert [part.lstrip("0") for part in data.split(":")] == [part.lstrip("0") for part in written]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "join",
        f"{TABLE}:join:0",
        f"{TABLE}:join:0:0:0",
        f"{TABLE}:joins:0:0",
        f"{TABLE}:JOIN:0:0",
        f"{TABLE}:join:-1:0",
        f"{TABLE}:join:0:1000000",
        f"{TABLE}:join:0:٣",
        f"{TABLE}:join:0:0\n",
        f" {TABLE}:join:0:0",
        "Ab3Ab3Ab3:join:0:0",
        "Ab3Ab3Ab3é:join:0:0",
        "--:join:0:0",
        f"{TABLE}:join:0:0x1",
    ],
)
def test_forged_data_is_nothing(data: str) -> None:
    assert decode(data) is None


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_can_be_written(verb: Verb) -> None:
    assert decode(encode(TABLE, Tap(verb, 3, 1023))) == (TABLE, Tap(verb, 3, 1023))
