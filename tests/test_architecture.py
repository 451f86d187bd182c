"""The rooms of the house and the arrows between them: who may import whom, read off the source.

A module belongs to the room whose folder it lies in; what lies beside those folders is on top. What a room may import
stands in `ROOMS`, and nothing else is allowed, not even inside a function or for types only.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tgavalon"
LONGEST_FILE = 350
LONGEST_FUNCTION = 50


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class Room:
    """What one room may import: `rooms` and `packages`, and the standard library but for `without`.

    `core` names the modules of the core that it knows, and `no_names` what it may not take from them.
    """

    rooms: frozenset[str]
    packages: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    core: frozenset[str] | None = None
    no_names: frozenset[str] = frozenset()


# What reaches out of a pure function: clock, dice, files, network, log.
WORLD = words(
    "asyncio datetime fcntl getpass gettext glob http io locale logging multiprocessing os pathlib platform random"
    " secrets select shutil signal socket sqlite3 ssl subprocess sys tempfile threading time urllib uuid"
)
MERE_VALUES = {("datetime", "timedelta")}

ROOMS = {
    "core": Room(words("core"), without=WORLD),
    "ui": Room(
        words("core ui"),
        words("babel markupsafe"),
        without=WORLD - words("gettext pathlib"),  # the catalogues are files
        core=words("views game roles ruleset presets deal reasons"),
        no_names=words("Game Phase apply new_game changed public_view seat_view"),
    ),
    "table": Room(
        words("core ui table"),
        words("babel markupsafe"),
        without=WORLD - words("asyncio logging random secrets"),
    ),
    "store": Room(
        words("core table store"),
        words("redis cattrs"),
        core=words("game roles ruleset presets deal"),
        no_names=words("apply new_game public_view seat_view"),
    ),
    "bot": Room(
        words("core ui table bot"),
        words("telegram aiohttp yarl prometheus_client"),  # yarl holds aiohttp's addresses
        core=words("views reasons roles ruleset presets"),
        no_names=words("Game apply new_game"),
    ),
    "playground": Room(words("playground"), words("aiohttp")),
}
TOP = words("puppeteer doctor records settings logs __main__")


@dataclass(frozen=True)
class Import:
    """One imported name. `module` is a module that exists, or a foreign one."""

    at: str
    module: str
    name: str | None = None

    @property
    def is_ours(self) -> bool:
        return self.module.split(".")[0] == PACKAGE

    @property
    def room(self) -> str | None:
        return room_of(self.module) if self.is_ours else None


def module_of(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str | None:
    """The room of one of our modules, or what it is called on top; None for the package as such."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


PATHS = {module_of(path): path for path in sorted((ROOT / PACKAGE).rglob("*.py"))}
TREES = {module: ast.parse(path.read_text(encoding="utf-8"), str(path)) for module, path in PATHS.items()}


