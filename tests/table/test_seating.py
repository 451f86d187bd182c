"""Sitting down and getting up, the host, the start, seats on offer, and votes to end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.table.fakes import START
from tests.table.kit import FIVE, HERE, ID, NAMES, SALT, Evening, dealt, lobby, options, person, user
from tgavalon.core.deal import RoleChoice
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.core.roles import Role
from tgavalon.table import seating
from tgavalon.table.model import Closing, Options, Stage, Table
from tgavalon.table.service import why
from tgavalon.ui.refusals import Refusal, Refused
from tgavalon.ui.taps import Verb


@contextmanager
def refused(reason: Refusal | Reason) -> Iterator[None]:
    with pytest.raises((Refused, Illegal)) as caught:
        yield
    assert isinstance(caught.value, Refused | Illegal)
    assert why(caught.value) is reason


def over() -> Table:
    return Evening(dealt()).three_successes().taps(4, Verb.SHOOT, 0, 0).table


# Sitting down.


def test_whoever_opens_a_table_sits_on_its_first_seat_and_is_its_host() -> None:
    table = seating.open_table(ID, HERE, "Friends", "en", person(3, language=None, hint="en-GB"), START)
    assert table.seat_of(user(3)) == 0
    assert table.host == user(3)
    assert table.sitters[0].language == "en"
    assert (table.version, table.created, table.touched) == (1, START, START)


def test_people_sit_in_the_order_they_come() -> None:
    table = lobby(1)
    for seat in (4, 2, 7):
        table = seating.join(table, person(seat))
    assert [sitter.name for sitter in table.sitters] == ["Ana", "Eli", "Cho", "Hal"]
    assert table.host == user(0)


def test_joining_twice_changes_nothing_but_what_is_known_of_them() -> None:
    table = seating.join(lobby(2), person(2, ready=False))
    assert seating.join(table, person(2, ready=False)) == table
    ready = seating.join(table, person(2, ready=True, name="Cho Lee"))
    assert ready.sitters[2] == replace(table.sitters[2], ready=True, name="Cho Lee")


def test_whoever_sits_down_sees_the_seats_again() -> None:
    assert not seating.join(replace(lobby(2), settings_open=True), person(5)).settings_open


def test_ten_can_sit() -> None:
    table = lobby(9)
    full = seating.join(table, person(9))
    assert len(full.sitters) == 10
    with refused(Refusal.TABLE_FULL):
        seating.join(full, replace(person(9), user=999))
    assert seating.join(full, person(9)) == full


def test_nobody_joins_a_game_that_has_begun() -> None:
    with refused(Refusal.ALREADY_STARTED):
        seating.join(dealt(), person(7))
    with refused(Refusal.TABLE_GONE):
        seating.join(seating.close(lobby(), Closing.HOST), person(7))


# Getting up in the lobby.


def test_in_the_lobby_the_seats_close_ranks() -> None:
    table = seating.leave(lobby(5), user(1))
    assert [sitter.name for sitter in table.sitters] == ["Ana", "Cho", "Dee", "Eli"]
    assert table.host == user(0)
    assert table.past_users == frozenset()


@pytest.mark.parametrize(("leaver", "host"), [(0, 1), (4, 0), (2, 3)])
def test_the_hosts_task_goes_to_the_next_seat(leaver: int, host: int) -> None:
    table = replace(lobby(5), host=user(leaver))
    assert seating.leave(table, user(leaver)).host == user(host)


def test_the_last_one_to_leave_closes_the_table() -> None:
    table = seating.leave(lobby(1), user(0))
    assert table.closing is Closing.LEFT


def test_only_who_sits_can_get_up() -> None:
    with refused(Refusal.NOT_SEATED):
        seating.leave(lobby(2), user(7))
    with refused(Refusal.TABLE_GONE):
        seating.leave(over(), user(0))


def test_a_seat_can_be_freed_before_the_game_only() -> None:
    table = seating.kick(lobby(5), 2)
    assert table.seat_of(user(2)) is None
    assert len(table.sitters) == 4
    for seat in (-1, 5):
        with refused(Reason.NO_SUCH_SEAT):
            seating.kick(lobby(5), seat)
    with refused(Refusal.ALREADY_STARTED):
        seating.kick(dealt(), 2)


# Getting up in a game, and taking a seat.


def test_in_a_game_the_seat_stays_and_is_on_offer() -> None:
    table = seating.leave(dealt(), user(2))
    assert table.sitters[2].away
    assert table.seat_of(user(2)) is None
    assert table.stage is Stage.TEAM
    assert table.past_users == {user(2)}
    assert table.game == dealt().game


def test_a_host_who_leaves_a_game_hands_on_the_task() -> None:
    table = seating.leave(seating.leave(dealt(), user(1)), user(0))
    assert table.host == user(2)


def test_when_everybody_has_left_the_game_ends() -> None:
    table = dealt()
    for seat in range(4):
        table = seating.leave(table, user(seat))
    assert table.is_open
    assert seating.leave(table, user(4)).closing is Closing.LEFT


def test_somebody_new_takes_the_seat_with_all_that_belongs_to_it() -> None:
    table = seating.take_seat(seating.leave(dealt(), user(2)), person(7), 2)
    assert table.seat_of(user(7)) == 2
    assert not table.sitters[2].away
    assert table.sitters[2].name == NAMES[7]
    assert table.game == dealt().game


def test_whoever_left_may_come_back_to_their_own_seat_and_to_no_other() -> None:
    table = seating.leave(seating.leave(dealt(), user(2)), user(3))
    with refused(Refusal.SEEN_A_CARD):
        seating.take_seat(table, person(3), 2)
    back = seating.take_seat(table, person(3), 3)
    assert back.seat_of(user(3)) == 3
    taken = seating.take_seat(table, person(8), 2)
    with refused(Refusal.SEEN_A_CARD):
        seating.take_seat(taken, person(2), 2)


def test_a_seat_is_taken_by_one_who_has_none_and_only_once() -> None:
    table = seating.leave(dealt(), user(2))
    with refused(Refusal.ALREADY_SEATED):
        seating.take_seat(table, person(1), 2)
    with refused(Refusal.SEAT_TAKEN):
        seating.take_seat(table, person(7), 1)
    for seat in (-1, 5):
        with refused(Reason.NO_SUCH_SEAT):
            seating.take_seat(table, person(7), seat)
    for closed in (lobby(), over()):
        with refused(Refusal.TABLE_GONE):
            seating.take_seat(closed, person(7), 2)


# The start.


def test_five_who_can_be_reached_can_start() -> None:
    assert sorted(seating.check_start(lobby(5, options=options(FIVE)))) == sorted(FIVE)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (lobby(4), Reason.TOO_FEW_PLAYERS),
        (seating.reachable(lobby(5), user(3), False), Refusal.NOT_READY),
        (lobby(5, options=Options(choice=RoleChoice(frozenset({Role.MORGANA})))), Reason.MORGANA_NEEDS_PERCIVAL),
        (dealt(), Refusal.ALREADY_STARTED),
        (seating.close(lobby(5), Closing.HOST), Refusal.TABLE_GONE),
    ],
)
def test_whoever_cannot_start_is_told_why(table: Table, reason: Refusal | Reason) -> None:
    with refused(reason):
        seating.check_start(table)


def test_the_cards_must_be_a_permutation_of_the_role_set() -> None:
    table = lobby(5, options=options(FIVE))
    for roles in ((*FIVE[:4], Role.MINION), FIVE[:4], (*FIVE, Role.SERVANT)):
        with refused(Reason.ROLES_DO_NOT_FIT):
            seating.deal(table, roles, 0, SALT)
    game = seating.deal(table, FIVE[::-1], 3, SALT).game
    assert game is not None
    assert game.roles == FIVE[::-1]
    assert game.leader == 3


# The end before the end.


def test_more_than_half_of_those_at_the_table_end_the_game() -> None:
    table = dealt()
    for seat in (0, 1):
        table = seating.vote_to_end(table, user(seat))
        assert table.is_open
    assert seating.vote_to_end(table, user(1)) == table
    assert seating.vote_to_end(table, user(2)).closing is Closing.VOTE


def test_those_who_left_neither_vote_nor_count() -> None:
    table = seating.leave(dealt(), user(4))
    assert seating.votes_to_end(table) == 3
    with refused(Refusal.NOT_SEATED):
        seating.vote_to_end(table, user(4))
    voted = seating.vote_to_end(table, user(3))
    assert seating.leave(voted, user(3)).end_votes == frozenset()


def test_the_votes_may_suffice_once_somebody_has_left() -> None:
    """Two of five are too few, two of three are not: nobody should have to vote a second time."""
    table = seating.vote_to_end(seating.vote_to_end(dealt(), user(0)), user(1))
    table = seating.leave(table, user(4))
    assert table.is_open
    assert seating.leave(table, user(3)).closing is Closing.VOTE


def test_there_is_nothing_to_vote_on_before_or_after_a_game() -> None:
    with refused(Refusal.NOT_STARTED):
        seating.vote_to_end(lobby(), user(0))
    with refused(Refusal.TABLE_GONE):
        seating.vote_to_end(over(), user(0))


def test_a_table_closes_once() -> None:
    closed = seating.close(replace(lobby(), settings_open=True), Closing.HOST)
    assert closed.stage is Stage.CLOSED
    assert not closed.settings_open
    for table in (closed, over()):
        with refused(Refusal.TABLE_GONE):
            seating.close(table, Closing.IDLE)


# Playing again.


def test_playing_again_keeps_seats_and_options() -> None:
    old = over()
    table = seating.again("B" * 10, old, person(3), START + 9)
    assert (table.sitters, table.options, table.place) == (old.sitters, old.options, old.place)
    assert table.host == user(3)
    assert table.stage is Stage.LOBBY
    assert (table.version, table.game, table.salt, table.bets) == (1, None, "", ())
    assert seating.check_start(table)


def test_whoever_left_is_not_seated_again() -> None:
    gone = Evening(seating.leave(dealt(), user(4))).table
    table = seating.again("B" * 10, seating.close(gone, Closing.HOST), person(0), START)
    assert [sitter.user for sitter in table.sitters] == [user(seat) for seat in range(4)]


def test_only_those_who_played_open_it_again_and_only_once_it_is_over() -> None:
    with refused(Refusal.NOT_OVER):
        seating.again("B" * 10, dealt(), person(0), START)
    with refused(Refusal.NOT_SEATED):
        seating.again("B" * 10, over(), person(7), START)


# What is known of people.


def test_reachability_and_names_are_noted_on_the_seat_of_the_person_alone() -> None:
    table = seating.reachable(lobby(5), user(2), False)
    assert [sitter.ready for sitter in table.sitters] == [True, True, False, True, True]
    table = seating.renamed(table, user(2), "Чо", "ru")
    assert (table.sitters[2].name, table.sitters[2].language) == ("Чо", "ru")
    assert seating.reachable(table, 999, False) == table
    assert seating.renamed(table, 999, "x", "fa") == table
