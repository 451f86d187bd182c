"""The world around a table, made of values: a store, a messenger, a roster and a clock."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tgavalon.table.model import Place, Table
from tgavalon.table.ports import (
    Answer,
    Canvas,
    Group,
    Leased,
    Painted,
    Person,
    Shown,
    StoreUnavailable,
    Verdict,
)
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import Tap, Verb

START = 1_800_000_000.0


class FakeClock:
    """The `Clock` of the running loop's time. `ahead` turns it without waiting."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> float:
        return START + self.ahead + asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class FakeRoster:
    """The `Roster` of a group in which everybody is a member and nobody an admin, but for exceptions."""

    def __init__(self) -> None:
        self.admins: set[int] = set()
        self.strangers: set[int] = set()
        self.asked: list[int] = []

    async def is_member(self, chat: int, user: int) -> bool:
        self.asked.append(chat)
        return user not in self.strangers

    async def is_admin(self, chat: int, user: int) -> bool:
        self.asked.append(chat)
        return user in self.admins


class FakeStore:
    """The `Store` in memory. `is_away` makes every method fail; `rivals` decide just before the next saves."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.canvases: dict[str, dict[str, Shown]] = {}
        self.behind: dict[str, int] = {}
        self.people: dict[int, Person] = {}
        self.groups: dict[int, Group] = {}
        self.leases: dict[str, tuple[str, float]] = {}
        self.spent: dict[str, tuple[float, ...]] = {}
        self.last_alive: float | None = None
        self.is_away = False
        self.is_read_only = False
        self.rivals: list[Callable[[Table], Table]] = []
        self.saves = 0
        self.confirmed: list[str] = []

    def put(self, table: Table) -> Table:
        """Store a table as another worker would."""
        self.tables[table.id] = table
        self.behind[table.id] = table.version
        return table

    def _reads(self) -> None:
        if self.is_away:
            raise StoreUnavailable("away")

    def _writes(self) -> None:
        if self.is_away or self.is_read_only:
            raise StoreUnavailable("away")

    async def load(self, table: str) -> Table | None:
        self._reads()
        return self.tables.get(table)

    async def create(self, table: Table) -> bool:
        self._writes()
        if await self.at(table.place) is not None:
            return False
        self.put(table)
        return True

    async def save(self, table: Table, expected: int) -> bool:
        self._writes()
        self.saves += 1
        if self.rivals:
            stored = self.tables[table.id]
            self.put(replace(self.rivals.pop(0)(stored), version=stored.version + 1))
        if self.tables[table.id].version != expected:
            return False
        self.put(table)
        return True

    async def confirm(self, table: str) -> None:
        self.confirmed.append(table)

    async def at(self, place: Place) -> str | None:
        self._reads()
        return next((t.id for t in self.tables.values() if t.place == place and t.is_open), None)

    async def last_at(self, place: Place) -> str | None:
        self._reads()
        over = [t for t in self.tables.values() if t.place == place and not t.is_open]
        return over[-1].id if over else None

    async def of_user(self, user: int) -> tuple[str, ...]:
        self._reads()
        return tuple(t.id for t in self.tables.values() if t.is_open and t.seat_of(user) is not None)

    async def in_chat(self, chat: int) -> tuple[str, ...]:
        self._reads()
        return tuple(t.id for t in self.tables.values() if t.is_open and t.place.chat == chat)

    async def due(self, now: float, most: int | None = 100) -> tuple[str, ...]:
        self._reads()
        times = {t.id: _next(t) for t in self.tables.values() if t.is_open}
        return tuple(sorted((t for t, at in times.items() if at <= now), key=times.__getitem__))[:most]

    async def alive(self, now: float) -> float | None:
        self._writes()
        last, self.last_alive = self.last_alive, now
        return last

    async def unpainted(self) -> Mapping[str, int]:
        self._reads()
        return dict(self.behind)

    async def lease(self, table: str, worker: str, seconds: float, version: int = 0) -> Leased | None:
        self._writes()
        now = asyncio.get_running_loop().time()
        holder, until = self.leases.get(table, (worker, now))
        if (holder != worker and now < until) or table not in self.tables:
            return None
        self.leases[table] = worker, now + seconds
        stored = self.tables[table]
        known = stored.version == version
        return Leased(None if known else stored, self.canvases.get(table, {}), self.spent.get(table, ()))

    async def release(self, table: str, worker: str) -> None:
        self._writes()
        if self.leases.get(table, ("", 0.0))[0] == worker:
            del self.leases[table]

    async def canvas(self, table: str) -> Canvas:
        self._reads()
        return self.canvases.get(table, {})

    async def paint(
        self,
        table: str,
        version: int,
        canvas: Canvas,
        done: bool,
        *,
        worker: str | None = None,
        spent: Sequence[float] = (),
    ) -> Painted:
        self._writes()
        holder, until = self.leases.get(table, (worker, 0.0))
        if worker is not None and holder != worker and asyncio.get_running_loop().time() < until:
            return Painted.LOST
        self.canvases[table] = dict(canvas)
        self.spent[table] = tuple(spent)
        if not done or self.tables[table].version > version:
            return Painted.BEHIND
        self.behind.pop(table, None)
        self.leases.pop(table, None)
        return Painted.DONE

    async def person(self, user: int) -> Person | None:
        self._reads()
        return self.people.get(user)

    async def save_person(self, person: Person) -> None:
        self._writes()
        self.people[person.user] = person

    async def forget(self, user: int) -> None:
        self._writes()
        self.people.pop(user, None)

    async def group(self, chat: int) -> Group | None:
        self._reads()
        return self.groups.get(chat)

    async def save_group(self, group: Group) -> None:
        self._writes()
        self.groups[group.chat] = group


def _next(table: Table) -> float:
    reminder = None if table.reminded else table.reminder
    return min((time for time in (reminder, table.deadline) if time is not None), default=float("inf"))


@dataclass
class Message:
    """A message as it stands in a chat."""

    chat: int
    number: int
    screen: Screen
    exists: bool = True

    @property
    def taps(self) -> list[Tap]:
        return [button.tap for row in self.screen.rows for button in row if button.tap is not None]

    def offers(self, verb: Verb) -> bool:
        return any(tap.verb is verb for tap in self.taps)


@dataclass(frozen=True)
class Call:
    """One call as it came in."""

    kind: str
    chat: int
    message: int | None
    at: float
    table: str | None = None


@dataclass
class FakeMessenger:
    """The `Messenger` of a Telegram in memory.

    `verdicts` are the answers to the next calls to a chat (then all is well); DONE among them takes effect as usual.
    With LOST, `takes_effect` says whether the call did. A chat in `gates` answers once its event is set.
    """

    messages: list[Message] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    verdicts: defaultdict[int, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    gates: dict[int, asyncio.Event] = field(default_factory=dict)
    takes_effect: bool = False

    async def send(self, place: Place, table: str, screen: Screen) -> Answer:
        answer = await self._answer("send", place.chat, None, table)
        if answer.verdict is Verdict.DONE or (answer.verdict is Verdict.LOST and self.takes_effect):
            self.messages.append(Message(place.chat, len(self.messages) + 1, screen))
            answer = replace(answer, message=len(self.messages)) if answer.verdict is Verdict.DONE else answer
        return answer

    async def edit(self, place: Place, message: int, table: str, screen: Screen) -> Answer:
        answer = await self._answer("edit", place.chat, message, table)
        if answer.verdict is Verdict.DONE:
            if not self._found(message).exists:
                return Answer(Verdict.GONE)
            self._found(message).screen = screen
        return answer

    async def strip(self, place: Place, message: int) -> Answer:
        answer = await self._answer("strip", place.chat, message)
        if answer.verdict is Verdict.DONE:
            found = self._found(message)
            found.screen = replace(found.screen, rows=())
        return answer

    async def delete(self, place: Place, message: int) -> Answer:
        answer = await self._answer("delete", place.chat, message)
        if answer.verdict is Verdict.DONE:
            self._found(message).exists = False
        return answer

    async def _answer(self, kind: str, chat: int, message: int | None, table: str | None = None) -> Answer:
        self.calls.append(Call(kind, chat, message, asyncio.get_running_loop().time(), table))
        if chat in self.gates:
            await self.gates[chat].wait()
        return self.verdicts[chat].pop(0) if self.verdicts[chat] else Answer(Verdict.DONE)

    def _found(self, number: int) -> Message:
        return self.messages[number - 1]

    def hears(self, chat: int) -> list[Message]:
        """The messages that stand in a chat, oldest first."""
        return [message for message in self.messages if message.chat == chat and message.exists]

    def kinds(self, chat: int) -> list[str]:
        """The calls to a chat, in order."""
        return [call.kind for call in self.calls if call.chat == chat]
