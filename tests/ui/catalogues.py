"""The catalogues as the source holds them: read from the `.po` files, whether or not anybody has compiled them."""

from __future__ import annotations

import gettext
import importlib.util
import io
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tgavalon.ui.catalogue import SOURCE, Translator

if TYPE_CHECKING:
    from types import ModuleType

LOCALES = Path(__file__).resolve().parents[2] / "locales"
LANGUAGES = (SOURCE, *sorted(path.parents[1].name for path in LOCALES.glob("*/LC_MESSAGES/tgavalon.po")))


@cache
def tool() -> ModuleType:
    """`locales/catalogues.py`, which is a program beside the package and not a part of it."""
    spec = importlib.util.spec_from_file_location("catalogues", LOCALES / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["catalogues"] = module
    spec.loader.exec_module(module)
    return module


@cache
def translator_of(language: str) -> Translator:
    """The translator of a language from its `.po`."""
    if language == SOURCE:
        return Translator(SOURCE, gettext.NullTranslations())
    with (LOCALES / language / "LC_MESSAGES" / "tgavalon.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(language, gettext.GNUTranslations(compiled))
