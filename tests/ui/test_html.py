"""Every message is well-formed HTML as Telegram reads it, whatever people and groups are called."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser

import pytest

from tests.ui.catalogues import LANGUAGES
from tests.ui.gallery import CROWD, LINK, gallery
from tgavalon.playground.html import parse_html
from tgavalon.ui.screen import Screen

KINDS = {"bold", "spoiler", "code", "pre", "text_mention"}


class Reading(HTMLParser):
    """Reads as browsers do, and insists that tags close in the order they opened."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"b", "a", "pre", "code", "tg-spoiler"}
        assert [name for name, _ in attrs] == (["href"] if tag == "a" else [])
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@cache
def screens(language: str) -> tuple[tuple[str, Screen], ...]:
    return tuple((each.name, each.screen) for each in gallery(language) if each.screen is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_readers_read_the_same(language: str) -> None:
    for name, screen in screens(language):
        assert Reading(screen.text).text == parse_html(screen.text).text, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_adds_formatting_or_links(language: str) -> None:
    for name, screen in screens(language):
        entities = parse_html(screen.text).entities
        assert {entity["type"] for entity in entities} <= KINDS, name
        mentioned = {entity["user_id"] for entity in entities if entity["type"] == "text_mention"}
        assert all(1_000_000_000 <= user < 1_000_000_010 for user in mentioned), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_shown_as_they_are(language: str) -> None:
    """A screen that lists everybody has every name word for word."""
    listing = [screen for name, screen in screens(language) if name == "lobby rulebook 10"]
    read = parse_html(listing[0].text).text
    assert all(name in read for name in CROWD)


def test_a_mention_covers_the_name_and_nothing_else() -> None:
    screen = next(screen for name, screen in screens("en") if name.startswith("good wins 0 team 1"))
    parsed = parse_html(screen.text)
    mention = next(entity for entity in parsed.entities if entity["type"] == "text_mention")
    text = parsed.text.encode("utf-16-le")[2 * mention["offset"] : 2 * (mention["offset"] + mention["length"])]
    assert text.decode("utf-16-le") == f"\u2068{CROWD[0]}\u2069"


def test_secrets_are_hidden_until_they_are_tapped() -> None:
    """On a role card, nothing that tells role or knowledge stands outside the spoilers."""
    cards = [screen for name, screen in screens("en") if name.endswith(" role")]
    assert cards
    for screen in cards:
        parsed = parse_html(screen.text)
        units = parsed.text.encode("utf-16-le")
        hidden = [entity for entity in parsed.entities if entity["type"] == "spoiler"]
        told = [units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le") for e in hidden]
        visible = parsed.text
        for line in told:
            visible = visible.replace(line, "")
        assert any("You are" in line for line in told)
        assert not [word for word in ("You are", "Merlin", "Evil", "evil", "good") if word in visible]


def test_private_screens_may_not_be_forwarded() -> None:
    for name, screen in screens("en"):
        assert screen.protected is (" seat " in name), name


def test_links_lead_to_telegram() -> None:
    urls = {button.url for _, screen in screens("en") for row in screen.rows for button in row if button.url}
    assert urls == {LINK, "https://t.me/avalon_bot?startgroup=play"}
