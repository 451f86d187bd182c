"""The commands, in groups and in private, and the buttons that belong to no table: rules and languages.

A command answers with a message of its own only where the table's screen does not already say it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from telegram import Bot, Message, User
from telegram.helpers import create_deep_linked_url

from tgavalon.bot.conversation import Reaction, Tapping
from tgavalon.bot.delivery import RecordDelivery
from tgavalon.bot.flood import FloodGuard, Flow
from tgavalon.bot.people import People, is_for_a_chat, place_of, title_of
from tgavalon.bot.taps import JOIN_PAYLOAD
from tgavalon.bot.turns import TurnTaker
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.reasons import Illegal
from tgavalon.core.views import seat_view
from tgavalon.table import seating
from tgavalon.table.feed import cast, lobby_view
from tgavalon.table.model import Place, Table
from tgavalon.table.ports import Person, Roster, StoreUnavailable
from tgavalon.table.repeats import is_repeated, once
from tgavalon.table.seating import deny
from tgavalon.table.service import Service, why
from tgavalon.ui import help as pages
from tgavalon.ui import lobby, secrets
from tgavalon.ui.catalogue import Translator, languages, plain, translator
from tgavalon.ui.refusals import Refusal, Refused, sentence
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import NO_TABLE, TABLE_ID

log = logging.getLogger(__name__)

COMMANDS_AT_ONCE = 10
COMMAND_WINDOW = 30.0


@dataclass(frozen=True, slots=True)
class Call:
    """One command: where, by whom, what followed it, the words to answer in, and the number of its update."""

    message: Message
    place: Place
    person: Person
    t: Translator
    rest: str
    private: bool
    update: int


OnCommand = Callable[[Call], Awaitable[Screen | None]]


class Commands:
    """What each command does; a screen that it returns is sent as the answer."""

    def __init__(
        self,
        service: Service,
        people: People,
        roster: Roster,
        turns: TurnTaker,
        delivery: RecordDelivery,
        bot: Bot,
    ) -> None:
        self._service = service
        self._people = people
        self._roster = roster
        self._turns = turns
        self._delivery = delivery
        self._bot = bot
        self._guard = FloodGuard(service.clock, COMMANDS_AT_ONCE, COMMAND_WINDOW)
        self._in_group: dict[str, OnCommand] = {
            "newgame": self.newgame,
            "join": self.join,
            "leave": self.leave,
            "table": self.table,
            "role": self.role,
            "settings": self.settings,
            "kick": self.kick,
            "endgame": self.endgame,
            "rules": self.rules,
            "language": self.language,
            "record": self.record,
            "help": self.help,
            "start": self.help,
        }
        self._in_private: dict[str, OnCommand] = {
            "start": self.start,
            "role": self.cards,
            "rules": self.rules,
            "language": self.language,
            "forgetme": self.forgetme,
            "help": self.help,
        }

    async def run(self, update: int, message: Message, command: str, rest: str) -> None:
        """Do what a command asks for; unknown ones are not ours, and refusals are answered in words.

        `update` is the number it came under.
        """
        if message.from_user is None:
            return
        flow = self._guard.ask(message.from_user.id)
        if flow is Flow.IGNORE:
            return
        try:
            await self._obey(await self._call(update, message, message.from_user, rest), command, flow)
        except StoreUnavailable:
            self._guard.uncount(message.from_user.id)
            raise

    async def _obey(self, call: Call, command: str, flow: Flow) -> None:
        known = self._in_private if call.private else self._in_group
        on_command = known.get(command)
        if on_command is None and (command in self._in_group or command in self._in_private):
            on_command = self._elsewhere
        if on_command is None and not call.private:
            return
        try:
            if on_command is None:
                raise Refused(Refusal.WORDS_ONLY)
            deny(flow is Flow.COMPLAIN, Refusal.TOO_FAST)
            screen = await on_command(call)
        except (Illegal, Refused) as refusal:
            screen = pages.notice(call.t, sentence(call.t, why(refusal)))
        if screen is not None:
            self._turns.beside(self._turns.send(call.place, NO_TABLE, screen))

    async def newgame(self, call: Call) -> None:
        """Open a table, or bring the one that is there down."""
        try:
            title, seated = title_of(call.message.chat), not is_for_a_chat(call.message)
            await self._service.open_table(call.place, title, call.person, seated=seated, update=call.update)
        except Refused as refused:
            if refused.why is Refusal.TABLE_EXISTS:
                table = await self._service.table_at(call.place)
                if is_repeated(table, call.person.user, call.update):
                    return
                await self._service.show(table.id)
            raise

    async def join(self, call: Call) -> Screen | None:
        """Sit down, by typing; somebody the bot cannot write to gets the link to the private chat."""
        table = await self._service.table_at(call.place)
        deny(is_for_a_chat(call.message), Refusal.ANONYMOUS)
        table = (await self._service.join(table.id, call.person, update=call.update)).after
        if call.person.ready or table.seat_of(call.person.user) is None:
            return None
        link = create_deep_linked_url(self._bot.username, JOIN_PAYLOAD + table.id)
        return lobby.start_wanted(call.t, lobby_view(table), call.person.user, link)

    async def leave(self, call: Call) -> None:
        """Get up."""
        table = await self._service.table_at(call.place)
        deny(is_for_a_chat(call.message), Refusal.ANONYMOUS)
        await self._service.leave(table.id, call.person.user, update=call.update)

    async def table(self, call: Call) -> None:
        """Bring the present screen down."""
        await self._service.show((await self._service.table_at(call.place)).id)

    async def settings(self, call: Call) -> None:
        """Open the settings of the lobby, below everything else."""
        table = await self._service.table_at(call.place)
        await self._service.as_host(table.id, call.person.user, lambda table: seating.show_settings(table, True))
        await self._service.repost(table.id)

    async def kick(self, call: Call) -> None:
        """Take the player on a seat off the lobby: for the host and admins. Digits of any script will do."""
        table = await self._service.table_at(call.place)
        deny(not call.rest, Refusal.KICK_WHOM)
        seat = int(call.rest) - 1 if call.rest.isdecimal() and len(call.rest) < 4 else -1
        decide = once(call.person.user, call.update, lambda table: seating.kick(table, seat))
        changed = await self._service.as_host(table.id, call.person.user, decide)
        if changed.after != changed.before and (gone := changed.before.sitters[seat]).ready:
            note = pages.kicked(translator(gone.language), table.title)
            self._turns.beside(self._turns.send(Place(gone.user), NO_TABLE, note))

    async def endgame(self, call: Call) -> None:
        """End the table, or vote for it."""
        table = await self._service.table_at(call.place)
        await self._service.end(table.id, call.person.user, update=call.update)

    async def role(self, call: Call) -> None:
        """Send somebody their role card again, in private; the group only hears it where that is impossible."""
        table = await self._service.table_at(call.place)
        deny(is_for_a_chat(call.message), Refusal.ANONYMOUS)
        self._turns.beside(self._hand_card(call, table.id, self._card(table, call.person)))

    async def cards(self, call: Call) -> Screen | None:
        """Send somebody the role cards of all their tables."""
        games = [table for table in await self._tables_of(call.person) if table.game is not None]
        if not games:
            raise Refused(Refusal.IN_NO_GAME)
        for table in games:
            self._turns.beside(self._turns.send(call.place, table.id, self._card(table, call.person)))
        return None

    async def start(self, call: Call) -> Screen | None:
        """Greet, or complete a seat by the deep link of Join."""
        if not call.rest.startswith(JOIN_PAYLOAD):
            return await self._greet(call)
        table_id = call.rest.removeprefix(JOIN_PAYLOAD)
        if not TABLE_ID.fullmatch(table_id):
            raise Refused(Refusal.BAD_LINK)
        table = await self._service.store.load(table_id)
        if table is None or not table.is_open:
            raise Refused(Refusal.BAD_LINK)
        if table.seat_of(call.person.user) is None:
            table = (await self._service.join(table_id, call.person, update=call.update)).after
        seated = table.seat_of(call.person.user) is not None
        return pages.welcome_seated(call.t, table.title) if seated else None

    async def rules(self, call: Call) -> Screen:
        """The first page of the rules in play here."""
        return await self._rules_page(call.t, call.place, 0)

    async def language(self, call: Call) -> Screen:
        """Offer the languages: to a person in private, to the group's admins in a group."""
        if not call.private and not await self._roster.is_admin(call.place.chat, call.person.user):
            raise Refused(Refusal.NOT_ADMIN)
        return pages.language_screen(call.t, of_group=not call.private)

    async def record(self, call: Call) -> None:
        """Send the record of the last finished game."""
        last = await self._service.store.last_at(call.place)
        table = await self._service.store.load(last) if last is not None else None
        if table is None:
            raise Refused(Refusal.NO_RECORD)
        self._delivery.send(table)

    async def forgetme(self, call: Call) -> Screen:
        """Forget everything about a person outside running games."""
        await self._service.store.forget(call.person.user)
        text = call.t("I have deleted what I know about you, but for what games that are still running need.")
        return pages.notice(call.t, plain(text))

    async def help(self, call: Call) -> Screen:
        """All commands."""
        return pages.help_screen(call.t)

    async def turn_page(self, tapping: Tapping) -> Reaction:
        """A button of the rules: show another page in the same message."""
        message = tapping.query.message
        if not isinstance(message, Message):
            raise Refused(Refusal.OLD_BUTTON)
        place = place_of(message)
        page = tapping.tap.value
        if page >= len(pages.TOPICS):
            raise Refused(Refusal.OLD_BUTTON)
        t = tapping.t if _is_private(message) else await self._people.group_words(place.chat, tapping.person)
        screen = await self._rules_page(t, place, page)
        deny(self._turns.is_crowded(place), Refusal.TOO_FAST)
        self._turns.redraw(place, message.message_id, NO_TABLE, screen)
        return Reaction()

    async def choose_language(self, tapping: Tapping) -> Reaction:
        """A button of the choice of languages."""
        message = tapping.query.message
        if not isinstance(message, Message) or tapping.tap.value >= len(languages()):
            raise Refused(Refusal.OLD_BUTTON)
        chosen = languages()[tapping.tap.value]
        place = place_of(message)
        if _is_private(message):
            await self._service.choose_language(tapping.person, chosen)
        elif await self._roster.is_admin(place.chat, tapping.person.user):
            await self._service.choose_group_language(place.chat, chosen)
        else:
            raise Refused(Refusal.NOT_ADMIN)
        words = translator(chosen)
        text = pages.language_chosen(words)
        self._turns.redraw(place, message.message_id, NO_TABLE, pages.notice(words, text))
        return Reaction(text)

    async def _greet(self, call: Call) -> Screen:
        """The greeting; to somebody who waits for a game to begin, that their role will come."""
        lobbies = [table for table in await self._tables_of(call.person) if table.game is None]
        if lobbies:
            return pages.welcome_seated(call.t, lobbies[-1].title)
        return pages.start_screen(call.t, self._bot.username)

    async def _tables_of(self, person: Person) -> list[Table]:
        store = self._service.store
        found = [await store.load(table) for table in await store.of_user(person.user)]
        return [table for table in found if table is not None]

    async def _hand_card(self, call: Call, table: str, card: Screen) -> None:
        answer = await self._turns.send(Place(call.person.user), table, card)
        if answer.message is None:
            text = plain(call.t("I cannot write to you. Tap “My role” on the table instead."))
            await self._turns.send(call.place, NO_TABLE, pages.notice(call.t, text))

    async def _elsewhere(self, call: Call) -> None:
        raise Refused(Refusal.ONLY_IN_GROUP if call.private else Refusal.ONLY_IN_PRIVATE)

    async def _rules_page(self, t: Translator, place: Place, page: int) -> Screen:
        found = await self._service.store.at(place)
        table = await self._service.store.load(found) if found is not None else None
        if table is None:
            return pages.rules_screen(t, PresetName.RULEBOOK, PRESETS[PresetName.RULEBOOK].ruleset, None, page)
        players = len(table.sitters) if table.game is not None else None
        return pages.rules_screen(t, table.options.preset, table.options.ruleset, players, page)

    def _card(self, table: Table, person: Person) -> Screen:
        seat = table.seat_of(person.user)
        if table.game is None:
            raise Refused(Refusal.NOT_STARTED)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        t = self._people.words(person)
        return secrets.role_card(t, seat_view(table.game, seat), cast(table), table.title, None)

    async def _call(self, update: int, message: Message, user: User, rest: str) -> Call:
        private = _is_private(message)
        person = await self._people.meet(user)
        if private:
            person = await self._service.reachable(person, ready=True)
        t = self._people.words(person) if private else await self._people.group_words(message.chat_id, person)
        return Call(message, place_of(message), person, t, rest, private, update)


def _is_private(message: Message) -> bool:
    return message.chat.type == "private"
