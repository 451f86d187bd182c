"""Pretend people for tests, over the Bot API double: `group`, `person.press("Join")`, `person.sees(group)`.

    async with Double() as double:            # the server; double.base_url goes into the bot
        table = double.group("Friends", ["Ana", "Ben", "Cho"])
        ana = double["Ana"]
        ana.command(table, "/newgame")        # /newgame@avalon_bot, as clients complete it in a group
        await double.until(lambda: ana.shows(table, "Join"))
        assert (await ana.press(table, "Join")).text == "You are in."

Nothing here knows the game, and nothing sleeps: every wait is woken by the double.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tgavalon.playground import Double as Server
from tgavalon.playground import groups, people
from tgavalon.playground.faults import Fault
from tgavalon.playground.journal import Call
from tgavalon.playground.model import Answer, Chat, ChatType, Message, Nonsense, User

__all__ = ["Answer", "Double", "Fault", "Group", "Message", "NoButton", "Nonsense", "Person"]

PATIENCE = 5.0
"""Seconds of real time that a test waits for the bot before it fails."""


class NoButton(AssertionError):
    """There is no such button to press; the text lists those there are."""


@dataclass(frozen=True)
class Group:
    """A group chat as its members see it. Follows the group when it becomes a supergroup."""

    double: Double
    first: Chat

    @property
    def chat(self) -> Chat:
        chat = self.first
        while chat.migrated_to is not None:
            chat = self.double.world.chats[chat.migrated_to]
        return chat

    @property
    def id(self) -> int:
        return self.chat.id

    @property
    def messages(self) -> list[Message]:
        """Everything in the chat that was not deleted, oldest first; service messages too."""
        return list(self.chat.messages.values())

    @property
    def members(self) -> list[Person]:
        return [Person(self.double, self.double.world.users[user]) for user in self.chat.members]

    def topic(self, name: str) -> int:
        return groups.add_topic(self.double.world, self.chat, name)

    def migrate(self) -> int:
        """Become a supergroup; returns the new chat id."""
        return groups.migrate(self.double.world, self.chat).id

    def add_bot(self, by: Person) -> None:
        groups.add_bot(self.double.world, self.chat, by.user)

    def remove_bot(self, by: Person) -> None:
        groups.remove_bot(self.double.world, self.chat, by.user)

    def promote_bot(self, by: Person) -> None:
        groups.promote_bot(self.double.world, self.chat, by.user)

    def restrict_bot(self, *, can_send: bool) -> None:
        by = groups.creator_of(self.double.world, self.chat)
        groups.restrict_bot(self.double.world, self.chat, by, can_send=can_send)

    def delete_message(self, message: Message) -> None:
        self.double.world.delete(self.chat, message.message_id)

    def delete(self) -> None:
        groups.delete_group(self.double.world, self.chat)


Place = Group | Message | None
"""Where to look: a group, one message, or None for the person's own private chat with the bot."""


