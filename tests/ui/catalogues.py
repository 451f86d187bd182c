"""The catalogues as the source holds them: read from the `.po` files, whether or not anybody has compiled them."""

from __future__ import annotations

import gettext
import io
from functools import cache

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from locales import catalogues
from tgavalon.ui.catalogue import SOURCE, Translator

LANGUAGES = (SOURCE, *(path.parents[1].name for path in catalogues.languages()))


@cache
def translator_of(language: str) -> Translator:
    """The translator of a language from its `.po`."""
    if language == SOURCE:
        return Translator(SOURCE, gettext.NullTranslations())
    with catalogues.path_of(language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(language, gettext.GNUTranslations(compiled))
