"""Persian reads from right to left whatever names, numbers and Latin words stand in a line: its structure, by marks."""

from __future__ import annotations

import re
import unicodedata

import pytest
from markupsafe import Markup

from tests.ui.catalogues import LANGUAGES, translator_of
from tests.ui.gallery import CROWD, SALT, SEAL, TITLE, gallery
from tgavalon.ui.catalogue import LEFT_TO_RIGHT_MARK, SOURCE, plain

RLM, LRM = "\u200f", LEFT_TO_RIGHT_MARK
FSI, LRI, PDI = "\u2068", "\u2066", "\u2069"
ISOLATED = re.compile(f"[{FSI}{LRI}]([^{FSI}{LRI}{PDI}]*){PDI}")

RIGHT_TO_LEFT = [language for language in LANGUAGES if translator_of(language).is_rtl]
LEFT_TO_RIGHT = [language for language in LANGUAGES if language not in RIGHT_TO_LEFT]


def lines(language: str) -> list[tuple[str, str]]:
    """Every line of every message, without HTML."""
    return [
        (each.name, line)
        for each in gallery(language)
        if each.screen is not None
        for line in plain(each.screen.text).split("\n")
    ]


def test_persian_is_there() -> None:
    assert "fa" in RIGHT_TO_LEFT


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_every_line_states_its_direction(language: str) -> None:
    """A client takes a line's direction from its first strong character, which may be a name's."""
    for name, line in lines(language):
        assert not line or line[0] in (RLM, LRM), (name, line)


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_only_hashes_and_tables_of_signs_run_the_other_way(language: str) -> None:
    """A line from left to right holds no words."""
    for name, line in lines(language):
        if line.startswith(LRM):
            assert not [char for char in line if unicodedata.category(char).startswith("L")], (name, line)


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_a_hash_keeps_its_own_direction(language: str) -> None:
    for _, line in lines(language):
        for hashed in (SEAL, SALT):
            assert hashed not in line or LRM + hashed in line


@pytest.mark.parametrize("language", RIGHT_TO_LEFT)
def test_numbers_are_written_in_the_languages_own_digits(language: str) -> None:
    """But for what people call themselves and for hashes and commands."""
    digits = translator_of(language).number(1234567890)
    for name, line in lines(language):
        own = ISOLATED.sub("", line).replace(SEAL, "").replace(SALT, "")
        assert not re.search("[0-9]", own), (name, line)
    assert not set(digits) & set("0123456789")


@pytest.mark.parametrize("language", LEFT_TO_RIGHT)
def test_nothing_is_turned_where_nothing_has_to_be(language: str) -> None:
    assert not [line for line in lines(language) if RLM in line[1]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_stands_in_isolates_of_its_own_line(language: str) -> None:
    """They open and close in pairs, within a line, and never stand in one another."""
    for name, line in lines(language):
        assert not re.search(f"[{FSI}{LRI}{PDI}]", ISOLATED.sub("", line)), (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_stands_outside_isolates(language: str) -> None:
    for name, line in lines(language):
        outside = ISOLATED.sub("", line)
        assert not [person for person in (*CROWD, TITLE) if person in outside], (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_alerts_and_buttons_isolate_names_too(language: str) -> None:
    for each in gallery(language):
        texts = [each.text or "", *(b.label for row in (each.screen.rows if each.screen else ()) for b in row)]
        for text in texts:
            outside = ISOLATED.sub("", text)
            assert not re.search(f"[{FSI}{LRI}{PDI}]", outside), (each.name, text)
            assert not [person for person in CROWD if person in outside], (each.name, text)


def test_a_page_keeps_the_lines_it_is_given() -> None:
    t = translator_of("fa")
    assert t.page("a", "", Markup("<b>b</b>\nc")) == f"{RLM}a\n\n{RLM}<b>b</b>\n{RLM}c"
    assert t.page(f"{LRM}1", "<pre>x</pre>") == f"{LRM}1\n<pre>x</pre>"
    assert translator_of(SOURCE).page("a", "", "b") == "a\n\nb"


def test_a_table_lines_up_in_every_language() -> None:
    """Each row of votes starts with its seat in two places, and has as many signs as every other."""
    for language in LANGUAGES:
        end = next(each.screen for each in gallery(language) if each.name.endswith("end") and "many" in each.name)
        assert end is not None
        table = re.search(r"<pre>(.*)</pre>", end.text, re.DOTALL)
        assert table is not None
        rows = [plain(row) for row in table[1].split("\n")]
        assert len(rows) == 10
        assert {len(row) for row in rows} == {1 + 2 + 1 + 25 + 4}
        assert all(row.startswith(RLM if language == "fa" else LRM) for row in rows), "as the language is read"
