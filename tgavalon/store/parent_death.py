"""Asking the kernel to end a child process with its parent; Linux only, elsewhere nothing happens."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def die_with_parent() -> Callable[[], None] | None:
    """What a child must run between fork and exec to get SIGTERM when the thread that forked it ends.

    SIGTERM and not SIGKILL: the server still writes and syncs what it has acknowledged.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return ask
