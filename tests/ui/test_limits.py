"""Telegram's limits, in every language, with the longest names, ten players and twenty-five proposals."""

from __future__ import annotations

import re
from itertools import cycle, islice

import pytest

from tests.ui.catalogues import LANGUAGES, translator_of
from tests.ui.gallery import CROWD, SALT, TITLE, busy, cast_of, gallery, texts
from tests.ui.stories import games
from tgavalon.core.views import public_view
from tgavalon.playground.html import parse_html
from tgavalon.playground.text import utf16_length
from tgavalon.ui import help as pages
from tgavalon.ui.catalogue import plain
from tgavalon.ui.ending import end_screen
from tgavalon.ui.names import LONGEST_NAME
from tgavalon.ui.secrets import LONGEST_ALERT, fitting
from tgavalon.ui.taps import encode

LONGEST_MESSAGE = 4096
MOST_BUTTONS = 100
LONGEST_DATA = 64
TABLE = "Ab3Ab3Ab3A"


def test_the_names_are_as_long_as_names_get() -> None:
    assert {len(name) for name in (*CROWD, TITLE)} == {LONGEST_NAME}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_fits(language: str) -> None:
    for shown in gallery(language):
        if shown.screen is not None:
            assert 0 < utf16_length(parse_html(shown.screen.text).text) <= LONGEST_MESSAGE, shown.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_toast_and_alert_fits(language: str) -> None:
    for shown in gallery(language):
        if shown.text is not None and not shown.name.endswith("description"):
            assert 0 < len(shown.text) <= LONGEST_ALERT, shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_alert_is_cut_within_a_word_or_a_name(language: str) -> None:
    """Even with the longest names: a name is there as a whole or not at all, and what is cut says so."""
    for shown in gallery(language):
        if shown.text is None:
            continue
        pieces = shown.text.split("\u2068")[1:]
        assert all(piece.partition("\u2069")[0] in (*CROWD, TITLE) for piece in pieces), shown


def test_a_text_that_is_too_long_is_cut_between_words() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    cut = fitting(words)
    assert len(cut) <= LONGEST_ALERT
    assert cut.endswith("…")
    assert set(cut[:-1].split()) <= set(words.split())


def test_the_first_text_that_fits_is_taken() -> None:
    assert fitting("a" * 201, "b" * 200, "c") == "b" * 200
    assert fitting("<b>Tom &lt;3</b>") == "Tom <3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_keyboard_fits(language: str) -> None:
    for shown in gallery(language):
        rows = shown.screen.rows if shown.screen is not None else ()
        buttons = [button for row in rows for button in row]
        assert len(buttons) <= MOST_BUTTONS
        assert all(rows), shown.name
        for button in buttons:
            assert button.label.strip()
            assert (button.tap is None) is not (button.url is None)
            if button.tap is not None:
                data = encode(TABLE, button.tap)
                assert len(data.encode()) <= LONGEST_DATA


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_shows_no_markup(language: str) -> None:
    """Buttons and alerts are plain text: what is written in HTML for messages would be read as it stands."""
    for shown in gallery(language):
        for text in texts(shown):
            own = text
            for name in (*CROWD, TITLE):
                own = own.replace(name, "")
            assert not re.search(r"&\w+;|&#|</?[a-z]", own), shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_introduces_the_bot_fits(language: str) -> None:
    t = translator_of(language)
    assert len(plain(t(pages.DESCRIPTION))) <= 512
    assert len(plain(t(pages.SHORT_DESCRIPTION))) <= 120
    assert all(1 <= len(plain(t(text))) <= 256 for text in pages.COMMANDS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_number_of_spectators_may_bet(language: str) -> None:
    game = games("many proposals")[-1]
    bets = tuple(zip(islice(cycle(CROWD), 500), cycle(range(game.seats)), strict=False))
    cast, around = cast_of(CROWD, game.seats), busy(game.seats)
    screen = end_screen(translator_of(language), public_view(game), cast, around, bets, SALT)
    assert utf16_length(parse_html(screen.text).text) <= LONGEST_MESSAGE


def test_the_longest_game_has_twenty_five_proposals() -> None:
    assert len(games("many proposals")[-1].proposals) == 25
