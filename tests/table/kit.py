"""A table in the game's own words: people sit down, the cards are dealt, and taps are made by seat.

Pure, like the room it tests. Users are 100 and up, in the order of their seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

from tests.table.fakes import START
from tgavalon.core.game import Game
from tgavalon.core.roles import Role
from tgavalon.table import seating
from tgavalon.table.model import Options, Place, Sitter, Stage, Table
from tgavalon.table.playing import play
from tgavalon.table.ports import Person
from tgavalon.table.timers import timed
from tgavalon.ui.taps import Tap, Verb

ID = "Ab3Ab3Ab3A"
GROUP_CHAT = -1001234567890
HERE = Place(GROUP_CHAT)
SALT = "5a17" * 8
NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
FIVE = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.MORGANA, Role.ASSASSIN)
SEVEN = (*FIVE[:3], Role.SERVANT, Role.MORGANA, Role.MORDRED, Role.ASSASSIN)
TEN = (*FIVE[:3], *[Role.SERVANT] * 3, Role.MORDRED, Role.MORGANA, Role.OBERON, Role.ASSASSIN)
EXTRA = frozenset({Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON})


def user(seat: int) -> int:
    return 100 + seat


def person(seat: int, **more: Any) -> Person:
    known: dict[str, Any] = {"name": NAMES[seat % 10], "ready": True} | more
    return Person(user(seat), **known)


def sitters(players: int) -> tuple[Sitter, ...]:
    return tuple(Sitter(user(seat), NAMES[seat], "en", ready=True) for seat in range(players))


def lobby(players: int = 5, **more: Any) -> Table:
    """A lobby at version 1, opened by the player on the first seat."""
    table = Table(ID, 1, HERE, "Friends", "en", user(0), START, START, sitters(players))
    return timed(None, replace(table, **more), START)


def options(roles: tuple[Role, ...], **more: Any) -> Options:
    """Options under which exactly these roles are dealt."""
    wanted = Options(**more)
    return replace(wanted, choice=replace(wanted.choice, optional=EXTRA & set(roles), merlin=Role.MERLIN in roles))


def dealt(roles: tuple[Role, ...] = FIVE, *, leader: int = 0, **more: Any) -> Table:
    """A table whose cards have just been dealt in this order."""
    wanted: Options = more.pop("options", options(roles))
    table = lobby(len(roles), options=wanted, **more)
    return timed(table, seating.deal(table, roles, leader, SALT), START)


class Evening:
    """A table and what people do at it, one after another."""

    def __init__(self, table: Table, now: float = START) -> None:
        self.table = table
        self.now = now

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    @property
    def stage(self) -> Stage:
        return self.table.stage

    def becomes(self, table: Table) -> Self:
        """Somebody did something: a new version, timed as the service does it."""
        stored = replace(table, version=self.table.version + 1, touched=self.now)
        self.table = timed(self.table, stored, self.now)
        return self

    def taps(self, seat: int, verb: Verb, number: int = 0, value: int = 0) -> Self:
        name = NAMES[seat] if seat < 10 else f"Fan{seat}"
        return self.becomes(play(self.table, user(seat), name, Tap(verb, number, value), self.now))

    def later(self, seconds: float) -> Self:
        self.now += seconds
        return self

    def proposes(self, *team: int) -> Self:
        number = len(self.game.proposals) + 1
        return self.taps(self.game.leader, Verb.PROPOSE, number, sum(1 << seat for seat in team))

    def votes(self, approving: Iterable[int]) -> Self:
        number, yes = len(self.game.proposals) + 1, set(approving)
        for seat in range(self.game.seats):
            self.taps(seat, Verb.APPROVE if seat in yes else Verb.REJECT, number)
        return self

    def all_approve(self) -> Self:
        return self.votes(range(self.game.seats))

    def all_reject(self) -> Self:
        return self.votes(())

    def plays(self, quest: int, *team: int, fails: Iterable[int] = ()) -> Self:
        failing = set(fails)
        for seat in team:
            self.taps(seat, Verb.FAIL_SURELY if seat in failing else Verb.SUCCESS, quest)
        return self

    def quest(self, *team: int, fails: Iterable[int] = ()) -> Self:
        """A team goes unopposed and plays its cards."""
        number = len(self.game.quests) + 1
        return self.proposes(*team).all_approve().plays(number, *team, fails=fails)

    def three_successes(self) -> Self:
        """For five players whose first three are good."""
        return self.quest(0, 1).quest(0, 1, 2).quest(0, 1)
