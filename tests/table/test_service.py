"""The service: what it decides is stored once and in order, the deal is fair, and not everybody may do everything."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.table.fakes import FakeClock, FakeRoster, FakeStore
from tests.table.jumping import at_once
from tests.table.kit import FIVE, GROUP_CHAT, HERE, ID, Evening, dealt, lobby, options, person, user
from tgavalon.core.commitment import commit
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.table import seating
from tgavalon.table.history import seal
from tgavalon.table.model import Closing, Pace, Place, Stage, Table
from tgavalon.table.playing import play
from tgavalon.table.ports import Group, Person, Shown, StoreUnavailable
from tgavalon.table.service import AWAY, TRIES, Service, why
from tgavalon.table.timers import LOBBY_IDLE
from tgavalon.ui.refusals import Refusal, Refused
from tgavalon.ui.taps import Tap, Verb


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


async def refused(reason: Refusal | Reason, attempt: object) -> None:
    with pytest.raises((Refused, Illegal)) as caught:
        await attempt  # type: ignore[misc]  # a coroutine of any kind
    assert isinstance(caught.value, Refused | Illegal)
    assert why(caught.value) is reason


# One change.


@at_once
async def test_a_change_is_stored_as_the_next_version_and_painted() -> None:
    room = Room(lobby(3))
    room.clock.ahead = 60
    changed = await room.service.change(ID, lambda table: seating.join(table, person(5)))
    assert changed.before == lobby(3)
    assert changed.after == room.table
    assert room.table.version == 2
    assert room.table.touched == room.clock.now()
    assert room.table.deadline == room.clock.now() + LOBBY_IDLE
    assert [table.version for table in room.woken] == [2]


@at_once
async def test_what_changes_nothing_is_not_stored() -> None:
    room = Room(lobby(3))
    changed = await room.service.change(ID, lambda table: seating.join(table, person(0)))
    assert changed.before == changed.after
    assert room.store.saves == 0
    assert room.woken == []


@at_once
async def test_a_refusal_changes_nothing() -> None:
    room = Room(lobby(3))
    await refused(Refusal.NOT_SEATED, room.service.leave(ID, user(7)))
    assert room.table == lobby(3)
    assert room.woken == []


@at_once
async def test_what_is_not_there_is_gone() -> None:
    room = Room()
    await refused(Refusal.TABLE_GONE, room.service.leave(ID, user(0)))
    await refused(Refusal.NO_TABLE, room.service.table_at(HERE))


@at_once
async def test_whoever_loses_a_race_decides_again_on_what_the_winner_has_made() -> None:
    """Three others sit down first; then it is our turn, and nobody is lost."""
    room = Room(lobby(2))
    room.store.rivals = [lambda table, seat=seat: seating.join(table, person(seat)) for seat in (5, 6, 7)]  # type: ignore[misc]
    await room.service.join(ID, person(8))
    assert [sitter.user for sitter in room.table.sitters] == [user(seat) for seat in (0, 1, 5, 6, 7, 8)]
    assert room.table.version == 5
    assert room.store.saves == 4
    assert len(room.woken) == 1


@at_once
async def test_a_race_may_end_in_a_refusal() -> None:
    """The last seat goes to somebody else while we reach for it."""
    room = Room(lobby(9))
    room.store.rivals = [lambda table: seating.join(table, person(9))]
    await refused(Refusal.TABLE_FULL, room.service.join(ID, replace(person(8), user=999)))
    assert len(room.table.sitters) == 10


@at_once
async def test_the_last_ballot_counts_though_the_last_but_one_came_in_between() -> None:
    evening = Evening(dealt()).proposes(0, 1)
    for seat in (0, 1, 2):
        evening.taps(seat, Verb.APPROVE, 1)
    room = Room(evening.table)
    approve = Tap(Verb.APPROVE, 1)
    room.store.rivals = [lambda table: play(table, user(3), "Dee", approve, 0.0)]
    await room.service.change(ID, lambda table: play(table, user(4), "Eli", approve, 0.0))
    assert room.table.stage is Stage.QUEST


@at_once
async def test_whoever_never_gets_through_is_told_to_tap_again() -> None:
    room = Room(lobby(5))
    room.store.rivals = [lambda table: replace(table, reposts=table.reposts + 1)] * TRIES
    await refused(Refusal.BUSY, room.service.join(ID, person(8)))
    assert room.table.seat_of(user(8)) is None


@at_once
async def test_without_a_store_nothing_happens_and_somebody_hears_of_it() -> None:
    room = Room(lobby(5))
    room.store.is_away = True
    with pytest.raises(StoreUnavailable):
        await room.service.join(ID, person(8))
    assert room.woken == []


# Opening.


@at_once
async def test_a_place_has_one_open_table() -> None:
    room = Room()
    table = await room.service.open_table(HERE, "Friends", person(0))
    assert table == room.store.tables[table.id]
    assert len(table.id) == 10
    assert table.id.isalnum()
    assert table.deadline == room.clock.now() + LOBBY_IDLE
    await refused(Refusal.TABLE_EXISTS, room.service.open_table(HERE, "Friends", person(1)))
    other = await room.service.open_table(Place(GROUP_CHAT, 7), "Friends", person(1))
    assert other.id != table.id
    assert room.woken == [table, other]


@at_once
async def test_a_table_speaks_the_groups_language_else_its_hosts() -> None:
    room = Room()
    room.store.groups[GROUP_CHAT] = Group(GROUP_CHAT, language="xx")
    table = await room.service.open_table(HERE, "Friends", person(0, language="en"))
    assert table.language == "en", "a language that is not there any more is not spoken"


@at_once
async def test_who_cannot_sit_opens_an_empty_table_for_whoever_sits_down_first() -> None:
    room = Room()
    table = await room.service.open_table(HERE, "Friends", person(0), seated=False)
    assert table.sitters == ()
    changed = await room.service.join(table.id, person(3))
    assert changed.after.host == user(3)
    assert changed.after.seat_of(user(3)) == 0


@at_once
async def test_playing_again_opens_a_table_with_the_same_seats() -> None:
    old = Evening(dealt()).three_successes().taps(4, Verb.SHOOT, 0, 0).table
    room = Room(old)
    table = await room.service.play_again(ID, person(2))
    assert table.sitters == old.sitters
    assert table.host == user(2)
    await refused(Refusal.TABLE_EXISTS, room.service.play_again(ID, person(1)))


# Members, hosts, admins.


@at_once
async def test_only_members_of_the_group_sit_down() -> None:
    room = Room(lobby(4))
    room.roster.strangers = {user(8), user(1)}
    await refused(Refusal.NOT_MEMBER, room.service.join(ID, person(8)))
    await room.service.join(ID, person(1))  # who sits already need not be asked about
    room = Room(seating.leave(dealt(), user(2)))
    room.roster.strangers = {user(8)}
    await refused(Refusal.NOT_MEMBER, room.service.take_seat(ID, person(8), 2))
    await room.service.take_seat(ID, person(9), 2)
    assert room.table.seat_of(user(9)) == 2
    assert set(room.roster.asked) == {GROUP_CHAT}


@at_once
async def test_only_the_host_and_admins_start_and_set() -> None:
    room = Room(lobby(5))
    await refused(Refusal.NOT_HOST, room.service.start(ID, user(1)))
    await refused(Refusal.NOT_HOST, room.service.as_host(ID, user(1), lambda table: seating.set_option(table, 0, 1)))
    room.roster.admins = {user(1), 999}
    await refused(Refusal.NOT_SEATED, room.service.start(ID, 999))
    await room.service.as_host(ID, 999, lambda table: seating.set_option(table, 0, 1))
    await room.service.start(ID, user(1))
    assert room.table.stage is Stage.TEAM


@at_once
async def test_the_host_ends_a_game_at_once_and_others_by_their_votes() -> None:
    room = Room(dealt())
    for seat in (1, 2):
        await room.service.end(ID, user(seat))
    assert room.table.end_votes == {user(1), user(2)}
    await refused(Refusal.NOT_SEATED, room.service.end(ID, user(8)))
    await room.service.end(ID, user(0))
    assert room.table.closing is Closing.HOST
    room = Room(dealt())
    for seat in (1, 2, 3):
        await room.service.end(ID, user(seat))
    assert room.table.closing is Closing.VOTE


# The deal.


@pytest.mark.parametrize("seed", range(20))
def test_the_deal_is_a_permutation_of_the_roles_with_a_seal(seed: int) -> None:
    @at_once
    async def deal() -> None:
        room = Room(lobby(5, options=options(FIVE)), seed=seed)
        await room.service.start(ID, user(0))
        game = room.table.game
        assert game is not None
        assert Counter(game.roles) == Counter(FIVE)
        assert len(bytes.fromhex(room.table.salt)) == 16
        assert seal(room.table) == commit(room.table.salt, game.roles, game.first_leader, game.dagger)

    deal()


@at_once
async def test_every_deal_and_every_first_leader_comes_up() -> None:
    dealt_so, leaders = set(), set()
    for seed in range(400):
        room = Room(lobby(5, options=options(FIVE)), seed=seed)
        await room.service.start(ID, user(0))
        game = room.table.game
        assert game is not None
        dealt_so |= set(enumerate(game.roles))
        leaders.add(game.leader)
    assert dealt_so == {(seat, role) for seat in range(5) for role in FIVE}
    assert leaders == set(range(5))


@at_once
async def test_a_deal_that_lost_a_race_is_dealt_anew() -> None:
    """Somebody sat down at the last moment: the cards are for six."""
    room = Room(lobby(5))
    room.store.rivals = [lambda table: seating.join(table, person(7))]
    await room.service.start(ID, user(0))
    assert room.table.game is not None
    assert room.table.game.seats == 6


@at_once
async def test_dice_of_the_operating_system_are_used_unless_told_otherwise() -> None:
    room = Room(lobby(5))
    service = Service(room.store, room.clock, room.roster, room.woken.append)
    assert isinstance(service._dice, random.SystemRandom)


@pytest.mark.parametrize("epoch", ["lobby", "lobby+2"])
def test_the_card_links_to_the_lobbys_message_however_often_it_was_brought_down(epoch: str) -> None:
    @at_once
    async def start() -> None:
        room = Room(lobby(5))
        room.store.canvases[ID] = {f"group/{epoch}": Shown(HERE, 17, "", buttons=True)}
        await room.service.start(ID, user(0))
        assert room.table.anchor == 17

    start()


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
