"""The group conversation: its state is the stored stage of the table, so that any worker can go on with it.

The vocabulary is python-telegram-bot's (states, fallbacks), but the state is read from the store on each update and
never kept here. States hold parsers only; what is legal is decided by the core.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from telegram import CallbackQuery, Update
from telegram.constants import ChatType
from telegram.ext import Application, BaseHandler, CallbackContext

from tgavalon.bot.flood import FloodGuard, Flow
from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.bot.people import People
from tgavalon.core.reasons import Illegal
from tgavalon.table.model import Stage, Table
from tgavalon.table.ports import Person, Store, StoreUnavailable
from tgavalon.table.service import why
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.refusals import Refusal, Refused, sentence
from tgavalon.ui.taps import Tap, Verb, decode

log = logging.getLogger(__name__)

Context = CallbackContext[Any, Any, Any, Any]
App = Application[Any, Any, Any, Any, Any, Any]
Handler = BaseHandler[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the one who tapped sees at once: a toast, an alert to close, or a deep link that opens."""

    text: str | None = None
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Tapping:
    """One press of a button: which table, what is intended, by whom, and in whose language to answer.

    `update` is the number it came under, and `loaded` the table as the conversation has just read it, to decide on at
    first.
    """

    table: str
    tap: Tap
    person: Person
    t: Translator
    query: CallbackQuery
    update: int
    loaded: Table | None = None


OnTap = Callable[[Tapping], Awaitable[Reaction]]


class TapHandler(BaseHandler[Update, Context, None]):
    """Handles presses of buttons with one of `verbs`, and answers each at once: a refusal with its reason."""

    def __init__(
        self, verbs: Iterable[Verb], on_tap: OnTap, people: People, messenger: TelegramMessenger, guard: FloodGuard
    ) -> None:
        super().__init__(_unused)
        self._guard = guard
        self._verbs = frozenset(verbs)
        self._on_tap = on_tap
        self._people = people
        self._messenger = messenger

    def check_update(self, update: object) -> tuple[str, Tap] | None:
        """The table and tap, if it is one of this handler's."""
        found = tap_of(update)
        return found if found is not None and found[1].verb in self._verbs else None

    async def handle_update(self, update: Update, application: App, check_result: object, context: Context) -> None:
        """Do what is intended and answer."""
        query, found = update.callback_query, tap_of(update)
        if query is None or found is None:
            return
        person = await self._people.recognize(query.from_user)
        loaded = check_result if isinstance(check_result, Table) else None
        reaction = await self._react(
            Tapping(*found, person, self._people.words(person), query, update.update_id, loaded)
        )
        await self._messenger.answer(query.id, reaction.text, alert=reaction.alert, url=reaction.url)

    async def _react(self, tapping: Tapping) -> Reaction:
        if self._guard.ask(tapping.person.user) is not Flow.SERVE:
            return Reaction(sentence(tapping.t, Refusal.TOO_FAST))
        try:
            return await self._on_tap(tapping)
        except (Illegal, Refused) as refusal:
            return Reaction(sentence(tapping.t, why(refusal)))
        except StoreUnavailable as unavailable:
            log.warning("a tap could not be saved: %s", unavailable)
            return Reaction(sentence(tapping.t, Refusal.BUSY), alert=True)


class GroupConversation(BaseHandler[Update, Context, None]):
    """Lets the handlers of the table's present stage choose first, then the fallbacks.

    A press in another chat than the table's and the presser's own is `elsewhere`: its data is forged, or the group has
    another id by now.
    """

    def __init__(
        self,
        store: Store,
        states: Mapping[Stage, Sequence[Handler]],
        fallbacks: Sequence[Handler],
        elsewhere: Sequence[Handler],
    ) -> None:
        super().__init__(_unused)
        self._store = store
        self._states = states
        self._fallbacks = fallbacks
        self._elsewhere = elsewhere

    def check_update(self, update: object) -> bool:
        """Whether this is a press of a button of some table."""
        found = tap_of(update)
        return found is not None and len(found[0]) > 1

    async def handle_update(self, update: Update, application: App, check_result: object, context: Context) -> None:
        """Hand the update to the first handler that wants it."""
        for handler in await self._handlers(update):
            check = handler.check_update(update)
            if check is not None and check is not False:
                await handler.handle_update(update, application, check, context)
                return

    async def _handlers(self, update: Update) -> Sequence[Handler]:
        found, chat = tap_of(update), update.effective_chat
        try:
            table = await self._store.load(found[0]) if found is not None else None
        except StoreUnavailable:
            table = None
        if table is None:
            return self._fallbacks
        if chat is not None and chat.type != ChatType.PRIVATE and chat.id != table.place.chat:
            return self._elsewhere
        return (*self._states.get(table.stage, ()), *self._fallbacks)


def tap_of(update: object) -> tuple[str, Tap] | None:
    """The table and tap of a press of one of our buttons."""
    if not isinstance(update, Update) or update.callback_query is None:
        return None
    return decode(update.callback_query.data or "")


async def _unused(update: Update, context: Context) -> None:
    """python-telegram-bot's handlers want a callback; these handle updates themselves."""
