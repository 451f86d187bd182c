"""A painter at work with a service, in a world made of values: what tests of the painter begin with."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from tests.table.fakes import FakeClock, FakeMessenger, FakeRoster, FakeStore, Message
from tests.table.kit import ID, user
from tgavalon.table import seating
from tgavalon.table.feed import GROUP
from tgavalon.table.model import Closing, Table
from tgavalon.table.painter import Painter
from tgavalon.table.playing import play
from tgavalon.table.service import Service
from tgavalon.ui.taps import Tap, Verb


class Studio:
    """One worker: a service and a painter over a store and a messenger, which others may share with it."""

    def __init__(
        self,
        *tables: Table,
        store: FakeStore | None = None,
        messenger: FakeMessenger | None = None,
        worker: str = "one",
    ) -> None:
        self.store = store or FakeStore()
        self.messenger = messenger or FakeMessenger()
        self.clock = FakeClock()
        self.service = Service(self.store, self.clock, FakeRoster(), lambda table: self.painter.wake(table.id, table))
        self.painter = Painter(
            self.store, self.messenger, self.clock, self.service.unreachable, self.service.moved, worker=worker
        )
        for table in tables:
            self.store.put(table)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.painter.close()

    @property
    def table(self) -> Table:
        return self.store.tables[ID]

    @property
    def group(self) -> list[Message]:
        """What stands in the group, oldest first."""
        return self.messenger.hears(self.table.place.chat)

    def private(self, seat: int) -> list[Message]:
        """What stands in a player's private chat."""
        return self.messenger.hears(user(seat))

    async def paint(self) -> None:
        """Look at the table and paint until nothing is left to do."""
        self.painter.wake(ID)
        await self.painter.idle()

    async def taps(self, seat: int, verb: Verb, number: int = 0, value: int = 0) -> None:
        """Somebody taps; the painter goes to work beside it."""
        tap, now = Tap(verb, number, value), self.clock.now()
        await self.service.change(ID, lambda table: play(table, user(seat), "Fan", tap, now))

    async def all_vote(self, number: int, verb: Verb = Verb.APPROVE) -> None:
        assert self.table.game is not None
        for seat in range(self.table.game.seats):
            await self.taps(seat, verb, number)

    async def closes(self) -> None:
        """The host closes the table."""
        await self.service.change(ID, lambda table: seating.close(table, Closing.HOST))

    @property
    def is_painted(self) -> bool:
        """Whether everything that should be shown of the table is shown, by the store's own mark."""
        return ID not in self.store.behind

    def canvas(self, slot: str = GROUP) -> set[str]:
        """The epochs that are recorded as shown in a chat."""
        return {key.partition("/")[2] for key in self.store.canvases.get(ID, {}) if key.startswith(f"{slot}/")}
