"""What the commands say besides their results: a progress bar and one-line remarks, on standard error."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Callable
from typing import TextIO

_WIDTH = 30
_INTERVAL = 0.1
_HARMFUL = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNS_TEXT_AROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Bar:
    """A progress bar that is drawn on terminals only, at most ten times a second."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._on = stream.isatty()
        self._next = 0.0
        self._drawn = False

    def draw(self, games: int, how_far: Callable[[], float | None]) -> None:
        """Show that `games` have been read; `how_far` says from 0 to 1 how far that is, None where nobody knows."""
        if not self._on or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _INTERVAL
        done = how_far()
        full = round(_WIDTH * (done or 0))
        bar = "" if done is None else f"[{'#' * full}{'.' * (_WIDTH - full)}] {done:4.0%}  "
        self._stream.write(f"\r\x1b[K{bar}{games} games")
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        """Take the bar away, so that something else can be written on its line."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False


def remark(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"{harmless(text)}\n")


def result(text: str) -> None:
    """One or more lines on standard output, with question marks for what its encoding cannot show."""
    try:
        sys.stdout.write(f"{text}\n")
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding
        sys.stdout.write(f"{text}\n".encode(encoding, "replace").decode(encoding))


def harmless(text: str) -> str:
    """The text without characters that could steer a terminal or turn around what stands beside it."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_harmful(character) else character for character in text)


def _is_harmful(character: str) -> bool:
    return unicodedata.category(character) in _HARMFUL or character in _TURNS_TEXT_AROUND
