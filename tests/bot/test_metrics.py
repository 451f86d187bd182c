"""What is counted while a game is played, and that no label tells of anybody."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import aiohttp
import pytest
from telegram.error import BadRequest

from tests.e2e.conftest import QuickClock
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.bot.health import Health, NoAdmin, served
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Place
from tgavalon.table.ports import StoreUnavailable

_SAMPLE = re.compile(r"(?P<name>\w+)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
LABELS = {"kind", "outcome", "method", "operation", "phase", "le"}


@pytest.fixture
async def bot(double: Double, store: RedisStore) -> AsyncIterator[AvalonBot]:
    bot = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store, clock=QuickClock())
    async with bot.running():
        yield bot


async def ping() -> None:
    """A store that answers."""


def samples(bot: AvalonBot) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    lines = bot.metrics.page().decode().splitlines()
    found = [_SAMPLE.fullmatch(line) for line in lines if not line.startswith("#")]
    assert None not in found
    return {(m["name"], frozenset(_LABEL.findall(m["labels"] or ""))): float(m["value"]) for m in found if m}


def value(bot: AvalonBot, name: str, **labels: str) -> float:
    return samples(bot).get((f"tgavalon_{name}", frozenset(labels.items())), 0.0)


async def seat_two(double: Double, bot: AvalonBot) -> None:
    ana, ben = (double.person(name, started=True) for name in ("Ana", "Ben"))
    group = double.group("Friends", [ana, ben])
    ana.command(group, "/newgame")
    await double.until(lambda: ana.shows(group, "🪑 Join"))
    for person in (ana, ben):
        await person.press(group, "🪑 Join")
    await double.until(lambda: not double.world.updates.pending())
    await bot.painter.idle()


async def test_a_lobby_is_counted(double: Double, bot: AvalonBot) -> None:
    await seat_two(double, bot)
    assert value(bot, "updates_total", kind="callback_query", outcome="ok") == 2
    assert value(bot, "updates_total", kind="message", outcome="ok") >= 1
    assert value(bot, "tap_to_answer_seconds_count") == 2
    assert value(bot, "tap_to_screen_seconds_count") >= 1
    assert value(bot, "bot_api_calls_total", method="answerCallbackQuery", outcome="ok") == 2
    assert value(bot, "bot_api_calls_total", method="sendMessage", outcome="ok") == len(double.calls("sendMessage"))
    assert value(bot, "store_seconds_count", operation="save", outcome="ok") >= 1
    assert value(bot, "painter_backlog") == 0
    counting = asyncio.create_task(bot.count_tables())
    async with asyncio.timeout(5):
        while value(bot, "tables", phase="lobby") != 1:  # noqa: ASYNC110  a gauge tells nobody
            await asyncio.sleep(0.01)
    counting.cancel()
    assert value(bot, "tables", phase="vote") == 0


async def test_refusals_floods_and_losses_are_told_apart(double: Double, bot: AvalonBot) -> None:
    double.fault("sendMessage", code=429, description="Too Many Requests", parameters={"retry_after": 1}, times=1)
    await seat_two(double, bot)
    with pytest.raises(BadRequest):
        await bot.bot.answer_callback_query("1")
    assert value(bot, "bot_api_floods_total", method="sendMessage") == 1
    assert value(bot, "bot_api_calls_total", method="sendMessage", outcome="flood") == 1
    assert value(bot, "bot_api_calls_total", method="answerCallbackQuery", outcome="refused") == 1


async def test_no_label_tells_of_anybody(double: Double, bot: AvalonBot, store: RedisStore) -> None:
    await seat_two(double, bot)
    found = [label for _, labels in samples(bot) for label in labels]
    assert {name for name, _ in found} <= LABELS
    page = bot.metrics.page().decode()
    [group] = [chat for chat in double.world.chats if chat < 0]
    table = await store.at(Place(group))
    secrets = ["Ana", "Ben", "Friends", TEST_TOKEN, "TEST", str(group), str(table), *map(str, double.world.users)]
    assert [secret for secret in secrets if secret in page] == []
    operations = {text for name, text in found if name in ("operation", "method", "kind", "outcome")}
    assert all(re.fullmatch(r"[A-Za-z_]+", text) for text in operations)


async def test_the_pages_for_operators(bot: AvalonBot) -> None:
    hears, away = [True], [False]

    async def ping() -> None:
        if away[0]:
            raise StoreUnavailable("ConnectionError")

    health = Health(bot.metrics, bot.bot, ping, lambda: hears[0])
    async with served(health, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:

        async def get(page: str) -> tuple[int, str]:
            async with session.get(f"http://127.0.0.1:{port}{page}") as response:
                return response.status, await response.text()

        assert await get("/healthz") == (200, "ok\n")
        assert await get("/readyz") == (200, "ok\n")
        status, text = await get("/metrics")
        assert (status, "tgavalon_updates_total" in text) == (200, True)
        away[0], hears[0] = True, False
        assert await get("/readyz") == (503, "the store does not answer\nno updates from Telegram\n")
        assert (await get("/healthz"))[0] == 200, "a store that is away is no reason to be restarted"


async def test_not_ready_while_telegram_is_out_of_reach(double: Double, bot: AvalonBot) -> None:
    health = Health(bot.metrics, bot.bot, ping, lambda: True)
    bot.metrics.last_call = float("-inf")
    double.fault("getMe", code=502, description="Bad Gateway", times=1)
    assert await health.problems() == ["Telegram does not answer"]
    assert await health.problems() == []


async def test_a_port_that_is_taken_is_said(double: Double, bot: AvalonBot) -> None:
    health = Health(bot.metrics, bot.bot, ping, lambda: True)
    with pytest.raises(NoAdmin, match="in use"):
        async with served(health, "127.0.0.1", double.port):
            pass
