"""The settings of a lobby as an ordered list of choices: what each is called, its value, and what the next tap sets.

Changing one is absolute: a tap names the setting and the index of the value it wants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tgavalon.core.deal import Caution, RoleChoice, role_cautions, role_set
from tgavalon.core.presets import PRESETS, Preset, PresetName
from tgavalon.core.reasons import Illegal, Reason, require
from tgavalon.core.roles import OPTIONAL_ROLES, Role
from tgavalon.core.ruleset import MAX_PLAYERS, MIN_PLAYERS, FifthRejection
from tgavalon.table.model import Options, Pace
from tgavalon.ui import words
from tgavalon.ui.catalogue import mark
from tgavalon.ui.lobby import Choice

# Translators: a setting that is switched on or off.
ON = mark("on")
# Translators: a setting that is switched on or off.
OFF = mark("off")

PACES: dict[Pace, str] = {
    Pace.OFF: mark("no timers"),
    Pace.RELAXED: mark("relaxed"),
    Pace.NORMAL: mark("normal"),
    Pace.FAST: mark("fast"),
}
DAGGERS = (Role.ASSASSIN, Role.MORDRED, Role.MORGANA)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name, the values a host may choose (with their words), which one is chosen, how to set one."""

    name: str
    values: Callable[[Preset], Sequence[Any]]
    word: Callable[[Any], str]
    get: Callable[[Options], Any]
    put: Callable[[Options, Any], Options]


def choices(options: Options) -> tuple[Choice, ...]:
    """All settings as the settings screen shows them; those that the preset decides by itself are left out."""
    preset = PRESETS[options.preset]
    return tuple(_choice(options, number) for number, setting in enumerate(SETTINGS) if setting.values(preset))


def change(options: Options, number: int, index: int) -> Options:
    """The options with setting `number` at its value `index`.

    Raises `Illegal` (NOT_IN_PRESET) where the preset has no such choice; whether the whole fits the number of players
    is told by `problem`, so that a host may pass through an impossible set on the way to a good one.
    """
    require(0 <= number < len(SETTINGS), Reason.NOT_IN_PRESET)
    setting = SETTINGS[number]
    values = setting.values(PRESETS[options.preset])
    require(0 <= index < len(values), Reason.NOT_IN_PRESET)
    return setting.put(options, values[index])


def role_choice(options: Options, players: int) -> RoleChoice:
    """The roles played: the preset's own where it deals by count, else the host's."""
    return PRESETS[options.preset].roles_for(players) or options.choice


def planned_roles(options: Options, players: int) -> tuple[Role, ...]:
    """The role set for `players`, counted as five while there are fewer. Raises `Illegal` for an impossible set."""
    seats = min(max(players, MIN_PLAYERS), MAX_PLAYERS)
    return role_set(seats, role_choice(options, seats), options.ruleset.dagger)


def problem(options: Options, players: int) -> Reason | None:
    """Why these options cannot be played with `players` (five while there are fewer), or None."""
    seats = max(players, MIN_PLAYERS)
    try:
        planned_roles(options, seats)
        require(not options.ruleset.lady or seats >= PRESETS[options.preset].lady_from, Reason.LADY_NOT_ALLOWED)
    except Illegal as illegal:
        return illegal.reason
    return None


def cautions(options: Options, players: int) -> tuple[Caution, ...]:
    """What the host should know about legal but unwise options."""
    seats = max(players, MIN_PLAYERS)
    found = role_cautions(seats, role_choice(options, seats))
    if options.ruleset.lady and seats < PRESETS[options.preset].lady_advised:
        return (*found, Caution.LADY_BELOW_ADVISED)
    return found


def _choice(options: Options, number: int) -> Choice:
    setting = SETTINGS[number]
    values = list(setting.values(PRESETS[options.preset]))
    value = setting.get(options)
    following = (values.index(value) + 1) % len(values) if value in values else 0
    return Choice(number, setting.name, setting.word(value), following if len(values) > 1 else None)


def _put_preset(options: Options, preset: PresetName) -> Options:
    return replace(options, preset=preset, ruleset=PRESETS[preset].ruleset)


def _put_role(role: Role) -> Callable[[Options, Any], Options]:
    def put(options: Options, on: object) -> Options:
        chosen = options.choice.optional | {role} if on else options.choice.optional - {role}
        return replace(options, choice=replace(options.choice, optional=chosen))

    return put


def _has_role(role: Role) -> Callable[[Options], Any]:
    return lambda options: role in options.choice.optional


def _put_rule(name: str) -> Callable[[Options, Any], Options]:
    return lambda options, value: replace(options, ruleset=replace(options.ruleset, **{name: value}))


def _rule(name: str) -> Callable[[Options], Any]:
    return lambda options: getattr(options.ruleset, name)


def _switch(_: Preset) -> Sequence[Any]:
    return (False, True)


def _role_switch(preset: Preset) -> Sequence[Any]:
    return (False, True) if preset.roles_by_count is None else ()


def _on_off(value: object) -> str:
    return ON if value else OFF


SETTINGS: tuple[Setting, ...] = (
    Setting(
        mark("Rules"), lambda _: tuple(PresetName), words.PRESETS.__getitem__, lambda o: o.preset, _put_preset
    ),
    *(
        Setting(words.ROLES[role], _role_switch, _on_off, _has_role(role), _put_role(role))
        for role in OPTIONAL_ROLES
    ),
    Setting(
        mark("Merlin"),
        _role_switch,
        _on_off,
        lambda o: o.choice.merlin,
        lambda o, on: replace(o, choice=replace(o.choice, merlin=bool(on))),
    ),
    Setting(
        mark("The dagger belongs to"),
        lambda preset: DAGGERS if preset.roles_by_count is None else (),
        words.ROLES.__getitem__,
        _rule("dagger"),
        _put_rule("dagger"),
    ),
    Setting(mark("Lady of the Lake"), _switch, _on_off, _rule("lady"), _put_rule("lady")),
    Setting(
        mark("Order of quests"),
        lambda preset: preset.quest_orders,
        words.QUEST_ORDERS.__getitem__,
        _rule("quest_order"),
        _put_rule("quest_order"),
    ),
    Setting(
        mark("Fifth team in a row"),
        lambda _: tuple(FifthRejection),
        words.FIFTH_REJECTIONS.__getitem__,
        _rule("fifth_rejection"),
        _put_rule("fifth_rejection"),
    ),
    Setting(
        mark("Timers"), lambda _: tuple(Pace), PACES.__getitem__, lambda o: o.pace, lambda o, v: replace(o, pace=v)
    ),
    Setting(
        mark("Vote history"),
        _switch,
        _on_off,
        lambda o: o.show_votes,
        lambda o, on: replace(o, show_votes=bool(on)),
    ),
)  # fmt: skip
