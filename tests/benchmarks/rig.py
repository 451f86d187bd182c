"""Starting store, double and bots for the benchmarks, and reading how much processor time each has used (Linux)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tgavalon.store.embedded import EmbeddedServer

ROOT = Path(__file__).resolve().parents[2]
_TICK = os.sysconf("SC_CLK_TCK")


def cpu(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def memory(pid: int) -> int:
    """Bytes of a process that are its own and in memory."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


def machine() -> dict[str, Any]:
    """Where the figures come from, and how busy it was."""
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": [round(x, 1) for x in os.getloadavg()],
    }


@dataclass
class Rig:
    """A running double with people, and its store."""

    people: asyncio.subprocess.Process
    redis_url: str
    redis_pid: int
    url: str = ""

    async def tap(self, seconds: float, concurrency: int, pause: float = 0.0) -> dict[str, Any]:
        """Have people tap; what was measured."""
        assert self.people.stdin is not None
        self.people.stdin.write(f"tap {seconds} {concurrency} {pause}\n".encode())
        return await self.told()

    async def told(self) -> dict[str, Any]:
        """The next line that the double's process prints."""
        assert self.people.stdout is not None
        line = await self.people.stdout.readline()
        found: dict[str, Any] = json.loads(line)
        return found


@contextlib.asynccontextmanager
async def rig(tables: int, *, limits: bool = False) -> AsyncIterator[Rig]:
    """A store without a file, so that the disk does not count, and the double with so many tables."""
    async with (
        EmbeddedServer(None) as server,
        _process("telegram", server.url, str(tables), "limits" if limits else "") as people,
    ):
        assert server.pid is not None
        made = Rig(people, server.url, server.pid)
        made.url = (await made.told())["url"]
        yield made


@contextlib.asynccontextmanager
async def bot(kind: str, rig: Rig, *more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A bot at work."""
    async with _process("bots", kind, rig.url, rig.redis_url, *more) as process:
        yield process


@contextlib.asynccontextmanager
async def _process(module: str, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", f"tests.benchmarks.{module}", *arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
