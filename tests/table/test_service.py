"""The service: what it decides is stored once and in order, the deal is fair, and not everybody may do everything."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.table.jumping import at_once
from tests.table.kit import FIVE, GROUP_CHAT, HERE, ID, Evening, dealt, lobby, options, person, user
from tests.table.room import Room, refused
from tgavalon.core.commitment import commit
from tgavalon.table import seating
from tgavalon.table.history import seal
from tgavalon.table.model import Closing, Place, Stage
from tgavalon.table.playing import play
from tgavalon.table.ports import Group, Shown, StoreUnavailable
from tgavalon.table.service import TRIES, Service
from tgavalon.table.timers import LOBBY_IDLE
from tgavalon.ui.refusals import Refusal
from tgavalon.ui.taps import Tap, Verb

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
    assert room.store.confirmed == [ID], "the save that did it may be one that was not acknowledged"


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
