"""The translator: it translates first and formats after; what is foreign is escaped and isolated."""

from __future__ import annotations

import gettext

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from tests.ui.catalogues import LANGUAGES, translator_of
from tgavalon.playground.html import parse_html
from tgavalon.ui.catalogue import Translator, isolated, mark, plain

t = translator_of("en")
FSI, PDI = "\u2068", "\u2069"


class Shouting(gettext.NullTranslations):
    """A language that turns everything around and says it loudly."""

    def gettext(self, message: str) -> str:
        return {"{name} has {count} <b>cards</b>": "<b>CARDS</b>: {count}! ({name})"}[message]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"<i>{n}</i> {{count}} {{name}} {msgid1 if n == 1 else msgid2}"


loud = Translator("fa", Shouting())


def test_a_message_is_translated_before_it_is_formatted() -> None:
    shown = loud("{name} has {count} <b>cards</b>", name="<Tom>", count=12)
    assert shown == f"<b>CARDS</b>: ۱۲! ({FSI}&lt;Tom&gt;{PDI})"
    assert isinstance(shown, Markup)


def test_a_plural_has_its_number_as_a_placeholder() -> None:
    assert loud.plural("one", "many", 1, name="Tom") == f"<i>1</i> ۱ {FSI}Tom{PDI} one"
    assert loud.plural("one", "many", 5, name="Tom") == f"<i>5</i> ۵ {FSI}Tom{PDI} many"


@given(st.text(max_size=30))
def test_foreign_text_stays_what_it_is(name: str) -> None:
    """Braces, markup and entities in a name are neither filled in nor read, also where it is put in a second time."""
    inner = t("{name} ({seat})", name=name, seat=3)
    outer = t("Team: {team}", team=inner)
    assert plain(str(outer)) == f"Team: {FSI}{name}{PDI} (3)"
    assert isolated(name) == t("{name}", name=name)


@given(st.text(st.characters(exclude_categories=["C"]), max_size=30))
def test_plain_text_is_what_telegram_reads(text: str) -> None:
    html = t("<b>{name}</b>: <code>x</code>", name=text)
    assert plain(str(html)) == parse_html(str(html)).text


@pytest.mark.parametrize(("language", "number", "shown"), [("en", 1234, "1,234"), ("fa", 10, "۱۰"), ("ru", 7, "7")])
def test_numbers_are_written_as_the_language_writes_them(language: str, number: int, shown: str) -> None:
    assert translator_of(language).number(number) == shown


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "a, b, and c"), ("ru", "a, b и c"), ("es", "a, b y c"), ("vi", "a, b và c"), ("fa", "a،\u200f b، و c")],
)
def test_lists_are_joined_as_the_language_joins_them(language: str, shown: str) -> None:
    assert translator_of(language).listing(["a", "b", "c"]) == shown


def test_a_list_escapes_what_is_not_markup() -> None:
    assert t.listing(["<b>", Markup("<i>x</i>")]) == "&lt;b&gt; and <i>x</i>"
    assert t.listing([]) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_durations_are_in_the_languages_own_words_and_digits(language: str) -> None:
    spoken = translator_of(language)
    assert spoken.number(2) in spoken.duration(125)
    assert spoken.duration(45) != spoken.duration(300)


def test_a_mark_is_the_message_itself() -> None:
    assert mark("x") == "x"
