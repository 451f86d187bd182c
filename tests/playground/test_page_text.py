"""How the page draws a message's text: entities by UTF-16 offsets, direction line by line, hostile names as text."""

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.playground.page_stage import Stage, keyboard, needs_browser, staged
from tests.telegram_users import Double

pytestmark = [pytest.mark.browser, needs_browser]

RENDER = """async (cases) => {
  const { renderText } = await import("/page/entities.js");
  return cases.map(({ text, entities }) => {
    const box = document.createElement("div");
    box.append(renderText(text, entities));
    return { text: box.textContent, html: box.innerHTML,
             pieces: [...box.querySelectorAll("[data-entity]")].map((it) => [it.dataset.entity, it.textContent]) };
  });
}"""
DIRECTIONS = """async (lines) => {
  const { lineDirection } = await import("/page/direction.js");
  return lines.map(lineDirection);
}"""


@pytest.fixture
async def stage(double: Double) -> AsyncIterator[Stage]:
    async with staged(double) as running:
        yield running


async def told(stage: Stage, html: str) -> tuple[int, Locator]:
    """A person to whom the bot wrote this; the person's id and the text on the page."""
    [ana] = await stage.people("Ana")
    await stage.control("start", user=ana)
    sent = await stage.bot("sendMessage", chat_id=ana, text=html, parse_mode="HTML")
    await stage.open()
    return ana, stage.text(ana, sent["message_id"])


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


async def test_each_entity_covers_its_words_after_emoji(stage: Stage) -> None:
    [bo] = await stage.people("Bo")
    marked = {
        "bold": "<b>{}</b>",
        "italic": "<i>{}</i>",
        "underline": "<u>{}</u>",
        "strikethrough": "<s>{}</s>",
        "spoiler": "<tg-spoiler>{}</tg-spoiler>",
        "code": "<code>{}</code>",
        "pre": "<pre>{}</pre>",
        "blockquote": "<blockquote>{}</blockquote>",
        "expandable_blockquote": "<blockquote expandable>{}</blockquote>",
        "text_link": '<a href="https://example.org/a?b=1">{}</a>',
        "text_mention": f'<a href="tg://user?id={bo}">{{}}</a>',
    }
    words = {kind: f"the {kind.replace('_', ' ')} 🗡" for kind in marked}
    await stage.control("say", user=bo, chat=bo, text="hello")  # the bot has to have met Bo to mention him
    await stage.bot("getUpdates")
    html = "🧙🏽‍♂️ 👑\n" + "\n".join(f"🛡 {form.format(words[kind])} 🛡" for kind, form in marked.items())
    _, text = await told(stage, html)
    for kind, covered in words.items():
        await expect(text.locator(f"[data-entity={kind}]")).to_have_text(covered)
    await expect(text.locator("[data-entity=text_link]")).to_have_attribute("href", "https://example.org/a?b=1")
    await expect(text.locator("[data-entity=text_mention]")).to_have_attribute("data-user", str(bo))
    weight = "(node) => getComputedStyle(node).fontWeight"
    assert int(await text.locator("[data-entity=bold]").evaluate(weight)) >= 600
    family = await text.locator("[data-entity=pre]").evaluate("(node) => getComputedStyle(node).fontFamily")
    assert "monospace" in family


async def test_nested_entities_are_nested(stage: Stage) -> None:
    _, text = await told(stage, "<blockquote>😀<b>one <i>two <u>three</u></i></b> four</blockquote>after")
    await expect(text.locator("blockquote strong em u")).to_have_text("three")
    await expect(text.locator("blockquote strong")).to_have_text("one two three")
    await expect(text.locator("blockquote")).to_have_text("😀one two three four")


async def test_crossing_entities_are_split_and_bad_ones_harmless(stage: Stage) -> None:
    await stage.open()
    bold = {"type": "bold", "offset": 0, "length": 6}
    italic = {"type": "italic", "offset": 3, "length": 6}
    beyond = {"type": "bold", "offset": 5, "length": 500}
    script = {"type": "text_link", "offset": 0, "length": 4, "url": "javascript:alert(1)"}
    unknown = {"type": "sparkle", "offset": 0, "length": 4}
    crossing, outside, linked, strange = await stage.page.evaluate(
        RENDER,
        [
            {"text": "abcdefghi", "entities": [bold, italic]},
            {"text": "😀 words", "entities": [beyond, {"type": "code", "offset": 90, "length": 2}]},
            {"text": "link <b>", "entities": [script]},
            {"text": "word", "entities": [unknown]},
        ],
    )
    assert crossing["pieces"] == [["bold", "abcdef"], ["italic", "def"], ["italic", "ghi"]]
    assert outside["pieces"] == [["bold", "rds"]]
    assert linked["text"] == "link <b>"
    assert "href" not in linked["html"]
    assert strange["pieces"] == [["sparkle", "word"]]


