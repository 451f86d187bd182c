"""The four published rule texts, exactly as their table says."""

from __future__ import annotations

import pytest

from tests.core.story import rules
from tgavalon.core.deal import RoleChoice, role_set
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import QuestOrder, Ruleset

FIXED, TARGETING, LAST_LOCKED = QuestOrder.FIXED, QuestOrder.TARGETING, QuestOrder.LAST_LOCKED

RULES: dict[str, dict[str, str | bool]] = {
    "rulebook": {
        "approval": "majority",
        "fifth_rejection": "evil_wins_game",
        "quest_order": "fixed",
        "lady": False,
        "lady_optional": False,
        "lady_immunity": "past_holders",
        "evil_shown_before_assassination": False,
    },
    "vietnamese": {
        "approval": "half",
        "fifth_rejection": "evil_wins_game",
        "quest_order": "fixed",
        "lady": False,
        "lady_optional": False,
        "lady_immunity": "holder",
        "evil_shown_before_assassination": True,
    },
    "russian_online": {
        "approval": "majority",
        "fifth_rejection": "no_vote",
        "quest_order": "fixed",
        "lady": False,
        "lady_optional": False,
        "lady_immunity": "past_holders",
        "evil_shown_before_assassination": False,
    },
    "spanish": {
        "approval": "majority",
        "fifth_rejection": "evil_wins_quest",
        "quest_order": "fixed",
        "lady": False,
        "lady_optional": True,
        "lady_immunity": "last_holder",
        "evil_shown_before_assassination": True,
    },
}


def test_there_are_four_presets() -> None:
    assert set(PRESETS) == set(PresetName)
    assert [name.value for name in PresetName] == list(RULES)


@pytest.mark.parametrize("name", PresetName)
def test_each_preset_has_the_values_of_the_table(name: PresetName) -> None:
    assert PRESETS[name].ruleset == rules(**RULES[name.value])


def test_rules_that_say_nothing_are_the_rulebooks() -> None:
    assert Ruleset() == PRESETS[PresetName.RULEBOOK].ruleset


@pytest.mark.parametrize(
    ("name", "orders", "lady_from", "lady_advised"),
    [
        ("rulebook", (FIXED, TARGETING), 5, 7),
        ("vietnamese", (FIXED, TARGETING), 5, 5),
        ("russian_online", (FIXED,), 10, 5),
        ("spanish", (FIXED, LAST_LOCKED), 7, 5),
    ],
)
def test_what_a_host_may_switch(name: str, orders: tuple[QuestOrder, ...], lady_from: int, lady_advised: int) -> None:
    preset = PRESETS[PresetName(name)]
    assert preset.quest_orders == orders
    assert (preset.lady_from, preset.lady_advised) == (lady_from, lady_advised)


@pytest.mark.parametrize("players", range(5, 11))
@pytest.mark.parametrize("name", ["rulebook", "vietnamese", "spanish"])
def test_in_three_texts_the_host_chooses_the_roles(name: str, players: int) -> None:
    assert PRESETS[PresetName(name)].roles_for(players) is None


@pytest.mark.parametrize(
    ("players", "roles"),
    [
        (5, "merlin servant servant assassin mordred"),
        (6, "merlin servant servant servant assassin mordred"),
        (7, "merlin percival servant servant assassin mordred morgana"),
        (8, "merlin percival servant servant servant assassin mordred morgana"),
        (9, "merlin percival servant servant servant servant assassin mordred morgana"),
        (10, "merlin percival servant servant servant servant assassin mordred morgana oberon"),
    ],
)
def test_the_russian_text_gives_the_roles_by_count(players: int, roles: str) -> None:
    chosen = PRESETS[PresetName.RUSSIAN_ONLINE].roles_for(players)
    assert isinstance(chosen, RoleChoice)
    assert role_set(players, chosen) == tuple(Role(role) for role in roles.split())
