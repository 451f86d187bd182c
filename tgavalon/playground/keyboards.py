"""The `reply_markup` argument, judged as the server judges it, in steps: what the Bot API server finds while reading
JSON, then what Telegram behind it finds, because the order decides which error a bot sees.
"""

import json
from dataclasses import dataclass
from typing import Any

from tgavalon.playground import links
from tgavalon.playground.model import Keyboard
from tgavalon.playground.refusals import bad_request
from tgavalon.playground.text import tidied_button

MAX_BUTTONS = 100
MAX_DATA_BYTES = 64
STYLES = frozenset({"primary", "danger", "success"})
_OTHER_ACTIONS = ("web_app", "login_url", "copy_text", "switch_inline_query", "switch_inline_query_current_chat", "pay")


@dataclass(frozen=True, slots=True)
class Markup:
    """`keyboard` is the inline keyboard; `other` names another kind: "keyboard", "remove" or "force_reply"."""

    keyboard: Keyboard | None = None
    other: str = ""


def read_markup(argument: str) -> Markup:
    """The first step: JSON to a markup. Empty inline keyboards are none at all, as on the server."""
    if not argument:
        return Markup()
    try:
        value = json.loads(argument)
    except ValueError:
        raise bad_request("Can't parse reply keyboard markup JSON object") from None
    if not isinstance(value, dict):
        raise bad_request("Object expected as reply markup")
    if value.get("keyboard"):
        return Markup(other="keyboard")
    if rows := value.get("inline_keyboard"):
        return Markup(keyboard=_inline(rows))
    if value.get("remove_keyboard") is True:
        return Markup(other="remove")
    return Markup(other="force_reply" if value.get("force_reply") is True else "")


def _inline(rows: Any) -> Keyboard | None:
    wrong = 'Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays'
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request(wrong)
    keyboard = [[_button(button) for button in row] for row in rows]
    return [row for row in keyboard if row] or None


def _button(value: Any) -> dict[str, Any]:
    def wrong(reason: str) -> Exception:
        return bad_request(f"Can't parse inline keyboard button: {reason}")

    if not isinstance(value, dict):
        raise wrong("InlineKeyboardButton must be an Object")
    if not isinstance(value.get("text"), str):
        found = "text" in value
        raise wrong('Field "text" must be of type String' if found else 'Can\'t find field "text"')
    button: dict[str, Any] = {"text": value["text"]}
    style = str(value.get("style") or "").lower()
    if style in STYLES:
        button["style"] = style
    elif style not in ("", "default"):
        raise wrong("invalid button style specified")
    for action in ("url", "callback_data"):
        if value.get(action):
            return {**button, action: str(value[action])}
    for action in _OTHER_ACTIONS:
        if action in value:
            return {**button, action: value[action]}
    raise wrong("Text buttons are unallowed in the inline keyboard")


def check_texts(keyboard: Keyboard | None) -> Keyboard | None:
    """The second step, in tdlib: texts are cleaned and may not be empty, links must be links."""
    return None if keyboard is None else [[_checked(button) for button in row] for row in keyboard]


def _checked(button: dict[str, Any]) -> dict[str, Any]:
    text = tidied_button(button["text"])
    if not text:
        raise bad_request("Inline keyboard button text must be non-empty")
    if "url" not in button or links.mentioned_user(button["url"]) is not None:
        return {**button, "text": text}
    try:
        return {**button, "text": text, "url": links.checked(button["url"])}
    except ValueError as reason:
        raise bad_request(f"Inline keyboard button URL '{button['url']}' is invalid: {reason}") from None


def check_limits(keyboard: Keyboard | None) -> None:
    """The last step, on Telegram's servers: bytes of data and number of buttons."""
    buttons = [button for row in keyboard or [] for button in row]
    if any(len(str(button.get("callback_data", "")).encode()) > MAX_DATA_BYTES for button in buttons):
        raise bad_request("BUTTON_DATA_INVALID")
    if len(buttons) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")
