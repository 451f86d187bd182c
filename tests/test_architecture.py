"""The rooms of the house and the arrows between them: who may import whom, read off the source.

A module belongs to the room whose folder it lies in; the modules beside the folders are on top. What a room may import
stands in `ROOMS`, and nothing else is allowed, not even inside a function or for types only.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tgavalon"
LONGEST_FILE = 350
LONGEST_FUNCTION = 50

WORLD = frozenset(
    "asyncio datetime fcntl getpass gettext glob http io locale logging multiprocessing os pathlib platform random "
    "secrets select shutil signal socket sqlite3 ssl subprocess sys tempfile threading time urllib uuid".split()
)
"""The modules of the standard library that reach out of a pure function: clock, dice, files, network, log."""


@dataclass(frozen=True)
class Room:
    """What one room may import. `core` names modules of the core, of which `no_names` may not be imported."""

    rooms: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    core: frozenset[str] | None = None
    no_names: frozenset[str] = frozenset()


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WHOLE_GAMES = words("Game Phase apply new_game public_view seat_view changed")
VALUES = words("views game roles ruleset presets deal reasons")

ROOMS = {
    "core": Room(words("core"), without=WORLD),
    "ui": Room(
        words("core ui"),
        words("babel markupsafe"),
        without=WORLD - {"gettext", "pathlib"},  # the catalogues are files
        core=VALUES,
        no_names=WHOLE_GAMES,
    ),
    "table": Room(
        words("core ui table"),
        words("babel markupsafe"),
        without=WORLD - {"asyncio", "logging", "random", "secrets", "datetime"},
    ),
    "store": Room(
        words("table core store"),
        words("redis cattrs"),
        core=words("game roles ruleset presets deal"),
        no_names=words("apply new_game public_view seat_view"),
    ),
    "bot": Room(
        words("table ui core bot"),
        words("telegram aiohttp yarl"),  # yarl holds aiohttp's addresses
        core=words("views reasons roles ruleset presets"),
        no_names=words("Game apply new_game"),
    ),
    "playground": Room(words("playground"), words("aiohttp")),
}
TOP = words("puppeteer records settings logs __main__")
STORE_SEES_OF_TABLE = words("model ports")


@dataclass(frozen=True)
class Import:
    """One imported name: `module` is a module that exists (of this package) or the name of a foreign one."""

    at: str
    module: str
    name: str | None


def sources() -> list[Path]:
    return sorted((ROOT / PACKAGE).rglob("*.py"))


def module_of(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_of(path): ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in sources()}


def imports_of(module: str, *, at_run_time: bool = False) -> Iterator[Import]:
    """Every import of a module, wherever it stands in it; `at_run_time` leaves out those for types only."""
    skipped = {id(inner) for node in types_only(TREES[module]) for inner in ast.walk(node)} if at_run_time else set()
    for node in ast.walk(TREES[module]):
        if id(node) in skipped:
            continue
        at = f"{module}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (Import(at, alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{at}: imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(at, inner, None) if inner in TREES else Import(at, node.module or "", alias.name)


def types_only(tree: ast.Module) -> list[ast.If]:
    """The blocks that only type checkers read."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    return [block for block in blocks if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"]


