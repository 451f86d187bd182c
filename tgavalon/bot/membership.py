"""What Telegram tells about chats rather than about the game: the bot added or removed, people blocking it or leaving,
a group becoming a supergroup."""

from __future__ import annotations

from telegram import ChatMemberUpdated, Message
from telegram.constants import ChatMemberStatus, ChatType

from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.bot.people import People
from tgavalon.table.model import Place
from tgavalon.table.service import Service
from tgavalon.ui.help import hello_screen
from tgavalon.ui.refusals import Refused
from tgavalon.ui.taps import NO_TABLE

_OUT = {ChatMemberStatus.LEFT, ChatMemberStatus.BANNED}


class Membership:
    """Keeps tables true to who is where."""

    def __init__(self, service: Service, people: People, messenger: TelegramMessenger) -> None:
        self._service = service
        self._people = people
        self._messenger = messenger

    async def bot_moved(self, change: ChatMemberUpdated) -> None:
        """The bot was added, removed, blocked or unblocked."""
        came = change.new_chat_member.status not in _OUT
        if change.chat.type == ChatType.PRIVATE:
            person = await self._people.meet(change.from_user)
            await self._service.reachable(person, ready=came)
        elif came and change.old_chat_member.status in _OUT and change.chat.type != ChatType.CHANNEL:
            person = await self._people.meet(change.from_user)
            words = await self._people.group_words(change.chat.id, person)
            await self._messenger.send(Place(change.chat.id), NO_TABLE, hello_screen(words))

    async def service_message(self, message: Message) -> None:
        """Somebody left the group, or the group has another id from now on."""
        if message.migrate_to_chat_id is not None:
            await self._service.moved(message.chat_id, message.migrate_to_chat_id)
        if message.migrate_from_chat_id is not None:
            await self._service.moved(message.migrate_from_chat_id, message.chat_id)
        if message.left_chat_member is not None:
            await self._left(message.chat_id, message.left_chat_member.id)

    async def _left(self, chat: int, user: int) -> None:
        for table_id in await self._service.store.in_chat(chat):
            table = await self._service.store.load(table_id)
            if table is None or table.seat_of(user) is None:
                continue
            try:
                await self._service.leave(table_id, user)
            except Refused:
                continue
