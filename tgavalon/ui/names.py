"""People's names on screens: cleaned when they come in, numbered by seat, isolated from the text around them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from markupsafe import Markup

from tgavalon.ui.catalogue import Translator, isolated

LONGEST_NAME = 24
_JOINERS = {"\u200c", "\u200d"}


def clean_name(raw: str) -> str:
    """A display name without control and direction characters, at most 24 characters; empty if nothing visible is left.

    Joiners stay, since Persian and Indic spelling and composed emoji need them.
    """
    kept = "".join(char if _is_visible(char) else " " * char.isspace() for char in raw)
    name = " ".join(kept.split())
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK_LETTERS for char in name):
        return ""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def _is_visible(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char)[0] not in "CZ" or char == " "


_BLANK_LETTERS = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}


@dataclass(frozen=True, slots=True)
class Cast:
    """Who sits where: names and Telegram user ids by seat."""

    names: tuple[str, ...]
    users: tuple[int, ...]

    def bare(self, t: Translator, seat: int) -> Markup:
        """The player's name without the seat number."""
        # Translators: stands for a name that nobody can read.
        return isolated(self.names[seat]) if self.names[seat] else t("Player")

    def name(self, t: Translator, seat: int) -> Markup:
        """The player as text mentions them: name and seat number."""
        # Translators: how a player is mentioned, with the number of the seat.
        return t("{name} ({seat})", name=self.bare(t, seat), seat=seat + 1)

    def names_of(self, t: Translator, seats: tuple[int, ...]) -> Markup:
        """Several players, listed as the language lists them; a dash for nobody."""
        return t.listing(self.name(t, seat) for seat in seats) if seats else Markup("—")

    def mention(self, t: Translator, seat: int) -> Markup:
        """The player, so that Telegram notifies them."""
        link = Markup('<a href="tg://user?id={}">{}</a>').format(self.users[seat], self.bare(t, seat))
        return t("{name} ({seat})", name=link, seat=seat + 1)

    def label(self, t: Translator, seat: int) -> str:
        """The player on a button."""
        return t.label(t("{seat}. {name}", seat=seat + 1, name=self.bare(t, seat)))
