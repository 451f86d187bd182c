"""The playground page in headless Chromium against the real double: what a person at the screen sees and does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Locator, WebSocketRoute, expect
from telegram import Bot

from tests.playground.page_stage import NO, PHONE, YES, Stage, keyboard, needs_browser, staged
from tests.playground.pictures import png
from tests.telegram_users import Double

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture
async def stage(double: Double) -> AsyncIterator[Stage]:
    async with staged(double) as running:
        yield running


@pytest.fixture
async def phone(double: Double) -> AsyncIterator[Stage]:
    async with staged(double, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as running:
        yield running


async def at_end(pane: Locator) -> bool:
    held: bool = await pane.get_by_test_id("scroller").evaluate(
        "(box) => box.scrollHeight - box.scrollTop - box.clientHeight < 3"
    )
    return held


async def test_it_waits_in_words_until_somebody_is_there(stage: Stage) -> None:
    await stage.open()
    await expect(stage.page.get_by_test_id("waiting")).to_be_visible()
    ana, bo = await stage.people("Ana", "Bo")
    chat = await stage.group([ana, bo])
    await expect(stage.pane(chat).get_by_test_id("hint")).to_have_text("Type /newgame to open a table")
    await expect(stage.page.get_by_test_id("waiting")).to_be_hidden()
    await expect(stage.pane(ana).get_by_test_id("gate")).to_have_text("Start")


async def test_a_press_spins_until_answered_and_the_toast_names_who_sees_it(stage: Stage) -> None:
    ana, bo, chat = await stage.friends()
    await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES, NO]))
    await stage.act_as(bo)
    yes = stage.button(chat, "Yes")
    await yes.click()
    query = await stage.next_press()
    assert (query["from"]["id"], query["data"]) == (bo, "yes")
    await expect(yes).to_have_attribute("aria-busy", "true")
    await expect(stage.button(chat, "No")).not_to_have_attribute("aria-busy", "true")
    await stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="Your vote is in.")
    await expect(stage.toast(bo)).to_contain_text("Bo")
    await expect(stage.toast(bo)).to_contain_text("Your vote is in.")
    await expect(yes).not_to_have_attribute("aria-busy", "true")
    await expect(stage.toast(bo)).to_have_count(0)
    assert await stage.toast(ana).count() == 0


async def test_an_alert_waits_for_ok_and_alerts_queue(stage: Stage) -> None:
    ana, _, chat = await stage.friends()
    await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES, NO]))
    await stage.button(chat, "Yes").click()
    first = await stage.next_press()
    await stage.button(chat, "No").click()
    second = await stage.next_press()
    for query, text in ((first, "You are <b>Merlin</b>."), (second, "سلام")):
        await stage.bot("answerCallbackQuery", callback_query_id=query["id"], text=text, show_alert=True)
    alert = stage.page.get_by_test_id("alert")
    await expect(alert).to_have_attribute("data-user", str(ana))
    await expect(alert).to_contain_text("Ana sees this")
    await expect(stage.page.get_by_test_id("alert-text")).to_have_text("You are <b>Merlin</b>.")
    await stage.page.get_by_test_id("alert-ok").click()
    await expect(stage.page.get_by_test_id("alert-text")).to_have_text("سلام")
    await stage.page.keyboard.press("Enter")
    await expect(alert).to_be_hidden()


async def test_an_unanswered_press_ends_with_the_clients_own_words(stage: Stage) -> None:
    ana, _, chat = await stage.friends()
    await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES]))
    await stage.button(chat, "Yes").click()
    await stage.next_press()
    await stage.control("clock", advance=60)
    await expect(stage.toast(ana)).to_contain_text("Avalon is not responding")
    await expect(stage.button(chat, "Yes")).not_to_have_attribute("aria-busy", "true")


async def test_deep_links_are_followed_from_buttons_and_from_answers(stage: Stage) -> None:
    ana, bo, chat = await stage.friends()
    link = {"text": "Open", "url": "https://t.me/avalon_bot?start=seat4"}
    await stage.bot("sendMessage", chat_id=chat, text="Join", reply_markup=keyboard([YES, link]))
    await stage.button(chat, "Open").click()
    await expect(stage.pane(ana).locator(".message.out").last.get_by_test_id("text")).to_have_text("/start seat4")
    await stage.act_as(bo)
    await stage.button(chat, "Yes").click()
    query = await stage.next_press()
    await stage.bot("answerCallbackQuery", callback_query_id=query["id"], url="https://t.me/avalon_bot?start=seat5")
    await expect(stage.pane(bo).locator(".message.out").last.get_by_test_id("text")).to_have_text("/start seat5")


async def test_the_last_commands_are_one_tap_away(stage: Stage) -> None:
    _, _, chat = await stage.friends()
    group = stage.pane(chat)
    for text in ("/newgame", "just talk", "/table"):
        await stage.write(chat, text)
    chips = group.get_by_test_id("recent-command")
    await expect(chips).to_have_text(["/table", "/newgame"])
    await chips.last.click()
    await expect(group.locator(".message.out").last.get_by_test_id("text")).to_have_text("/newgame@avalon_bot")


async def test_a_half_typed_line_and_a_held_button_survive_a_busy_chat(stage: Stage) -> None:
    _, _, chat = await stage.friends()
    buttons = keyboard([YES, NO], [{"text": "0 votes", "callback_data": "count"}])
    sent = await stage.bot("sendMessage", chat_id=chat, text="Vote: 0", reply_markup=buttons)
    where = {"chat_id": chat, "message_id": sent["message_id"]}
    group = stage.pane(chat)
    await group.get_by_test_id("composer").fill("half a tho")
    yes = await stage.button(chat, "Yes").element_handle()
    await stage.button(chat, "Yes").hover()
    await stage.page.mouse.down()
    for count in range(1, 6):
        more = keyboard([YES, NO], [{"text": f"{count} votes", "callback_data": "count"}])
        await stage.bot("editMessageText", **where, text=f"Vote: {count}", reply_markup=more)
    await expect(stage.text(chat, sent["message_id"])).to_have_text("Vote: 5")
    await expect(stage.button(chat, "5 votes")).to_be_visible()
    assert await yes.evaluate("(node) => node.isConnected && node.matches(':active')")
    await stage.page.mouse.up()
    assert (await stage.next_press())["data"] == "yes"
    await expect(group.get_by_test_id("composer")).to_have_value("half a tho")


async def test_a_button_that_changes_under_the_finger_is_not_pressed(stage: Stage) -> None:
    _, _, chat = await stage.friends()
    sent = await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES]))
    await stage.button(chat, "Yes").hover()
    await stage.page.mouse.down()
    later = keyboard([{"text": "Fail", "callback_data": "fail"}])
    await stage.bot("editMessageReplyMarkup", chat_id=chat, message_id=sent["message_id"], reply_markup=later)
    await expect(stage.button(chat, "Fail")).to_be_visible()
    await stage.page.mouse.up()
    await stage.button(chat, "Fail").click()
    assert (await stage.next_press())["data"] == "fail"


async def test_edits_deletions_pins_and_service_lines_show(stage: Stage) -> None:
    ana, _, chat = await stage.friends()
    group = stage.pane(chat)
    await expect(group.locator(".service").first).to_contain_text("Ana")
    first = (await stage.bot("sendMessage", chat_id=chat, text="Round 1"))["message_id"]
    second = (await stage.bot("sendMessage", chat_id=chat, text="Going away"))["message_id"]
    await expect(stage.message(chat, first).get_by_test_id("edited")).to_have_count(0)
    await stage.bot("editMessageText", chat_id=chat, message_id=first, text="Round 2")
    await expect(stage.text(chat, first)).to_have_text("Round 2")
    await expect(stage.message(chat, first).get_by_test_id("edited")).to_have_text("edited")
    await stage.bot("deleteMessage", chat_id=chat, message_id=second)
    await expect(stage.message(chat, second)).to_have_count(0)
    await stage.control("promote_bot", chat=chat, by=ana)
    await stage.bot("pinChatMessage", chat_id=chat, message_id=first)
    await expect(group.get_by_test_id("pinned")).to_contain_text("Round 2")
    await expect(group.locator(".service").last).to_contain_text("pinned")
    await expect(group.locator(".service").last.get_by_test_id("author")).to_be_hidden()


async def test_pictures_are_shown_and_documents_can_be_saved(stage: Stage, bot: Bot, tmp_path: Path) -> None:
    ana, _, _ = await stage.friends()
    await bot.send_photo(ana, png(8, 6), caption="The <b>board</b>", parse_mode="HTML")
    await bot.send_document(ana, b'{"game": 1}', filename="record.json")
    await expect(
        stage.pane(ana).locator(".message", has=stage.page.get_by_test_id("photo")).locator("strong")
    ).to_have_text("board")
    picture = stage.pane(ana).get_by_test_id("photo")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") == 8
    async with stage.page.expect_download() as saving:
        await stage.pane(ana).get_by_test_id("document").click()
    saved = await saving.value
    await saved.save_as(tmp_path / "saved")
    assert saved.suggested_filename == "record.json"
    assert (tmp_path / "saved").read_bytes() == b'{"game": 1}'


async def test_the_view_sticks_to_the_end_only_from_the_end(stage: Stage) -> None:
    _, bo, chat = await stage.friends()
    group = stage.pane(chat)
    for number in range(40):
        await stage.control("say", user=bo, chat=chat, text=f"line {number}")
    await expect(group.get_by_text("line 39", exact=True)).to_be_in_viewport()
    await group.get_by_test_id("scroller").evaluate("(box) => box.scrollTo(0, 200)")
    await expect(group.get_by_test_id("to-end")).to_be_visible()
    await stage.control("say", user=bo, chat=chat, text="far below")
    await expect(group.get_by_text("far below")).to_have_count(1)
    assert await group.get_by_test_id("scroller").evaluate("(box) => box.scrollTop") == 200
    await group.get_by_test_id("to-end").click()
    await expect(group.get_by_text("far below")).to_be_in_viewport()
    assert await at_end(group)


async def test_the_page_comes_back_when_the_line_breaks(stage: Stage) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    await stage.page.route_web_socket("**/control/live", through)
    ana, _, chat = await stage.friends()
    await lines[0].close()
    await stage.control("say", user=ana, chat=chat, text="still here")
    await expect(stage.pane(chat).get_by_text("still here")).to_be_visible()
    await expect(stage.page.get_by_test_id("connection")).to_have_text("connected")
    assert len(lines) == 2
