"""One Bot API call over HTTP: token, method, arguments, faults, answer, and the record of it all.

Follows telegram-bot-api `HttpConnection.cpp`, `ClientManager.cpp` and `Query.cpp`: HTTP status = error_code,
`Retry-After` on 429.
"""

import inspect
import json
import re

from aiohttp import BodyPartReader, hdrs, web

# The api_* modules are imported for what they register.
from tgavalon.playground import api_bot, api_chats, api_edit, api_send, api_updates
from tgavalon.playground.endpoints import ENDPOINTS, Endpoint
from tgavalon.playground.faults import Fault
from tgavalon.playground.journal import Call
from tgavalon.playground.params import Params, Upload
from tgavalon.playground.refusals import INVALID_TOKEN, METHOD_NOT_FOUND, UNAUTHORIZED, Refusal
from tgavalon.playground.world import World

MODULES = (api_bot, api_chats, api_edit, api_send, api_updates)
_TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]+")


class BotApi:
    """The handlers of /bot<token>/<method> and /file/bot<token>/<path>."""

    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[web.AbstractRouteDef]:
        call = r"/bot{token:[^/]*}/{method:[^/]*}"
        file = r"/file/bot{token:[^/]*}/{path:.+}"
        routes = [web.get(call, self.call), web.post(call, self.call), web.get(file, self.file)]
        return [*routes, web.route("*", r"/{folder:bot|file/}{rest:.*}", self.nothing)]

    async def nothing(self, _request: web.Request) -> web.Response:
        return answer(Refusal(404, "Not Found"))

    def _check_token(self, request: web.Request) -> None:
        token = request.match_info["token"]
        if not _TOKEN.fullmatch(token):
            raise Refusal(401, INVALID_TOKEN)
        if token != self.world.token:
            raise Refusal(401, UNAUTHORIZED)

    async def file(self, request: web.Request) -> web.Response:
        try:
            self._check_token(request)
        except Refusal as refusal:
            return answer(refusal)
        wanted = request.match_info["path"]
        for file in self.world.files.values():
            if file.path == wanted:
                return web.Response(body=file.content, content_type="application/octet-stream")
        return answer(Refusal(404, "Not Found"))

    async def call(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_token(request)
            params = await read_params(request)
        except Refusal as refusal:
            return answer(refusal)
        name = request.match_info["method"]
        endpoint = ENDPOINTS.get(name.lower())
        call = self._record(name, endpoint, params)
        fault = self.world.faults.strike(name, params.text("chat_id"))
        if fault is not None and fault.drop == "before":
            return await self._drop(request, fault)
        response = await self._respond(endpoint, params, fault, call)
        if fault is not None and fault.delay:
            await self.world.clock.sleep(fault.delay)
        lost = fault is not None and fault.drop == "after"
        self.world.journal.close(call, 0 if lost else response.status, call.response)
        return await self._drop(request, None) if lost else response

    def _record(self, name: str, endpoint: Endpoint | None, params: Params) -> Call:
        """Files are recorded by name; their bytes are in the world."""
        shown = params.values | {field: f"<{upload.name}>" for field, upload in params.files.items()}
        strange = sorted(params.values.keys() - endpoint.params) if endpoint else []
        spelling = endpoint.name if endpoint else name
        return self.world.journal.open(spelling, shown, known=endpoint is not None, unknown_params=strange)

    async def _respond(
        self, endpoint: Endpoint | None, params: Params, fault: Fault | None, call: Call
    ) -> web.StreamResponse:
        try:
            if endpoint is None:
                raise Refusal(404, METHOD_NOT_FOUND)
            if fault is not None and (refusal := fault.refusal()):
                raise refusal
            result = endpoint.answer(self.world, params)
            result = await result if inspect.isawaitable(result) else result
        except Refusal as refusal:
            call.response = refusal.body()
            return answer(refusal)
        call.response = {"ok": True, "result": result}
        return web.json_response(call.response)

    async def _drop(self, request: web.Request, fault: Fault | None) -> web.StreamResponse:
        """Close the connection without an answer."""
        if fault is not None and fault.delay:
            await self.world.clock.sleep(fault.delay)
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)


def answer(refusal: Refusal) -> web.Response:
    headers = {}
    if "retry_after" in refusal.parameters:
        headers[hdrs.RETRY_AFTER] = str(refusal.parameters["retry_after"])
    return web.json_response(refusal.body(), status=refusal.code, headers=headers)


async def read_params(request: web.Request) -> Params:
    """Query string, urlencoded form, multipart and JSON; later ones win, as on the server."""
    params = Params(dict(request.query))
    if request.content_type == "application/json":
        params.values |= values_from_json(await request.text())
    elif request.content_type == "application/x-www-form-urlencoded":
        params.values |= {key: str(value) for key, value in (await request.post()).items()}
    elif request.content_type == "multipart/form-data":
        await _read_multipart(request, params)
    return params


def values_from_json(raw: str) -> dict[str, str]:
    """The arguments in a JSON body; all but strings stay JSON. Raises a refusal for what is no object."""
    try:
        value = json.loads(raw or "{}")
    except ValueError:
        raise Refusal(400, "Bad Request: can't parse JSON object") from None
    if not isinstance(value, dict):
        raise Refusal(400, "Bad Request: expected an Object")
    return {key: one if isinstance(one, str) else json.dumps(one) for key, one in value.items() if one is not None}


async def _read_multipart(request: web.Request, params: Params) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise Refusal(400, "Bad Request: nested multipart is not supported")
        content = bytes(await part.read(decode=True))
        name = part.name or ""
        if part.filename is None:
            params.values[name] = content.decode()
        else:
            mime = part.headers.get(hdrs.CONTENT_TYPE, "application/octet-stream")
            params.files[name] = Upload(part.filename, mime, content)
