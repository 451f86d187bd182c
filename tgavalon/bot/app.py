"""The bot put together: handlers, painter, sweeper and the intake of updates, started and stopped in order."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Any

from telegram import Bot, CallbackQuery, Update, User
from telegram.constants import ChatType
from telegram.error import InvalidToken
from telegram.ext import (
    Application,
    CallbackContext,
    CallbackQueryHandler,
    ChatMemberHandler,
    ExtBot,
    MessageHandler,
    filters,
)

from tgavalon.bot.commands import Commands
from tgavalon.bot.conversation import App, Context, Handler, TapHandler, tap_of
from tgavalon.bot.deadlines import Deadlines
from tgavalon.bot.delivery import RecordDelivery
from tgavalon.bot.flood import FloodGuard
from tgavalon.bot.introduction import introduce
from tgavalon.bot.membership import Membership
from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.bot.metrics import MeteredRequest, Metrics
from tgavalon.bot.people import People, TelegramRoster
from tgavalon.bot.polling import Intake, Polling, TokenRefused, name_of
from tgavalon.bot.stages import conversation
from tgavalon.bot.taps import Taps
from tgavalon.bot.turns import TurnTaker
from tgavalon.bot.webhook import Door, Webhook, WebhookRefused
from tgavalon.table.budget import Budget
from tgavalon.table.model import Table
from tgavalon.table.painter import Painter
from tgavalon.table.ports import Clock, Person, Store, StoreUnavailable
from tgavalon.table.service import Service
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.taps import Verb

log = logging.getLogger(__name__)

ALLOWED_UPDATES = ("message", "callback_query", "my_chat_member")
SWEEP_EVERY = 1.0
COUNT_EVERY = 60.0
SAMPLE = 200
TAPS_AT_ONCE = 30
TAP_WINDOW = 10.0
_COMMAND = re.compile(r"/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)


class SystemClock:
    """The `Clock` of this machine."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class AvalonBot:
    """One worker: everything between updates and the store.

    `api_url` is a server that speaks the Bot API, without a slash at the end. Updates come through `door`, or by long
    polling where there is none. `dice` is for tests only.
    """

    def __init__(
        self,
        token: str,
        api_url: str,
        store: Store,
        *,
        door: Door | None = None,
        clock: Clock | None = None,
        dice: random.Random | None = None,
    ) -> None:
        self.clock = clock or SystemClock()
        self.metrics = Metrics()
        self._store = store = self.metrics.timed(store)
        self._transport = MeteredRequest(self.metrics)
        self.bot: Bot = ExtBot(
            token,
            base_url=f"{api_url}/bot",
            base_file_url=f"{api_url}/file/bot",
            request=self._transport,
            get_updates_request=self._transport,
        )
        self.application: App = Application.builder().bot(self.bot).updater(None).build()
        self._messenger, budget = TelegramMessenger(self.bot), Budget()
        self._beside = beside = TurnTaker(self._messenger, budget, self.clock)
        self._people = People(store)
        roster = TelegramRoster(self.bot)
        self.service = Service(store, self.clock, roster, self._saved, dice, self._people.known)
        # Telegram lets only one poll at a time: its successor need not wait for the leases of one that was killed.
        worker = "polling" if door is None else secrets.token_urlsafe(6)
        self.painter = Painter(
            store,
            self._messenger,
            self.clock,
            self.service.unreachable,
            self.service.moved,
            worker=worker,
            on_painted=self.metrics.painted,
            budget=budget,
        )
        self._show_backlog()
        self._delivery = RecordDelivery(self._messenger, self.clock)
        self._commands = Commands(self.service, self._people, roster, beside, self._delivery, self.bot)
        self._membership = Membership(self.service, self._people, beside)
        self._deadlines = Deadlines()
        self._failed: set[int] = set()
        self._stopping = asyncio.Event()
        self._broken: set[int] = set()
        self._add_handlers()
        self.intake = Intake(self.bot, self.handle, self._arrived, self.clock)
        self._source = self._updates(door)

    async def handle(self, update: Update) -> None:
        """Do what an update asks for. Raises `StoreUnavailable` where its effect could not be saved."""
        number = update.update_id
        try:
            async with self._deadlines.limit(update):
                await self.application.process_update(update)
        except TimeoutError:
            await self._too_late(update)
        if number in self._failed:
            self._failed.discard(number)
            self.metrics.settled(update, "again")
            raise StoreUnavailable("the effect of an update could not be saved")
        self.metrics.settled(update, "error" if number in self._broken else "ok")
        self._broken.discard(number)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        """The bot at work until the block is left; then what is in flight is finished.

        The task ends early only by an exception: `TokenRefused` where Telegram does not know the token, and
        `WebhookRefused`.
        """
        async with self._initialized():
            await self.painter.catch_up()
            introduction = asyncio.create_task(introduce(self.bot), name="introduce")
            sweep = asyncio.create_task(self._sweep(), name="sweep")
            source = asyncio.create_task(self._source.run(), name="updates")
            try:
                yield source
            finally:
                self._source.stop()
                self._stopping.set()
                sweep.cancel()
                introduction.cancel()
                for outcome in await asyncio.gather(source, sweep, introduction, return_exceptions=True):
                    if isinstance(outcome, Exception) and not isinstance(outcome, (TokenRefused, WebhookRefused)):
                        log.error("%s ended the bot's work", type(outcome).__name__, exc_info=outcome)
                await self._finish_painting()

    @asynccontextmanager
    async def _initialized(self) -> AsyncIterator[None]:
        try:
            await self.application.initialize()
            yield
        except InvalidToken:
            raise TokenRefused("Telegram does not know this bot token") from None
        finally:
            await self.application.shutdown()
            await self._transport.shutdown()  # the application closes it only once it has been initialized whole

    async def idle(self) -> None:
        """Return once everything that should be on Telegram is there, for all that has come in so far."""
        await self._beside.idle()
        await self.painter.idle()

    async def _finish_painting(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(5.0):
                await self.painter.idle()
        await self.painter.close()
        await self._beside.close()
        await self._delivery.close()
        await self._messenger.close()

    async def count_tables(self) -> None:
        """Count the open tables by phase every minute, for ever, from a sample where there are many."""
        while True:
            with suppress(StoreUnavailable):
                tables = await self._store.due(float("inf"), most=None)
                loaded = [await self._store.load(table) for table in random.sample(tables, min(len(tables), SAMPLE))]
                weight = len(tables) / max(1, len(loaded))
                counts = Counter(table.stage for table in loaded if table is not None)
                self.metrics.census({stage: count * weight for stage, count in counts.items()})
            await self.clock.sleep(COUNT_EVERY)

    async def _sweep(self) -> None:
        # Not only cancelled: a client library that is just giving up on a call can swallow that.
        known = False
        while not self._stopping.is_set():
            try:
                if self.hears:
                    await self.service.sweep()
                await self.painter.sweep()
                known = False
            except StoreUnavailable as unavailable:
                level = logging.DEBUG if known else logging.WARNING
                log.log(level, "due times are looked for as soon as the store is back: %s", unavailable)
                known = True
            await self.clock.sleep(SWEEP_EVERY)

    @property
    def hears(self) -> bool:
        """Whether people's taps arrive: while Telegram cannot be reached, nobody's time runs out."""
        return self._source.in_reach

    def _updates(self, door: Door | None) -> Polling | Webhook:
        if door is None:
            return Polling(self.bot, self.intake, ALLOWED_UPDATES, self.clock)
        return Webhook(self.bot, self.intake, ALLOWED_UPDATES, self.clock, door)

    def _add_handlers(self) -> None:
        guard = FloodGuard(self.clock, TAPS_AT_ONCE, TAP_WINDOW)

        def on(on_tap: Any, *verbs: Verb) -> Handler:
            return TapHandler(verbs, on_tap, self._people, self._messenger, guard)

        self.application.add_handlers(
            [
                conversation(self._store, Taps(self.service, self.bot, self._delivery), on),
                on(self._commands.turn_page, Verb.RULES),
                on(self._commands.choose_language, Verb.LANGUAGE),
                CallbackQueryHandler(self._forged),
                MessageHandler(filters.UpdateType.MESSAGE, self._message),
                ChatMemberHandler(self._member, ChatMemberHandler.MY_CHAT_MEMBER),
            ]
        )
        self.application.add_error_handler(self._on_error)

    async def _forged(self, update: Update, _: Context) -> None:
        """A press whose data is not ours: answered, so that no spinner runs, and otherwise ignored."""
        if update.callback_query is not None:
            await self._decline(update.callback_query, Refusal.OLD_BUTTON)

    async def _decline(self, query: CallbackQuery, refusal: Refusal) -> None:
        words = self._people.words(await self._people.recognize(query.from_user))
        await self._messenger.answer(query.id, sentence(words, refusal))

    async def _too_late(self, update: Update) -> None:
        """A press that could not be dealt with in time, most likely because the store does not answer."""
        if update.callback_query is not None:
            await self._apologize(update.callback_query)

    async def _apologize(self, query: CallbackQuery) -> None:
        """Say that nothing has changed, whatever is wrong with the press or the store: neither is relied on."""
        user = query.from_user
        hint = user.language_code if isinstance(user, User) and isinstance(user.language_code, str) else None
        words = self._people.words(Person(0, hint=hint))
        await self._messenger.answer(query.id, sentence(words, Refusal.BUSY), alert=True)

    async def _message(self, update: Update, _: Context) -> None:
        """A message: news about the chat, or a command for this bot."""
        message = update.message
        if message is None:
            return
        await self._membership.service_message(update.update_id, message)
        found = _COMMAND.fullmatch(message.text or "")
        if found is not None and (found[2] is None or found[2].lower() == self.bot.username.lower()):
            await self._commands.run(update.update_id, message, found[1].lower(), (found[3] or "").strip())
        elif message.chat.type == ChatType.PRIVATE and message.text is not None:
            await self._commands.run(update.update_id, message, "", "")

    async def _member(self, update: Update, _: Context) -> None:
        """The bot's own membership has changed."""
        if update.my_chat_member is not None:
            await self._membership.bot_moved(update.my_chat_member)

    def _saved(self, table: Table) -> None:
        self.painter.wake(table.id, table)

    def _show_backlog(self) -> None:
        self.metrics.gauge("painter_backlog", "Tables this worker is painting", lambda: self.painter.backlog)
        self.metrics.gauge("tables_behind", "Tables of all workers not fully painted", lambda: self.painter.behind)

    def _arrived(self, update: Update) -> Hashable:
        """Note the time; what the update is to be handled in order for."""
        self.metrics.arrived(update)
        self._deadlines.arrived(update)
        return _line(update)

    async def _on_error(self, update: object, context: CallbackContext[Any, Any, Any, Any]) -> None:
        if isinstance(update, Update) and isinstance(context.error, StoreUnavailable):
            self._failed.add(update.update_id)
            return
        number = update.update_id if isinstance(update, Update) else 0
        self._broken.add(number)
        log.error("update %d: %s", number, name_of(context.error) if context.error else "?")
        if isinstance(update, Update) and update.callback_query is not None:
            await self._apologize(update.callback_query)


def _line(update: Update) -> Hashable:
    """What updates are handled in order for: a table, else a chat."""
    found = tap_of(update)
    if found is not None and len(found[0]) > 1:
        return found[0]
    chat = update.effective_chat
    if chat is None:
        return update.update_id
    if type(chat.id) is not int:
        raise TypeError("a chat without an id of its own")  # nothing could be answered there
    return chat.id
