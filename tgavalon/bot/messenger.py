"""Screens to Bot API calls, and Telegram's refusals to verdicts: the one file that knows how Telegram says no.

It decides nothing: what to do about a verdict is the caller's business. Nothing of a screen's text is logged.
"""

from __future__ import annotations

import asyncio
import datetime as dtm
import logging
import re
from collections.abc import Awaitable
from typing import TypeVar

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputFile, LinkPreviewOptions, Message
from telegram.constants import CallbackQueryLimit, ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Verdict
from tgavalon.ui.screen import Button, Rows, Screen
from tgavalon.ui.taps import NO_TABLE, encode

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

ANSWER_AGAIN = (0.3, 0.6, 1.2, 2.4, 4.8)
"""Seconds after which an answer to a press that was lost is given again, and then again."""
ANSWER_READ_TIMEOUT = 3.0
"""Seconds of silence after which it counts as lost."""
_NOT_YET = (Verdict.LOST, Verdict.LATER)

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

# Parts of the descriptions of "400 Bad Request", in small letters: python-telegram-bot changes the capitals. The first
# that occurs decides; whatever is not here is a fault of ours. From telegram-bot-api Client.cpp, td and real answers.
_SAYINGS: tuple[tuple[str, Verdict], ...] = (
    ("message is not modified", Verdict.DONE),
    ("message to edit not found", Verdict.GONE),
    ("message can't be edited", Verdict.GONE),
    ("in the message to edit", Verdict.GONE),
    ("message media can't be edited", Verdict.GONE),
    ("message_id_invalid", Verdict.GONE),
    ("message to delete not found", Verdict.DONE),
    ("message can't be deleted", Verdict.GONE),
    ("query is too old", Verdict.GONE),
    ("message thread not found", Verdict.UNREACHABLE),
    ("topic_closed", Verdict.UNREACHABLE),
    ("topic_deleted", Verdict.UNREACHABLE),
    ("chat not found", Verdict.UNREACHABLE),
    ("not enough rights to manage", Verdict.REFUSED),
    ("not enough rights", Verdict.UNREACHABLE),
    ("have no rights to send", Verdict.UNREACHABLE),
    ("chat_write_forbidden", Verdict.UNREACHABLE),
    ("chat_restricted", Verdict.UNREACHABLE),
    ("user_is_blocked", Verdict.UNREACHABLE),
    ("peer_id_invalid", Verdict.UNREACHABLE),
    ("group chat was", Verdict.UNREACHABLE),
)

# Telegram quotes tags, addresses and other bits of what it was sent; an apostrophe inside a word opens no quotation.
_QUOTED = re.compile(r""""[^"]*"|(?<!\w)'[^']*'""")


