"""Groups and people with any names Telegram lets them have: every message of a game arrives, and says who is who."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.stage import Workbench
from tgavalon.bot.people import title_of
from tgavalon.table.model import Stage
from tgavalon.ui.names import clean_name

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=64) | st.sampled_from(
    (
        "<b>",
        "Tom <3",
        "&amp;",
        "\u202eevil",
        "\u2067\u2067\u2067",
        "\u200b",
        "שרה",
        "Ана",
        "👩‍👩‍👧‍👦" * 8,
        "a" * 64,
        "\n",
        "Ana",
    )
)


@pytest.fixture(params=(Stage.VOTE, Stage.SHOT), ids=str)
def bench(request: pytest.FixtureRequest) -> Iterator[Workbench]:
    with Workbench(request.param) as bench:
        yield bench


def test_every_message_arrives(bench: Workbench) -> None:
    @given(st.lists(NAMES, min_size=5, max_size=5), NAMES)
    @settings(max_examples=25)
    def check(names: list[str], title: str) -> None:
        calls = len(bench.double.calls())
        bench.group.chat.title = title
        table = bench.reset()
        sitters = tuple(replace(one, name=clean_name(name)) for one, name in zip(table.sitters, names, strict=True))
        bench.store.put(replace(table, sitters=sitters, title=bench.run(titled(bench)), reposts=table.version))
        bench.run(bench.paint())
        fresh = bench.double.calls()[calls:]
        assert any(call.method == "sendMessage" for call in fresh)
        refused = [call.response for call in fresh if call.status != 200]
        assert not refused
        assert bench.complaints() == []

    check()


async def titled(bench: Workbench) -> str:
    """The group's title as the bot takes it from an update."""
    return title_of(await bench.bot.bot.get_chat(bench.group.id))  # type: ignore[arg-type]  # it has a title, too
