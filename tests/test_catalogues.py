"""The catalogues are complete, sound, and in step with the code; and a language is added by copying one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po, write_po

from locales import catalogues
from tgavalon.ui import catalogue

LANGUAGES = sorted(path.parents[1].name for path in catalogues.languages())
PLACEHOLDER = re.compile(r"\{[^}]*\}")
TAG = re.compile(r"</?[a-z-]+")
COMMAND = re.compile(r"(?<![\w<])/[a-z]{3,}")


def messages(language: str) -> list[Message]:
    with catalogues.path_of(language).open("rb") as file:
        return [message for message in read_po(file, locale=language) if message.id]


def forms(message: Message) -> list[str]:
    return list(message.string) if isinstance(message.string, (list, tuple)) else [str(message.string)]


def source(message: Message) -> str:
    return str(message.id[-1] if isinstance(message.id, (list, tuple)) else message.id)


def test_the_five_languages_are_there() -> None:
    assert LANGUAGES == ["es", "fa", "ru", "vi"]
    assert set(catalogue.languages()) == {"en", *LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing_or_fuzzy(language: str) -> None:
    wanting = [source(message) for message in messages(language) if message.fuzzy or not all(forms(message))]
    assert wanting == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_keeps_placeholders_tags_and_commands(language: str) -> None:
    for message in messages(language):
        for pattern in (PLACEHOLDER, TAG, COMMAND):
            wanted = set(pattern.findall(source(message)))
            for form in forms(message):
                assert set(pattern.findall(form)) == wanted, (source(message), form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_exactly_the_messages_of_the_code(language: str) -> None:
    wanted = {message.id for message in catalogues.extracted() if message.id}
    assert {message.id for message in messages(language)} == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_gettext_itself_finds_no_fault(language: str, tmp_path: Path) -> None:
    program = shutil.which("msgfmt")
    if program is None:
        pytest.skip("msgfmt is not installed (Debian: apt-get install gettext)")
    command = [program, "-c", "--check-format", "-o", str(tmp_path / "out.mo"), str(catalogues.path_of(language))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_sixth_language_is_added_by_copying_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "locales"
    shutil.copytree(catalogues.LOCALES, folder)
    copy = folder / "eo" / "LC_MESSAGES" / "tgavalon.po"
    copy.parent.mkdir(parents=True)
    with catalogues.path_of("es").open("rb") as file:
        esperanto = read_po(file, locale="eo")
    esperanto["🪑 Join"].string = "🪑 Aliĝi"
    with copy.open("wb") as file:
        write_po(file, esperanto)
    monkeypatch.setattr(catalogues, "LOCALES", folder)
    catalogues.compile_all()
    monkeypatch.setattr(catalogue, "folder", lambda: folder)
    catalogue.languages.cache_clear()
    catalogue.translator.cache_clear()
    try:
        assert "eo" in catalogue.languages()
        assert catalogue.negotiate("eo-XX") == "eo"
        assert catalogue.translator("eo")("🪑 Join") == "🪑 Aliĝi"
    finally:
        monkeypatch.undo()
        catalogue.languages.cache_clear()
        catalogue.translator.cache_clear()
