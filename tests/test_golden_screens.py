"""Every screen of the scripted game, in every language, is as it was last reviewed (see golden_screens.py)."""

from __future__ import annotations

import pytest

from tests.golden_screens import FOLDER, golden
from tgavalon.ui.catalogue import languages


@pytest.mark.parametrize("language", languages())
def test_the_screens_are_as_reviewed(language: str) -> None:
    assert golden(language) == (FOLDER / f"{language}.txt").read_text(encoding="utf-8"), (
        "screens have changed: run `python -m tests.golden_screens` and review `git diff tests/golden`"
    )


def test_no_language_is_left_from_before() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(languages())