@dataclass(frozen=True)
class Person:
    """Somebody with a Telegram client."""

    double: Double
    user: User

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.first_name

    def start(self, payload: str = "") -> Message:
        """Open the bot's private chat and press Start, by deep link if there is a payload."""
        return people.start(self.double.world, self.user, payload)

    def say(
        self,
        place: Group | None,
        text: str,
        *,
        topic: int | None = None,
        anonymous: bool = False,
        reply_to: Message | None = None,
    ) -> Message:
        """Write just this. Privacy mode applies: a bare /command is heard only if the last bot to post was this one."""
        reply = None if reply_to is None else reply_to.message_id
        return people.say(
            self.double.world, self.user, self._chat(place), text, topic=topic, anonymous=anonymous, reply_to=reply
        )

    def command(self, place: Group | None, text: str, *, topic: int | None = None, anonymous: bool = False) -> Message:
        """A command as clients complete it: in groups addressed to the bot by name."""
        command, space, rest = text.partition(" ")
        if place is not None:
            command += f"@{self.double.world.bot.username}"
        return self.say(place, f"{command}{space}{rest}", topic=topic, anonymous=anonymous)

    def sees(self, place: Group | None = None) -> list[Message]:
        """The messages of a group, or of the private chat; oldest first."""
        chat = self._chat(place)
        inside = self.double.world.can_see(self.id, chat)
        return list(chat.messages.values()) if inside or chat.username else []

    def hears(self, place: Group | None = None) -> list[Message]:
        """What the bot wrote there, oldest first; no service messages."""
        bot = self.double.world.bot.id
        return [message for message in self.sees(place) if message.sender == bot and not message.service]

    def last(self, place: Group | None = None) -> Message:
        """The bot's latest message there. Raises IndexError if it never wrote."""
        return self.hears(place)[-1]

    def keyboard(self, message: Message) -> list[list[str]]:
        """The labels of a message's buttons, row by row, as it is now."""
        current = self.double.world.chats[message.chat_id].messages.get(message.message_id)
        return [[button["text"] for button in row] for row in (current.keyboard if current else None) or []]

    def labels(self, place: Place = None) -> list[str]:
        """The labels of all buttons there, oldest message first."""
        return [button["text"] for _, button in self._buttons(place)]

    def shows(self, place: Place, label: str) -> bool:
        """Whether a button with this label (or data) is on screen there."""
        return any(self._matches(button, label) for _, button in self._buttons(place))

    def find(self, place: Place, label: str) -> tuple[Message, dict[str, Any]]:
        """The newest message there with such a button, by visible label or by data. Raises NoButton."""
        for message, button in reversed(list(self._buttons(place))):
            if self._matches(button, label):
                return message, button
        raise NoButton(f"{self.name} sees no button {label!r}, only {self.labels(place)}")

    def tap(self, place: Place, label: str) -> str:
        """Press and do not wait for the answer; returns the callback query id."""
        message, button = self.find(place, label)
        return people.press(
            self.double.world, self.user, self._chat_of(message), message.message_id, button["callback_data"]
        ).query

    async def press(self, place: Place, label: str, *, patience: float = PATIENCE) -> Answer:
        """Press the newest such button and wait for the bot's answer (`text`, `alert`, `url`).

        A url button is followed instead, with an empty answer. Raises NoButton, or TimeoutError if no answer comes;
        a press the bot left unanswered until the client gave up has `unanswered` set.
        """
        message, button = self.find(place, label)
        if "callback_data" not in button:
            self.open(button["url"])
            return Answer(0, "", self.id, "", False, button["url"], self.double.world.clock.now())
        return await self.press_data(message, button["callback_data"], patience=patience)

    async def press_data(self, message: Message, data: str, *, patience: float = PATIENCE) -> Answer:
        """Press by data on one message, as an old client might; Nonsense("DATA_INVALID") if it is no longer there."""
        chat = self._chat_of(message)
        made = people.press(self.double.world, self.user, chat, message.message_id, data)
        await self.double.until(made.answer.done, timeout=patience)
        return made.answer.result()

    def open(self, url: str, group: Group | None = None) -> Message | None:
        """Follow a link; `group` is the choice for a ?startgroup link."""
        return groups.open_link(self.double.world, self.user, url, group.chat if group else None)

    @property
    def answers(self) -> list[Answer]:
        """Every toast and alert this person got, oldest first."""
        return [answer for answer in self.double.world.answers if answer.user == self.id]

    def block(self) -> None:
        people.block(self.double.world, self.user)

    def unblock(self) -> None:
        people.unblock(self.double.world, self.user)

    def deactivate(self) -> None:
        people.deactivate(self.double.world, self.user)

    def rename(self, first_name: str, last_name: str = "") -> None:
        people.rename(self.double.world, self.user, first_name, last_name)

    def join(self, group: Group) -> None:
        groups.join(self.double.world, self.user, group.chat)

    def leave(self, group: Group) -> None:
        groups.leave(self.double.world, self.user, group.chat)

    def kicked_from(self, group: Group) -> None:
        groups.kick(self.double.world, self.user, group.chat)

    def promoted_in(self, group: Group) -> None:
        groups.set_rank(self.double.world, self.user, group.chat, "administrator")

    def demoted_in(self, group: Group) -> None:
        groups.set_rank(self.double.world, self.user, group.chat, "member")

    def _chat(self, place: Group | None) -> Chat:
        return self.double.world.private_chat(self.id) if place is None else place.chat

    def _chat_of(self, message: Message) -> Chat:
        return self.double.world.chats[message.chat_id]

    def _buttons(self, place: Place) -> Iterator[tuple[Message, dict[str, Any]]]:
        if isinstance(place, Message):
            current = self._chat_of(place).messages.get(place.message_id)
            messages = [current] if current else []
        else:
            messages = self.sees(place)
        for message in messages:
            for button in message.buttons():
                yield message, button

    @staticmethod
    def _matches(button: dict[str, Any], label: str) -> bool:
        return label in (button["text"], button.get("callback_data"))


class Double(Server):
    """The server with a way to make people and groups. `double["Ana"]` is the person of that first name."""

    def __getitem__(self, name: str) -> Person:
        for user in self.world.users.values():
            if user.first_name == name:
                return Person(self, user)
        raise KeyError(name)

    def person(
        self,
        first_name: str,
        *,
        last_name: str = "",
        username: str = "",
        language_code: str = "",
        is_bot: bool = False,
        started: bool = False,
    ) -> Person:
        """A new account; with `started` the bot may already write to it, and nothing was sent about that."""
        user = people.add_user(self.world, first_name, last_name, username, language_code, is_bot=is_bot)
        user.started = user.seen = started
        return Person(self, user)

    def group(
        self,
        title: str,
        names: Iterable[str | Person],
        *,
        kind: ChatType = "group",
        forum: bool = False,
        with_bot: bool = True,
        username: str = "",
    ) -> Group:
        """A group of these people, made if they do not exist; the first is its creator, who adds the bot."""
        members = [one if isinstance(one, Person) else self._known(one) for one in names]
        ids = [member.id for member in members]
        chat = groups.add_group(self.world, title, kind, ids, ids[0], with_bot=with_bot, forum=forum, username=username)
        return Group(self, chat)

    def _known(self, name: str) -> Person:
        try:
            return self[name]
        except KeyError:
            return self.person(name)

    def fault(self, method: str = "*", **fields: Any) -> None:
        """Order a fault; fields as in `Fault`: times, code, description, parameters, delay, drop, chat."""
        self.world.faults.order(Fault(method, **fields))

    def advance(self, seconds: float) -> None:
        """Turn the double's clock."""
        self.world.clock.advance(seconds)

    def calls(self, *methods: str) -> list[Call]:
        """The Bot API calls so far, of these methods or all."""
        return self.world.journal.of(*methods) if methods else list(self.world.journal.calls)

    def assert_well_behaved(self) -> None:
        """No call of a method, and no argument, that Telegram does not have."""
        strange = [(call.method, call.unknown_params) for call in self.calls() if call.unknown_params or not call.known]
        assert not strange, f"the bot called what Telegram does not have: {strange}"
