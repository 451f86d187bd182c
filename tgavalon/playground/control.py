"""The control side on localhost: pretend people act, the world is turned, faults are ordered, the page watches.

POST /control/<verb> with a JSON object; {"ok": true, "result": …} or HTTP 400 {"ok": false, "error": "…"}.
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import WSMsgType, hdrs, web

from tgavalon.playground.links import split
from tgavalon.playground.model import Nonsense
from tgavalon.playground.state import state_json
from tgavalon.playground.verbs import VERBS, Request

if TYPE_CHECKING:
    from tgavalon.playground.double import Double

PAGE = Path(__file__).parent / "page"
FRAME_SECONDS = 1 / 15
_LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def local_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Against DNS rebinding and pages of other origins: only localhost may be named as host or origin."""
    if not request.path.startswith(("/bot", "/file/")):
        host = split(f"//{request.headers.get(hdrs.HOST, '')}").hostname
        origin = request.headers.get(hdrs.ORIGIN)
        if host not in _LOCAL_HOSTS or (origin is not None and split(origin).hostname not in _LOCAL_HOSTS):
            return web.json_response({"ok": False, "error": "only for this machine"}, status=403)
    return await handler(request)


class Control:
    def __init__(self, double: "Double") -> None:
        self.double = double
        self.sockets: set[web.WebSocketResponse] = set()

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.get("/", self.index),
            web.get("/page/{name}", self.asset),
            web.get("/control/file/{file_id}", self.file),
            web.get("/control/live", self.live),
            web.post("/control/{verb}", self.verb),
        ]

    async def index(self, _request: web.Request) -> web.StreamResponse:
        return self._static("index.html")

    async def asset(self, request: web.Request) -> web.StreamResponse:
        return self._static(request.match_info["name"])

    @staticmethod
    def _static(name: str) -> web.StreamResponse:
        path = PAGE / name
        if path.parent != PAGE or not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path, headers={hdrs.CACHE_CONTROL: "no-cache"})

    async def file(self, request: web.Request) -> web.Response:
        file = self.double.world.files.get(request.match_info["file_id"])
        if file is None:
            raise web.HTTPNotFound
        # Only pictures may open in the browser: a document could be a page with scripts of its own.
        disposition = "inline" if file.kind == "photos" else "attachment"
        headers = {hdrs.CONTENT_DISPOSITION: disposition, "X-Content-Type-Options": "nosniff"}
        return web.Response(body=file.content, content_type=file.mime.partition(";")[0], headers=headers)

    async def verb(self, request: web.Request) -> web.Response:
        verb = VERBS.get(request.match_info["verb"])
        try:
            if verb is None:
                raise Nonsense(f"no verb {request.match_info['verb']}")
            result = verb(self.double, Request(_object(await request.text())))
        except Nonsense as problem:
            return web.json_response({"ok": False, "error": str(problem)}, status=400)
        return web.json_response({"ok": True, "result": result})

    async def live(self, request: web.Request) -> web.WebSocketResponse:
        """The whole state at once and after each change, at most some fifteen times a second."""
        socket = web.WebSocketResponse(heartbeat=20)
        await socket.prepare(request)
        self.sockets.add(socket)
        sender = asyncio.create_task(self._stream(socket))
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self.sockets.discard(socket)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await sender
        return socket

    async def _stream(self, socket: web.WebSocketResponse) -> None:
        world = self.double.world
        while not socket.closed:
            shown = world.changed.count
            await socket.send_str(json.dumps(state_json(world, self.double.puppets.users)))
            await asyncio.sleep(FRAME_SECONDS)
            if world.changed.count == shown:
                await world.changed.wait()

    async def close(self) -> None:
        for socket in list(self.sockets):
            await socket.close()


def _object(raw: str) -> dict[str, object]:
    try:
        value = json.loads(raw or "{}")
    except ValueError:
        raise Nonsense("the body is not JSON") from None
    if not isinstance(value, dict):
        raise Nonsense("the body is not a JSON object")
    return value
