"""What two updates note of one person at the same moment is both kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.table.fakes import FakeStore
from tests.table.jumping import at_once
from tests.table.kit import ID, lobby, person
from tests.table.room import Room
from tgavalon.table.acquaintances import Acquaintances
from tgavalon.table.ports import Person


class SlowStore(FakeStore):
    """Every look at a person takes a moment, in which others get on."""

    async def person(self, user: int) -> Person | None:
        found = await super().person(user)
        await asyncio.sleep(0)
        return found


@at_once
async def test_neither_of_two_changes_at_once_undoes_the_other() -> None:
    people = Acquaintances(store := SlowStore())
    await asyncio.gather(
        people.change(7, lambda known: replace(known, ready=True)),
        people.change(7, lambda known: replace(known, name="Ana", hint="en")),
    )
    assert store.people[7] == Person(7, "Ana", hint="en", ready=True)


@at_once
async def test_what_changes_nothing_is_not_saved_but_a_stranger_is_remembered() -> None:
    people = Acquaintances(store := FakeStore())
    assert await people.change(7, lambda known: known) == Person(7)
    assert store.people == {7: Person(7)}


@at_once
async def test_a_press_of_start_while_its_author_is_being_seated_counts() -> None:
    """The tap was made before, so it knows nothing of it; the press found no table yet to note it at."""
    room = Room(lobby(3))
    tapping = person(5, ready=False)
    await room.service.reachable(tapping, ready=True)
    changed = await room.service.join(ID, tapping)
    assert changed.after == room.table
    assert room.table.sitters[3].ready