class TelegramMessenger:
    """The `Messenger` over a bot, and the answers to presses of buttons. No method raises `TelegramError`."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._again: set[asyncio.Task[None]] = set()

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        """As the port says. DONE comes with the id of the new message."""
        call = self._bot.send_message(
            place.chat,
            screen.text,
            message_thread_id=place.topic,
            parse_mode=ParseMode.HTML,
            link_preview_options=_NO_PREVIEW,
            reply_markup=_keyboard(table, screen.rows),
            protect_content=screen.protected or None,
            disable_notification=screen.silent or None,
        )
        answer = await _outcome("sendMessage", call)
        return Answer(Verdict.DONE, message=answer.message_id) if isinstance(answer, Message) else answer

    async def send_file(self, place: Place, name: str, content: bytes, caption: str) -> Answer:
        """Send a file of that name with a line of plain text. Answers as `send` does."""
        call = self._bot.send_document(
            place.chat, InputFile(content, filename=name), caption=caption, message_thread_id=place.topic
        )
        answer = await _outcome("sendDocument", call)
        return Answer(Verdict.DONE, message=answer.message_id) if isinstance(answer, Message) else answer

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        """As the port says. A screen without buttons takes those of the message away."""
        call = self._bot.edit_message_text(
            screen.text,
            chat_id=place.chat,
            message_id=message,
            parse_mode=ParseMode.HTML,
            link_preview_options=_NO_PREVIEW,
            reply_markup=_keyboard(table, screen.rows),
        )
        return _plain(await _outcome("editMessageText", call))

    async def strip(self, place: Place, message: int) -> Answer:
        """As the port says."""
        call = self._bot.edit_message_reply_markup(chat_id=place.chat, message_id=message)
        return _plain(await _outcome("editMessageReplyMarkup", call))

    async def delete(self, place: Place, message: int) -> Answer:
        """As the port says. GONE where the message is there but can no longer be deleted, as after 48 hours."""
        return _plain(await _outcome("deleteMessage", self._bot.delete_message(place.chat, message)))

    async def answer(self, query: str, text: str | None = None, alert: bool = False, url: str | None = None) -> Verdict:
        """Answer the press of a button at once: `text` (200 characters) as a toast, with `alert` as a box to close.

        `url` opens a deep link of this bot instead. GONE where the press is too old to be answered. A text that is too
        long, or refused, is a fault of ours: it is logged and the press is answered without any. An answer that is lost
        is given again in the background, since somebody is looking at a button that turns.
        """
        if text and len(text) > CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH:
            _log.error("answerCallbackQuery: a text of %d characters is too long", len(text))
            text = None
        verdict = await self._answer(query, text, alert, url)
        if verdict in _NOT_YET:
            task = asyncio.create_task(self._answer_again(query, text, alert, url), name="answer again")
            self._again.add(task)
            task.add_done_callback(self._again.discard)
        return await self.answer(query) if verdict is Verdict.REFUSED and (text or url) else verdict

    async def close(self) -> None:
        """Give up the answers that were lost."""
        tasks = [*self._again]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, query: str, text: str | None, alert: bool, url: str | None) -> Verdict:
        call = self._bot.answer_callback_query(
            query, text=text or None, show_alert=alert or None, url=url, read_timeout=ANSWER_READ_TIMEOUT
        )
        return _plain(await _outcome("answerCallbackQuery", call)).verdict

    async def _answer_again(self, query: str, text: str | None, alert: bool, url: str | None) -> None:
        for pause in ANSWER_AGAIN:
            await asyncio.sleep(pause)
            if await self._answer(query, text, alert, url) not in _NOT_YET:
                return


def _keyboard(table: str, rows: Rows) -> InlineKeyboardMarkup | None:
    return InlineKeyboardMarkup([[_button(table, button) for button in row] for row in rows]) if rows else None


def _button(table: str, button: Button) -> InlineKeyboardButton:
    data = encode(table or NO_TABLE, button.tap) if button.tap else None
    return InlineKeyboardButton(button.label, callback_data=data, url=button.url, style=button.style)


def _plain(outcome: Answer | Message | bool) -> Answer:
    return outcome if isinstance(outcome, Answer) else Answer(Verdict.DONE)


async def _outcome(method: str, call: Awaitable[_T]) -> _T | Answer:
    """What the call returns, or the verdict on Telegram's refusal."""
    try:
        return await call
    except ChatMigrated as moved:
        return Answer(Verdict.MOVED, chat=moved.new_chat_id)
    except RetryAfter as flood:
        return Answer(Verdict.LATER, seconds=_seconds(flood.retry_after))
    except TelegramError as error:
        return Answer(_verdict(method, error))


def _verdict(method: str, error: TelegramError) -> Verdict:
    text = str(error).lower()
    if isinstance(error, Forbidden):
        return Verdict.UNREACHABLE
    if isinstance(error, BadRequest):
        found = next((verdict for part, verdict in _SAYINGS if part in text), Verdict.REFUSED)
    elif isinstance(error, InvalidToken) and "method not found" in text:
        found = Verdict.REFUSED
    else:
        found = Verdict.LOST
    if found is Verdict.REFUSED:
        _log.error("%s was refused: %s", method, _QUOTED.sub("…", str(error)))
    elif found is Verdict.LOST:
        level = logging.INFO if isinstance(error, NetworkError) else logging.ERROR
        _log.log(level, "%s was lost: %s", method, _QUOTED.sub("…", str(error)))
    return found


def _seconds(wait: int | dtm.timedelta) -> float:
    return wait.total_seconds() if isinstance(wait, dtm.timedelta) else float(wait)
