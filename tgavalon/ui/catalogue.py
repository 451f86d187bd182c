"""Languages: finding them, choosing one for a person, and the translator that every visible word goes through.

English is the source and needs no catalogue; every other language is a folder of `locales/`. Messages are translated
first and formatted after. Plurals, numbers and lists follow CLDR (Babel).
"""

from __future__ import annotations

import gettext
import html
import re
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from pathlib import Path

from babel import Locale
from babel.dates import format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal
from markupsafe import Markup, escape

DOMAIN = "tgavalon"
SOURCE = "en"

FIRST_STRONG_ISOLATE = "\u2068"
POP_DIRECTIONAL_ISOLATE = "\u2069"
_RIGHT_TO_LEFT_MARK = "\u200f"
LEFT_TO_RIGHT_MARK = "\u200e"
"""Put first on a line that runs left to right in every language, such as a row of a table of signs."""

_LATIN_DIGITS = "0123456789"
# Babel formats numbers by CLDR's patterns but always writes Latin digits; these are CLDR's other digits.
_DIGITS = {"arab": "٠١٢٣٤٥٦٧٨٩", "arabext": "۰۱۲۳۴۵۶۷۸۹", "beng": "০১২৩৪৫৬৭৮৯", "deva": "०१२३४५६७८९"}
_SMALL = 100
_TAG = re.compile(r"<[^>]*>")


def isolated(text: str) -> Markup:
    """Foreign text (a name, a title) made safe for HTML and for the direction of the line around it."""
    return Markup(f"{FIRST_STRONG_ISOLATE}{escape(text)}{POP_DIRECTIONAL_ISOLATE}")


def plain(text: str) -> str:
    """The same text without HTML, for buttons, toasts and alerts."""
    return html.unescape(_TAG.sub("", text))


def mark(message: str) -> str:
    """Mark a constant for extraction; it is translated where it is used."""
    return message


class Translator:
    """One language: call it with an English message and the values of its placeholders."""

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self.locale = Locale.parse(language, sep="-")
        self._translations = translations
        digits = _DIGITS.get(self.locale.default_numbering_system, _LATIN_DIGITS)
        self._digits = str.maketrans(_LATIN_DIGITS, digits)
        self._numbers: dict[int, str] = {}

    def __call__(self, message: str, **values: object) -> Markup:
        """`message` in this language. Plain strings are foreign text and isolated; `Markup` is taken as it is;
        numbers take the language's digits."""
        return self._format(self._translations.gettext(message), values)

    def plural(self, one: str, many: str, count: int, **values: object) -> Markup:
        """The form of the message for `count`, which is also its placeholder `{count}`."""
        return self._format(self._translations.ngettext(one, many, count), {"count": count, **values})

    def number(self, number: int) -> str:
        """`number` in this language's digits. Small ones, of which screens are full, are kept."""
        known = self._numbers.get(number)
        if known is None:
            known = format_decimal(number, locale=self.locale).translate(self._digits)
            if 0 <= number < _SMALL:
                self._numbers[number] = known
        return known

    @property
    def is_rtl(self) -> bool:
        """Whether this language is written from right to left."""
        return bool(self.locale.text_direction == "rtl")

    def duration(self, seconds: float) -> Markup:
        """A length of time, roughly, as the language says it: "2 minutes"."""
        text = format_timedelta(timedelta(seconds=seconds), locale=self.locale, threshold=1.5)
        return escape(text.translate(self._digits))

    def listing(self, items: Iterable[str]) -> Markup:
        """Items joined as this language joins them: "A, B and C"."""
        return Markup(format_list([escape(item) for item in items], locale=self.locale))

    @property
    def direction_mark(self) -> str:
        """What a line of signs and digits begins with, so that it runs as this language is read."""
        return _RIGHT_TO_LEFT_MARK if self.is_rtl else LEFT_TO_RIGHT_MARK

    def label(self, text: str) -> str:
        """The text of a button: no HTML, and this language's direction even if it is only a number and a name."""
        return self.page(plain(text))

    def page(self, *lines: str) -> str:
        """Lines of a message; each keeps this language's direction, whatever names it begins with."""
        text = "\n".join(str(line) for line in lines)
        if not self.is_rtl:
            return text
        return "\n".join(_right_to_left(line) for line in text.split("\n"))

    def _format(self, translated: str, values: dict[str, object]) -> Markup:
        return Markup(translated).format(**{name: self._shown(value) for name, value in values.items()})

    def _shown(self, value: object) -> Markup:
        if isinstance(value, Markup):
            return value
        if isinstance(value, int):
            return Markup(self.number(value))
        return isolated(str(value))


def _right_to_left(line: str) -> str:
    marked = (LEFT_TO_RIGHT_MARK, _RIGHT_TO_LEFT_MARK, "<pre>")
    return line if not line or line.startswith(marked) else _RIGHT_TO_LEFT_MARK + line


def folder() -> Path:
    """The folder of catalogues: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "locales"
    return installed if installed.is_dir() else package.parent / "locales"


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that can be played in, English first."""
    found = sorted(path.parents[1].name for path in folder().glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (SOURCE, *(code for code in found if code != SOURCE))


@cache
def translator(language: str) -> Translator:
    """The translator of a language in `languages()`; English for any other code."""
    if language == SOURCE or language not in languages():
        return Translator(SOURCE, gettext.NullTranslations())
    return Translator(language, gettext.translation(DOMAIN, folder(), [language]))


def negotiate(*wanted: str | None) -> str:
    """The first of the wanted codes that can be played in, `fa-IR` counting as `fa`; English if none can."""
    for code in wanted:
        short = (code or "").replace("_", "-").split("-")[0].lower()
        if short in languages():
            return short
    return SOURCE


def own_name(language: str) -> str:
    """The name of a language in that language."""
    name = Locale.parse(language, sep="-").get_display_name() or language
    return name[:1].upper() + name[1:]
