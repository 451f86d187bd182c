"""Who acts and who plays by itself, people and their menus, the clock, the phone layout, and what eyes can read."""

from collections.abc import AsyncIterator, Sequence

import pytest
from playwright.async_api import expect

from tests.playground.page_stage import NO, PHONE, YES, Stage, keyboard, needs_browser, staged
from tests.telegram_users import Double
from tgavalon.playground import VisibleButton

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture
async def stage(double: Double) -> AsyncIterator[Stage]:
    async with staged(double) as running:
        yield running


@pytest.fixture
async def phone(double: Double) -> AsyncIterator[Stage]:
    async with staged(double, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as running:
        yield running


async def test_acting_as_somebody_changes_who_speaks_and_who_stands_first(stage: Stage) -> None:
    _, bo, chat = await stage.friends()
    group = stage.pane(chat)
    await stage.write(chat, "as Ana")
    await expect(group.locator(".message.out").last.get_by_test_id("text")).to_have_text("as Ana")
    await stage.pane(bo).get_by_test_id("act-as-this").click()
    await expect(stage.page.get_by_test_id("act-as")).to_have_value(str(bo))
    await expect(stage.pane(bo)).to_have_class("pane private current")
    await stage.write(chat, "/newgame")
    said = group.locator(f"[data-from='{bo}']").last
    await expect(said.get_by_test_id("text")).to_have_text("/newgame@avalon_bot")
    await expect(group.locator(".message.in").last).to_contain_text("as Ana")
    panes = stage.page.get_by_test_id("privates").get_by_test_id("pane")
    tops = await panes.evaluate_all("(all) => all.map((one) => [one.getBoundingClientRect().left, +one.dataset.user])")
    assert min(tops)[1] == bo
    await stage.page.reload()
    await expect(stage.page.get_by_test_id("act-as")).to_have_value(str(bo))


async def test_one_persons_menu_blocks_leaves_and_comes_back(stage: Stage) -> None:
    _, bo, chat = await stage.friends()
    more, menu = stage.pane(bo).get_by_test_id("person-more"), stage.page.get_by_test_id("person-menu")
    await more.click()
    await menu.get_by_test_id("menu-block").click()
    await expect(menu).to_be_hidden()
    await expect(stage.pane(bo).get_by_test_id("gate")).to_have_text("Unblock")
    await more.click()
    await menu.get_by_test_id("menu-leave").click()
    await expect(stage.pane(chat).locator(".service").last).to_contain_text("Bo left")
    await stage.act_as(bo)
    await expect(stage.pane(chat).get_by_test_id("gate")).to_contain_text("Bo is not in this group")
    await stage.pane(chat).get_by_test_id("gate").click()
    await expect(stage.pane(chat).get_by_test_id("composer")).to_be_visible()
    await stage.pane(bo).get_by_test_id("gate").click()
    await expect(stage.pane(bo).get_by_test_id("composer")).to_be_visible()
    assert not stage.double["Bo"].user.blocked


async def test_a_new_person_arrives_in_the_group_with_a_language(stage: Stage) -> None:
    _, _, chat = await stage.friends()
    await stage.page.get_by_test_id("controls-button").click()
    await stage.page.get_by_test_id("person-name").fill("سارا")
    await stage.page.get_by_test_id("person-language").fill("fa")
    await stage.page.get_by_test_id("person-add").click()
    await expect(stage.pane(chat).get_by_test_id("pane-subtitle")).to_have_text("4 members")
    sara = stage.double["سارا"]
    assert sara.user.language_code == "fa"
    await expect(stage.pane(sara.id).get_by_test_id("language")).to_have_text("fa")


async def test_the_clock_and_the_limits_are_turned_from_the_page(stage: Stage) -> None:
    await stage.friends()
    world = stage.double.world
    await stage.page.get_by_test_id("controls-button").click()
    async with stage.page.expect_response("**/control/clock"):
        await stage.page.get_by_role("button", name="+1 h").click()
    assert world.clock.offset == 3600
    shown = "(seconds) => new Date(seconds * 1000).toTimeString().slice(0, 5)"
    await expect(stage.page.get_by_test_id("clock")).to_have_text(await stage.page.evaluate(shown, world.clock.now()))
    async with stage.page.expect_response("**/control/limits"):
        await stage.page.get_by_test_id("limits").click()
    assert world.limits.on


async def test_a_phone_shows_one_chat_at_a_time_and_counts_what_waits(phone: Stage) -> None:
    ana, bo, chat = await phone.friends()
    await expect(phone.pane(ana)).to_be_hidden()
    await expect(phone.pane(bo)).to_be_hidden()
    badge = phone.page.get_by_test_id("tab-private").get_by_test_id("badge")
    await expect(badge).to_be_hidden()
    for user in (ana, bo):
        await phone.bot("sendMessage", chat_id=user, text="Your card", reply_markup=keyboard([YES]))
    card = phone.double["Bo"].last().message_id
    await expect(badge).to_have_text("1")
    await expect(phone.page.get_by_test_id("act-as").locator(f"option[value='{bo}']")).to_have_text("Bo · 1 new")
    await phone.page.get_by_test_id("tab-private").tap()
    await expect(phone.pane(ana)).to_be_visible()
    await expect(phone.pane(chat)).to_be_hidden()
    await expect(badge).to_be_hidden()
    await phone.act_as(bo)
    await expect(phone.pane(bo)).to_be_visible()
    await expect(phone.pane(ana)).to_be_hidden()
    await phone.page.get_by_test_id("tab-group").tap()
    await phone.bot("editMessageText", chat_id=bo, message_id=card, text="Changed")
    await expect(badge).to_have_text("1")
    width = await phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1] == PHONE["width"]


