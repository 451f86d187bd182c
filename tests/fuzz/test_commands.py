"""Commands with anything after them, and deep links with any payload: answered in words, never an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.stage import Workbench
from tests.table.kit import ID
from tests.telegram_users import Group, Nonsense, Person
from tgavalon.playground import wire
from tgavalon.table.model import Stage, Table

COMMANDS = [
    *("newgame", "join", "leave", "table", "role", "settings", "kick", "endgame"),
    *("rules", "language", "record", "help", "start", "forgetme", "stats"),
]
ARGUMENTS = (
    st.text(max_size=80)
    | st.sampled_from(("1", "0", "-1", "٣", "²", "99999999999999999999", "1 2", "@avalon_bot", "\x00", "‮1"))
    | st.from_regex(r"join_[A-Za-z0-9_-]{0,20}", fullmatch=True)
    | st.just(f"join_{ID}")
)


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench(Stage.VOTE) as bench:
        yield bench


def say(bench: Workbench, person: Person, place: Group | None, text: str) -> None:
    """The bot hears this; nobody is kept from it by the guard against floods."""
    world = bench.double.world
    chat = place.chat if place is not None else world.private_chat(person.id)
    bench.bot._commands._guard._served.clear()
    bench.bot._commands._guard._warned.clear()
    try:
        message = person.say(place, text)
    except Nonsense:
        return  # no client sends this
    bench.run(bench.feed(bench.numbered({"message": wire.message_json(world, message)})))
    assert chat.messages


def same_but_brought_down(table: Table, before: Table) -> bool:
    """Anybody in the group may bring the screen down; nothing else has changed."""
    return replace(table, reposts=0, version=0, touched=0, deadline=None) == replace(
        before, reposts=0, version=0, touched=0, deadline=None
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_an_idler_s_commands_change_nothing(bench: Workbench, command: str) -> None:
    @given(ARGUMENTS, st.booleans())
    @settings(max_examples=15)
    def check(rest: str, private: bool) -> None:
        before = bench.table
        name = "" if private else "@avalon_bot"
        say(bench, bench.idler, None if private else bench.group, f"/{command}{name} {rest}")
        assert same_but_brought_down(bench.table, before)
        assert bench.complaints() == []

    check()


def test_no_payload_seats_a_stranger(bench: Workbench) -> None:
    @given(ARGUMENTS)
    @settings(max_examples=100)
    def check(payload: str) -> None:
        before = bench.table
        say(bench, bench.stranger, None, f"/start {payload}")
        assert bench.table == before
        assert bench.complaints() == []

    check()


def test_a_host_s_commands_never_fail(bench: Workbench) -> None:
    @given(st.sampled_from(COMMANDS), ARGUMENTS)
    @settings(max_examples=100)
    def check(command: str, rest: str) -> None:
        bench.reset()
        say(bench, bench.friends[0], bench.group, f"/{command}@avalon_bot {rest}")
        assert bench.complaints() == []

    check()
