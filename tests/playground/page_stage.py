"""The playground page in a real browser, beside the double it shows. For the page's tests only."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, Request, async_playwright, expect

from tests.telegram_users import Double
from tgavalon.playground.double import TEST_TOKEN

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 780}
PATIENCE_MS = 10_000

YES = {"text": "Yes", "callback_data": "yes", "style": "success"}
NO = {"text": "No", "callback_data": "no", "style": "danger"}

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on the PATH: install Debian's `chromium` to test the page"
)


@dataclass
class Stage:
    """The page, the double behind it, and what the browser complained about."""

    page: Page
    double: Double
    http: aiohttp.ClientSession
    complaints: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    async def control(self, verb: str, **params: Any) -> Any:
        """A control verb that must be taken; its result."""
        return await self._post(f"{self.double.url}control/{verb}", params)

    async def bot(self, method: str, **params: Any) -> Any:
        """A Bot API call that must be taken; its result."""
        return await self._post(f"{self.double.base_url}{TEST_TOKEN}/{method}", params)

    async def _post(self, url: str, params: dict[str, Any]) -> Any:
        async with self.http.post(url, json=params) as response:
            body = await response.json()
        assert response.status == 200, body
        return body["result"]

    async def people(self, *names: str) -> list[int]:
        """New people, in order of their names."""
        return [(await self.control("user", first_name=name))["id"] for name in names]

    async def group(self, members: list[int], **options: Any) -> int:
        """A supergroup of these people with the bot in it; its id."""
        wanted = {"title": "Friends", "type": "supergroup", "with_bot": True, "creator": members[0]} | options
        chat: int = (await self.control("group", members=members, **wanted))["id"]
        return chat

    async def next_press(self) -> dict[str, Any]:
        """Wait for a callback query, as the bot hears it, and confirm what was heard. TimeoutError if none comes."""
        offset = 0
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while True:
                for update in await self.bot("getUpdates", offset=offset, timeout=10):
                    offset = update["update_id"] + 1
                    if query := update.get("callback_query"):
                        await self.bot("getUpdates", offset=offset, timeout=0)
                        heard: dict[str, Any] = query
                        return heard

    async def open(self) -> None:
        await self.page.goto(self.double.url)

    def pane(self, chat: int) -> Locator:
        return self.page.locator(f"[data-testid=pane][data-chat='{chat}']")

    def message(self, chat: int, message_id: int) -> Locator:
        return self.pane(chat).locator(f"[data-message='{message_id}']")

    def text(self, chat: int, message_id: int) -> Locator:
        return self.message(chat, message_id).get_by_test_id("text")

    def button(self, chat: int, label: str) -> Locator:
        return self.pane(chat).get_by_test_id("inline-button").filter(has_text=label)

    def toast(self, user: int) -> Locator:
        return self.page.locator(f"[data-testid=toast][data-user='{user}']")

    async def friends(self) -> tuple[int, int, int]:
        """Ana and Bo, who started the bot, in a group with it: their ids and the group's. The page is open."""
        ana, bo = await self.people("Ana", "Bo")
        for user in (ana, bo):
            await self.control("start", user=user)
        chat = await self.group([ana, bo])
        await self.open()
        await expect(self.pane(chat)).to_be_visible()
        return ana, bo, chat

    async def act_as(self, user: int) -> None:
        await self.page.get_by_test_id("act-as").select_option(str(user))

    async def write(self, chat: int, text: str) -> None:
        """Type a line into a chat and send it with Enter."""
        field = self.pane(chat).get_by_test_id("composer")
        await field.fill(text)
        await field.press("Enter")


def keyboard(*rows: list[dict[str, str]]) -> dict[str, Any]:
    """An inline keyboard of rows."""
    return {"inline_keyboard": list(rows)}


def _watch(stage: Stage) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            stage.complaints.append(message.text)

    def on_request(request: Request) -> None:
        if not request.url.startswith((stage.double.url, "data:")):
            stage.strangers.append(request.url)

    stage.page.on("console", on_console)
    stage.page.on("pageerror", lambda error: stage.complaints.append(str(error)))
    stage.page.on("request", on_request)


@asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def staged(double: Double, **context: Any) -> AsyncIterator[Stage]:
    """A browser window on the double, not yet gone to the page. On leaving: no script error, no request elsewhere."""
    async with _browser() as browser, aiohttp.ClientSession() as http:
        window = await browser.new_context(**{"viewport": DESKTOP, "color_scheme": "light"} | context)
        page = await window.new_page()
        page.set_default_timeout(PATIENCE_MS)
        stage = Stage(page, double, http)
        _watch(stage)
        yield stage
        await window.close()
        assert stage.complaints == []
        assert stage.strangers == []
