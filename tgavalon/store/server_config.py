"""What the embedded server is told: where to listen and how to keep its data. Text only; nothing is started here."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import quote

_LONGEST_SOCKET_PATH: Final = 103
"""In bytes, without the closing zero: 107 on Linux, 103 on macOS."""


class Fsync(StrEnum):
    """When the append-only file reaches the disk."""

    ALWAYS = "always"
    EVERY_SECOND = "everysec"
    NEVER = "no"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server listens: its address for clients, which may hold a password, and its configuration lines."""

    url: str = field(repr=False)
    lines: tuple[bytes, ...] = field(repr=False)


def endpoints(folder: Path) -> Iterator[Endpoint]:
    """Where a server for `folder` may listen, best first: a socket in the folder, else a port of this machine only.

    The socket needs a path that is short enough and a file system that has sockets.
    """
    path = os.fsencode(folder / "server.sock")
    if len(path) <= _LONGEST_SOCKET_PATH:
        yield Endpoint(f"unix://{quote(path)}", (b"port 0", b"unixsocket " + _quoted(path), b"unixsocketperm 700"))
    password = secrets.token_urlsafe(24)
    port = _free_port()
    lines = (f"port {port}", "bind 127.0.0.1", f"requirepass {password}")
    yield Endpoint(f"redis://:{password}@127.0.0.1:{port}", tuple(line.encode() for line in lines))


def configuration(folder: Path, endpoint: Endpoint, fsync: Fsync | None) -> bytes:
    """The whole configuration; `fsync` None is for data that need not outlive the server.

    The file is appended to and never replaced by a snapshot. It is kept as plain commands, so that another version, or
    Redis in place of Valkey, can read it. A last command cut short by a power cut is left out and logged.
    """
    kept = (
        b"appendonly yes",
        b"appendfsync " + (fsync or Fsync.NEVER).encode(),
        b"aof-load-truncated yes",
        b"aof-use-rdb-preamble no",
    )
    lines = (
        *endpoint.lines,
        b"dir " + _quoted(os.fsencode(folder)),
        b"logfile " + _quoted(os.fsencode(log_path(folder))),
        b"daemonize no",
        b'save ""',
        b"maxmemory-policy noeviction",
        *(kept if fsync is not None else (b"appendonly no",)),
    )
    return b"\n".join(lines) + b"\n"


def log_path(folder: Path) -> Path:
    """Where the server writes its log."""
    return folder / "server.log"


def last_log_line(folder: Path) -> str:
    """The last thing the server said, '' where it has said nothing."""
    try:
        lines = log_path(folder).read_text("utf-8", "replace").split("\n")
    except FileNotFoundError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _quoted(path: bytes) -> bytes:
    return b'"' + b"".join(f"\\x{byte:02x}".encode() for byte in path) + b'"'
