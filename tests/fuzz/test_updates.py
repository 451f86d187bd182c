"""Updates with missing and odd fields: taken, reported in one line at most, and nothing of the table is changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.stage import Raw, Workbench
from tests.table.kit import ID
from tgavalon.playground import wire
from tgavalon.table.model import Stage
from tgavalon.ui.taps import Tap, Verb, encode

ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(("private", "group", "channel", "kicked", "left", "member", "/start", f"{ID}:approve:1:0")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench(Stage.VOTE) as bench:
        yield bench


def samples(bench: Workbench) -> list[Raw]:
    """Updates that are in order, all by the stranger."""
    world, zoe = bench.double.world, bench.stranger
    private, there = zoe.say(None, "/start join_" + ID), zoe.say(bench.elsewhere, "/newgame@avalon_bot")
    on = bench.friends[0].last(bench.group)

    async def press() -> Raw:
        return bench.press(zoe, encode(ID, Tap(Verb.APPROVE, 1)), on)[1]

    user, chat = wire.user_json(zoe.user), wire.chat_json(world, bench.elsewhere.chat)
    bot = world.bot
    moved = {
        "chat": chat,
        "from": user,
        "date": 1,
        "old_chat_member": wire.member_json(world, bench.elsewhere.chat, bot, "member"),
        "new_chat_member": wire.member_json(world, bench.elsewhere.chat, bot, "left"),
    }
    left = {"message_id": 9, "date": 1, "chat": chat, "from": user, "left_chat_member": user}
    migrated = {"message_id": 9, "date": 1, "chat": chat, "from": user, "migrate_to_chat_id": -1009}
    return [
        {"message": wire.message_json(world, private)},
        {"message": wire.message_json(world, there)},
        {"message": left},
        {"message": migrated},
        {"my_chat_member": moved},
        bench.run(press()),
    ]


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything inside an update."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from spots(one, (*path, key))


def spoil(data: st.DataObject, raw: Raw) -> Raw:
    """The update with up to three of its parts taken away or made odd."""
    spoilt = copy.deepcopy(raw)
    for _ in range(data.draw(st.integers(1, 3))):
        ways = list(spots(spoilt))
        if not ways:
            return spoilt
        *path, last = data.draw(st.sampled_from(ways))
        holder = spoilt
        for key in path:
            holder = holder[key]
        if data.draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = data.draw(ODD)
    return spoilt


def test_spoilt_updates_are_taken_and_change_nothing(bench: Workbench) -> None:
    good = samples(bench)

    @given(st.data())
    @settings(max_examples=300)
    def check(data: st.DataObject) -> None:
        before = bench.table
        bench.run(bench.feed(bench.numbered(spoil(data, data.draw(st.sampled_from(good))))))
        assert bench.table == before
        assert bench.complaints_but_for_poison() == []

    check()


def test_updates_of_any_other_kind_are_taken(bench: Workbench) -> None:
    kinds = (
        "message",
        "callback_query",
        "my_chat_member",
        "edited_message",
        "poll",
        "chat_member",
        "inline_query",
        "x",
    )

    @given(st.dictionaries(st.sampled_from(kinds), ODD, max_size=2))
    @settings(max_examples=200)
    def check(raw: Raw) -> None:
        before = bench.table
        bench.run(bench.feed(bench.numbered(raw)))
        assert bench.table == before
        assert bench.complaints_but_for_poison() == []

    check()


def test_a_private_chat_without_an_id(bench: Workbench) -> None:
    """Found by the tests above: nothing can be answered there, so it is dropped like other nonsense."""
    raw = copy.deepcopy(samples(bench)[0])
    raw["message"]["chat"]["id"] = None
    bench.run(bench.feed(bench.numbered(raw)))
    assert bench.complaints_but_for_poison() == []


def test_after_all_that_the_bot_is_well(bench: Workbench) -> None:
    for raw in samples(bench):
        bench.run(bench.feed(bench.numbered({**raw, "message": {"chat": 7}})))
    on = bench.friends[0].last(bench.group)
    answer = bench.run(bench.answer(bench.friends[1], encode(ID, Tap(Verb.APPROVE, 1)), on))
    assert answer.text.startswith("Your vote: Approve.")
    assert bench.complaints_but_for_poison() == []
