"""Keep the catalogues in step with the code: `python locales/catalogues.py extract` and `… compile`.

`extract` writes `tgavalon.pot` from the source and merges it into every language; `compile` turns each `.po` into the
`.mo` that gettext reads. The wheel is built with compiled catalogues by the build hook at the end.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

LOCALES = Path(__file__).resolve().parent
SOURCE = LOCALES.parent / "tgavalon"
TEMPLATE = LOCALES / "tgavalon.pot"
KEYWORDS: dict[str, Any] = {"t": None, "mark": None, "plural": (1, 2)}
WIDTH = 110


def extracted() -> Catalog:
    """All messages of the source with their places and translators' comments."""
    catalogue = Catalog(project="tgavalon", charset="utf-8", creation_date=None, fuzzy=False)
    found = extract_from_dir(
        str(SOURCE), [("**.py", "python")], keywords=KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )
    for filename, _line, message, comments, context in sorted(found, key=lambda row: (row[0], row[1])):
        catalogue.add(message, locations=[(filename, None)], auto_comments=comments, context=context)  # type: ignore[list-item]
    return catalogue


def template_text() -> str:
    """The template as it should stand in `tgavalon.pot`."""
    return _text(extracted())


def extract() -> None:
    """Write the template and merge it into every language; nothing is guessed, so nothing becomes fuzzy."""
    TEMPLATE.write_text(template_text(), encoding="utf-8")
    template = extracted()
    for path in languages():
        catalogue = _read(path)
        catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
        catalogue.obsolete.clear()
        path.write_text(_text(catalogue), encoding="utf-8")


def compile_all() -> None:
    """Write the `.mo` beside every `.po`, in one step each, so that nobody reads half of one."""
    for path in languages():
        buffer = io.BytesIO()
        write_mo(buffer, _read(path))
        new = path.with_suffix(f".{os.getpid()}.new")
        new.write_bytes(buffer.getvalue())
        new.replace(path.with_suffix(".mo"))


def languages() -> list[Path]:
    """The `.po` file of every language."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/tgavalon.po"))


def path_of(language: str) -> Path:
    """The `.po` file of a language."""
    return LOCALES / language / "LC_MESSAGES" / "tgavalon.po"


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def _text(catalogue: Catalog) -> str:
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=WIDTH, omit_header=catalogue.locale is None, sort_output=False)
    return buffer.getvalue().decode("utf-8")


def main(arguments: list[str]) -> int:
    """Run one command; 2 with a line that says what to do for any other word."""
    commands = {"extract": extract, "compile": compile_all}
    if len(arguments) != 1 or arguments[0] not in commands:
        sys.stderr.write("usage: python locales/catalogues.py extract|compile\n")
        return 2
    commands[arguments[0]]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
