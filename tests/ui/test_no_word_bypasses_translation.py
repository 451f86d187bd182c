"""Every visible word comes from the catalogue, and everything in the catalogue comes to be seen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pytest

from locales import catalogues
from tests.ui.gallery import SALT, SEAL, everything, texts
from tests.ui.pseudo import PseudoTranslator
from tgavalon.ui.catalogue import languages, own_name
from tgavalon.ui.help import COMMANDS

NAMES = ("", *(f"Player{seat}" for seat in range(1, 10)))
TITLE = "Our group"

_TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")
_FOREIGN = re.compile(
    "|".join(re.escape(word) for word in (*NAMES, TITLE, SEAL, SALT, *(f"/{name}" for name in COMMANDS)) if word)
)


def letters_left(text: str) -> str:
    """The letters of a text that no translation brought in, but for names, titles, hashes and commands."""
    if text in {own_name(code) for code in languages()}:
        return ""
    left = _FOREIGN.sub("", _TRANSLATED.sub("", text))
    return "".join(char for char in left if unicodedata.category(char).startswith("L"))


@pytest.fixture(scope="module")
def walk() -> tuple[PseudoTranslator, dict[str, str]]:
    """The language of brackets after it has said everything, and every text with where it was first seen."""
    t = PseudoTranslator()
    seen: dict[str, str] = {}
    for shown in everything(t, NAMES, TITLE):
        for text in texts(shown):
            seen.setdefault(text, shown.name)
    return t, seen


def test_no_letter_stands_outside_the_brackets(walk: tuple[PseudoTranslator, dict[str, str]]) -> None:
    _, seen = walk
    assert {where: text for text, where in seen.items() if letters_left(text)} == {}


@pytest.mark.parametrize("text", ["⟦Waiting for ⟧Ana", "Good", "⟦Team: ⟧⟦of ⟧2 players", "⟦a⟧ و ⟦b⟧"])
def test_a_word_outside_the_brackets_is_noticed(text: str) -> None:
    assert letters_left(text)


def test_every_message_is_seen_somewhere(walk: tuple[PseudoTranslator, dict[str, str]]) -> None:
    """What the gallery leaves out is not tested at all; only the bot's own few answers are shown elsewhere."""
    t, _ = walk
    in_source = {ids for ids, places in messages() if not all(place.startswith("bot/") for place in places)}
    assert {ids for ids in in_source if not set(ids) <= t.bracketing.asked} == set()


def test_every_message_is_extracted(walk: tuple[PseudoTranslator, dict[str, str]]) -> None:
    """A message that is translated but not marked where the extraction finds it would stay English for ever."""
    t, _ = walk
    assert t.bracketing.asked <= {message for ids, _ in messages() for message in ids}


def messages() -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every message of the source, with its plural, and the files it stands in."""
    for message in catalogues.extracted():
        if message.id:
            ids = (message.id,) if isinstance(message.id, str) else message.id
            yield tuple(str(form) for form in ids), [place for place, _ in message.locations]


def test_the_template_is_what_the_source_says_now() -> None:
    """If this fails: python locales/catalogues.py extract"""
    assert catalogues.TEMPLATE.read_text(encoding="utf-8") == catalogues.template_text()
