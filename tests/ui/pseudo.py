"""A language that nobody speaks, to see what is translated: every piece of a message stands in ⟦brackets⟧.

What a message's placeholders bring in stays outside, so that an English word that is glued in is seen as well. Its
lists and durations, which are not in the catalogue but in CLDR, stand in brackets too.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from tgavalon.ui.catalogue import SOURCE, Translator

CLDR = SOURCE
_PLACEHOLDER = re.compile(r"(\{\w+\})")


def bracketed(message: str) -> str:
    """The message with its words in brackets, but not its placeholders."""
    pieces = _PLACEHOLDER.split(message)
    return "".join(piece if _PLACEHOLDER.fullmatch(piece) or not piece else f"⟦{piece}⟧" for piece in pieces)


class Bracketing(gettext.NullTranslations):
    """Translations into the language of brackets, which remember every message they were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return bracketed(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked |= {msgid1, msgid2}
        return bracketed(msgid1 if n == 1 else msgid2)


class PseudoTranslator(Translator):
    """The translator of the language of brackets."""

    def __init__(self) -> None:
        self.bracketing = Bracketing()
        super().__init__(CLDR, self.bracketing)

    def listing(self, items: Iterable[str]) -> Markup:
        """Items joined in brackets."""
        return Markup("⟦, ⟧").join(escape(item) for item in items)

    def duration(self, seconds: float) -> Markup:
        """A length of time in brackets."""
        return Markup("⟦{}⟧").format(super().duration(seconds))
