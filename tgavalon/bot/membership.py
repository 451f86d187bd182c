"""What Telegram tells about chats rather than about the game: the bot added or removed, people blocking it or leaving,
a group becoming a supergroup."""

from __future__ import annotations

import asyncio

from telegram import ChatMemberUpdated, Message
from telegram.constants import ChatMemberStatus, ChatType

from tgavalon.bot.people import People
from tgavalon.bot.turns import TurnTaker
from tgavalon.table.model import Place
from tgavalon.table.service import Service
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.help import hello_screen
from tgavalon.ui.taps import NO_TABLE

_OUT = {ChatMemberStatus.LEFT, ChatMemberStatus.BANNED}
_MUTE = {*_OUT, ChatMemberStatus.RESTRICTED}
_REMEMBERED = 100


class Membership:
    """Keeps tables true to who is where."""

    def __init__(self, service: Service, people: People, turns: TurnTaker) -> None:
        self._service = service
        self._people = people
        self._turns = turns
        self._greetings: dict[int, asyncio.Task[int | None]] = {}

    async def bot_moved(self, change: ChatMemberUpdated) -> None:
        """The bot was added, removed, blocked or unblocked."""
        before, now = change.old_chat_member.status, change.new_chat_member.status
        if change.chat.type == ChatType.PRIVATE:
            person = await self._people.meet(change.from_user)
            await self._service.reachable(person, ready=now not in _OUT)
            return
        if change.chat.type == ChatType.CHANNEL or before not in _MUTE or now in _MUTE:
            return
        if not await self._service.repost_all(change.chat.id) and before in _OUT:
            person = await self._people.meet(change.from_user)
            words = await self._people.group_words(change.chat.id, person)
            greeting = self._turns.beside(self._greet(change.chat.id, words))
            self._greetings = dict([*self._greetings.items(), (change.chat.id, greeting)][-_REMEMBERED:])

    async def _greet(self, chat: int, words: Translator) -> int | None:
        return (await self._turns.send(Place(chat), NO_TABLE, hello_screen(words))).message

    async def service_message(self, update: int, message: Message) -> None:
        """Somebody left the group or came to it, or the group has another id from now on.

        `update` is the number it came under.
        """
        if message.migrate_to_chat_id is not None:
            await self._service.moved(message.chat_id, message.migrate_to_chat_id)
        if message.migrate_from_chat_id is not None:
            await self._service.moved(message.migrate_from_chat_id, message.chat_id)
            greeting = self._greetings.pop(message.chat_id, None)
            if greeting is not None:
                self._turns.beside(self._take_back(message.chat_id, greeting))
        if message.left_chat_member is not None:
            await self._service.left_group(message.chat_id, message.left_chat_member.id, update=update)
        for user in message.new_chat_members or ():
            self._service.came_back(message.chat_id, user.id)

    async def _take_back(self, chat: int, greeting: asyncio.Task[int | None]) -> None:
        """A supergroup that the bot seemed to have been added to is an old acquaintance."""
        message = await greeting
        if message is not None:
            await self._turns.delete(Place(chat), message)
