"""Presses with any data, by anybody, anywhere: always answered, never an error, and a stranger changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.stage import Workbench
from tests.table.kit import ID
from tgavalon.table.model import Stage
from tgavalon.ui.taps import Verb

STAGES = (Stage.TEAM, Stage.VOTE, Stage.QUEST, Stage.SHOT)
EXAMPLES = 60

NUMBERS = st.integers(0, 12) | st.integers(0, 999_999)
OURS = st.builds(
    "{}:{}:{}:{}".format, st.sampled_from((ID, "-", "ZZZZZZZZZZ")), st.sampled_from(list(Verb)), NUMBERS, NUMBERS
)
NEARLY = st.from_regex(r"[A-Za-z0-9:-]{0,12}:?[a-z_]{0,16}:-?[0-9٠-٩]{0,9}:?[0-9]{0,9}\n?", fullmatch=True)
DATA = OURS | NEARLY | st.text(max_size=64)


@pytest.fixture(params=STAGES, ids=str)
def bench(request: pytest.FixtureRequest) -> Iterator[Workbench]:
    with Workbench(request.param) as bench:
        yield bench


def test_a_stranger_changes_nothing(bench: Workbench) -> None:
    messages = [bench.friends[0].last(bench.group), bench.stranger.start()]

    @given(DATA, st.sampled_from(messages))
    @settings(max_examples=EXAMPLES)
    def check(data: str, on: object) -> None:
        before = bench.table
        bench.bot._commands._guard._served.clear()
        answer = bench.run(bench.answer(bench.stranger, data, on))  # type: ignore[arg-type]
        assert not answer.unanswered
        assert bench.table == before
        assert bench.complaints() == []

    check()


def test_a_player_can_tap_anything(bench: Workbench) -> None:
    on = bench.friends[0].last(bench.group)

    @given(DATA, st.sampled_from(bench.friends))
    @settings(max_examples=EXAMPLES)
    def check(data: str, person: object) -> None:
        before = bench.reset()
        answer = bench.run(bench.answer(person, data, on))  # type: ignore[arg-type]
        assert not answer.unanswered
        assert bench.table.place == before.place
        assert {sitter.user for sitter in bench.table.sitters} == {sitter.user for sitter in before.sitters}
        assert bench.complaints() == []

    check()