def room_of(module: str) -> str | None:
    """The room of one of our modules, or the top-level module itself; None for the package as such."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def is_ours(module: str) -> bool:
    return module.split(".")[0] == PACKAGE


def trespasses(module: str, room: Room) -> Iterator[str]:
    for found in imports_of(module):
        first = found.module.split(".")[0]
        if is_ours(found.module):
            if complaint := _inside(found, room):
                yield f"{found.at} imports {found.module}: {complaint}"
        elif first in sys.stdlib_module_names:
            if first in room.without:
                yield f"{found.at} imports {found.module}: not in this room"
        elif first not in room.packages:
            yield f"{found.at} imports {found.module}: a foreign package"


def _inside(found: Import, room: Room) -> str | None:
    other = room_of(found.module)
    if other is None or other not in room.rooms:
        return "the wrong direction"
    if other == "core" and room.core is not None:
        parts = found.module.split(".")
        if len(parts) < 3 or parts[2] not in room.core:
            return "not a part of the core that this room knows"
        if found.name in room.no_names:
            return f"{found.name} is not for this room"
    return None


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_imports_only_what_its_row_allows(name: str) -> None:
    modules = [module for module in TREES if room_of(module) == name]
    assert modules, f"the room {name} is empty"
    found = list(chain.from_iterable(trespasses(module, ROOMS[name]) for module in modules))
    assert not found, "\n".join(found)


def test_the_store_knows_the_ports_and_the_model_and_nothing_else_of_the_table() -> None:
    found = [
        f"{found.at} imports {found.module}"
        for module in TREES
        if room_of(module) == "store"
        for found in imports_of(module)
        if room_of(found.module) == "table" and is_ours(found.module)
        if found.module.split(".")[2:] not in [[name] for name in STORE_SEES_OF_TABLE]
    ]
    assert not found, "\n".join(found)


def test_every_module_is_in_a_room_or_on_top() -> None:
    strays = {module for module in TREES if room_of(module) not in {*ROOMS, *TOP, None}}
    assert not strays


def test_settings_and_logs_know_nothing_of_the_game() -> None:
    """They are read before anything else is, and by everything on top."""
    for module in ("settings", "logs"):
        for found in imports_of(f"{PACKAGE}.{module}"):
            known = is_ours(found.module) and room_of(found.module) in {"settings"}
            assert known or found.module.split(".")[0] in sys.stdlib_module_names, found


def test_no_cycles_between_rooms() -> None:
    arrows: dict[str, set[str]] = {}
    for module in TREES:
        here = room_of(module)
        targets = {room_of(found.module) for found in imports_of(module) if is_ours(found.module)}
        if here is not None:
            arrows.setdefault(here, set()).update(room for room in targets if room not in {None, here})
    assert_acyclic(arrows)


def test_no_cycles_between_modules() -> None:
    """Two modules of one room may name each other's types; loading one never needs the other half loaded."""
    assert_acyclic(
        {name: {i.module for i in imports_of(name, at_run_time=True) if i.module in TREES} for name in TREES}
    )


def assert_acyclic(arrows: dict[str, set[str]]) -> None:
    try:
        tuple(TopologicalSorter(arrows).static_order())
    except CycleError as cycle:
        pytest.fail(f"a cycle: {' → '.join(cycle.args[1])}")


def test_only_the_settings_read_the_environment() -> None:
    def reads(tree: ast.AST) -> bool:
        named = (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(tree))
        return any(name in {"environ", "getenv"} for name in named)

    found = {module for module, tree in TREES.items() if reads(tree)}
    assert found <= {f"{PACKAGE}.settings", f"{PACKAGE}.__main__"}


def test_the_core_and_the_screens_neither_read_nor_print() -> None:
    """Only the catalogue may open files, and it does so through gettext."""
    called = {
        f"{module}: {node.func.id}"
        for module, tree in TREES.items()
        if room_of(module) in {"core", "ui"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"open", "print", "input", "eval", "exec", "__import__"}
    }
    assert not called


# The shape of files and functions.

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@pytest.mark.parametrize("path", sources(), ids=module_of)
def test_no_file_is_too_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("module", TREES)
def test_no_function_is_too_long(module: str) -> None:
    functions = [node for node in ast.walk(TREES[module]) if isinstance(node, Function)]
    long = [f"{node.name}: {length}" for node in functions if (length := lines_of(node)) > LONGEST_FUNCTION]
    assert not long


def lines_of(node: Function) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("module", TREES)
def test_every_module_says_what_it_is_for(module: str) -> None:
    """An empty `__init__.py` only marks a folder."""
    tree = TREES[module]
    assert not tree.body or ast.get_docstring(tree)


@pytest.mark.parametrize("module", [module for module in TREES if room_of(module) != "playground"])
def test_everything_public_has_a_docstring(module: str) -> None:
    """Not in the playground: its functions bear the names of the Bot API's methods, which are documented there."""
    bare = [node.name for node in public(TREES[module]) if not ast.get_docstring(node)]
    assert not bare


def public(tree: ast.Module | ast.ClassDef) -> Iterator[Documented]:
    """The public classes and functions of a module, and the public methods of those classes."""
    for node in tree.body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)
