"""There are words for everything: each reason, refusal, role, option, outcome and setting there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import pytest

from tests.ui.catalogues import LANGUAGES, translator_of
from tgavalon.core.deal import Caution
from tgavalon.core.game import Card, Outcome
from tgavalon.core.presets import PresetName
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import Approval, FifthRejection, LadyImmunity, QuestOrder
from tgavalon.table.feed import CLOSINGS
from tgavalon.table.model import Closing, Pace
from tgavalon.table.options import PACES
from tgavalon.ui import refusals, toasts, words
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.secrets import AIMS
from tgavalon.ui.taps import Tap, Verb


@pytest.mark.parametrize(
    ("table", "things"),
    [
        (refusals.SENTENCES, (*Refusal, *Reason)),
        (words.ROLES, Role),
        (words.ROLE_SIGNS, Role),
        (AIMS, Role),
        (words.SIDE_SIGNS, Side),
        (words.CARDS, Card),
        (words.OUTCOMES, Outcome),
        (words.PRESETS, PresetName),
        (words.QUEST_ORDERS, QuestOrder),
        (words.FIFTH_REJECTIONS, FifthRejection),
        (words.APPROVAL_RULES, Approval),
        (words.QUEST_ORDER_RULES, QuestOrder),
        (words.FIFTH_REJECTION_RULES, FifthRejection),
        (words.LADY_IMMUNITIES, LadyImmunity),
        (words.CAUTIONS, Caution),
        (PACES, Pace),
        (CLOSINGS, Closing),
    ],
)
def test_everything_has_words_and_nothing_has_words_in_vain(
    table: Mapping[StrEnum, str], things: Iterable[StrEnum]
) -> None:
    assert list(table) == list(things) or set(table) == set(things)
    assert all(text.strip() for text in table.values())


@pytest.mark.parametrize("table", [words.ROLES, words.ROLE_SIGNS, AIMS, words.OUTCOMES, words.PRESETS, CLOSINGS])
def test_no_two_things_have_the_same_words(table: Mapping[Any, str]) -> None:
    assert len(set(table.values())) == len(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_a_sentence(language: str) -> None:
    """A person reads it, so it is no code, and it ends as sentences do."""
    for why in (*Refusal, *Reason):
        text = sentence(translator_of(language), why)
        assert why.value not in text
        assert text[-1] in ".!?。"


@pytest.mark.parametrize("verb", Verb)
def test_a_toast_says_something_or_there_is_none(verb: Verb) -> None:
    toast = toasts.accepted(translator_of("en"), Tap(verb))
    assert toast is None or toast.strip()


def test_what_asks_again_has_no_toast() -> None:
    """A first tap on Fail or on a name is not done yet, so nothing may say that it is."""
    assert [toasts.accepted(translator_of("en"), Tap(verb)) for verb in (Verb.FAIL, Verb.AIM, Verb.BACK)] == [None] * 3


def test_a_list_of_roles_counts_what_there_are_several_of() -> None:
    roles = (Role.MERLIN, Role.SERVANT, Role.SERVANT, Role.ASSASSIN, Role.MINION)
    listed = words.roles_in_play(translator_of("en"), roles)
    assert listed == "Merlin, 2 loyal servants, Assassin, and 1 minion"
