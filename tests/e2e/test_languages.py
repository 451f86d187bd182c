"""Everybody in their own language, the group in its own, and changes that repaint what is open."""

from __future__ import annotations

import pytest

from tests.e2e.players import NAMES, Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.catalogue import Translator, languages, own_name, plain, translator
from tgavalon.ui.help import language_chosen
from tgavalon.ui.lobby import CLOSED_BY_HOST
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.taps import Verb
from tgavalon.ui.words import ROLES

pytestmark = pytest.mark.skipif({"es", "fa"} - {*languages()} != set(), reason="needs compiled catalogues")
ES, FA = translator("es"), translator("fa")


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    codes = ("es-419", "fa", "zz", "", "pt-br")
    people = [double.person(name, language_code=code) for name, code in zip(NAMES, codes, strict=False)]
    return Friends(double, bot, double.group("Friends", people), people)


async def opened(friends: Friends) -> None:
    """The table of whoever speaks Spanish."""
    await friends.command(friends.people[0], "/newgame")
    for person in friends.people:
        answer = await friends.tap(person, friends.group, Verb.JOIN)
        person.open(answer.url)
        await friends.heard()


async def card_is_in(friends: Friends, person: Person, t: Translator) -> None:
    """Somebody's role card is in this language."""
    seat = (await friends.by_seat()).index(person)
    role = (await friends.game()).roles[seat]
    card = next(message.text for message in person.hears() if message.text.removeprefix("\u200f").startswith("🎭"))
    assert plain(t(ROLES[role])) in card


async def test_the_group_speaks_the_language_of_whoever_opens_the_first_table(friends: Friends) -> None:
    await opened(friends)
    assert plain(ES("✅ Everybody is ready. The host can start.")) in friends.newest()


async def test_each_person_is_answered_in_their_own(friends: Friends) -> None:
    await opened(friends)
    for person, t in zip(friends.people, (ES, FA, *[translator("en")] * 3), strict=True):
        answer = await friends.tap(person, friends.group, Verb.GLANCE)
        assert answer.text == plain(t("✅ Everybody is ready. The host can start."))
    await friends.tap(friends.people[0], friends.group, Verb.START)
    await friends.heard()
    await card_is_in(friends, friends.people[1], FA)
    await card_is_in(friends, friends.people[2], translator("en"))


async def test_a_person_chooses_and_their_cards_follow(friends: Friends) -> None:
    await opened(friends)
    await friends.tap(friends.people[0], friends.group, Verb.START)
    await friends.heard()
    person = friends.people[2]
    person.command(None, "/language")
    await friends.heard()
    count = len(person.hears())
    answer = await friends.press(person, None, own_name("fa"))
    assert answer.text == language_chosen(FA)
    await friends.heard()
    assert len(person.hears()) == count
    await card_is_in(friends, person, FA)
    answer = await friends.tap(person, friends.group, Verb.HURRY)
    assert answer.text == sentence(FA, Refusal.NOT_HOST)


async def test_an_admin_chooses_for_the_group_and_the_table_is_repainted(friends: Friends) -> None:
    await opened(friends)
    await friends.command(friends.people[0], "/language")
    answer = await friends.press(friends.people[1], friends.group, own_name("fa"))
    assert answer.text == sentence(FA, Refusal.NOT_ADMIN)
    answer = await friends.press(friends.people[0], friends.group, own_name("fa"))
    assert answer.text == language_chosen(FA)
    await friends.heard()
    assert plain(FA("✅ Everybody is ready. The host can start.")) in friends.text()
    await friends.command(friends.people[0], "/endgame")
    await friends.command(friends.people[0], "/newgame")
    assert plain(FA.plural("{count} more player needed.", "{count} more players needed.", 4)) in friends.newest()


async def test_only_admins_are_asked_in_a_group(friends: Friends) -> None:
    await friends.command(friends.people[1], "/language")
    assert friends.newest().removeprefix("\u200f") == sentence(FA, Refusal.NOT_ADMIN)


async def test_a_button_of_a_language_that_is_not_there(friends: Friends) -> None:
    person = friends.people[3]
    person.command(None, "/language")
    await friends.heard()
    answer = await friends.forge(person, "-:language:0:99", person.last())
    assert answer.text == "That button is from an earlier moment. Use those of my newest message."


async def test_the_same_choice_twice(friends: Friends) -> None:
    person = friends.people[3]
    person.command(None, "/language")
    await friends.heard()
    menu = person.last()
    data = next(b["callback_data"] for b in menu.buttons() if b["text"] == own_name("es"))
    presses = [friends.forged(person, data, menu) for _ in range(2)]
    assert [(await friends.answer_to(press)).text for press in presses] == [language_chosen(ES)] * 2


async def test_the_end_of_a_table_in_the_language_of_the_group(friends: Friends) -> None:
    await opened(friends)
    await friends.command(friends.people[0], "/endgame")
    assert plain(ES(CLOSED_BY_HOST)) in friends.newest()
