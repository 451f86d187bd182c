"""Independent judges: PTB reads our entities, Hypothesis writes the texts, and rubbish never breaks the server."""

import contextlib
import html
import inspect
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Message, Update
from telegram.helpers import escape_markdown

from tests.playground.conftest import Api
from tests.telegram_users import Double
from tgavalon.playground.botapi import values_from_json
from tgavalon.playground.endpoints import ENDPOINTS
from tgavalon.playground.html import parse_html
from tgavalon.playground.markdown import parse_markdown_v2
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import Refusal
from tgavalon.playground.text import Formatted, tidied

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
PIECES = st.lists(st.tuples(st.sampled_from(["", "b", "i", "u", "s", "code", "tg-spoiler"]), TEXT), max_size=8)
MARKS = {"b": "*", "i": "_", "u": "__", "s": "~", "code": "`", "tg-spoiler": "||"}
TYPES = {"b": "bold", "i": "italic", "u": "underline", "s": "strikethrough", "code": "code", "tg-spoiler": "spoiler"}


def read_by_ptb(formatted: Formatted) -> dict[int, tuple[str, str]]:
    """Each entity's type and text by offset, as python-telegram-bot cuts them out."""
    chat = {"id": 1, "type": "private"}
    body = {"message_id": 1, "date": 0, "chat": chat, "text": formatted.text, "entities": formatted.entities}
    message = Message.de_json(body, None)
    return {entity.offset: (entity.type, text) for entity, text in message.parse_entities().items()}


@given(PIECES)
def test_html_round_trip(pieces: list[tuple[str, str]]) -> None:
    source = "".join(f"<{tag}>{html.escape(text)}</{tag}>" if tag else html.escape(text) for tag, text in pieces)
    # html.escape writes &#x27; for an apostrophe, which the server knows as a number
    formatted = parse_html(source)
    assert formatted.text == "".join(text for _, text in pieces)
    expected = [(TYPES[tag], text) for tag, text in pieces if tag and text]
    assert [shown for _, shown in sorted(read_by_ptb(formatted).items())] == expected


@given(PIECES)
def test_markdown_round_trip(pieces: list[tuple[str, str]]) -> None:
    def written(tag: str, text: str) -> str:
        escaped = escape_markdown(text, version=2, entity_type="code" if tag == "code" else None)
        return f"{MARKS[tag]}{escaped}{MARKS[tag]}" if tag and text else escaped

    # a lone \r between pieces keeps neighbours such as _a__b_ apart, as the documentation advises
    formatted = parse_markdown_v2("\r".join(written(tag, text) for tag, text in pieces))
    assert formatted.text == "\r".join(text for _, text in pieces)
    expected = [(TYPES[tag], text) for tag, text in pieces if tag and text]
    assert [shown for _, shown in sorted(read_by_ptb(formatted).items())] == expected


@given(st.text(st.sampled_from("<>/&;ab \"'=😀\n\u202a#x"), max_size=30))
def test_any_html_parses_or_is_refused(source: str) -> None:
    with contextlib.suppress(Refusal):
        read_by_ptb(tidied(parse_html(source)))


@given(st.text(st.sampled_from("*_~`|>[]()!\\.a \r\n😀\u202a"), max_size=30))
def test_any_markdown_parses_or_is_refused(source: str) -> None:
    with contextlib.suppress(Refusal):
        read_by_ptb(tidied(parse_markdown_v2(source)))


RUBBISH: tuple[Any, ...] = (
    "",
    "x",
    "-",
    "{",
    [],
    {},
    [[]],
    [{}],
    {"x": 1},
    [1, "x", None],
    True,
    0,
    -1,
    10**30,
    "\u202e",
)


@pytest.mark.parametrize("name", sorted(ENDPOINTS))
async def test_rubbish_never_breaks_a_method(double: Double, api: Api, name: str) -> None:
    """Every argument of every method, one at a time beside good ones: an answer or a refusal, never a crash."""
    ana = double.person("Ana", started=True)
    markup = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}
    sent = await api("sendMessage", chat_id=ana.id, text="x", reply_markup=markup)
    good = {"chat_id": ana.id, "message_id": sent[1]["result"]["message_id"], "text": "y", "user_id": ana.id}
    good |= {"action": "typing", "media": {"type": "photo", "media": "x"}, "commands": []}
    for param in sorted(ENDPOINTS[name].params - {"timeout"}):
        for value in RUBBISH:
            query = ana.tap(None, "Join") if ana.labels() else "1"
            with contextlib.suppress(Refusal):
                await answered(double, name, good | {"callback_query_id": query, param: value})


async def answered(double: Double, name: str, arguments: dict[str, Any]) -> None:
    """The method's answer with those of the arguments that it has, as far as JSON; the webhook is taken off again."""
    wanted = {key: value for key, value in arguments.items() if key in ENDPOINTS[name].params}
    double.world.webhook = None
    result = ENDPOINTS[name].answer(double.world, Params(values_from_json(json.dumps(wanted))))
    json.dumps(await result if inspect.isawaitable(result) else result)


@pytest.mark.parametrize(
    "value",
    [
        [{"type": "bold", "offset": 0, "length": 99}],
        [{"type": "text_mention", "offset": 0, "length": 1, "user": 7}],
        [{"type": "text_link", "offset": 0, "length": 1}],
        [{"type": "custom_emoji", "offset": 1, "length": 1}],
        [{"offset": 0, "length": 1}],
        [{"type": "bold", "offset": -1, "length": 1}],
        [{"type": "bold", "offset": True, "length": 1}],
    ],
)
async def test_strange_entities(double: Double, api: Api, value: list[dict[str, Any]]) -> None:
    ana = double.person("Ana", started=True)
    status, body = await api("sendMessage", chat_id=ana.id, text="hello", entities=value)
    assert status in (200, 400), body
    if status == 200:
        Update.de_json({"update_id": 1, "message": body["result"]}, None)


async def test_paths_that_are_no_method(double: Double, api: Api) -> None:
    assert await api("getMe/more") == (404, {"ok": False, "error_code": 404, "description": "Not Found"})
    assert double.calls() == []
