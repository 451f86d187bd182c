"""The end of the game: who names Merlin, whom they may name, evil shown first, bets, and games without Merlin."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Outcome, Over
from tgavalon.core.roles import Role, Side
from tgavalon.ui.taps import Verb


async def at_the_shot(double: Double, bot: AvalonBot, players: int, **settings: str) -> Friends:
    friends = Friends.gather(double, bot, players)
    await friends.open_table()
    for name, value in settings.items():
        await friends.set(name.replace("_", " "), value)
    if settings:
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    while (await friends.game()).successes < 3:
        await friends.quest()
    await friends.until_reads("Three quests have succeeded. Evil has one last chance.")
    await friends.settled()
    return friends


async def offered(friends: Friends, role: Role) -> set[int]:
    """The seats on the dagger's buttons."""
    person = await friends.with_role(role)
    await friends.until(lambda: friends.reads(person, "🗡 Who is Merlin?"))
    return {int(label.partition(".")[0]) - 1 for label in person.labels() if label[0].isdigit()}


@pytest.mark.parametrize("merlin", [True, False])
async def test_the_assassin_names_somebody(double: Double, bot: AvalonBot, merlin: bool) -> None:
    friends = await at_the_shot(double, bot, 5)
    assert await offered(friends, Role.ASSASSIN) == set(await friends.on_side(Side.GOOD))
    await friends.shoot(merlin)
    await friends.until_reads("Evil wins!" if merlin else "Good wins!")
    await friends.until_reads(": Merlin!" if merlin else ", who is not Merlin.")


async def test_the_question_can_be_taken_back(double: Double, bot: AvalonBot) -> None:
    friends = await at_the_shot(double, bot, 5)
    killer, good = await friends.with_role(Role.ASSASSIN), await friends.on_side(Side.GOOD)
    await friends.tap(killer, None, Verb.AIM, 0, good[0])
    await friends.press(killer, None, "No, back")
    await friends.tap(killer, None, Verb.AIM, 0, good[1])
    await friends.press(killer, None, "Yes, this is Merlin")
    await friends.until_reads("wins!")
    over = (await friends.game()).phase
    assert isinstance(over, Over)
    assert over.target == good[1]


async def test_oberon_is_among_those_who_can_be_named(double: Double, bot: AvalonBot) -> None:
    friends = await at_the_shot(double, bot, 5, Oberon="on")
    everybody = set(range(5))
    assassin = (await friends.game()).dagger
    assert await offered(friends, Role.ASSASSIN) == everybody - {assassin}


async def test_evil_is_shown_first(double: Double, bot: AvalonBot) -> None:
    friends = await at_the_shot(double, bot, 7, Rules="Vietnamese rules", Oberon="on", Mordred="on")
    seats, game = await friends.by_seat(), await friends.game()
    _, shown = friends.newest().split("Evil shows itself:\n")
    for seat, role in enumerate(game.roles):
        assert (f"{seats[seat].name}\u2069 ({seat + 1}): " in shown) == (role.side is Side.EVIL)
    assert await offered(friends, Role.ASSASSIN) == set(await friends.on_side(Side.GOOD))
    await friends.shoot(merlin=True)
    await friends.until_reads("Evil wins!")


@pytest.mark.parametrize(("role", "also"), [("Mordred", {}), ("Morgana", {"Percival": "on"})])
async def test_the_dagger_of_somebody_else(double: Double, bot: AvalonBot, role: str, also: dict[str, str]) -> None:
    settings = {"The_dagger_belongs_to": role, role: "on", **also}
    friends = await at_the_shot(double, bot, 7, **settings)
    roles = (await friends.game()).roles
    assert Role.ASSASSIN not in roles
    killer = await friends.with_role(Role(role.lower()))
    assert friends.reads(killer, "You hold the dagger: you name Merlin at the end.")
    assert await offered(friends, Role(role.lower())) == set(await friends.on_side(Side.GOOD))
    await friends.shoot(merlin=True)
    await friends.until_reads("Evil wins!")


async def test_no_shot_without_merlin(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot)
    await friends.open_table()
    await friends.set("Merlin", "off")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    for _ in range(3):
        await friends.quest()
    await friends.until_reads("Good wins!")
    assert (await friends.game()).phase == Over(Side.GOOD, Outcome.THREE_SUCCESSFUL_QUESTS)
    assert "Merlin" not in friends.text()


async def test_bets_are_shown_afterwards(double: Double, bot: AvalonBot) -> None:
    friends = await at_the_shot(double, bot, 5)
    zoe = double.person("Zoe", language_code="en")
    zoe.join(friends.group)
    seats, roles = await friends.by_seat(), (await friends.game()).roles
    merlin = roles.index(Role.MERLIN)
    killer, servant = await friends.with_role(Role.ASSASSIN), await friends.with_role(Role.SERVANT)
    for person in (zoe, servant):
        answer = await friends.tap(person, friends.group, Verb.BET, 0, merlin)
        assert answer.text == "Your bet is placed. You can change it until the dagger strikes."
    await friends.tap(servant, friends.group, Verb.BET, 0, seats.index(killer))
    async with friends.nothing_changes():
        answer = await friends.tap(killer, friends.group, Verb.BET, 0, merlin)
    assert answer.text == "Evil does not bet. Whoever holds the dagger names Merlin in a private chat with me."
    await friends.settled()
    assert "Zoe" not in friends.newest()
    await friends.shoot(merlin=True)
    await friends.until_reads("🎲 Bets on whom the dagger would hit:")
    await friends.settled()
    assert f"\u2068Zoe\u2069 → \u2068{seats[merlin].name}\u2069 ({merlin + 1})" in friends.newest()
    assert "1 bet was right." in friends.newest()
