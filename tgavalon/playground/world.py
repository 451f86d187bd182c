"""The state of the pretend Telegram: people, chats, messages, files, presses; and how an event becomes an update.

What people may do is in people.py and groups.py, what the bot may do in api_*.py. The world itself refuses nothing.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from tgavalon.playground import wire
from tgavalon.playground.clock import Clock, Signal
from tgavalon.playground.faults import Faults
from tgavalon.playground.journal import Journal
from tgavalon.playground.limits import FloodLimits
from tgavalon.playground.model import ANONYMOUS_ADMIN, INSIDE, Answer, Chat, Message, Press, StoredFile, User
from tgavalon.playground.text import Formatted, tidied
from tgavalon.playground.updates import UpdateQueue

# One of the first people gets an id over 2^32, so that 32-bit habits break at once.
FIRST_USER_ID = 610_000_001
LARGE_USER_ID = 5_300_000_002
FIRST_GROUP_ID = -4_100_001
FIRST_SUPERGROUP_ID = -1_002_100_000_001


@dataclass(slots=True)
class Webhook:
    """Where updates are pushed to. `last_error` is what getWebhookInfo tells of the latest failure."""

    url: str
    secret: str
    max_connections: int
    last_error: str = ""
    last_error_date: int = 0


class World:
    """One bot and everything around it. `changed` fires after every change that somebody could see."""

    def __init__(
        self,
        token: str,
        username: str,
        first_name: str,
        *,
        privacy: bool,
        answer_window: float,
        speed: float = 1.0,
    ) -> None:
        self.token = token
        self.bot = User(int(token.partition(":")[0]), first_name, username=username, is_bot=True, seen=True)
        self.privacy = privacy
        self.answer_window = answer_window
        self.clock = Clock(speed)
        self.changed = Signal()
        self.updates = UpdateQueue(self.clock)
        self.limits = FloodLimits(self.clock)
        self.faults = Faults()
        self.journal = Journal(self.clock)
        self.users: dict[int, User] = {}
        self.chats: dict[int, Chat] = {}
        self.files: dict[str, StoredFile] = {}
        self.presses: dict[str, Press] = {}
        self.answers: list[Answer] = []
        self.actions: list[tuple[int, str]] = []  # chat actions ("typing" …), for assertions
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}  # by scope and language
        self.profile: dict[tuple[str, str], str] = {}  # by field and language
        self.webhook: Webhook | None = None
        self._anonymous = User(ANONYMOUS_ADMIN, "Group", username="GroupAnonymousBot", is_bot=True, seen=True)
        self._user_ids = itertools.count(FIRST_USER_ID)
        self._group_ids = itertools.count(FIRST_GROUP_ID, -1)
        self._supergroup_ids = itertools.count(FIRST_SUPERGROUP_ID, -1)
        self._queries = itertools.count(4_382_000_000_000_000_001)
        self._files = itertools.count(1)

    def user(self, user_id: int) -> User:
        """Anybody, the bot and Telegram's own accounts included. Raises KeyError."""
        special = {self.bot.id: self.bot, ANONYMOUS_ADMIN: self._anonymous}
        return special.get(user_id) or self.users[user_id]

    def new_user_id(self) -> int:
        user_id = LARGE_USER_ID if len(self.users) == 1 else next(self._user_ids)
        return user_id if user_id not in self.users and user_id != self.bot.id else self.new_user_id()

    def new_group_id(self) -> int:
        return next(self._group_ids)

    def new_supergroup_id(self) -> int:
        return next(self._supergroup_ids)

    def new_query_id(self) -> str:
        return str(next(self._queries))

    def next_file_number(self) -> int:
        return next(self._files)

    def private_chat(self, user_id: int) -> Chat:
        """The chat between this user and the bot; made when it is first needed."""
        if user_id not in self.chats:
            self.chats[user_id] = Chat(user_id, "private", bot_status="member")
        return self.chats[user_id]

    def can_see(self, user_id: int, chat: Chat) -> bool:
        return chat.id == user_id if chat.is_private else chat.members.get(user_id) in INSIDE

    def post(self, chat: Chat, sender: int, **fields: Any) -> Message:
        """Put a message into a chat, with the next id of that chat."""
        message = Message(chat.id, chat.next_message_id, self.clock.date(), sender, **fields)
        chat.messages[message.message_id] = message
        chat.next_message_id += 1
        if self.user(sender).is_bot and not message.service and sender != ANONYMOUS_ADMIN:
            chat.last_bot = sender
        self.changed.fire()
        return message

    def post_text(self, chat: Chat, sender: int, text: str, **fields: Any) -> Message:
        return self.post(chat, sender, body=tidied(Formatted(text)), **fields)

    def post_service(self, chat: Chat, sender: int, topic: int | None = None, **service: Any) -> Message:
        """A service message; every one reaches the bot while it is in the chat."""
        message = self.post(chat, sender, topic=topic, service=service)
        self.tell_message(message)
        return message

    def delete(self, chat: Chat, message_id: int) -> None:
        del chat.messages[message_id]
        chat.pinned = [pinned for pinned in chat.pinned if pinned != message_id]
        self.updates.forget_message(chat.id, message_id)
        self.changed.fire()

    def reply_thread(self, message: Message) -> int | None:
        """In a supergroup without topics a reply carries its thread's first message, with no `is_topic_message`."""
        chat = self.chats[message.chat_id]
        if chat.type != "supergroup" or chat.is_forum or message.reply_to is None:
            return None
        root, seen = message.reply_to, {message.message_id}
        while (above := chat.messages.get(root)) and above.reply_to is not None and root not in seen:
            seen.add(root)
            root = above.reply_to
        return root

    def tell(self, kind: str, payload: dict[str, Any], chat: Chat, *people: int) -> None:
        """Queue an update about this chat. From now on the bot knows these people's ids."""
        for person in people:
            self.user(person).seen = True
        lane = ("user", people[0]) if kind == "callback_query" else ("chat", chat.id)
        self.updates.add(kind, payload, lane)
        self.changed.fire()

    def tell_message(self, message: Message) -> None:
        people = [message.sender, *message.service.get("new_chat_members", [])]
        if message.service.get("left_chat_member") in self.users:
            people.append(message.service["left_chat_member"])
        self.tell("message", wire.message_json(self, message), self.chats[message.chat_id], *people)

    def tell_press(self, press: Press) -> None:
        self.tell("callback_query", wire.press_json(self, press), self.chats[press.chat], press.user)

    def settle(self, press: Press, text: str, *, alert: bool = False, url: str = "", unanswered: bool = False) -> None:
        """A press got its answer, or its time is over: the presser sees this."""
        del self.presses[press.query]
        number = self.answers[-1].n + 1 if self.answers else 1
        now = self.clock.now()
        answer = Answer(number, press.query, press.user, text, alert, url, now, unanswered)
        self.answers.append(answer)
        if not press.answer.done():
            press.answer.set_result(answer)
        self.changed.fire()

    def expire_presses(self) -> None:
        """Clients stop waiting for the bot after the answer window."""
        now = self.clock.now()
        for press in [press for press in self.presses.values() if press.deadline <= now]:
            self.settle(press, f"{self.bot.first_name} is not responding", unanswered=True)
