"""The playground page in headless Chromium against the real double: what a person at the screen sees and does."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from playwright.async_api import Locator, WebSocketRoute, expect
from telegram import Bot

from tests.playground.page_stage import PHONE, Stage, keyboard, needs_browser, staged
from tests.playground.pictures import png
from tests.telegram_users import Double
from tgavalon.playground import VisibleButton

pytestmark = [pytest.mark.browser, needs_browser]

YES = {"text": "Yes", "callback_data": "yes", "style": "success"}
NO = {"text": "No", "callback_data": "no", "style": "danger"}


@pytest.fixture
async def stage(double: Double) -> AsyncIterator[Stage]:
    async with staged(double) as running:
        yield running


@pytest.fixture
async def phone(double: Double) -> AsyncIterator[Stage]:
    async with staged(double, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as running:
        yield running


async def friends(stage: Stage) -> tuple[int, int, int]:
    """Ana and Bo, who started the bot, in a group with it: their ids and the group's. The page is open."""
    ana, bo = await stage.people("Ana", "Bo")
    for user in (ana, bo):
        await stage.control("start", user=user)
    chat = await stage.group([ana, bo])
    await stage.bot("getUpdates")
    await stage.open()
    await expect(stage.pane(chat)).to_be_visible()
    return ana, bo, chat


async def choose(stage: Stage, user: int) -> None:
    await stage.page.get_by_test_id("act-as").select_option(str(user))


async def write(pane: Locator, text: str) -> None:
    await pane.get_by_test_id("composer").fill(text)
    await pane.get_by_test_id("composer").press("Enter")


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
    ana, bo, chat = await friends(stage)
    await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES, NO]))
    await choose(stage, bo)
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
    ana, _, chat = await friends(stage)
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
    ana, _, chat = await friends(stage)
    await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES]))
    await stage.button(chat, "Yes").click()
    await stage.next_press()
    await stage.control("clock", advance=60)
    await expect(stage.toast(ana)).to_contain_text("Avalon is not responding")
    await expect(stage.button(chat, "Yes")).not_to_have_attribute("aria-busy", "true")


async def test_deep_links_are_followed_from_buttons_and_from_answers(stage: Stage) -> None:
    ana, bo, chat = await friends(stage)
    link = {"text": "Open", "url": "https://t.me/avalon_bot?start=seat4"}
    await stage.bot("sendMessage", chat_id=chat, text="Join", reply_markup=keyboard([YES, link]))
    await stage.button(chat, "Open").click()
    await expect(stage.pane(ana).locator(".message.out").last.get_by_test_id("text")).to_have_text("/start seat4")
    await choose(stage, bo)
    await stage.button(chat, "Yes").click()
    query = await stage.next_press()
    await stage.bot("answerCallbackQuery", callback_query_id=query["id"], url="https://t.me/avalon_bot?start=seat5")
    await expect(stage.pane(bo).locator(".message.out").last.get_by_test_id("text")).to_have_text("/start seat5")


async def test_acting_as_somebody_changes_who_speaks_and_who_stands_first(stage: Stage) -> None:
    _, bo, chat = await friends(stage)
    group = stage.pane(chat)
    await write(group, "as Ana")
    await expect(group.locator(".message.out").last.get_by_test_id("text")).to_have_text("as Ana")
    await stage.pane(bo).get_by_test_id("act-as-this").click()
    await expect(stage.page.get_by_test_id("act-as")).to_have_value(str(bo))
    await expect(stage.pane(bo)).to_have_class("pane private current")
    await write(group, "/newgame")
    said = group.locator(f"[data-from='{bo}']").last
    await expect(said.get_by_test_id("text")).to_have_text("/newgame@avalon_bot")
    await expect(group.locator(".message.in").last).to_contain_text("as Ana")
    panes = stage.page.get_by_test_id("privates").get_by_test_id("pane")
    tops = await panes.evaluate_all("(all) => all.map((one) => [one.getBoundingClientRect().left, +one.dataset.user])")
    assert min(tops)[1] == bo
    await stage.page.reload()
    await expect(stage.page.get_by_test_id("act-as")).to_have_value(str(bo))


async def test_the_last_commands_are_one_tap_away(stage: Stage) -> None:
    _, _, chat = await friends(stage)
    group = stage.pane(chat)
    for text in ("/newgame", "just talk", "/table"):
        await write(group, text)
    chips = group.get_by_test_id("recent-command")
    await expect(chips).to_have_text(["/table", "/newgame"])
    await chips.last.click()
    await expect(group.locator(".message.out").last.get_by_test_id("text")).to_have_text("/newgame@avalon_bot")


async def test_a_half_typed_line_and_a_held_button_survive_a_busy_chat(stage: Stage) -> None:
    _, _, chat = await friends(stage)
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
    _, _, chat = await friends(stage)
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
    ana, _, chat = await friends(stage)
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


async def test_pictures_are_shown_and_documents_can_be_saved(stage: Stage, bot: Bot, tmp_path: Path) -> None:
    ana, _, _ = await friends(stage)
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
    _, bo, chat = await friends(stage)
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


async def test_one_persons_menu_blocks_leaves_and_comes_back(stage: Stage) -> None:
    _, bo, chat = await friends(stage)
    more, menu = stage.pane(bo).get_by_test_id("person-more"), stage.page.get_by_test_id("person-menu")
    await more.click()
    await menu.get_by_test_id("menu-block").click()
    await expect(menu).to_be_hidden()
    await expect(stage.pane(bo).get_by_test_id("gate")).to_have_text("Unblock")
    await more.click()
    await menu.get_by_test_id("menu-leave").click()
    await expect(stage.pane(chat).locator(".service").last).to_contain_text("Bo left")
    await choose(stage, bo)
    await expect(stage.pane(chat).get_by_test_id("gate")).to_contain_text("Bo is not in this group")
    await stage.pane(chat).get_by_test_id("gate").click()
    await expect(stage.pane(chat).get_by_test_id("composer")).to_be_visible()
    await stage.pane(bo).get_by_test_id("gate").click()
    await expect(stage.pane(bo).get_by_test_id("composer")).to_be_visible()
    assert not stage.double["Bo"].user.blocked


