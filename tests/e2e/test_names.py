"""People with names that break careless programs play whole games."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.taps import Verb

ISOLATE, END = "\u2068", "\u2069"
HOSTILE = (
    "Tom <3",
    "<b>",
    "&amp; {name} %s",
    "ب" * 64,
    "a" + "\u0301" * 63,
    "\u202eevil\u202c سارا",
    "\u2067\u2066\u200f\u061c",
    "\u3164\u2800",
    "Twin",
    "Twin",
)
LONG = (
    "व" * 64,
    "한" * 64,
    "🧙🏽‍♀️" * 8,
    "က" + "\u103b" * 63,
    "\U00010400" * 64,
    "x" * 64,
    "\u0e01" + "\u0e49" * 63,
    "ﷺ" * 64,
    "𝕬" * 64,
    "Ж" * 64,
)


@pytest.mark.parametrize("names", [HOSTILE, LONG], ids=["hostile", "long"])
async def test_a_whole_game(double: Double, bot: AvalonBot, names: tuple[str, ...]) -> None:
    friends = Friends.named(double, bot, names)
    await friends.begin()
    first = friends.people[0]
    assert all([(await friends.tap(p, friends.group, Verb.ROLE)).alert for p in friends.people])
    await friends.quest(good_wins=False)
    await friends.finish()
    lines = friends.newest().splitlines()
    for seat in range(1, 11):
        assert any(f"{seat}. " in line for line in lines), f"seat {seat} is missing at the end"
    for message in first.hears(friends.group):
        assert message.text.count(ISOLATE) == message.text.count(END)
        assert "\u202e" not in message.text


async def test_nobody_is_without_a_name_or_a_number(double: Double, bot: AvalonBot) -> None:
    friends = Friends.named(double, bot, ("\u200e\u200f", "\u3164", "Twin", "Twin", "\u202e\u202d"))
    await friends.open_table()
    lobby = friends.newest()
    for line in ("1. Player – host", "2. Player", f"3. {ISOLATE}Twin{END}", f"4. {ISOLATE}Twin{END}", "5. Player"):
        assert line in lobby.splitlines()


async def test_a_name_is_text_and_never_markup(double: Double, bot: AvalonBot) -> None:
    friends = Friends.named(double, bot, ("<b>", "</b>", "<a href='tg://user?id=1'>x", "Tom <3", "&lt;"))
    await friends.begin()
    team = friends.newest()
    for name in ("<b>", "</b>", "<a href='tg://user?id=1'", "Tom <3", "&lt;"):
        assert f"{ISOLATE}{name[:23]}" in team
    body = friends.people[0].last(friends.group).body
    assert body is not None
    assert {entity["type"] for entity in body.entities} <= {"bold", "text_mention", "bot_command"}


async def test_a_hostile_title(double: Double, bot: AvalonBot) -> None:
    people = [double.person(name) for name in ("Ana", "Ben", "Cho", "Dee", "Eli")]
    friends = Friends(double, bot, double.group("<i>\u202e&" + "ش" * 200, people), people)
    await friends.begin()
    card = people[0].last().text
    assert f"at {ISOLATE}<i>&" in card
    assert "\u202e" not in card
