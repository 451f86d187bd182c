"""A service with everything around it, in a world made of values."""

from __future__ import annotations

import random
from collections.abc import Awaitable

import pytest

from tests.table.fakes import FakeClock, FakeRoster, FakeStore
from tests.table.kit import ID
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.table.model import Table
from tgavalon.table.service import Service, why
from tgavalon.ui.refusals import Refusal, Refused


class Room:
    """A service with everything around it, and the tables it has woken the painter for."""

    def __init__(self, *tables: Table, seed: int = 1) -> None:
        self.store, self.clock, self.roster = FakeStore(), FakeClock(), FakeRoster()
        self.woken: list[Table] = []
        self.service = Service(self.store, self.clock, self.roster, self.woken.append, random.Random(seed))
        for table in tables:
            self.store.put(table)

    @property
    def table(self) -> Table:
        return self.store.tables[ID]


async def refused(reason: Refusal | Reason, attempt: Awaitable[object]) -> None:
    with pytest.raises((Refused, Illegal)) as caught:
        await attempt
    assert isinstance(caught.value, Refused | Illegal)
    assert why(caught.value) is reason