async def test_a_new_person_arrives_in_the_group_with_a_language(stage: Stage) -> None:
    _, _, chat = await friends(stage)
    await stage.page.get_by_test_id("controls-button").click()
    await stage.page.get_by_test_id("person-name").fill("سارا")
    await stage.page.get_by_test_id("person-language").fill("fa")
    await stage.page.get_by_test_id("person-add").click()
    await expect(stage.pane(chat).get_by_test_id("pane-subtitle")).to_have_text("4 members")
    sara = stage.double["سارا"]
    assert sara.user.language_code == "fa"
    await expect(stage.pane(sara.id).get_by_test_id("language")).to_have_text("fa")
    before = stage.double.world.clock.offset
    await stage.page.get_by_role("button", name="+10 min").click()
    await stage.double.until(lambda: stage.double.world.clock.offset == before + 600)
    await stage.page.get_by_text("Flood limits").click()
    await expect(stage.page.get_by_test_id("limits")).to_be_checked()
    assert await stage.control("calls") == []
    assert stage.double.world.limits.on


async def test_a_phone_shows_one_chat_at_a_time_and_counts_what_waits(phone: Stage) -> None:
    ana, bo, chat = await friends(phone)
    await expect(phone.pane(ana)).to_be_hidden()
    await expect(phone.pane(bo)).to_be_hidden()
    badge = phone.page.get_by_test_id("tab-private").get_by_test_id("badge")
    await expect(badge).to_be_hidden()
    for user in (ana, bo):
        sent = await phone.bot("sendMessage", chat_id=user, text="Your card", reply_markup=keyboard([YES]))
    await expect(badge).to_have_text("1")
    await expect(phone.page.get_by_test_id("act-as").locator(f"option[value='{bo}']")).to_have_text("Bo · 1 new")
    await phone.page.get_by_test_id("tab-private").tap()
    await expect(phone.pane(ana)).to_be_visible()
    await expect(phone.pane(chat)).to_be_hidden()
    await expect(badge).to_be_hidden()
    await choose(phone, bo)
    await expect(phone.pane(bo)).to_be_visible()
    await expect(phone.pane(ana)).to_be_hidden()
    await phone.page.get_by_test_id("tab-group").tap()
    await phone.bot("editMessageText", chat_id=bo, message_id=sent["message_id"], text="Changed")
    await expect(badge).to_have_text("1")
    width = await phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1] == PHONE["width"]


async def test_everything_on_a_phone_is_large_enough_for_a_thumb(phone: Stage) -> None:
    _, _, chat = await friends(phone)
    await phone.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES, NO]))
    await expect(phone.button(chat, "Yes")).to_be_visible()
    await phone.page.get_by_test_id("controls-button").tap()
    await expect(phone.page.get_by_test_id("controls")).to_be_visible()
    sizes = await phone.page.locator("button:visible, select:visible, label.switch:visible").evaluate_all(
        "(all) => all.map((one) => [one.dataset.testid ?? one.textContent.trim(), one.getBoundingClientRect().height])"
    )
    assert len(sizes) > 8
    assert [size for size in sizes if size[1] < 40] == []


async def test_the_page_comes_back_when_the_line_breaks(stage: Stage) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    await stage.page.route_web_socket("**/control/live", through)
    ana, _, chat = await friends(stage)
    await lines[0].close()
    await stage.control("say", user=ana, chat=chat, text="still here")
    await expect(stage.pane(chat).get_by_text("still here")).to_be_visible()
    await expect(stage.page.get_by_test_id("connection")).to_have_text("connected")
    assert len(lines) == 2


async def test_the_others_play_by_themselves_until_one_is_acted_as() -> None:
    async def choose_yes(_user: int, buttons: Sequence[VisibleButton]) -> VisibleButton | None:
        return next((button for button in buttons if button.data == "yes"), None)

    async with Double(choose=choose_yes) as double, staged(double) as stage:
        ana, bo, chat = await friends(stage)
        await stage.page.get_by_test_id("pace").select_option("0.4")
        await stage.page.get_by_text("The others play by themselves").click()
        await double.until(lambda: double.puppets.users == [bo])
        await expect(stage.pane(bo).get_by_test_id("pane-subtitle")).to_contain_text("plays automatically")
        await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES]))
        query = await stage.next_press()
        assert query["from"]["id"] == bo
        await expect(stage.button(chat, "Yes")).not_to_have_attribute("aria-busy", "true")
        await stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="In.", show_alert=True)
        await expect(stage.pane(bo).get_by_test_id("toast").first).to_contain_text("In.")
        await expect(stage.page.get_by_test_id("alert")).to_be_hidden()
        await choose(stage, bo)
        await double.until(lambda: double.puppets.users == [ana])
        await expect(stage.page.get_by_test_id("autoplay")).to_be_checked()


async def test_what_is_refused_is_said_and_the_switch_goes_back(stage: Stage) -> None:
    """The plain double has nobody who could choose for the others."""
    await friends(stage)
    await stage.page.get_by_text("The others play by themselves").click()
    await expect(stage.page.get_by_test_id("error")).to_contain_text("nobody said how puppets choose")
    await expect(stage.page.get_by_test_id("autoplay")).not_to_be_checked()
    assert [complaint for complaint in stage.complaints if "400" not in complaint] == []
    stage.complaints.clear()
