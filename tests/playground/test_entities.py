"""HTML and MarkdownV2 to text and UTF-16 entities; cleaning and trimming; the server's words for what does not."""

from typing import Any

import pytest

from tgavalon.playground.html import parse_html
from tgavalon.playground.markdown import parse_markdown_v2
from tgavalon.playground.refusals import Refusal
from tgavalon.playground.text import Formatted, tidied, utf16_length, with_found

INVALID = "Text contains invalid Unicode characters after decoding HTML entities"
FSI, PDI = "\u2068", "\u2069"


def spans(formatted: Formatted) -> list[tuple[Any, ...]]:
    """(type, the covered text, other fields …) of each entity."""
    units = formatted.text.encode("utf-16-le")
    shown = []
    for entity in formatted.entities:
        start = 2 * entity["offset"]
        covered = units[start : start + 2 * entity["length"]].decode("utf-16-le")
        extra = [value for key, value in entity.items() if key not in ("type", "offset", "length")]
        shown.append((entity["type"], covered, *extra))
    return shown


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("plain", "plain", []),
        ("<b>a</b><i>b</i>", "ab", [("bold", "a"), ("italic", "b")]),
        ("<strong>a <em>b</em></strong>", "a b", [("bold", "a b"), ("italic", "b")]),
        ("<u>a</u><ins>b</ins>", "ab", [("underline", "a"), ("underline", "b")]),
        ("<s>a</s><del>b</del>", "ab", [("strikethrough", "a"), ("strikethrough", "b")]),
        ("<tg-spoiler>role</tg-spoiler>", "role", [("spoiler", "role")]),
        ('<span class="tg-spoiler">role</span>', "role", [("spoiler", "role")]),
        ("😀<b>x</b>😀", "😀x😀", [("bold", "x")]),
        ("<b>😀</b>y", "😀y", [("bold", "😀")]),
        ("<B>a</B>", "a", [("bold", "a")]),
        ("<b>a</>", "a", [("bold", "a")]),
        ("<b></b>x", "x", []),
        ("a &lt;b&gt; &amp; &quot;c&quot; &apos;", 'a <b> & "c" &apos;', []),
        ("&#65;&#x42;&#x1F600;", "AB😀", []),
        ("&#0;&#99999999999;", "&#0;&#99999999999;", []),
        ("Tom &lt;3", "Tom <3", []),
        ("<code>x</code>", "x", [("code", "x")]),
        ("<pre>a\nb</pre>", "a\nb", [("pre", "a\nb")]),
        ('<pre><code class="language-py">x</code></pre>', "x", [("pre", "x", "py")]),
        ('<code class="language-py">x</code>', "x", [("code", "x")]),
        ("<blockquote>q</blockquote>", "q", [("blockquote", "q")]),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", "q")]),
        ('<a href="https://x.org">x</a>', "x", [("text_link", "x", "https://x.org/")]),
        ("<a href='https://x.org/a?b=1&amp;c=2'>x</a>", "x", [("text_link", "x", "https://x.org/a?b=1&c=2")]),
        ('<a href="tg://user?id=5300000002">Ben</a>', "Ben", [("text_mention", "Ben", 5300000002)]),
        ('<a href="nonsense">x</a>', "x", []),
        ("<a>x.org</a>", "x.org", [("text_link", "x.org", "http://x.org/")]),
        ('<tg-emoji emoji-id="536">👍</tg-emoji>', "👍", [("custom_emoji", "👍", "536")]),
        ('<tg-time unix="1764538875" format="r">soon</tg-time>', "soon", [("date_time", "soon", 1764538875, "r")]),
    ],
)
def test_html(source: str, text: str, found: list[tuple[Any, ...]]) -> None:
    formatted = parse_html(source)
    assert (formatted.text, spans(formatted)) == (text, found)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("ab<p>x</p>", 'Unsupported start tag "p" at byte offset 2'),
        ("é<p>", 'Unsupported start tag "p" at byte offset 2'),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<i><b>x</b>", 'Can\'t find end tag corresponding to start tag "i"'),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("Tom <3", "Unclosed start tag at byte offset 4"),
        ("Tom <3 x", 'Unsupported start tag "3" at byte offset 4'),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<a href="x', "Unclosed start tag at byte offset 0"),
        ("<a href", 'Unclosed start tag "a" at byte offset 0'),
        ("<a =x>", 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<a href=a_b>x</a>", "Unexpected end of name token at byte offset 8"),
        ('<tg-emoji emoji-id="x">👍</tg-emoji>', "Invalid custom emoji identifier specified"),
        ('<tg-time unix="1" format="x">y</tg-time>', "Invalid date format used"),
        (
            "&#xd800;",
            f"{INVALID}, check for unmatched surrogate code units",
        ),
    ],
)
def test_html_that_does_not_parse(source: str, problem: str) -> None:
    with pytest.raises(Refusal) as raised:
        parse_html(source)
    assert raised.value.description == f"Bad Request: can't parse entities: {problem}"


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("*a* _b_ __c__ ~d~ ||e||", "a b c d e", ["bold", "italic", "underline", "strikethrough", "spoiler"]),
        ("*bold _italic_*", "bold italic", ["bold", "italic"]),
        ("__both _two_ __", "both two ", ["italic", "underline"]),
        (r"1\. a\-b\!", "1. a-b!", []),
        ("`a.b`", "a.b", ["code"]),
        ("```\na.b\n```", "a.b\n", ["pre"]),
        ("```py\nx=1```", "x=1", ["pre"]),
        ("[x](https://x.org)", "x", ["text_link"]),
        ("[Ben](tg://user?id=7)", "Ben", ["text_mention"]),
        ("![👍](tg://emoji?id=536)", "👍", ["custom_emoji"]),
        (">a\n>b\nc", "a\nb\nc", ["blockquote"]),
        (">a||", "a", ["expandable_blockquote"]),
        (">a\n>b||\nc", "a\nb\nc", ["expandable_blockquote"]),
        ("😀 *x*", "😀 x", ["bold"]),
    ],
)
def test_markdown(source: str, text: str, found: list[str]) -> None:
    formatted = parse_markdown_v2(source)
    assert (formatted.text, sorted(entity["type"] for entity in formatted.entities)) == (text, sorted(found))


