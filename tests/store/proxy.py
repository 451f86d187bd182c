"""Lines to the server through a port of the test's own; one kind loses answers: the request takes effect, and no reply
comes back."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

Hook = Callable[[], Awaitable[object]]


class Relay(ABC):
    """A port that people connect to in place of a server; each connection is served by `_forward` until it ends."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._lines.values():
            writer.close()
        if self._lines:
            await asyncio.wait(self._lines)

    def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(self._forward(reader, writer))
        self._lines[line] = writer
        line.add_done_callback(self._lines.pop)

    @abstractmethod
    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""


class LossyProxy(Relay):
    """Forwards TCP to a server's Unix socket. `lose_answer` picks what is lost next."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._path = unquote(urlsplit(url).path)
        self._needle: bytes | None = None
        self._one_in = 0
        self._asked = 0
        self._hook: Hook | None = None
        self.lost = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def lose_answer(self, needle: bytes, hook: Hook | None = None) -> None:
        """Lose the answer to the next request that contains `needle`; before the line is cut, await `hook`."""
        self._needle, self._hook = needle, hook

    def lose_one_answer_in(self, number: int) -> None:
        """From now on lose every so-manieth answer."""
        self._one_in = number

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._path)
        try:
            while request := await reader.read(1 << 20):
                back.write(request)
                answer = await there.read(1 << 20)
                if self._is_lost(request):
                    await self._lose()
                    return
                writer.write(answer)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            for end in (writer, back):
                end.close()
                with contextlib.suppress(ConnectionError):
                    await end.wait_closed()

    def _is_lost(self, request: bytes) -> bool:
        self._asked += 1
        if self._one_in and self._asked % self._one_in == 0:
            return True
        return self._needle is not None and self._needle in request

    async def _lose(self) -> None:
        hook, self._needle, self._hook = self._hook, None, None
        self.lost += 1
        if hook is not None:
            await hook()
