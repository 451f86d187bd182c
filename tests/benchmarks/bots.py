"""The bots that are measured, each a process of its own: `python -m tests.benchmarks.bots ours|bare API_URL REDIS_URL`.

`ours` is the whole bot as `tgavalon run` starts it, but for the guard against people who tap too fast. `bare` is
python-telegram-bot with default settings and one handler that answers and edits, and keeps nothing. A third argument
`PORT PUBLIC_URL` has ours take updates by webhook; it then serves its metrics at the port after.
"""

from __future__ import annotations

import asyncio
import itertools
import sys

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, ContextTypes

from tgavalon.bot import app
from tgavalon.bot.webhook import Door
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.store.redis_store import RedisStore

_numbers = itertools.count()
_KEYBOARD = [[InlineKeyboardButton(f"Player {seat}", callback_data=f"x:{seat}")] for seat in range(8)]


async def ours(api_url: str, redis_url: str, door: Door | None) -> None:
    """The whole bot."""
    app.TAPS_AT_ONCE = 10**9
    store = await RedisStore.connected(redis_url)
    async with app.AvalonBot(TEST_TOKEN, api_url, store, door=door).running() as source:
        await source


async def answer_and_edit(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """What the simplest bot does for a tap."""
    query = update.callback_query
    assert query is not None
    await query.answer("Done.")
    await query.edit_message_text(f"Tap {next(_numbers)}", reply_markup=InlineKeyboardMarkup(_KEYBOARD))


def bare(api_url: str) -> None:
    """The baseline."""
    application = Application.builder().token(TEST_TOKEN).base_url(f"{api_url}/bot").build()
    application.add_handler(CallbackQueryHandler(answer_and_edit))
    application.run_polling(allowed_updates=["callback_query"])


if __name__ == "__main__":
    kind, api, redis, *rest = sys.argv[1:]
    if kind == "bare":
        bare(api)
    else:
        asyncio.run(ours(api, redis, Door(rest[1], "127.0.0.1", int(rest[0])) if rest else None))
