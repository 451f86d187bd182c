"""The lock file pins every dependency of a deployment, with hashes and within the ranges of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")


def locked() -> dict[str, tuple[Version, str]]:
    """Each locked package with its version and the text of its entry."""
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / "deploy/requirements.lock").read_text(encoding="utf-8"))
    found: dict[str, tuple[Version, str]] = {}
    for entry in entries:
        match = PINNED.match(entry)
        assert match is not None, f"not pinned to one version: {entry[:60]!r}"
        found[canonicalize_name(match["name"])] = Version(match["version"]), entry
    return found


def test_every_dependency_is_locked_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = locked()
    for line in project["dependencies"]:
        wanted = Requirement(line)
        version, _ = versions[canonicalize_name(wanted.name)]
        assert version in wanted.specifier, line


def test_every_entry_has_hashes_and_names_no_place() -> None:
    for name, (_, entry) in locked().items():
        assert "--hash=sha256:" in entry, name
        assert "://" not in entry, name
