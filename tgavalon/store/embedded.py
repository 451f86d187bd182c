"""The bot's own Valkey server, for when no other is configured: one program, one data folder, no set-up.

What is acknowledged is on the disk: with `appendfsync always` an answer waits for the disk, and writes that come
together wait together, which a table of people does not notice. `everysec` would be faster, but puts off even handing
writes to the kernel while the disk is busy, and so loses up to two seconds of accepted taps when machine or server die.

Two locks keep one server to a folder: `bot.lock` is held by the process that runs this, `server.lock` by the server
itself. The server ends with the bot: stopped in order, or told by the kernel when the bot is killed (Linux), or found
and ended by the next start (elsewhere).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tgavalon.store.server_config import Endpoint, Fsync, configuration, endpoints, last_log_line, log_path
from tgavalon.store.server_program import EmbeddedError, find_server

if sys.platform != "win32":
    from tgavalon.store.folder_lock import FileLock
    from tgavalon.store.parent_death import die_with_parent

__all__ = ["EmbeddedError", "EmbeddedServer", "Fsync"]

_START_SECONDS: Final = 120.0
_STOP_SECONDS: Final = 15.0
_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 5.0
_STABLE_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


class EmbeddedServer:
    """A running server: `async with EmbeddedServer(folder) as server: … server.url`.

    `folder` keeps the data; None means a temporary one without an append-only file, for tests and the playground. A
    server that ends by itself is started again at the same address.
    """

    def __init__(self, folder: Path | None, *, fsync: Fsync = Fsync.ALWAYS, program: Path | None = None) -> None:
        """Start nothing yet. `program` is the server to run, None for the first that is found."""
        self._given = folder
        self._fsync = fsync if folder is not None else None
        self._program = program
        self._folder = Path()
        self._endpoint: Endpoint | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._closing = asyncio.Event()
        self._stack = contextlib.AsyncExitStack()

    @property
    def url(self) -> str:
        """The address for clients, the same for as long as this runs. It may hold a password."""
        if self._endpoint is None:
            raise EmbeddedError("the embedded server has not been started")
        return self._endpoint.url

    @property
    def pid(self) -> int | None:
        """The process id of the server, None while there is none."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def __aenter__(self) -> Self:
        """Return once the server answers. Raises `EmbeddedError`: no program, folder in use, or it does not start."""
        if sys.platform == "win32":
            raise EmbeddedError("there is no embedded server on Windows: set REDIS_URL to a running Valkey or Redis")
        async with contextlib.AsyncExitStack() as stack:
            self._folder = self._open_folder(stack)
            _take_folder(self._folder, stack)
            self._program = self._program or await find_server()
            stack.push_async_callback(self._stop)
            await self._start_somewhere()
            stack.push_async_callback(self._dismiss, asyncio.create_task(self._guard()))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server; what it has acknowledged is kept."""
        await self._stack.aclose()

    def _open_folder(self, stack: contextlib.AsyncExitStack) -> Path:
        if self._given is None:
            made = Path(tempfile.mkdtemp(prefix="tgavalon-"))
            stack.callback(shutil.rmtree, made, ignore_errors=True)
            return made
        try:
            self._given.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise EmbeddedError(f"cannot use the data folder {self._given}: {error.strerror}") from error
        return self._given.resolve()

    async def _start_somewhere(self) -> None:
        """Start on the first endpoint that works."""
        failure = EmbeddedError("nowhere to listen")
        for endpoint in endpoints(self._folder):
            try:
                await self._start(endpoint)
            except EmbeddedError as error:
                failure = error
                continue
            self._endpoint = endpoint
            return
        raise failure

    async def _start(self, endpoint: Endpoint) -> None:
        lock = FileLock(self._folder / "server.lock")
        try:
            if not lock.take():
                await _end_orphan(self._folder, lock)
            self._process = await self._spawn(endpoint, lock)
        finally:
            lock.close()
        await self._answering(endpoint)

    async def _spawn(self, endpoint: Endpoint, lock: FileLock) -> asyncio.subprocess.Process:
        """Run the program in a session of its own, so that Ctrl-C reaches the bot only, and the bot ends it last."""
        _write_private(self._folder / "server.url", endpoint.url)
        log_path(self._folder).touch(mode=0o600)
        with log_path(self._folder).open("ab") as log, tempfile.TemporaryFile() as orders:
            orders.write(configuration(self._folder, endpoint, self._fsync))
            orders.seek(0)
            return await asyncio.create_subprocess_exec(
                str(self._program),
                "-",
                stdin=orders,
                stdout=log,
                stderr=log,
                pass_fds=(lock.descriptor,),
                start_new_session=True,
                umask=0o077,
                preexec_fn=die_with_parent(),
            )

    async def _answering(self, endpoint: Endpoint) -> None:
        """Return once the server answers; reading a large file takes it a while."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _START_SECONDS
        async with _client(endpoint.url) as client:
            while self.pid is not None and loop.time() < end and not self._closing.is_set():
                with contextlib.suppress(RedisError):
                    await client.ping()
                    return
                await asyncio.sleep(_PAUSE)
        await self._stop()
        if self._closing.is_set():
            return
        said = last_log_line(self._folder)
        raise EmbeddedError(f"the embedded server does not start: {said} (see {log_path(self._folder)})")

    async def _guard(self) -> None:
        """Start the server again whenever it ends by itself, as it does on a full disk rather than break its word."""
        clock, pause = asyncio.get_running_loop().time, _PAUSE
        while self._process is not None and self._endpoint is not None:
            started = clock()
            code = await self._process.wait()
            if self._closing.is_set():
                return
            _log.error("the embedded server ended (exit code %s): %s", code, last_log_line(self._folder))
            pause = _PAUSE if clock() - started > _STABLE_SECONDS else min(2 * pause, _LONGEST_PAUSE)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), pause)
                return
            try:
                await self._start(self._endpoint)
            except EmbeddedError as error:
                _log.error("%s", error)
            else:
                _log.warning("the embedded server has been started again")

    async def _dismiss(self, guard: asyncio.Task[None]) -> None:
        """Let the guard come to its own end: a cancelled one could lose a server that it was just starting."""
        self._closing.set()
        await self._stop()
        await guard

    async def _stop(self) -> None:
        """End the server: in order if it can, else at once. Its file is whole either way."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), _STOP_SECONDS)
        except TimeoutError:
            _log.error("the embedded server does not stop by itself and is killed")
            self._process.kill()
            await self._process.wait()


def _take_folder(folder: Path, stack: contextlib.AsyncExitStack) -> None:
    lock = FileLock(folder / "bot.lock")
    stack.callback(lock.close)
    if not lock.take():
        raise EmbeddedError(f"another tgavalon is already running on the data folder {folder}")


async def _end_orphan(folder: Path, lock: FileLock) -> None:
    """A server without its bot still holds the folder: it is told to end, and answers nothing once it has."""
    _log.warning("a server left over from an earlier run is ended first")
    with contextlib.suppress(RedisError, FileNotFoundError):
        async with _client((folder / "server.url").read_text("utf-8")) as client:
            await client.shutdown(nosave=True)
    if not await lock.wait(_STOP_SECONDS):
        raise EmbeddedError(f"a server left over from an earlier run still uses {folder}; end it and start again")


def _client(url: str) -> Redis:
    return Redis.from_url(url, protocol=2, socket_timeout=_STOP_SECONDS, retry=Retry(NoBackoff(), 0))


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")
