"""People and groups as updates bring them: remembered, cleaned, and asked for by the table's rules."""

from __future__ import annotations

import logging
from dataclasses import replace

from telegram import Bot, Chat, ChatMemberRestricted, Message, User
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from tgavalon.table.acquaintances import Acquaintances
from tgavalon.table.model import Place
from tgavalon.table.ports import Group, Person, Store, StoreUnavailable
from tgavalon.ui.catalogue import Translator, negotiate, translator
from tgavalon.ui.names import clean_name
from tgavalon.ui.refusals import Refusal, Refused

log = logging.getLogger(__name__)

ANONYMOUS_ADMIN = 1087968824
"""The user that admins appear as while they post as their group (Bot API, GroupAnonymousBot)."""

_IN = {ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.MEMBER}
_ADMINS = {ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR}


class People:
    """Who is who, kept up to date from every update."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.known = Acquaintances(store)

    async def meet(self, user: User) -> Person:
        """The person behind a Telegram user, with the name and language they have now."""
        name, hint = clean_name(user.full_name or ""), user.language_code
        return await self.known.change(user.id, lambda known: replace(known, name=name, hint=hint or known.hint))

    async def recognize(self, user: User) -> Person:
        """The same, but never raises: while the store is away, somebody of whom only this update tells."""
        try:
            return await self.meet(user)
        except StoreUnavailable:
            return Person(user.id, hint=user.language_code)

    def words(self, person: Person) -> Translator:
        """The translator for what only this person sees."""
        return translator(negotiate(person.language, person.hint))

    async def group_words(self, chat: int, person: Person | None = None) -> Translator:
        """The translator for what a whole group sees: its own language, else that of whoever asks."""
        group = await self._store.group(chat) or Group(chat)
        asking = (person.language, person.hint) if person is not None else ()
        return translator(negotiate(group.language, *asking))


class TelegramRoster:
    """The `Roster` over a bot. Raises `Refused` where Telegram does not answer."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def is_member(self, chat: int, user: int) -> bool:
        """Whether `user` is in the group now."""
        return await self._status(chat, user) in {*_IN, ChatMemberStatus.RESTRICTED}

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether `user` is an admin of the group now; whoever posts as the group is one."""
        return user == ANONYMOUS_ADMIN or await self._status(chat, user) in _ADMINS

    async def _status(self, chat: int, user: int) -> str | None:
        try:
            member = await self._bot.get_chat_member(chat, user)
        except (BadRequest, Forbidden):
            return None
        except ChatMigrated as moved:
            return await self._status(moved.new_chat_id, user)
        except TelegramError as error:
            log.warning("a member could not be looked up: %s", type(error).__name__)
            raise Refused(Refusal.BUSY) from None
        has_left = isinstance(member, ChatMemberRestricted) and not member.is_member
        return None if has_left else member.status


def place_of(message: Message) -> Place:
    """The chat and topic of a message: only `is_topic_message` makes its thread a topic."""
    return Place(message.chat_id, message.message_thread_id if message.is_topic_message else None)


def is_for_a_chat(message: Message) -> bool:
    """Whether somebody writes under the name of the group or of a channel: nobody who could sit down."""
    return message.sender_chat is not None


def title_of(chat: Chat) -> str:
    """The group's title as screens show it."""
    return clean_name(chat.title or "") or "…"
