"""What is known of each person, changed by one update at a time.

Somebody's first press of Start and their first tap can come at the same moment: neither may undo what the other has
noted. That holds within this worker; what stands in the store is read anew for every change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakValueDictionary

from tgavalon.table.ports import Person, Store


class Acquaintances:
    """Everybody the bot has met. Methods raise `StoreUnavailable`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def change(self, user: int, decide: Callable[[Person], Person]) -> Person:
        """Apply `decide` to what is stored of somebody, or to a stranger, and store what comes of it."""
        turn = self._turns.setdefault(user, asyncio.Lock())
        async with turn:
            known = await self._store.person(user)
            person = decide(known or Person(user))
            if person != known:
                await self._store.save_person(person)
            return person