def test_markdown_offsets_are_utf16() -> None:
    assert parse_markdown_v2("😀 *x*").entities == [{"type": "bold", "offset": 3, "length": 1}]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("v1.0", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("a > b", "Character '>' is reserved and must be escaped with the preceding '\\'"),
        ("a|b", "Character '|' is reserved and must be escaped with the preceding '\\'"),
        ("wow!", "Character '!' is reserved and must be escaped with the preceding '\\'"),
        ("é *x", "Can't find end of Bold entity at byte offset 3"),
        ("___both___", "Can't find end of Italic entity at byte offset 9"),
        ("_x", "Can't find end of Italic entity at byte offset 0"),
        ("a `x", "Can't find end of Code entity at byte offset 2"),
        ("```x", "Can't find end of Pre entity at byte offset 0"),
        ("[x", "Can't find end of TextUrl entity at byte offset 0"),
        ("[x](y", "Can't find end of a URL at byte offset 4"),
        (">*a\nb*", "Can't find end of Bold entity at byte offset 1"),
        ("![x]", "The entity must contain a tg://emoji or tg://time URL"),
    ],
)
def test_markdown_that_does_not_parse(source: str, problem: str) -> None:
    with pytest.raises(Refusal) as raised:
        parse_markdown_v2(source)
    assert raised.value.description == f"Bad Request: can't parse entities: {problem}"


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (f"{FSI}Ana{PDI}", f"{FSI}Ana{PDI}"),
        ("\u202aAna\u202c \u202eneB\u202c", "Ana neB"),
        ("a\u2028b\u2029c", "abc"),
        ("a\tb\x00c\r\nd", "a b c\nd"),
        ("  \n a \n ", "a"),
        ("a\u200bb", "a\u200bb"),
    ],
)
def test_what_the_server_strips_and_what_passes(source: str, kept: str) -> None:
    assert tidied(Formatted(source)).text == kept


def test_entities_move_with_what_was_stripped() -> None:
    formatted = tidied(parse_html("  \u202ax <b>😀 y\u202c</b>  "))
    assert formatted.text == "x 😀 y"
    assert spans(formatted) == [("bold", "😀 y")]


def test_leading_space_inside_an_entity_stays() -> None:
    assert tidied(parse_html("<code>  1 0</code>")).text == "  1 0"


@pytest.mark.parametrize("source", ["", "   ", "\n\n", "\u200b\u200d", "\u202e", "\u2800 \u3000", "<b> </b>"])
def test_nothing_visible_is_refused(source: str) -> None:
    with pytest.raises(Refusal) as raised:
        tidied(parse_html(source))
    assert raised.value.description == "Bad Request: text must be non-empty"


def test_commands_mentions_and_links_are_found() -> None:
    formatted = with_found(Formatted("😀 /newgame@avalon_bot see @ana_b at https://x.org/a. 3/4 a@b"))
    assert spans(formatted) == [
        ("bot_command", "/newgame@avalon_bot"),
        ("mention", "@ana_b"),
        ("url", "https://x.org/a"),
    ]


def test_nothing_is_found_inside_code() -> None:
    assert spans(with_found(parse_html("<code>/newgame</code> /help"))) == [
        ("code", "/newgame"),
        ("bot_command", "/help"),
    ]


def test_utf16_length() -> None:
    assert utf16_length("a😀é") == 4
