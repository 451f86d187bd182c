"""The command line, and the one place where store, bot and double are put together.

tgavalon play      the real bot against the local double, in the browser
tgavalon run       the bot on Telegram
tgavalon doctor    everything the bot needs, and what to do about it
tgavalon replay …  records: replay, show, verify
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
import webbrowser
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from tgavalon import doctor, logs, records, settings
from tgavalon.bot.app import AvalonBot
from tgavalon.bot.health import Health, NoAdmin, served
from tgavalon.bot.polling import TokenRefused
from tgavalon.bot.webhook import Door, WebhookRefused
from tgavalon.playground import groups, people
from tgavalon.playground.double import TEST_TOKEN, Double
from tgavalon.playground.world import World
from tgavalon.puppeteer import Puppeteer
from tgavalon.settings import Address, Secret, SettingError, Settings
from tgavalon.store.connection import Misconfigured
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import EmbeddedError
from tgavalon.table.ports import StoreUnavailable

DEFAULT_PORT = 8080
FRIENDS = (("Ana", "en"), ("Benito", "es"), ("Linh", "vi"), ("سارا", "fa"), ("Вера", "ru"))


_PRECEDENCE = """Each of these can also be an environment variable (TGAVALON_TOKEN_FILE, …) or stand in
the TOML file. A flag wins over a variable, and a variable over the file."""


class Misuse(Exception):
    """Something the caller has to set right. The text is one line that says what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for a bad command line or setting, after one line on stderr."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (SettingError, Misuse, EmbeddedError) as error:
        sys.stderr.write(f"tgavalon: {error}\n")
        return 2
    return code


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"tgavalon: {message} (see `{self.prog} --help`)\n")


def _parser() -> argparse.ArgumentParser:
    about = "The Resistance: Avalon for a Telegram group."
    parser: argparse.ArgumentParser = _Parser(prog="tgavalon", description=about)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    play = commands.add_parser("play", help="play at once in the browser, without Telegram")
    play.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port of the page (default {DEFAULT_PORT})")
    play.add_argument("--no-open", action="store_true", help="do not open the browser")
    play.set_defaults(run=_play)
    run = commands.add_parser("run", help="run the bot on Telegram", epilog=_PRECEDENCE)
    for name, text in _RUN_OPTIONS.items():
        run.add_argument(f"--{name.replace('_', '-')}", metavar="VALUE", help=text)
    run.add_argument("--polling", action="store_true", help="poll, and remove the webhook, whatever is set elsewhere")
    run.set_defaults(run=_run)
    check = commands.add_parser("doctor", help="look at everything the bot needs, and say what to do")
    for name, text in _RUN_OPTIONS.items():
        check.add_argument(f"--{name.replace('_', '-')}", metavar="VALUE", help=text)
    check.add_argument("--chat", type=int, metavar="ID", help="a group to look at the bot's rights in")
    check.set_defaults(run=_doctor)
    records.add_commands(commands)
    return parser


_RUN_OPTIONS = {
    "token_file": "file with the token from @BotFather (or set TGAVALON_TOKEN)",
    "api_url": "another server that speaks the Bot API",
    "redis_url": "Redis or Valkey to use; without it the bot starts its own",
    "redis_replicas": "replicas that must have what is saved before it counts (default 0)",
    "data_dir": "folder of the bot's own store",
    "log_level": "DEBUG, INFO, WARNING or ERROR",
    "log_format": "human or json",
    "webhook": "public https address for updates; without it the bot polls",
    "listen": "where the webhook is served (default 127.0.0.1:8443)",
    "admin": "where /healthz, /readyz and /metrics are served (default: nowhere)",
    "config": "TOML file with these settings",
}


def _doctor(options: argparse.Namespace) -> int:
    chosen = settings.load({name: getattr(options, name) for name in _RUN_OPTIONS})
    logs.set_up("CRITICAL", secrets=[chosen.bot_token()])
    return asyncio.run(doctor.run(chosen, options.chat, _say))


