"""The Lady of the Lake at a table: who asks whom, who sees what, and where the token goes."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Examining, Proposing
from tgavalon.core.roles import Side
from tgavalon.ui.taps import Tap, Verb, encode

ASKED = "whose loyalty do you want to see?"


async def begun(double: Double, bot: AvalonBot, players: int, rules: str = "Rulebook") -> Friends:
    friends = Friends.gather(double, bot, players)
    await friends.open_table()
    await friends.set("Rules", rules)
    await friends.set("Lady of the Lake", "on")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


async def asked(friends: Friends) -> None:
    """Two quests are played, one by each side, and the holder is asked."""
    await friends.quest()
    await friends.quest(good_wins=False)
    await friends.until_reads(ASKED)
    await friends.settled()


def choices(friends: Friends) -> list[str]:
    """The seats that can be examined, by their labels."""
    return [label for label in friends.people[0].labels(friends.group) if label[0].isdigit()]


async def test_the_holder_learns_the_truth_alone(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 7)
    seats, game = await friends.by_seat(), await friends.game()
    assert game.lady == (game.first_leader - 1) % 7
    holder = seats[game.lady]
    await friends.until_reads(f"{holder.name}\u2069 ({game.lady + 1}) holds the Lady of the Lake.")
    await asked(friends)
    assert len(choices(friends)) == 6
    target = next(seat for seat in await friends.on_side(Side.EVIL) if seat != game.lady)
    answer = await friends.examine(target)
    truth = f"🔴 \u2068{seats[target].name}\u2069 ({target + 1}) is evil."
    assert (answer.text, answer.alert) == (truth, True)
    await friends.until(lambda: friends.reads(holder, truth))
    await friends.until_reads("has seen the loyalty of")
    await friends.settled()
    assert f"({target + 1}), who now holds the Lady of the Lake." in friends.text()
    assert "is evil" not in friends.text()
    assert not any(friends.reads(person, "is evil.") for person in seats if person != holder)
    role = await friends.tap(holder, friends.group, Verb.ROLE)
    assert truth in role.text


async def test_nobody_else_can_use_her(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 5)
    await asked(friends)
    lady = (await friends.game()).lady
    assert lady is not None
    for seat, person in enumerate(await friends.by_seat()):
        async with friends.nothing_changes():
            if seat != lady:
                answer = await friends.tap(person, friends.group, Verb.EXAMINE, 2, (lady + 1) % 5)
                assert answer.text == "Only the holder of the Lady of the Lake chooses."
            else:
                table = (await friends.table()).id
                answer = await friends.forge(person, encode(table, Tap(Verb.PASS, 2)))
                assert answer.text == "The Lady of the Lake must examine somebody."
                answer = await friends.forge(person, encode(table, Tap(Verb.EXAMINE, 2, lady)))
                assert answer.text == "The holder cannot examine themselves."


async def test_past_holders_are_immune_and_three_checks_are_made(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 7)
    await asked(friends)
    holders = []
    for completed in (2, 3, 4):
        game = await friends.game()
        assert game.lady is not None
        holders.append(game.lady)
        await friends.settled()
        assert len(choices(friends)) == 7 - len(holders)
        if len(holders) > 1:
            holder, table = await friends.holder(), (await friends.table()).id
            async with friends.nothing_changes():
                answer = await friends.forge(holder, encode(table, Tap(Verb.EXAMINE, completed, holders[0])))
            assert answer.text == "The Lady of the Lake cannot examine this player."
        await friends.examine(next(seat for seat in range(7) if seat not in holders))
        if completed < 4:
            await friends.quest(good_wins=completed == 3)
    await friends.quest()
    await friends.shoot(merlin=True)
    await friends.until_reads("Evil wins!")
    await friends.settled()
    assert friends.text().count("has seen the loyalty of") == 3


async def test_she_is_told_of_once(double: Double, bot: AvalonBot) -> None:
    """A team that is rejected after her check brings no second message about it."""
    friends = await begun(double, bot, 5)
    await asked(friends)
    lady = (await friends.game()).lady
    assert lady is not None
    await friends.examine((lady + 1) % 5)
    for _ in range(2):
        await friends.propose(await friends.team())
        await friends.vote(approve=False)
        await friends.settled()
    assert friends.text().count("has seen the loyalty of") == 1


async def test_everybody_but_the_holder_where_nobody_is_immune(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 5, "Vietnamese rules")
    await asked(friends)
    first = (await friends.game()).lady
    assert first is not None
    assert "can be examined" not in friends.newest()  # nobody but the holder, and that goes without saying
    await friends.examine((first + 1) % 5)
    await friends.quest()
    await friends.settled()
    assert any(label.startswith(f"{first + 1}. ") for label in choices(friends))
    await friends.examine(first)
    assert (await friends.game()).lady == first


async def test_the_holder_keeps_her_for_later(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 7, "Spanish rules")
    await asked(friends)
    holder = await friends.holder()
    answer = await friends.press(holder, friends.group, "Keep her for later")
    assert answer.text == "You keep the Lady of the Lake."
    await friends.until_reads("keeps the Lady of the Lake for now.")
    game = await friends.game()
    assert await friends.holder() == holder
    assert isinstance(game.phase, Proposing)
    await friends.quest()
    await friends.until(lambda: friends.text().count(ASKED) == 1)
    assert isinstance((await friends.game()).phase, Examining)


async def test_the_one_who_passed_her_on_last_is_immune(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 7, "Spanish rules")
    await asked(friends)
    first = (await friends.game()).lady
    assert first is not None
    second = (first + 1) % 7
    await friends.examine(second)
    await friends.quest()
    await friends.settled()
    labels = choices(friends)
    assert len(labels) == 5
    assert not any(label.startswith((f"{first + 1}. ", f"{second + 1}. ")) for label in labels)


@pytest.mark.parametrize("rules", ["Rulebook", "Spanish rules"])
async def test_a_holder_who_is_not_waited_for(double: Double, bot: AvalonBot, rules: str) -> None:
    friends = await begun(double, bot, 7, rules)
    await asked(friends)
    holder, host = await friends.holder(), friends.people[0]
    assert (await friends.press(host, friends.group, "⏩ Don't wait")).alert
    friends.a_moment_later()
    await friends.press(host, friends.group, "⏩ Don't wait")
    await friends.until_reads("keeps the Lady of the Lake for now.")
    assert await friends.holder() == holder
    await friends.finish()


async def test_she_comes_to_a_holder_who_was_on_the_quest(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, 7)
    await friends.quest()
    game, holder = await friends.game(), await friends.holder()
    assert game.lady is not None
    others = [seat for seat in range(7) if seat != game.lady]
    await friends.propose(sorted((game.lady, *others[:2])))
    await friends.vote()
    await friends.play()
    await friends.until_reads(ASKED)
    await friends.examine(others[0])
    await friends.until(lambda: friends.reads(holder, "🌊 The Lady of the Lake at"))
