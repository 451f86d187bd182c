"""Compiles the catalogues when the package is built, and puts them into the wheel ready to use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALES = Path(__file__).resolve().parent
sys.path.insert(0, str(LOCALES.parent))

from locales import catalogues  # noqa: E402  only now is the project on the path


class CataloguesHook(BuildHookInterface[Any]):
    """Runs before every build, the editable one included."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the `.mo` files; a wheel carries them, an editable installation finds them here."""
        catalogues.compile_all()
        if version == "editable":
            return
        for path in LOCALES.glob("*/LC_MESSAGES/*.mo"):
            build_data["force_include"][str(path)] = f"tgavalon/locales/{path.relative_to(LOCALES)}"
