"""A whole game in the page, by a person who clicks what is on screen while the others play by themselves."""

from __future__ import annotations

import asyncio
import random

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import QuickClock
from tests.playground.page_stage import Stage, needs_browser, staged
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.playground.puppets import visible_buttons
from tgavalon.puppeteer import Puppeteer
from tgavalon.store.redis_store import RedisStore

pytestmark = [pytest.mark.browser, needs_browser]

PACE = 0.3
PATIENCE = 90.0


async def test_a_person_plays_a_whole_game_in_the_page(store: RedisStore, clock: QuickClock) -> None:
    friends = Puppeteer(store, random.Random(3))
    async with Double(choose=friends.choose) as double:
        bot = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, clock=clock, dice=random.Random(3))
        async with bot.running(), staged(double) as stage:
            people = await stage.people("Ana", "Ben", "Cho", "Dee", "Eli")
            group = await stage.group(people)
            await stage.open()
            await stage.act_as(people[0])
            await stage.write(group, "/newgame")
            await stage.button(group, "Join").last.click()
            await expect(stage.pane(people[0])).to_contain_text("You sit at")
            await stage.control("autoplay", users=people[1:], on=True, pace=PACE)
            await expect(stage.pane(group)).to_contain_text("Everybody is ready")
            await stage.button(group, "Start the game").last.click()
            await expect(stage.pane(people[0])).to_contain_text("Your role")
            await play(stage, group, people[0], friends)
            await expect(stage.pane(group).get_by_text("wins!").last).to_be_visible()
            await expect(stage.button(group, "Play again").last).to_be_visible()
        double.assert_well_behaved()


async def play(stage: Stage, group: int, person: int, friends: Puppeteer) -> None:
    """Click, whenever there is something to do, the button that a player on this seat would."""
    world = stage.double.world
    async with asyncio.timeout(PATIENCE):
        while not await stage.pane(group).get_by_text("wins!").count():
            wanted = await friends.choose(person, visible_buttons(world, person))
            if wanted is None:
                await world.changed.wait(PACE)
                continue
            message = stage.message(wanted.chat, wanted.message_id)
            button = message.get_by_test_id("inline-button").filter(has_text=wanted.text)
            if await button.count():
                await button.first.click()
                await expect(message.locator("[aria-busy=true]")).to_have_count(0)
