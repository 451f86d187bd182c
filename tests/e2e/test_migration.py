"""Groups that become supergroups in the middle of everything: the table, its language and its records go along."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.table.model import Stage
from tgavalon.ui.taps import Tap, Verb, encode

STAGES = [Stage.LOBBY, Stage.TEAM, Stage.VOTE, Stage.QUEST, Stage.LADY, Stage.SHOT]


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


async def gone_to(friends: Friends, stage: Stage) -> None:
    """From nothing to this stage."""
    await friends.open_table()
    if stage is Stage.LOBBY:
        return
    if stage is Stage.LADY:
        await friends.set("Lady of the Lake", "on")
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    if stage in (Stage.VOTE, Stage.QUEST):
        await friends.propose(await friends.team())
    if stage is Stage.QUEST:
        await friends.vote()
    for _ in range({Stage.SHOT: 3, Stage.LADY: 2}.get(stage, 0)):
        await friends.quest()
    assert (await friends.table()).stage is stage
    await friends.settled()


async def gone_on(friends: Friends, stage: Stage) -> None:
    """From this stage to the end."""
    if stage is Stage.LOBBY:
        await friends.deal()
    if stage is Stage.VOTE:
        await friends.vote()
    if stage in (Stage.VOTE, Stage.QUEST):
        await friends.play()
    await friends.finish()


def moved_quietly(friends: Friends) -> None:
    """The group has another id, and the bot is not told: it finds out by being refused."""
    world = friends.double.world
    waiting = {update.update_id for update in world.updates.pending()}
    friends.group.migrate()
    world.updates.confirm(update.update_id for update in world.updates.pending() if update.update_id not in waiting)


@pytest.mark.parametrize("stage", STAGES)
async def test_the_bot_is_told(friends: Friends, stage: Stage) -> None:
    await gone_to(friends, stage)
    before = await friends.table()
    friends.group.migrate()
    await friends.heard()
    after = await friends.table()
    assert (after.id, after.game, after.sitters) == (before.id, before.game, before.sitters)
    assert friends.people[0].labels(friends.group)
    assert "Shall we play" not in friends.text()
    await gone_on(friends, stage)


@pytest.mark.parametrize("stage", STAGES)
async def test_the_bot_finds_out(friends: Friends, stage: Stage) -> None:
    await gone_to(friends, stage)
    before = await friends.table()
    moved_quietly(friends)
    await friends.bot.service.repost(before.id)
    await friends.settled()
    assert (await friends.table()).id == before.id
    await gone_on(friends, stage)


async def test_a_press_on_the_last_screen_of_the_old_group(friends: Friends) -> None:
    await gone_to(friends, Stage.VOTE)
    table, message = (await friends.table()).id, friends.people[0].last(friends.group)
    friends.group.migrate()
    await friends.heard()
    async with friends.nothing_changes():
        answer = await friends.forge(friends.people[0], encode(table, Tap(Verb.APPROVE, 1)), message)
    assert answer.text == "That button is from an earlier moment. Use those of my newest message."
    await friends.vote()
    await friends.play()


async def test_play_again_and_the_record_after_the_end(friends: Friends) -> None:
    await friends.begin()
    await friends.finish()
    friends.group.migrate()
    await friends.heard()
    await friends.command(friends.people[0], "/record")
    await friends.until_reads("The record of this game.")
    await friends.command(friends.people[1], "/newgame")
    assert (await friends.table()).stage is Stage.LOBBY


async def test_play_again_on_the_old_screen(friends: Friends) -> None:
    await friends.begin()
    await friends.finish()
    table, message = (await friends.table()).id, friends.people[0].last(friends.group)
    moved_quietly(friends)
    answer = await friends.forge(friends.people[0], encode(table, Tap(Verb.AGAIN)), message)
    assert answer.text == "The table is open again."
    await friends.until_reads("Everybody is ready")
    await friends.deal()


async def test_the_record_of_a_group_that_moved_unnoticed(friends: Friends) -> None:
    await friends.begin()
    await friends.finish()
    table, message = (await friends.table()).id, friends.people[0].last(friends.group)
    moved_quietly(friends)
    await friends.forge(friends.people[0], encode(table, Tap(Verb.RECORD)), message)
    await friends.until_reads("The record of this game.")


async def test_the_language_of_the_group_goes_along(friends: Friends) -> None:
    await friends.bot.service.choose_group_language(friends.group.id, "es")
    friends.group.migrate()
    await friends.heard()
    group = await friends.bot.service.store.group(friends.group.id)
    assert group is not None
    assert group.language == "es"


async def test_the_way_back_leads_into_the_new_group(friends: Friends) -> None:
    await friends.begin()
    friends.group.migrate()
    await friends.heard()
    person = friends.people[0]
    assert not [button for button in person.last().buttons() if "url" in button]
