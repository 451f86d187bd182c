"""The service: load, decide, store with compare-and-set, and decide again if another worker was faster.

Everything that changes a table goes through `change`. People's taps and commands come in with who they are; what they
see at once is the `Reaction` that goes back. The service draws the deal; it sends nothing itself.
"""

from __future__ import annotations

import logging
import random
import secrets
import string
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from tgavalon.core.reasons import Illegal, Reason
from tgavalon.table import seating, timers
from tgavalon.table.acquaintances import Acquaintances
from tgavalon.table.easel import SEPARATOR
from tgavalon.table.feed import GROUP, original
from tgavalon.table.model import NOBODY, Closing, Place, Table
from tgavalon.table.ports import Canvas, Clock, Group, Person, Roster, Store
from tgavalon.table.repeats import Decide, is_repeated, once
from tgavalon.ui.catalogue import negotiate
from tgavalon.ui.refusals import Refusal, Refused

log = logging.getLogger(__name__)

TRIES = 50
MOST_GONE = 1000
"""How many people who have lately left a group are remembered."""
AWAY = 15.0
"""Seconds without any worker at work after which deadlines are moved."""
_ID = string.ascii_letters + string.digits

Refusals = (Illegal, Refused)


def why(refusal: Illegal | Refused) -> Refusal | Reason:
    """The reason carried by a refusal of the rules or of the table."""
    return refusal.reason if isinstance(refusal, Illegal) else refusal.why


@dataclass(frozen=True, slots=True)
class Changed:
    """A table before and after a decision that was stored; equal where the decision changed nothing."""

    before: Table
    after: Table