def _random_case(rng: random.Random) -> dict[str, Any]:
    text = "".join(rng.choices(["a", "b", " ", "\n", "😀", "ס", "<", "&", "\u2068", "\u2069"], k=rng.randrange(0, 30)))
    kinds = ["bold", "italic", "spoiler", "code", "pre", "blockquote", "text_link", "bot_command", "url"]
    length = utf16(text)
    entities = [
        {"type": rng.choice(kinds), "offset": rng.randrange(0, length + 2), "length": rng.randrange(0, length + 2)}
        for _ in range(rng.randrange(0, 6))
    ]
    return {"text": text, "entities": entities}


async def test_no_character_is_lost_or_invented_whatever_the_entities(stage: Stage) -> None:
    """Only a newline right behind a block may go: the block itself breaks the line."""
    rng = random.Random(5)
    cases = [_random_case(rng) for _ in range(400)]
    await stage.open()
    for case, drawn in zip(cases, await stage.page.evaluate(RENDER, cases), strict=True):
        assert drawn["text"].replace("\n", "") == case["text"].replace("\n", ""), case
        blocks = sum(entity["type"] in ("pre", "blockquote") for entity in case["entities"])
        assert 0 <= case["text"].count("\n") - drawn["text"].count("\n") <= blocks, case


async def test_direction_is_that_of_the_first_strong_character_outside_isolates(stage: Stage) -> None:
    await stage.open()
    expected = {
        "hello": "ltr",
        "سلام Tom": "rtl",
        "Tom سلام": "ltr",
        "۲ نفر": "rtl",
        "123 שלום": "rtl",
        "2 \u2068علی\u2069 joins": "ltr",
        "\u2068Tom\u2069 رأی داد": "rtl",
        "4 \u2068علی\u2069 ✓ ✗": "ltr",
        "\u200fTom": "rtl",
        "🧙 ✓ 12": "ltr",
        "\u2069\u2069سلام": "rtl",
        "": "ltr",
    }
    assert await stage.page.evaluate(DIRECTIONS, list(expected)) == list(expected.values())


async def test_each_line_stands_on_the_side_it_starts_from(stage: Stage) -> None:
    _, text = await told(stage, "سلام، <b>بازی</b> شروع شد\nEnglish in between\n۳ نفر دیگر لازم است")
    lines = text.locator(".line-of-text")
    await expect(lines).to_have_count(3)
    edges = await lines.evaluate_all(
        """(lines) => lines.map((line) => {
            const range = document.createRange();
            range.selectNodeContents(line);
            const [words, box] = [range.getBoundingClientRect(), line.getBoundingClientRect()];
            return [Math.abs(words.left - box.left) < 2, Math.abs(words.right - box.right) < 2];
        })"""
    )
    assert [right for _, right in edges[::2]] == [True, True]
    assert edges[1][0] is True
    assert edges[2][0] is False


async def test_a_code_block_keeps_its_columns_with_right_to_left_names(stage: Stage) -> None:
    """Every row starts at the left with its number; the widths of foreign letters are the font's business."""
    rows = ["1 Sara   ✓", "2 \u2068Tom &lt;3\u2069 ✗", "3 \u2068علی\u2069    ✓"]
    _, text = await told(stage, "<pre>" + "\n".join(rows) + "</pre>")
    await expect(text.locator("pre .line-of-text")).to_have_count(3)
    columns = await text.locator("pre .line-of-text").evaluate_all(
        """(lines) => lines.map((line) => {
            const left = (index) => {
                const range = document.createRange();
                range.setStart(line.firstChild, index);
                range.setEnd(line.firstChild, index + 1);
                return Math.round(range.getBoundingClientRect().left);
            };
            return [left(0), left(line.firstChild.data.search(/[✓✗]/))];
        })"""
    )
    (number, mark), (second_number, second_mark), (third_number, third_mark) = columns
    assert number == second_number == third_number
    assert abs(mark - second_mark) <= 1
    assert third_mark > third_number


