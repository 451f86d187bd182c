"""The settings of a lobby: every value can be set and read; what is impossible says why, what is unwise is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from tests.table.kit import lobby
from tgavalon.core.deal import Caution, RoleChoice, role_set
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.core.roles import OPTIONAL_ROLES, Role
from tgavalon.core.ruleset import QuestOrder
from tgavalon.table.model import Options, Pace
from tgavalon.table.options import (
    DAGGERS,
    SETTINGS,
    cautions,
    change,
    choices,
    planned_roles,
    problem,
    role_choice,
)
from tgavalon.table.seating import set_option, show_settings

EVERY_PRESET = [Options(preset, PRESETS[preset].ruleset) for preset in PresetName]
NUMBERS = range(len(SETTINGS))


def numbered(name: str) -> int:
    """The number of the setting with this name."""
    return next(number for number in NUMBERS if SETTINGS[number].name == name)


def set_to(options: Options, **values: object) -> Options:
    """The options after these taps, by the names of settings."""
    for name, value in values.items():
        number = numbered(name.replace("_", " "))
        options = change(options, number, list(SETTINGS[number].values(PRESETS[options.preset])).index(value))
    return options


@pytest.mark.parametrize("options", EVERY_PRESET, ids=lambda options: options.preset)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_value_of_every_setting_can_be_set_and_read(options: Options, number: int) -> None:
    setting = SETTINGS[number]
    for index, value in enumerate(setting.values(PRESETS[options.preset])):
        chosen = change(options, number, index)
        assert setting.get(chosen) == value
        assert setting.word(value)
        assert change(chosen, number, index) == chosen, "a tap that is repeated changes nothing"


@pytest.mark.parametrize("options", EVERY_PRESET, ids=lambda options: options.preset)
def test_a_setting_changes_nothing_else(options: Options) -> None:
    for number, setting in list(enumerate(SETTINGS))[1:]:
        for index in range(len(setting.values(PRESETS[options.preset]))):
            chosen = change(options, number, index)
            for other in SETTINGS:
                assert other is setting or other.get(chosen) == other.get(options)


@pytest.mark.parametrize("options", EVERY_PRESET, ids=lambda options: options.preset)
def test_tapping_on_goes_through_all_values_and_comes_back(options: Options) -> None:
    for choice in choices(options):
        seen, now = [], options
        for _ in range(20):
            found = next(c for c in choices(now) if c.number == choice.number)
            if found.next_value is None:
                break
            seen.append(found.value)
            now = change(now, choice.number, found.next_value)
            if SETTINGS[choice.number].get(now) == SETTINGS[choice.number].get(options):
                break
        values = SETTINGS[choice.number].values(PRESETS[options.preset])
        assert len(seen) == (len(values) if len(values) > 1 else 0)


@pytest.mark.parametrize(
    ("number", "index"), [(-1, 0), (len(SETTINGS), 0), (0, -1), (0, 4), (1, 2), (999_999, 999_999)]
)
def test_a_forged_setting_is_refused(number: int, index: int) -> None:
    with pytest.raises(Illegal, match="not_in_preset"):
        change(Options(), number, index)


def test_a_preset_has_only_its_own_quest_orders() -> None:
    spanish = EVERY_PRESET[list(PresetName).index(PresetName.SPANISH)]
    found = SETTINGS[numbered("Order of quests")].values(PRESETS[spanish.preset])
    assert tuple(found) == (QuestOrder.FIXED, QuestOrder.LAST_LOCKED)


def test_what_a_preset_decides_by_itself_is_not_shown_as_a_choice() -> None:
    """The Russian online rules deal by the number of players: a switch that says "off" would be a lie."""
    russian = Options(PresetName.RUSSIAN_ONLINE, PRESETS[PresetName.RUSSIAN_ONLINE].ruleset)
    shown = {SETTINGS[choice.number].name for choice in choices(russian)}
    assert not shown & {"Percival", "Morgana", "Mordred", "Oberon", "Merlin", "The dagger belongs to"}
    assert len(choices(Options())) == len(SETTINGS)


def test_another_rule_text_brings_its_own_rules_and_keeps_the_roles() -> None:
    chosen = set_to(Options(pace=Pace.FAST), Percival=True, Lady_of_the_Lake=True)
    vietnamese = change(chosen, 0, list(PresetName).index(PresetName.VIETNAMESE))
    assert vietnamese.ruleset == PRESETS[PresetName.VIETNAMESE].ruleset
    assert vietnamese.choice == chosen.choice
    assert vietnamese.pace is Pace.FAST


# What can be played.


@pytest.mark.parametrize("players", range(5, 11))
def test_there_is_a_problem_exactly_where_no_cards_can_be_dealt(players: int) -> None:
    """Over every choice of roles, of Merlin and of the dagger."""
    chosen = [frozenset(c) for count in range(5) for c in combinations(OPTIONAL_ROLES, count)]
    for optional, merlin, dagger in product(chosen, (True, False), DAGGERS):
        options = Options(choice=RoleChoice(optional, merlin))
        options = replace(options, ruleset=replace(options.ruleset, dagger=dagger))
        roles, reason = dealt_or_not(players, options.choice, dagger)
        assert problem(options, players) is reason
        if roles is not None:
            assert planned_roles(options, players) == roles


def dealt_or_not(players: int, choice: RoleChoice, dagger: Role) -> tuple[tuple[Role, ...] | None, Reason | None]:
    """What the core makes of a choice: the roles, or the reason why there are none."""
    try:
        return role_set(players, choice, dagger), None
    except Illegal as illegal:
        return None, illegal.reason


@pytest.mark.parametrize(
    ("preset", "players", "reason"),
    [
        (PresetName.RULEBOOK, 5, None),
        (PresetName.SPANISH, 6, Reason.LADY_NOT_ALLOWED),
        (PresetName.SPANISH, 7, None),
        (PresetName.RUSSIAN_ONLINE, 9, Reason.LADY_NOT_ALLOWED),
        (PresetName.RUSSIAN_ONLINE, 10, None),
    ],
)
def test_the_lady_needs_as_many_players_as_the_rule_text_says(
    preset: PresetName, players: int, reason: Reason | None
) -> None:
    options = set_to(Options(preset, PRESETS[preset].ruleset), Lady_of_the_Lake=True)
    assert problem(options, players) is reason


def test_fewer_than_five_are_counted_as_five() -> None:
    """A lobby that fills says already what will be played."""
    assert planned_roles(Options(), 1) == planned_roles(Options(), 5)
    assert problem(Options(), 1) is None


def test_the_russian_rules_deal_by_the_number_of_players() -> None:
    options = Options(PresetName.RUSSIAN_ONLINE, PRESETS[PresetName.RUSSIAN_ONLINE].ruleset)
    assert Role.MORDRED in planned_roles(options, 5)
    assert {Role.PERCIVAL, Role.MORGANA} <= set(planned_roles(options, 7))
    assert Role.OBERON in planned_roles(options, 10)
    assert role_choice(options, 5) != options.choice


# What is unwise.


def test_cautions() -> None:
    percival = set_to(Options(), Percival=True)
    assert cautions(percival, 5) == (Caution.PERCIVAL_ALONE_WITH_FIVE,)
    assert cautions(set_to(percival, Morgana=True), 5) == ()
    assert cautions(percival, 6) == ()
    assert cautions(set_to(percival, Merlin=False), 6) == (Caution.POWERLESS_WITHOUT_MERLIN,)
    lady = set_to(Options(), Lady_of_the_Lake=True)
    assert cautions(lady, 6) == (Caution.LADY_BELOW_ADVISED,)
    assert cautions(lady, 7) == ()


# At the table.


def test_setting_an_option_keeps_the_settings_open() -> None:
    table = set_option(lobby(), numbered("Timers"), list(Pace).index(Pace.FAST))
    assert table.options.pace is Pace.FAST
    assert table.settings_open
    assert not show_settings(table, False).settings_open
