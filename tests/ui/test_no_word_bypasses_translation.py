"""Every visible word comes from the catalogue, everything in the catalogue can be seen, and the catalogue is up to date."""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest

from tests.ui.gallery import SALT, SEAL, everything, texts
from tests.ui.pseudo import PseudoTranslator
from tgavalon.ui.catalogue import languages, own_name
from tgavalon.ui.help import COMMANDS

LOCALES = Path(__file__).resolve().parents[2] / "locales"
NAMES = tuple(f"Player{seat}" for seat in range(10))
TITLE = "Our group"

_TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")
_FOREIGN = re.compile("|".join(map(re.escape, (*NAMES, TITLE, SEAL, SALT, *(f"/{name}" for name in COMMANDS)))))


def untranslated(text: str) -> str:
    """The letters of a text that no translation brought in, but for names, titles, hashes and commands."""
    own_names = [own_name(code) for code in languages()]
    if text in own_names:
        return ""
    left = _FOREIGN.sub("", _TRANSLATED.sub("", text))
    return "".join(char for char in left if unicodedata.category(char).startswith("L"))


def test_no_letter_is_left_outside_the_brackets() -> None:
    shown = everything(PseudoTranslator(), NAMES, TITLE)
    left = {name: text for name, text, letters in _letters_left(shown) if letters}
    assert left == {}


def _letters_left(shown):  # type: ignore[no-untyped-def]
    for each in shown:
        for text in texts(each):
            yield each.name, text, untranslated(text)
