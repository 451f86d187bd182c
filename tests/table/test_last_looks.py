"""A message that was not brought up to date in its time still gets its final form: facts are never skipped."""

from __future__ import annotations

import pytest

from tests.golden_screens import Script
from tgavalon.table.feed import GROUP, feeds
from tgavalon.table.model import Place, Table
from tgavalon.table.painting import Kind, Step, plan
from tgavalon.table.ports import Shown

SHOWN_LONG_AGO = "00000000-00000000"


@pytest.fixture(scope="module")
def table() -> Table:
    """Two proposals and one quest have been played; the leader is choosing the third team."""
    script = Script("en")
    list(script.in_lobby())
    list(script.first_quest())
    return script.table


def step_for(table: Table, slot: str, epoch: str) -> Step:
    place = table.place if slot == GROUP else Place(int(slot))
    shown = {epoch: Shown(place, 5, SHOWN_LONG_AGO, buttons=True)}
    return next(step for step in plan(feeds(table)[slot], shown) if step.epoch == epoch)


@pytest.mark.parametrize(
    ("slot", "epoch", "words"),
    [
        (GROUP, "vote:1", "Rejected, 7 to 3"),
        (GROUP, "vote:1+4", "Rejected, 7 to 3"),
        (GROUP, "team:1", "proposes for quest 1"),
        (GROUP, "team:2+1", "proposes for quest 1"),
        (GROUP, "lobby", "the game has begun"),
        ("100", "card:1", "Your card is in"),
    ],
)
def test_an_old_message_gets_its_final_form(table: Table, slot: str, epoch: str, words: str) -> None:
    step = step_for(table, slot, epoch)
    assert step.kind is Kind.EDIT
    assert step.post is not None
    assert words in step.post.screen.text
    assert step.post.screen.rows == ()


@pytest.mark.parametrize("epoch", ["team:99", "shot", "end+1", "lady:4", "closed"])
def test_a_moment_without_a_final_form_only_loses_its_buttons(table: Table, epoch: str) -> None:
    assert step_for(table, GROUP, epoch).kind is Kind.STRIP


def test_what_is_up_to_date_is_forgotten_at_no_cost(table: Table) -> None:
    step = step_for(table, GROUP, "vote:1")
    assert step.post is not None
    shown = {"vote:1": Shown(table.place, 5, step.post.screen.digest, buttons=False)}
    steps = [step for step in plan(feeds(table)[GROUP], shown) if step.epoch == "vote:1"]
    assert [step.kind for step in steps] == [Kind.FORGET]