def imports(module: str, tree: ast.Module, *, at_run_time: bool = False) -> Iterator[Import]:
    """Every import, wherever it stands; `at_run_time` leaves out those for types only."""
    skipped = {id(inner) for block in types_only(tree) for inner in ast.walk(block)} if at_run_time else set()
    for node in ast.walk(tree):
        at = f"{module}:{getattr(node, 'lineno', 0)}"
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (Import(at, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{at}: imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(at, inner) if inner in TREES else Import(at, node.module or "", alias.name)


def types_only(tree: ast.Module) -> list[ast.If]:
    """The blocks that only type checkers read."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    return [block for block in blocks if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"]


def complaint(found: Import, room: Room) -> str | None:
    """What is wrong with an import in a room."""
    if found.is_ours:
        return _our_own(found, room)
    first = found.module.split(".")[0]
    if (first, found.name) in MERE_VALUES:
        return None
    if first in sys.stdlib_module_names:
        return f"{first} is not for this room" if first in room.without else None
    return None if first in room.packages else "a foreign package"


def _our_own(found: Import, room: Room) -> str | None:
    if found.room not in room.rooms:
        return "against the arrows"
    if found.room != "core" or room.core is None:
        return None
    if found.module.rpartition(".")[2] not in room.core:
        return "this part of the core is not for this room"
    return f"{found.name} is not for this room" if found.name in room.no_names else None


def complaints(found: Iterable[Import], room: Room) -> list[str]:
    return [f"{each.at} imports {each.module}: {what}" for each in found if (what := complaint(each, room))]


def imports_of_room(name: str) -> list[Import]:
    modules = [module for module in TREES if room_of(module) == name]
    assert modules, f"the room {name} is empty"
    return [found for module in modules for found in imports(module, TREES[module])]


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_imports_only_what_its_row_allows(name: str) -> None:
    assert complaints(imports_of_room(name), ROOMS[name]) == []


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("core", "import time"),
        ("ui", "from datetime import datetime"),
        ("core", "def f():\n    from tgavalon.ui import words"),
        ("core", "import babel"),
        ("ui", "from tgavalon.core.game import Game"),
        ("ui", "from tgavalon.core.play import examinable"),
        ("ui", "from tgavalon.table import model"),
        ("table", "from telegram import Bot"),
        ("table", "import os"),
        ("table", "import time"),
        ("store", "from tgavalon.bot.app import AvalonBot"),
        ("bot", "from tgavalon.core.play import apply"),
        ("bot", "from tgavalon.store import keys"),
        ("playground", "from tgavalon.core import game"),
        ("playground", "from tgavalon import settings"),
    ],
)
def test_a_trespass_is_noticed(room: str, line: str) -> None:
    assert complaints(imports("x", ast.parse(line)), ROOMS[room])


def test_the_store_sees_of_the_table_only_the_model_and_the_ports() -> None:
    seen = {found.module for found in imports_of_room("store") if found.room == "table"}
    assert seen <= {f"{PACKAGE}.table.model", f"{PACKAGE}.table.ports"}


def test_every_module_is_in_a_room_or_on_top() -> None:
    assert {room_of(module) for module in TREES} <= {*ROOMS, *TOP, None}


def test_settings_and_logs_know_nothing_of_the_game() -> None:
    for found in [*imports_of_room("settings"), *imports_of_room("logs")]:
        assert found.room == "settings" or found.module.split(".")[0] in sys.stdlib_module_names, found


def test_there_are_no_cycles_between_rooms() -> None:
    names = {room_of(module) for module in TREES} - {None}
    arrows = {name: {found.room for found in imports_of_room(name or "")} - {None, name} for name in names}
    assert_acyclic(arrows)


def test_there_are_no_cycles_between_modules() -> None:
    """Two modules of one room may name each other's types, but neither is loaded by the other."""
    loads = {name: {i.module for i in imports(name, tree, at_run_time=True)} for name, tree in TREES.items()}
    assert_acyclic({name: found & TREES.keys() for name, found in loads.items()})


def assert_acyclic(arrows: dict[str, set[str]] | dict[str | None, set[str | None]]) -> None:
    try:
        tuple(TopologicalSorter(arrows).static_order())
    except CycleError as cycle:
        pytest.fail(" → ".join(cycle.args[1]))


def test_only_settings_and_the_command_line_read_the_environment() -> None:
    readers = {module for module, tree in TREES.items() if names_used(tree) & {"environ", "getenv"}}
    assert readers <= {f"{PACKAGE}.settings", f"{PACKAGE}.__main__"}


def names_used(tree: ast.Module) -> set[str]:
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return attributes | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_core_and_screens_open_and_print_nothing() -> None:
    calls = {
        (module, node.func.id)
        for module, tree in TREES.items()
        if room_of(module) in {"core", "ui"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not [call for call in calls if call[1] in {"open", "print", "input", "eval", "exec", "__import__"}]


# The shape of files and functions.

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = Function | ast.ClassDef


def test_no_file_is_too_long() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in PATHS.items()}
    assert {module: length for module, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{module}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, Function)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_every_module_says_what_it_is_for() -> None:
    """But for an empty `__init__.py`, which only marks a folder."""
    assert [module for module, tree in TREES.items() if tree.body and not ast.get_docstring(tree)] == []


def test_everything_public_has_a_docstring() -> None:
    """Not in the playground: its functions bear the names of the Bot API's methods and are documented there."""
    bare = [
        f"{module}.{node.name}"
        for module, tree in TREES.items()
        if room_of(module) != "playground"
        for node in public(tree)
        if not ast.get_docstring(node)
    ]
    assert bare == []


def public(tree: ast.Module | ast.ClassDef) -> Iterator[Documented]:
    """The public classes and functions of a module, and the public methods of those classes."""
    for node in tree.body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)