HOSTILE = ["<b>Bo</b>", "Tom <3", "<img src=x onerror=alert(1)>", "\u200fעלי\u200e", "&amp;", "a" * 64]


async def test_hostile_names_are_text_everywhere(stage: Stage) -> None:
    users = await stage.people(*HOSTILE)
    chat = await stage.group(users, title="<i>Club</i>")
    for user in users:
        await stage.control("say", user=user, chat=chat, text="<script>document.title='x'</script>")
    await stage.open()
    for user, name in list(zip(users, HOSTILE, strict=True))[1:]:
        await expect(stage.pane(user).locator(".title bdi")).to_have_text(name)
        said = stage.pane(chat).locator(f"[data-from='{user}']").last
        await expect(said.locator(".author bdi")).to_have_text(name)
        await expect(said.get_by_test_id("text")).to_have_text("<script>document.title='x'</script>")
    options = await stage.page.get_by_test_id("act-as").locator("option").all_text_contents()
    assert options == HOSTILE
    await expect(stage.pane(chat).locator(".title bdi")).to_have_text("<i>Club</i>")
    assert await stage.page.locator("main :is(script, img, .title b, .title i, .author b)").count() == 0


async def test_an_invisible_name_is_called_by_number_and_twins_are_told_apart(stage: Stage) -> None:
    ghost, first, second = await stage.people("\u2063\u3164", "Eve", "Eve")
    await stage.group([ghost, first, second])
    await stage.open()
    await expect(stage.pane(ghost).locator(".title bdi")).to_have_text(f"Nameless {ghost}")
    await expect(stage.page.get_by_test_id("act-as").locator(f"option[value='{second}']")).to_have_text(
        f"Eve ({second})"
    )


async def test_a_spoiler_hides_until_clicked_and_stays_shown_when_the_message_is_edited(stage: Stage) -> None:
    ana, text = await told(stage, "You are <tg-spoiler>Merlin\nand <b>good</b></tg-spoiler>")
    colour = "(node) => getComputedStyle(node).color"
    bold = text.locator("strong")
    assert await bold.evaluate(colour) == "rgba(0, 0, 0, 0)"
    await text.get_by_test_id("spoiler").click()
    assert await bold.evaluate(colour) != "rgba(0, 0, 0, 0)"
    [sent] = [message for message in stage.double["Ana"].sees() if message.sender == stage.double.world.bot.id]
    await stage.bot(
        "editMessageText",
        chat_id=ana,
        message_id=sent.message_id,
        text="Still <tg-spoiler><b>Merlin</b></tg-spoiler>",
        parse_mode="HTML",
    )
    await expect(text).to_have_text("Still Merlin")
    assert await bold.evaluate(colour) != "rgba(0, 0, 0, 0)"


async def test_a_command_in_a_text_is_sent_when_clicked_and_a_quote_unfolds(stage: Stage) -> None:
    ana, text = await told(stage, "Try /help\n<blockquote expandable>1\n2\n3\n4\n5\n6</blockquote>")
    quote = text.locator("blockquote")
    folded = await quote.evaluate("(node) => node.clientHeight")
    await quote.click()
    assert await quote.evaluate("(node) => node.clientHeight") > folded
    await text.locator("[data-entity=bot_command]").click()
    await expect(stage.pane(ana).locator(".message.out").last.get_by_test_id("text")).to_have_text("/help")


async def test_a_button_label_takes_its_direction_as_a_line_does(stage: Stage) -> None:
    [ana] = await stage.people("Ana")
    await stage.control("start", user=ana)
    labels = {"5. \u2068سارا\u2069": "ltr", "موفقیت 2": "rtl"}
    rows = keyboard([{"text": label, "callback_data": direction} for label, direction in labels.items()])
    await stage.bot("sendMessage", chat_id=ana, text="Choose", reply_markup=rows)
    await stage.open()
    for direction in labels.values():
        label = stage.pane(ana).locator(f"[data-callback={direction}] .label")
        await expect(label).to_have_attribute("dir", direction)