async def test_everything_on_a_phone_is_large_enough_for_a_thumb(phone: Stage) -> None:
    _, _, chat = await phone.friends()
    await phone.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES, NO]))
    await expect(phone.button(chat, "Yes")).to_be_visible()
    await phone.page.get_by_test_id("controls-button").tap()
    await expect(phone.page.get_by_test_id("controls")).to_be_visible()
    sizes = await phone.page.locator("button:visible, select:visible, label.switch:visible").evaluate_all(
        "(all) => all.map((one) => [one.dataset.testid ?? one.textContent.trim(), one.getBoundingClientRect().height])"
    )
    assert len(sizes) > 8
    assert [size for size in sizes if size[1] < 40] == []


async def test_the_others_play_by_themselves_until_one_is_acted_as() -> None:
    async def choose_yes(_user: int, buttons: Sequence[VisibleButton]) -> VisibleButton | None:
        return next((button for button in buttons if button.data == "yes"), None)

    async with Double(choose=choose_yes) as double, staged(double) as stage:
        ana, bo, chat = await stage.friends()
        await stage.page.get_by_test_id("pace").select_option("1")
        await stage.page.get_by_test_id("autoplay").click()
        await double.until(lambda: double.puppets.users == [bo])
        await expect(stage.pane(bo).get_by_test_id("pane-subtitle")).to_contain_text("plays automatically")
        await stage.bot("sendMessage", chat_id=chat, text="Vote", reply_markup=keyboard([YES]))
        query = await stage.next_press()
        assert query["from"]["id"] == bo
        await expect(stage.button(chat, "Yes")).not_to_have_attribute("aria-busy", "true")
        await stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="In.", show_alert=True)
        await expect(stage.pane(bo).get_by_test_id("toast").first).to_contain_text("In.")
        await expect(stage.page.get_by_test_id("alert")).to_be_hidden()
        await stage.act_as(bo)
        await double.until(lambda: double.puppets.users == [ana])
        await expect(stage.page.get_by_test_id("autoplay")).to_be_checked()


