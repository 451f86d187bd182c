"""Locks on files of the data folder, held by processes: the kernel lets go of them when the holder dies, however.

Not for Windows, which has no `flock`.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path
from typing import Final

_PAUSE: Final = 0.02


class FileLock:
    """An exclusive lock on one file. A child process that inherits `descriptor` holds it too."""

    def __init__(self, path: Path) -> None:
        """Open the file without locking it; it is made where it is missing."""
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self) -> bool:
        """Lock at once or return False."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    async def wait(self, seconds: float) -> bool:
        """Lock as soon as the holder lets go; False where that takes longer than `seconds`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not self.take():
            if loop.time() > end:
                return False
            await asyncio.sleep(_PAUSE)
        return True

    def close(self) -> None:
        """Let go, unless a child process still holds the lock."""
        os.close(self.descriptor)
