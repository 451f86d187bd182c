"""The service as time goes by and as the world speaks: sweeps, absences, languages, groups that move."""

from __future__ import annotations

from dataclasses import replace

from tests.table.jumping import at_once
from tests.table.kit import FIVE, GROUP_CHAT, HERE, ID, dealt, lobby, options, person, user
from tests.table.room import Room, refused
from tgavalon.table.model import Closing, Pace, Place, Stage, Table
from tgavalon.table.ports import Group, Person
from tgavalon.table.service import AWAY
from tgavalon.table.timers import LOBBY_IDLE
from tgavalon.ui.refusals import Refusal

# Time.


@at_once
async def test_a_sweep_does_what_is_due_and_nothing_else() -> None:
    paced = options(FIVE, pace=Pace.NORMAL)
    table = dealt(options=paced)
    room = Room(table, replace(lobby(2), id="B" * 10, place=Place(-5)))
    await room.service.sweep()
    assert room.store.saves == 0
    for seconds, version, reminded in ((75, 2, True), (10, 2, True), (70, 3, False)):
        await pass_time(room, seconds)
        assert (room.table.version, room.table.reminded) == (version, reminded)
    assert room.table.stage is Stage.VOTE
    assert room.table.touched == table.touched, "nobody did this"
    assert room.table.deadline == (table.deadline or 0) + 90, "from when it was done"


async def pass_time(room: Room, seconds: int) -> None:
    """Sweep every second, as a worker does."""
    for _ in range(seconds):
        room.clock.ahead += 1
        await room.service.sweep()


@at_once
async def test_a_table_that_is_gone_or_too_busy_holds_up_no_other() -> None:
    """One that a full server has evicted is still found in the index of due times."""
    first, second = lobby(1), replace(lobby(2), id="B" * 10, place=Place(-5))
    room = Room(first, second)
    room.clock.ahead = LOBBY_IDLE + 1
    due = await room.store.due(room.clock.now())
    assert due == (first.id, second.id)
    original = room.store.load

    async def load(table: str) -> Table | None:
        return None if table == first.id else await original(table)

    room.store.load = load  # type: ignore[method-assign]
    await room.service.sweep()
    assert room.store.tables[second.id].closing is Closing.IDLE


@at_once
async def test_time_in_which_no_worker_was_there_counts_against_nobody() -> None:
    room = Room(dealt(options=options(FIVE, pace=Pace.FAST)))
    deadline = room.table.deadline or 0
    await room.service.sweep()
    room.clock.ahead += AWAY + 300
    await room.service.sweep()
    assert room.table.stage is Stage.TEAM
    assert room.table.deadline == deadline + AWAY + 300
    await pass_time(room, 40)
    assert room.table.reminded


@at_once
async def test_the_first_worker_ever_has_been_away_for_nothing() -> None:
    room = Room(lobby(1))
    room.clock.ahead = LOBBY_IDLE + 1
    await room.service.sweep()
    assert room.table.closing is Closing.IDLE


# What the world says.


@at_once
async def test_reachability_is_noted_of_the_person_and_at_all_their_tables() -> None:
    room = Room(dealt(), replace(lobby(5), id="B" * 10, place=Place(-5)))
    await room.service.unreachable(user(1))
    assert room.store.people[user(1)] == Person(user(1), ready=False)
    assert not any(table.sitters[1].ready for table in room.store.tables.values())
    known = await room.service.reachable(room.store.people[user(1)], ready=True)
    assert known.ready
    assert room.store.people[user(1)].ready
    assert all(table.sitters[1].ready for table in room.store.tables.values())


@at_once
async def test_it_is_nothing_that_a_person_did() -> None:
    room = Room(dealt())
    room.clock.ahead = 500
    await room.service.unreachable(user(1))
    assert room.table.touched == dealt().touched
    assert room.table.deadline == dealt().deadline


@at_once
async def test_a_chosen_language_lasts_and_repaints_what_is_open() -> None:
    room = Room(dealt())
    await room.service.choose_language(person(3), "ru")
    assert room.store.people[user(3)].language == "ru"
    assert [sitter.language for sitter in room.table.sitters] == ["en", "en", "en", "ru", "en"]
    await room.service.choose_group_language(GROUP_CHAT, "fa")
    assert room.store.groups[GROUP_CHAT] == Group(GROUP_CHAT, "fa")
    assert room.table.language == "fa"
    assert len(room.woken) == 2


@at_once
async def test_a_group_that_becomes_a_supergroup_keeps_its_tables_and_its_language() -> None:
    topic = replace(lobby(2), id="B" * 10, place=Place(-5, 7))
    room = Room(replace(dealt(), place=Place(-5), anchor=17), topic, replace(lobby(2), id="C" * 10))
    room.store.groups[-5] = Group(-5, "fa")
    await room.service.moved(-5, GROUP_CHAT - 1)
    assert room.table.place == Place(GROUP_CHAT - 1)
    assert room.table.anchor is None, "messages of the old chat have no address in the new"
    assert room.store.tables[topic.id].place == Place(GROUP_CHAT - 1, 7)
    assert room.store.tables["C" * 10].place == HERE
    assert room.store.groups[GROUP_CHAT - 1] == Group(GROUP_CHAT - 1, "fa")
    assert room.store.groups[-5].migrated_to == GROUP_CHAT - 1
    before = dict(room.store.tables)
    await room.service.moved(-5, GROUP_CHAT - 1)
    assert room.store.tables == before, "Telegram says it in both chats"


@at_once
async def test_what_the_supergroup_has_chosen_already_stays() -> None:
    room = Room(replace(dealt(), place=Place(-5)))
    room.store.groups |= {-5: Group(-5, "fa"), GROUP_CHAT: Group(GROUP_CHAT, "ru")}
    await room.service.moved(-5, GROUP_CHAT)
    assert room.store.groups[GROUP_CHAT] == Group(GROUP_CHAT, "ru")


@at_once
async def test_a_screen_is_brought_down() -> None:
    room = Room(dealt())
    await room.service.repost(ID)
    await room.service.repost(ID)
    assert room.table.reposts == 2


@at_once
async def test_leaving_and_taking_a_seat() -> None:
    room = Room(dealt())
    await room.service.leave(ID, user(2))
    await refused(Refusal.SEAT_TAKEN, room.service.take_seat(ID, person(8), 3))
    await room.service.take_seat(ID, person(8), 2)
    assert room.table.seat_of(user(8)) == 2
