"""The table in tests/README.md: every fault has a test, and every test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "tests" / "README.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([^|]+) \|")
FAULTS = 33


@cache
def functions(path: str) -> frozenset[str]:
    """The names of all functions in a file; none where there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(README.read_text(encoding="utf-8"))
    assert len(named) >= FAULTS
    assert [f"{path}::{name}" for path, name in named if name not in functions(path)] == []


def test_every_fault_is_pinned() -> None:
    rows = ROW.findall(README.read_text(encoding="utf-8"))
    assert [int(number) for number, _, _ in rows] == list(range(1, FAULTS + 1))
    assert [number for number, _, pinned in rows if not NAMED.search(pinned)] == []


def test_every_folder_has_its_line() -> None:
    text = README.read_text(encoding="utf-8")
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert {folder for folder in folders if f"| `{folder}` |" not in text} == set()
