"""How the bot presents itself in every language: commands and descriptions, told to Telegram only if they changed."""

from __future__ import annotations

import logging

from telegram import Bot, BotCommand
from telegram.error import TelegramError

from tgavalon.ui import help as pages
from tgavalon.ui.catalogue import SOURCE, Translator, languages, plain, translator

log = logging.getLogger(__name__)


async def introduce(bot: Bot) -> None:
    """Register commands and descriptions in all languages; what Telegram refuses is logged and left for next time."""
    for language in languages():
        code = None if language == SOURCE else language
        try:
            await _in_one_language(bot, translator(language), code)
        except TelegramError as error:
            log.warning("the bot could not be introduced in %s: %s", language, type(error).__name__)


async def _in_one_language(bot: Bot, t: Translator, code: str | None) -> None:
    commands = tuple(BotCommand(name, plain(t(text))) for name, text in pages.COMMANDS.items())
    if await bot.get_my_commands(language_code=code) != commands:
        await bot.set_my_commands(commands, language_code=code)
    description = plain(t(pages.DESCRIPTION))
    if (await bot.get_my_description(language_code=code)).description != description:
        await bot.set_my_description(description, language_code=code)
    short = plain(t(pages.SHORT_DESCRIPTION))
    if (await bot.get_my_short_description(language_code=code)).short_description != short:
        await bot.set_my_short_description(short, language_code=code)