async def test_what_is_refused_is_said_and_the_switch_goes_back(stage: Stage) -> None:
    """The plain double has nobody who could choose for the others."""
    await stage.friends()
    await stage.page.get_by_test_id("autoplay").click()
    await expect(stage.page.get_by_test_id("error")).to_contain_text("nobody said how puppets choose")
    await expect(stage.page.get_by_test_id("autoplay")).not_to_be_checked()
    assert [complaint for complaint in stage.complaints if "400" not in complaint] == []
    stage.complaints.clear()


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const ground = (node) => {
    if (!node) return [1, 1, 1];
    const own = colour(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement));
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const hidden = parent.closest(".spoiler:not(.revealed)") || !parent.checkVisibility({ visibilityProperty: true });
    if (hidden || node.data.trim() === "") continue;
    const under = ground(parent);
    const [a, b] = [light(over(colour(getComputedStyle(parent).color), under)), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    seen.push([node.data.trim().slice(0, 20), Math.round(ratio * 100) / 100]);
  }
  return seen;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_visible_word_has_the_contrast_of_wcag_aa(double: Double, scheme: str) -> None:
    async with staged(double, color_scheme=scheme) as stage:
        ana, bo, chat = await stage.friends()
        await stage.people(*"CDEFGHI")
        html = (
            '<b>Round</b> /table @somebody <a href="https://example.org">link</a> <code>code</code>\n'
            '<pre><code class="language-text">1 ✓</code></pre><blockquote>quote</blockquote>'
            "<blockquote expandable>long</blockquote>"
        )
        styles = [{"text": style, "callback_data": style, "style": style} for style in ("success", "danger", "primary")]
        rows = keyboard(styles, [{"text": "plain", "callback_data": "plain"}])
        sent = await stage.bot("sendMessage", chat_id=chat, text=html, parse_mode="HTML", reply_markup=rows)
        await stage.control("say", user=bo, chat=chat, text="hello")
        await stage.write(chat, "/newgame")
        await stage.control("promote_bot", chat=chat, by=ana)
        await stage.bot("pinChatMessage", chat_id=chat, message_id=sent["message_id"])
        await stage.button(chat, "plain").click()
        query = await stage.next_press()
        await stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="A toast")
        await expect(stage.toast(ana)).to_be_visible()
        await expect(stage.button(chat, "plain")).not_to_have_attribute("aria-busy", "true")
        await stage.page.get_by_test_id("controls-button").click()
        seen = await stage.page.evaluate(CONTRAST)
    assert len(seen) > 60
    assert [word for word in seen if word[1] < 4.5] == []


async def test_a_group_that_moved_is_followed_and_topics_are_told_apart(stage: Stage) -> None:
    ana, bo = await stage.people("Ana", "Bo")
    old = await stage.group([ana, bo], type="group")
    forum = await stage.group([ana, bo], title="Forum", forum=True)
    topic = (await stage.control("topic", chat=forum, name="Games"))["id"]
    await stage.open()
    await expect(stage.pane(old)).to_be_visible()
    new = (await stage.control("migrate", chat=old))["chat"]
    await expect(stage.pane(new)).to_be_visible()
    await expect(stage.pane(old)).to_have_count(0)
    await stage.page.get_by_test_id("group-select").select_option(str(forum))
    await stage.write(forum, "in general")
    await expect(stage.pane(forum).get_by_text("in general")).to_be_visible()
    await stage.pane(forum).get_by_test_id("topic").filter(has_text="Games").click()
    await expect(stage.pane(forum).get_by_text("in general")).to_have_count(0)
    await stage.write(forum, "in games")
    said = stage.pane(forum).get_by_text("in games")
    await expect(said).to_be_visible()
    chats = (await stage.control("state"))["chats"]
    [last] = [chat["messages"][-1] for chat in chats if chat["id"] == forum]
    assert (last["text"], last["topic"]) == ("in games", topic)
