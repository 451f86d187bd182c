"""Screens as values: the digest by which the painter sees whether anything has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tgavalon.table.painting import acts
from tgavalon.ui.screen import Button, Screen, Style, same_buttons
from tgavalon.ui.taps import Tap, Verb

APPROVE = Button("👍", Tap(Verb.APPROVE, 7), style=Style.SUCCESS)
SCREEN = Screen("Vote <b>now</b>", ((APPROVE, Button("Rules", url="https://t.me/x")),))


def test_a_digest_is_the_same_in_every_process() -> None:
    """It is stored, and compared by the next release: these digits may only change for a good reason."""
    assert SCREEN.digest == "fac92bc5-05ddd2b7"
    assert Screen("").digest == "e3b0c442-e3b0c442"


@pytest.mark.parametrize(
    "other",
    [
        Screen("Vote now", SCREEN.rows),
        Screen(SCREEN.text),
        Screen(SCREEN.text, tuple((button,) for row in SCREEN.rows for button in row)),
        Screen(SCREEN.text, ((replace(APPROVE, label="👎"), SCREEN.rows[0][1]),)),
        Screen(SCREEN.text, ((replace(APPROVE, style=Style.DANGER), SCREEN.rows[0][1]),)),
        Screen(SCREEN.text, ((replace(APPROVE, tap=Tap(Verb.APPROVE, 8)), SCREEN.rows[0][1]),)),
        Screen(SCREEN.text, ((APPROVE, replace(SCREEN.rows[0][1], url="https://t.me/y")),)),
    ],
)
def test_whatever_looks_or_acts_differently_has_another_digest(other: Screen) -> None:
    assert other.digest != SCREEN.digest


def test_how_it_is_sent_is_not_how_it_looks() -> None:
    assert replace(SCREEN, protected=True, silent=True).digest == SCREEN.digest


def test_digests_tell_whether_the_buttons_are_the_same() -> None:
    assert same_buttons(SCREEN.digest, Screen("later", SCREEN.rows).digest)
    assert not same_buttons(SCREEN.digest, Screen(SCREEN.text).digest)


def test_a_lone_surrogate_has_a_digest() -> None:
    assert Screen("\ud800").digest != Screen("").digest


def test_only_taps_act() -> None:
    assert acts(SCREEN)
    assert not acts(Screen("", ((Button("Rules", url="https://t.me/x"),),)))
    assert not acts(Screen(""))
