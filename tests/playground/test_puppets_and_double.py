"""Puppets that play by themselves, and the double's own start and stop."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence

import aiohttp
import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup

from tests.telegram_users import Double
from tgavalon.playground import VisibleButton


async def first(_user: int, buttons: Sequence[VisibleButton]) -> VisibleButton | None:
    return buttons[0] if buttons else None


@pytest.fixture
async def stage() -> AsyncIterator[tuple[Double, Bot]]:
    async with Double(choose=first) as double, Bot("42:TEST", base_url=double.base_url) as bot:
        yield double, bot


async def test_a_puppet_presses_what_it_sees(stage: tuple[Double, Bot]) -> None:
    double, bot = stage
    group = double.group("Friends", ["Ana", "Ben", "Cho"])
    rows = [[InlineKeyboardButton("Yes", callback_data="yes"), InlineKeyboardButton("No", callback_data="no")]]
    await bot.send_message(group.id, "?", reply_markup=InlineKeyboardMarkup(rows))
    double.puppets.set([double["Ana"].id, double["Ben"].id], on=True, pace=0.05)
    await double.until(lambda: len(double.world.presses) == 2)
    pressed = {(press.user, press.data) for press in double.world.presses.values()}
    assert pressed == {(double["Ana"].id, "yes"), (double["Ben"].id, "yes")}
    double.puppets.set([double["Ana"].id], on=False)
    assert double.puppets.users == [double["Ben"].id]


async def test_a_puppet_follows_links(stage: tuple[Double, Bot]) -> None:
    double, bot = stage
    group = double.group("Friends", ["Ana"])
    rows = [[InlineKeyboardButton("Join", callback_data="join")]]
    await bot.send_message(group.id, "?", reply_markup=InlineKeyboardMarkup(rows))
    ana = double["Ana"]
    double.puppets.set([ana.id], on=True, pace=0.05)
    await double.until(lambda: bool(double.world.presses))
    (query,) = double.world.presses
    await bot.answer_callback_query(query, url="https://t.me/avalon_bot?start=seat7")
    await double.until(lambda: [message.text for message in ana.sees()] == ["/start seat7"])


async def test_what_a_puppet_is_shown() -> None:
    shown: list[VisibleButton] = []
    looked = asyncio.Event()

    async def look(_user: int, buttons: Sequence[VisibleButton]) -> VisibleButton | None:
        shown.extend(buttons)
        looked.set()
        return None

    async with Double(choose=look) as other:
        ana, ben = other.person("Ana", started=True), other.person("Ben", started=True)
        group = other.group("Friends", [ana, ben])
        async with Bot("42:TEST", base_url=other.base_url) as writer:
            button = InlineKeyboardButton("Look", callback_data="look", style="primary")
            link = InlineKeyboardButton("Site", url="https://x.org")
            for chat in (group.id, ana.id, ben.id):
                await writer.send_message(chat, "?", reply_markup=InlineKeyboardMarkup([[button, link]]))
        other.puppets.set([ana.id], on=True, pace=0.01)
        await asyncio.wait_for(looked.wait(), 5)
        assert {button.chat for button in shown} == {group.id, ana.id}
        assert (shown[0].text, shown[0].data, shown[0].style, shown[1].url) == (
            "Look",
            "look",
            "primary",
            "https://x.org/",
        )


async def test_a_busy_port_is_an_os_error() -> None:
    async with Double() as first_one:
        with pytest.raises(OSError, match="address already in use"):
            await Double(port=first_one.port).__aenter__()


async def test_it_listens_on_this_machine_only() -> None:
    async with Double() as double:
        assert double.base_url == f"http://127.0.0.1:{double.port}/bot"
        assert double.url == f"http://127.0.0.1:{double.port}/"
        with pytest.raises(OSError):  # noqa: PT011  the words differ between systems
            await asyncio.open_connection("127.0.0.2", double.port)


async def test_it_stops_with_a_page_still_open() -> None:
    async with aiohttp.ClientSession() as session:
        async with Double() as double:
            socket = await session.ws_connect(f"{double.url}control/live")
            await socket.receive_str(timeout=5)
        assert (await socket.receive(timeout=5)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def test_until_gives_up() -> None:
    async with Double() as double:
        with pytest.raises(TimeoutError):
            await double.until(lambda: False, timeout=0.05)


async def test_press_through_a_running_bot(stage: tuple[Double, Bot]) -> None:
    """The face as game tests use it: a bot that answers by itself, a person who waits for it."""
    double, bot = stage
    group = double.group("Friends", ["Ana", "Ben"])
    rows = [[InlineKeyboardButton("Join", callback_data="join")]]
    await bot.send_message(group.id, "Who plays?", reply_markup=InlineKeyboardMarkup(rows))

    async def answering() -> None:
        offset = 0
        while True:
            for update in await bot.get_updates(offset=offset, timeout=10):
                offset = update.update_id + 1
                if update.callback_query:
                    await update.callback_query.answer(f"Hello {update.callback_query.from_user.first_name}")

    running = asyncio.create_task(answering())
    people = [double["Ana"], double["Ben"]]
    random.shuffle(people)
    answers = await asyncio.gather(*(person.press(group, "Join") for person in people))
    assert {answer.text for answer in answers} == {"Hello Ana", "Hello Ben"}
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