class Service:
    """Tables, as everybody else uses them.

    `wake` is called with each table as it was stored. `dice` must be unpredictable in production. Methods
    raise `Illegal` or `Refused` where something is not allowed, and `StoreUnavailable` where nothing could be saved.
    `update` is the number of the update that asks for something: one that comes twice is done once.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        roster: Roster,
        wake: Callable[[Table], None],
        dice: random.Random | None = None,
        people: Acquaintances | None = None,
    ) -> None:
        self.store = store
        self.people = people or Acquaintances(store)
        self.clock = clock
        self.roster = roster
        self._wake = wake
        self._dice = dice or secrets.SystemRandom()
        self._gone: dict[tuple[int, int], None] = {}

    async def change(
        self, table_id: str, decide: Decide, *, by_person: bool = True, known: Table | None = None
    ) -> Changed:
        """Apply `decide` to the stored table and store what comes of it, however many others do the same.

        `by_person`: whether somebody did something, which puts off the end of an idle table. `known` is the table as
        the caller has just loaded it.
        """
        for _ in range(TRIES):
            before, known = known or await self.table(table_id), None
            after = decide(before)
            if after == before:
                if by_person:
                    await self.store.confirm(table_id)
                return Changed(before, before)
            now = self.clock.now()
            touched = now if by_person else before.touched
            done = after.done if after.is_open else ()
            after = replace(after, version=before.version + 1, touched=touched, done=done)
            after = timers.timed(before, after, now) if by_person or after.stage != before.stage else after
            if await self.store.save(after, before.version):
                self._wake(after)
                return Changed(before, after)
        raise Refused(Refusal.BUSY)

    async def table(self, table_id: str) -> Table:
        """The stored table, or `Refused`."""
        table = await self.store.load(table_id)
        if table is None:
            raise Refused(Refusal.TABLE_GONE)
        return table

    async def table_at(self, place: Place) -> Table:
        """The open table at a place, or `Refused`."""
        found = await self.store.at(place)
        table = await self.store.load(found) if found is not None else None
        if table is None:
            raise Refused(Refusal.NO_TABLE)
        return table

    async def open_table(
        self, place: Place, title: str, host: Person, *, seated: bool = True, update: int = 0
    ) -> Table:
        """Open a lobby at a place, with `host` on its first seat; without `seated`, whoever sits down first hosts it.

        `Refused` where an open table is there already.
        """
        group = await self.store.group(place.chat)
        language = negotiate(group.language if group else None, host.language, host.hint)
        table = seating.open_table(self._new_id(), place, title, language, host, self.clock.now())
        table = table if seated else replace(table, host=NOBODY, sitters=())
        return await self._create(replace(table, opened_by=update))

    async def play_again(self, table_id: str, person: Person, *, update: int = 0) -> Table:
        """Open a new lobby with the seats of a finished game."""
        old = await self.table(table_id)
        table = seating.again(self._new_id(), old, person, self.clock.now())
        return await self._create(replace(table, opened_by=update))

    async def join(self, table_id: str, person: Person, *, inside: bool = False, update: int = 0) -> Changed:
        """Seat a member of the group: `inside` where what they do shows that they are one, else Telegram is asked."""
        return await self._seat(
            table_id, person, once(person.user, update, lambda table: seating.join(table, person)), inside
        )

    async def take_seat(
        self, table_id: str, person: Person, seat: int, *, inside: bool = False, update: int = 0
    ) -> Changed:
        """Give a left seat to a member of the group; `inside` as in `join`."""
        decide = once(person.user, update, lambda table: seating.take_seat(table, person, seat))
        return await self._seat(table_id, person, decide, inside)

    async def leave(self, table_id: str, user: int, *, update: int = 0) -> Changed:
        """Let somebody get up."""
        return await self.change(table_id, once(user, update, lambda table: seating.leave(table, user)))

    async def left_group(self, chat: int, user: int, *, update: int = 0) -> None:
        """Somebody is no longer in the group: they leave its tables, and a tap made before seats them no more."""
        self._gone = dict([*self._gone.items(), ((chat, user), None)][-MOST_GONE:])
        for table_id in await self.store.in_chat(chat):
            table = await self.store.load(table_id)
            if table is not None and table.seat_of(user) is not None:
                await self._get_up(table_id, user, update)

    def came_back(self, chat: int, user: int) -> None:
        """Somebody is in the group again."""
        self._gone.pop((chat, user), None)

    async def start(self, table_id: str, user: int) -> Changed:
        """Deal: the wish of the host, or of an admin who plays."""
        table = await self.table(table_id)
        await self._check_host(table, user)
        seating.deny(table.seat_of(user) is None, Refusal.NOT_SEATED)
        anchor = _lobby_message(await self.store.canvas(table_id))
        return await self.change(table_id, lambda table: replace(self._dealt(table), anchor=anchor))

    async def as_host(self, table_id: str, user: int, decide: Decide) -> Changed:
        """Do what only the host and the group's admins may."""
        await self._check_host(await self.table(table_id), user)
        return await self.change(table_id, decide)

    async def as_member(self, table_id: str, person: Person, decide: Decide, *, inside: bool = False) -> Changed:
        """Do what only the players and the other members of the group may; `inside` as in `join`."""
        if not inside:
            await self._check_member(await self.table(table_id), person)
        return await self.change(table_id, decide)

    async def end(self, table_id: str, user: int, *, update: int = 0) -> Changed:
        """End a table: at once for the host and admins, else by the players' votes."""
        table = await self.table(table_id)
        if is_repeated(table, user, update):
            return Changed(table, table)
        if await self._is_host(table, user):
            return await self.change(table_id, lambda table: seating.close(table, Closing.HOST))
        return await self.change(table_id, lambda table: seating.vote_to_end(table, user))

    async def repost(self, table_id: str) -> Changed:
        """Bring the present screen down as a new message."""
        return await self.change(table_id, lambda table: replace(table, reposts=table.reposts + 1))

    async def show(self, table_id: str) -> Changed:
        """The same for somebody who wants to see the table: settings that stand open in its place are closed."""
        return await self.change(table_id, lambda table: replace(table, reposts=table.reposts + 1, settings_open=False))

    async def repost_all(self, chat: int) -> bool:
        """Bring the present screens of all tables in a chat down, as after an absence; whether there are any tables."""
        tables = await self.store.in_chat(chat)
        await self._at_each(tables, lambda table: replace(table, reposts=table.reposts + 1))
        return bool(tables)

    async def sweep(self) -> None:
        """Do what is due at all tables: reminders, time up, idle tables closed.

        To be called about once a second, and only while people can be heard: time in which no worker called it counts
        against nobody.
        """
        now = self.clock.now()
        last = await self.store.alive(now)
        if last is not None and now - last > AWAY:
            await self._make_up_for(now - last)
        await self._at_each(await self.store.due(now), lambda table: timers.due(table, now))

    async def _make_up_for(self, seconds: float) -> None:
        """Move all deadlines by the time that the bot was away."""
        log.info("away for %.0f seconds: deadlines are moved", seconds)
        everything = await self.store.due(float("inf"), most=None)
        await self._at_each(everything, lambda table: timers.shifted(table, seconds))

    async def reachable(self, person: Person, ready: bool) -> Person:
        """Remember whether the bot can write to somebody, at all their tables; the person as they are known now."""
        known = await self.people.change(person.user, lambda known: replace(known, ready=ready))
        await self._at_all_tables(person.user, lambda table: seating.reachable(table, person.user, ready))
        return known

    async def unreachable(self, user: int) -> None:
        """A private message could not be delivered."""
        await self.reachable(Person(user), ready=False)

    async def choose_language(self, person: Person, language: str) -> None:
        """A person's own choice, lasting, repainting what they have open."""
        await self.people.change(person.user, lambda known: replace(known, language=language))
        await self._at_all_tables(person.user, lambda table: seating.renamed(table, person.user, person.name, language))

    async def choose_group_language(self, chat: int, language: str) -> None:
        """A group's choice, lasting, repainting its open tables."""
        group = await self.store.group(chat) or Group(chat)
        await self.store.save_group(replace(group, language=language))
        await self._at_each(await self.store.in_chat(chat), lambda table: replace(table, language=language))

    async def moved(self, chat: int, new_chat: int) -> None:
        """A group became a supergroup: its settings and tables go along."""
        group = await self.store.group(chat) or Group(chat)
        known = await self.store.group(new_chat)
        if known is None:
            await self.store.save_group(replace(group, chat=new_chat))
        await self.store.save_group(replace(group, migrated_to=new_chat))
        await self._at_each(await self.store.in_chat(chat), lambda table: _moved(table, chat, new_chat))
        await self._move_last(chat, new_chat)

    async def _move_last(self, chat: int, new_chat: int) -> None:
        """Have the last finished game found in the new group too, though its screens stay behind in the old one."""
        last = await self.store.last_at(Place(chat))
        old = await self.store.load(last) if last is not None else None
        if old is None:
            return
        table = replace(_moved(old, chat, new_chat), version=old.version + 1)
        if await self.store.save(table, old.version):
            await self.store.paint(table.id, table.version, {}, True)

    async def _at_all_tables(self, user: int, decide: Decide) -> None:
        await self._at_each(await self.store.of_user(user), decide)

    async def _at_each(self, tables: Iterable[str], decide: Decide) -> None:
        """Change several tables; one that is gone meanwhile, or too busy, holds up no other."""
        for table_id in tables:
            try:
                await self.change(table_id, decide, by_person=False)
            except Refused as refused:
                log.warning("table %s stays as it is: %s", table_id, refused)

    async def _create(self, table: Table) -> Table:
        table = timers.timed(None, table, self.clock.now())
        if not await self.store.create(table):
            raise Refused(Refusal.TABLE_EXISTS)
        self._wake(table)
        return table

    def _dealt(self, table: Table) -> Table:
        roles = list(seating.check_start(table))
        self._dice.shuffle(roles)
        salt = f"{self._dice.getrandbits(128):032x}"
        return seating.deal(table, tuple(roles), self._dice.randrange(len(roles)), salt)

    async def _is_host(self, table: Table, user: int) -> bool:
        return user == table.host or await self.roster.is_admin(table.place.chat, user)

    async def _check_host(self, table: Table, user: int) -> None:
        if not await self._is_host(table, user):
            raise Refused(Refusal.NOT_HOST)

    async def _check_member(self, table: Table, person: Person) -> None:
        if table.seat_of(person.user) is None and not await self.roster.is_member(table.place.chat, person.user):
            raise Refused(Refusal.NOT_MEMBER)

    async def _seat(self, table_id: str, person: Person, decide: Decide, inside: bool) -> Changed:
        """Seat a member of the group, who may be leaving it at this very moment."""
        if not inside or any(user == person.user for _, user in self._gone):
            table = await self.table(table_id)
            await self._check_member(table, person)
            self.came_back(table.place.chat, person.user)
        changed = await self.change(table_id, decide)
        if (changed.after.place.chat, person.user) in self._gone:
            await self._get_up(table_id, person.user)
            raise Refused(Refusal.NOT_MEMBER)
        return await self._as_ready_as_now(changed, person.user)

    async def _as_ready_as_now(self, changed: Changed, user: int) -> Changed:
        """Catch up with a press of Start that came while its author was being seated."""
        table = changed.after
        seat, known = table.seat_of(user), await self.store.person(user)
        if seat is None or known is None or table.sitters[seat].ready == known.ready:
            return changed
        ready = known.ready
        now = await self.change(table.id, lambda table: seating.reachable(table, user, ready), by_person=False)
        return Changed(changed.before, now.after)

    async def _get_up(self, table_id: str, user: int, update: int = 0) -> None:
        with suppress(Refused):  # they have got up by themselves, or the table is closed
            await self.leave(table_id, user, update=update)

    def _new_id(self) -> str:
        return "".join(self._dice.choice(_ID) for _ in range(10))


def _lobby_message(canvas: Canvas) -> int | None:
    """The newest message that shows the lobby."""
    found = [shown.message for key, shown in canvas.items() if original(key) == f"{GROUP}{SEPARATOR}lobby"]
    return max(found, default=None)


def _moved(table: Table, chat: int, new_chat: int) -> Table:
    if table.place.chat != chat:
        return table
    return replace(table, place=Place(new_chat, table.place.topic), anchor=None)