def _run(options: argparse.Namespace) -> int:
    flags = {name: getattr(options, name) for name in _RUN_OPTIONS}
    chosen = settings.load(flags)
    if options.polling:
        chosen = replace(chosen, webhook=None)
    token = chosen.bot_token()
    secrets = [token] if chosen.redis_url is None else [token, Secret(chosen.redis_url)]
    logs.set_up(chosen.log_level, chosen.log_format, secrets)
    return asyncio.run(_serve(chosen, token.reveal()))


async def _serve(chosen: Settings, token: str) -> int:
    async with _store(chosen.redis_url, chosen.data_dir, chosen.redis_replicas) as store:
        bot = AvalonBot(token, chosen.api_url, store, door=_door(chosen))
        try:
            async with bot.running() as source, _watched(bot, store, chosen.admin):
                logging.getLogger("tgavalon").info("@%s is at the table; Ctrl-C ends it", bot.bot.username)
                await _until_stopped(source)
        except (WebhookRefused, NoAdmin) as refused:
            raise Misuse(str(refused)) from None
        except TokenRefused:
            raise Misuse("Telegram does not know this token: copy it again from @BotFather") from None
    return 0


@contextlib.asynccontextmanager
async def _watched(bot: AvalonBot, store: RedisStore, admin: Address | None) -> AsyncIterator[None]:
    """Health and metrics at an address for operators, where one is set."""
    if admin is None:
        yield
        return
    health = Health(bot.metrics, bot.bot, store.ping, lambda: bot.hears)
    counting = asyncio.create_task(bot.count_tables(), name="count tables")
    try:
        async with served(health, admin.host, admin.port) as port:
            logging.getLogger("tgavalon").info("health and metrics are at http://%s:%d", admin.host, port)
            yield
    finally:
        counting.cancel()


def _door(chosen: Settings) -> Door | None:
    return None if chosen.webhook is None else Door(chosen.webhook, chosen.listen.host, chosen.listen.port)


def _play(options: argparse.Namespace) -> int:
    if not 0 <= options.port <= 65535:
        raise Misuse(f"--port takes a number from 0 to 65535, not {options.port}")
    logs.set_up("WARNING")
    return asyncio.run(_playground(options.port, open_page=not options.no_open))


async def _playground(port: int, *, open_page: bool) -> int:
    _say("Starting the store …")
    async with _store(None, None) as store:
        _say("Starting the stand-in for Telegram …")
        double = Double(TEST_TOKEN, port=port, limits=True, choose=Puppeteer(store).choose)
        async with _listening(double):
            _say("Starting the bot …")
            bot = AvalonBot(TEST_TOKEN, double.url.rstrip("/"), store)
            async with bot.running() as polling:
                _make_friends(double.world)
                _say(f"Ready: {double.url}  (Ctrl-C ends it)")
                if open_page:
                    await asyncio.to_thread(webbrowser.open, double.url)
                await _until_stopped(polling)
        _say("Everything has ended.")
    return 0


def _make_friends(world: World) -> None:
    """A group of five with the bot in it, for the page to begin with."""
    users = [people.add_user(world, name, language_code=language) for name, language in FRIENDS]
    ids = [user.id for user in users]
    groups.add_group(world, "Friends", "supergroup", ids, ids[0])


@contextlib.asynccontextmanager
async def _store(url: str | None, folder: Path | None, replicas: int = 0) -> AsyncIterator[RedisStore]:
    async with contextlib.AsyncExitStack() as stack:
        if url is None:
            server = await stack.enter_async_context(EmbeddedServer(folder))
            url = server.url
        try:
            store = await RedisStore.connected(url, replicas)
        except Misconfigured as wrong:
            raise Misuse(str(wrong)) from None
        except StoreUnavailable:
            raise Misuse("The Redis at the given URL does not answer: check TGAVALON_REDIS_URL") from None
        stack.push_async_callback(store.close)
        yield store


@contextlib.asynccontextmanager
async def _listening(double: Double) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(double)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else "unknown reason"
            raise Misuse(f"Port {double.port} cannot be used ({reason.lower()}): choose another with --port") from None
        yield


async def _until_stopped(source: asyncio.Task[None]) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    waiting = asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({source, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if source.done():
            source.result()
    finally:
        waiting.cancel()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
