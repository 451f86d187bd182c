"""Updates that come again after they took effect, as after a crash or to another worker: nothing is done twice.

Votes, cards and picks are the same however often they come (see test_at_once.py); here is what is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from telegram import Update

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Proposing, Questing
from tgavalon.core.roles import Role
from tgavalon.table.model import Stage
from tgavalon.ui.taps import Tap, Verb, encode

Raw = dict[str, Any]


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


@pytest.fixture
def posted(double: Double, monkeypatch: pytest.MonkeyPatch) -> list[Raw]:
    """Every update that Telegram has sent so far."""
    found: list[Raw] = []
    add: Callable[..., None] = double.world.updates.add

    def noting(*args: Any) -> None:
        add(*args)
        found.append(double.world.updates.pending()[-1].body())

    monkeypatch.setattr(double.world.updates, "add", noting)
    return found


async def again(friends: Friends, update: Raw) -> None:
    """The update comes once more, to a worker that has not met it, after a moment in which the bot was started anew."""
    friends.a_moment_later()
    read = Update.de_json(update, friends.bot.bot)
    assert read is not None
    await friends.bot.handle(read)
    await friends.settled()


async def names(friends: Friends) -> list[str]:
    return [person.name for person in await friends.by_seat()]


async def test_a_seat_that_was_kicked_by_its_number(friends: Friends, posted: list[Raw]) -> None:
    await friends.open_table()
    await friends.command(friends.people[0], "/kick 3")
    await again(friends, posted[-1])
    assert await names(friends) == ["Ana", "Ben", "Dee", "Eli"]


async def test_a_tap_that_would_be_the_answer_to_itself(friends: Friends, posted: list[Raw]) -> None:
    await friends.begin()
    await friends.tap(friends.people[0], friends.group, Verb.HURRY)
    await again(friends, posted[-1])
    assert isinstance((await friends.game()).phase, Proposing)
    await friends.tap(friends.people[0], friends.group, Verb.HURRY)
    assert not isinstance((await friends.game()).phase, Proposing)


async def test_a_fail_in_the_group(friends: Friends, posted: list[Raw]) -> None:
    await friends.begin()
    killer = await friends.with_role(Role.ASSASSIN)
    killer.block()
    await friends.heard()
    seat = (await friends.by_seat()).index(killer)
    await friends.propose((seat, (seat + 1) % 5))
    await friends.vote()
    answer = await friends.press(killer, friends.group, "Play Fail")
    assert answer.text.startswith("Play Fail?")
    await again(friends, posted[-1])
    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    assert phase.cards == (None, None)


async def test_a_name_from_the_group_before_the_shot(friends: Friends, posted: list[Raw]) -> None:
    await friends.begin()
    for _ in range(3):
        await friends.quest()
    killer = await friends.with_role(Role.ASSASSIN)
    killer.block()
    await friends.heard()
    merlin = (await friends.game()).roles.index(Role.MERLIN)
    await friends.tap(killer, friends.group, Verb.BET, 0, merlin)
    await again(friends, posted[-1])
    assert (await friends.table()).stage is Stage.SHOT


async def test_the_end_of_a_table_that_is_gone_is_not_the_end_of_the_next(friends: Friends, posted: list[Raw]) -> None:
    await friends.open_table()
    await friends.command(friends.people[0], "/endgame")
    end = posted[-1]
    await friends.command(friends.people[0], "/newgame")
    opening = posted[-1]
    await friends.command(friends.people[1], "/join")
    said = friends.text()
    await again(friends, end)
    await again(friends, opening)
    assert await names(friends) == ["Ana", "Ben"]
    assert friends.text() == said


@pytest.mark.parametrize("by_tap", [True, False])
async def test_coming_and_going_ends_as_it_was_meant(friends: Friends, posted: list[Raw], by_tap: bool) -> None:
    await friends.command(friends.people[0], "/newgame")
    table, ben = (await friends.table()).id, friends.people[1]
    taken: list[Raw] = []
    for verb, command in ((Verb.JOIN, "/join"), (Verb.LEAVE, "/leave"), (Verb.JOIN, "/join")):
        if by_tap:
            await friends.forge(ben, encode(table, Tap(verb)))
        else:
            await friends.command(ben, command)
        taken.append(posted[-1])
    for update in reversed(taken):
        await again(friends, update)
    assert await names(friends) == ["Ana", "Ben"]
    await friends.command(ben, "/leave")
    await friends.command(ben, "/leave")
    taken.append(posted[-1])
    for update in taken:
        await again(friends, update)
    assert await names(friends) == ["Ana"]


async def test_a_start_by_deep_link_of_somebody_who_has_left_since(friends: Friends, posted: list[Raw]) -> None:
    await friends.command(friends.people[0], "/newgame")
    ben = friends.people[1]
    ben.start(f"join_{(await friends.table()).id}")
    await friends.heard()
    start, welcomed = posted[-1], len(ben.hears())
    await friends.command(ben, "/leave")
    await again(friends, start)
    assert await names(friends) == ["Ana"]
    assert len(ben.hears()) == welcomed


async def test_a_seat_that_was_taken_and_given_up_again(friends: Friends, posted: list[Raw]) -> None:
    await friends.begin()
    ben, table = friends.people[1], (await friends.table()).id
    await friends.command(ben, "/leave")
    await friends.forge(ben, encode(table, Tap(Verb.TAKE_SEAT, 0, 1)))
    back = posted[-1]
    await friends.command(ben, "/leave")
    await again(friends, back)
    assert (await friends.table()).sitters[1].away


async def test_play_again_by_somebody_who_has_left_since(friends: Friends, posted: list[Raw]) -> None:
    await friends.begin()
    await friends.finish()
    cho = friends.people[2]
    await friends.press(cho, friends.group, "🔁 Play again")
    opening = posted[-1]
    await friends.heard()
    await friends.command(cho, "/leave")
    await again(friends, opening)
    assert await names(friends) == ["Ana", "Ben", "Dee", "Eli"]


async def test_a_refusal_that_comes_again_when_it_would_not_be_one(friends: Friends, posted: list[Raw]) -> None:
    """Somebody who is not at the table leaves it, and then sits down: both come again, and they still sit there."""
    await friends.command(friends.people[0], "/newgame")
    ben = friends.people[1]
    await friends.command(ben, "/leave")
    refused = posted[-1]
    await friends.forge(ben, encode((await friends.table()).id, Tap(Verb.JOIN)))
    joined = posted[-1]
    await again(friends, refused)
    await again(friends, joined)
    assert await names(friends) == ["Ana", "Ben"]


async def test_somebody_left_the_group_came_back_and_sat_down(friends: Friends, posted: list[Raw]) -> None:
    await friends.open_table()
    ben = friends.people[1]
    ben.leave(friends.group)
    left = posted[-1]
    await friends.heard()
    ben.join(friends.group)
    await friends.heard()
    await friends.tap(ben, friends.group, Verb.JOIN)
    await again(friends, left)
    assert "Ben" in await names(friends)
