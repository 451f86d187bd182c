"""Where records come from: `.json` and `.jsonl` files, gzipped or not, and standard input.

Reads one record at a time, so that memory does not grow with the file. What a file is, its content says and not its
name: gzip by its first bytes, one object over many lines by a first line that is not JSON of its own.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

STDIN = "-"

LONGEST_RECORD = 1 << 20
"""The most bytes one record may have; the longest game there can be takes less than a hundredth of it."""

_GZIP = b"\x1f\x8b"


class Unreadable(Exception):
    """A file that cannot be read as records. The text says which line and why."""


@dataclass
class Source:
    """One opened file. `size` is its length on disk in bytes, None where that is not known."""

    name: str
    raw: io.BufferedReader
    size: int | None

    @property
    def is_live(self) -> bool:
        """Whether somebody may still be writing it and wants each answer at once."""
        return self.size is None

    def how_far(self) -> float | None:
        """Which part of the file has been read, from 0 to 1; None where its length is not known."""
        return self.raw.tell() / self.size if self.size else None

    def values(self) -> Iterator[tuple[int, object]]:
        """The JSON values of the file, each with the number of the line it starts on. Raises `Unreadable`."""
        number = 0
        try:
            for number, text in self._texts():
                yield number, _parsed(number, text.rstrip())
        except (EOFError, OSError, zlib.error) as error:
            raise Unreadable(f"after line {number}: {_reason(error)}") from error
        if number == 0:
            raise Unreadable("there is no record in it")

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        stream = self._unpacked()
        lines = _lines(stream)
        for number, line in lines:
            if self._is_only_a_part(line):
                yield number, _whole(number, line, stream)
                return
            yield number, line
            break
        yield from lines

    def _is_only_a_part(self, first: bytes) -> bool:
        """Whether the first line begins a record that goes on over more lines, as `.json` files may have it."""
        if self.name.lower().endswith((".jsonl", ".jsonl.gz")):
            return False
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return True
        return False

    def _unpacked(self) -> BinaryIO:
        if self.raw.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:
            return cast("BinaryIO", gzip.GzipFile(fileobj=self.raw))
        return self.raw


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """The file at `path`, or standard input for `-`. Raises `Unreadable` where it cannot be opened."""
    if path == STDIN:
        yield Source("standard input", cast("io.BufferedReader", sys.stdin.buffer), None)
        return
    with _file(path) as raw:
        status = os.fstat(raw.fileno())
        yield Source(path, raw, status.st_size if stat.S_ISREG(status.st_mode) else None)


def _file(path: str) -> io.BufferedReader:
    try:
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise Unreadable(_reason(error)) from error


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1."""
    number = 0
    while line := stream.readline(LONGEST_RECORD + 1):
        number += 1
        _check_length(number, line)
        if not line.isspace():
            yield number, line


def _whole(number: int, first: bytes, stream: BinaryIO) -> bytes:
    text = first + stream.read(LONGEST_RECORD + 1)
    _check_length(number, text)
    return text


def _check_length(number: int, text: bytes) -> None:
    if len(text) > LONGEST_RECORD:
        raise Unreadable(f"line {number}: longer than any record ({LONGEST_RECORD} bytes)")


def _parsed(number: int, text: bytes) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {number + error.lineno - 1}, column {error.colno}"
        raise Unreadable(f"{where}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"line {number}: not text in UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number}: not JSON that a record could be: {error}") from error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
