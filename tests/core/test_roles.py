"""Who knows whom after the reveal, row by row of the table of roles."""

from __future__ import annotations

from tests.core.story import FIVE, TEN, Story
from tgavalon.core.roles import Knowledge, Role, in_order, knowledge


def evil_known_to(table: Story, name: str) -> set[str]:
    return {table.name(seat) for seat in knowledge(table.game.roles, table.seat(name)).evil}


def merlins_known_to(table: Story, name: str) -> set[str]:
    return {table.name(seat) for seat in knowledge(table.game.roles, table.seat(name)).merlins}


def test_merlin_knows_every_evil_player_but_mordred() -> None:
    table = Story(TEN)
    assert evil_known_to(table, "Ana") == {"Hal", "Ida", "Jon"}
    assert merlins_known_to(table, "Ana") == set()


def test_merlin_knows_plain_minions() -> None:
    assert evil_known_to(Story("Ana:merlin Ben:servant Cho:servant Dee:minion Eli:assassin"), "Ana") == {"Dee", "Eli"}


def test_percival_cannot_tell_merlin_from_morgana() -> None:
    table = Story(TEN)
    assert merlins_known_to(table, "Ben") == {"Ana", "Hal"}
    assert evil_known_to(table, "Ben") == set()


def test_percival_knows_merlin_where_morgana_does_not_play() -> None:
    table = Story("Ana:merlin Ben:percival Cho:servant Dee:mordred Eli:assassin")
    assert merlins_known_to(table, "Ben") == {"Ana"}


def test_percival_knows_nothing_without_merlin() -> None:
    table = Story("Ana:servant Ben:percival Cho:servant Dee:morgana Eli:minion")
    assert knowledge(table.game.roles, table.seat("Ben")) == Knowledge()


def test_servants_know_nothing() -> None:
    assert knowledge(Story(FIVE).game.roles, 2) == Knowledge()


def test_evil_players_know_each_other_but_for_oberon() -> None:
    table = Story(TEN)
    assert evil_known_to(table, "Gus") == {"Hal", "Jon"}
    assert evil_known_to(table, "Hal") == {"Gus", "Jon"}
    assert evil_known_to(table, "Jon") == {"Gus", "Hal"}


def test_oberon_knows_nobody() -> None:
    table = Story(TEN)
    assert knowledge(table.game.roles, table.seat("Ida")) == Knowledge()


def test_minions_know_each_other_without_merlin_too() -> None:
    table = Story("Ana:servant Ben:servant Cho:servant Dee:servant Eli:minion Fay:minion Gus:minion")
    assert evil_known_to(table, "Eli") == {"Fay", "Gus"}


def test_the_public_list_of_roles_says_nothing_about_seats() -> None:
    there = in_order([Role.ASSASSIN, Role.SERVANT, Role.MERLIN, Role.MINION, Role.SERVANT])
    back = in_order([Role.MINION, Role.SERVANT, Role.SERVANT, Role.MERLIN, Role.ASSASSIN])
    assert there == back == (Role.MERLIN, Role.SERVANT, Role.SERVANT, Role.ASSASSIN, Role.MINION)
