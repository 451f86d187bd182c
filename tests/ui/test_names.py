"""Names: what is left of what people call themselves, and how a name stands in a line and on a button."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.catalogues import translator_of
from tgavalon.playground.html import parse_html
from tgavalon.ui.names import LONGEST_NAME, Cast, clean_name

t = translator_of("en")
ANY_TEXT = st.text(st.characters(codec=None), max_size=80)
NASTY = st.text(
    st.sampled_from(
        "a<&'\"\u202e\u2066\u2069\u200f\u200d\u200c\u00ad\u3164\u2800\u115f\u0301\n\t\u00a0\ufeff\U000e0041é😀م"
    ),
    max_size=80,
)
RAW = ANY_TEXT | NASTY
KEPT_FORMATS = {"\u200c", "\u200d"}


@given(RAW)
def test_a_name_is_short(raw: str) -> None:
    assert len(clean_name(raw)) <= LONGEST_NAME


@given(RAW)
def test_cleaning_twice_is_cleaning_once(raw: str) -> None:
    name = clean_name(raw)
    assert clean_name(name) == name


@given(RAW)
def test_a_name_cannot_turn_the_line_around_it(raw: str) -> None:
    """No control, no direction mark or isolate, no line break, no lone surrogate: only joiners are kept."""
    for char in clean_name(raw):
        assert char == " " or char in KEPT_FORMATS or unicodedata.category(char)[0] not in "CZ"


@given(RAW)
def test_a_name_is_empty_or_visible(raw: str) -> None:
    name = clean_name(raw)
    assert not name or any(unicodedata.category(char)[0] in "LNPS" for char in name)
    assert name == name.strip()
    assert "  " not in name


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=LONGEST_NAME))
def test_letters_and_digits_stay_as_they_are(name: str) -> None:
    blank = {"\u115f", "\u1160", "\u3164", "\uffa0"}
    assert clean_name(name) == name or set(name) <= blank


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("  Ana \n Lee ", "Ana Lee"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u202eevil\u202c", "evil"),
        ("\u2068\u2069\u200e", ""),
        ("\u3164\u3164", ""),
        ("\u2800", ""),
        ("\u0301\u0301", ""),
        ("", ""),
        ("x" * 24, "x" * 24),
        ("x" * 25, "x" * 23 + "…"),
        ("x" * 22 + " yyyy", "x" * 22 + "…"),
        ("\ud800", ""),
    ],
)
def test_some_names(raw: str, name: str) -> None:
    assert clean_name(raw) == name


@given(RAW.map(clean_name))
def test_a_name_reads_the_same_in_a_message_and_on_a_button(name: str) -> None:
    cast = Cast((name,), (1,))
    in_message = parse_html(str(cast.bare(t, 0))).text
    assert in_message == (f"\u2068{name}\u2069" if name else "Player")
    assert cast.label(t, 0) == f"1. {in_message}"
    assert parse_html(str(cast.mention(t, 0))).text == f"{in_message} (1)"


def test_twins_are_told_apart_by_their_seats() -> None:
    cast = Cast(("Ana", "Ana"), (1, 2))
    assert cast.name(t, 0) != cast.name(t, 1)
    assert cast.label(t, 0) != cast.label(t, 1)


def test_nobody_is_a_dash() -> None:
    assert Cast((), ()).names_of(t, ()) == "—"
