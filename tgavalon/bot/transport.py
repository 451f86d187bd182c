"""HTTP for python-telegram-bot over one aiohttp session.

Knows how bytes travel and nothing of what they say: no method names, no game. A URL of the Bot API holds the bot's
token, so nothing here puts a URL into an exception, a log line or a `repr`; foreign exceptions that do are not chained.

A caller can tell two kinds of failure apart:

- `NotSent` (and `NotSentInTime`, also a `TimedOut`): no connection was made, so Telegram surely never saw the call;
- any other `NetworkError` or `TimedOut` that is not a `BadRequest`: the call may have taken effect.
"""

from __future__ import annotations

import asyncio
import datetime as dtm
import errno
import io
import json
from base64 import b64encode
from typing import Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram._utils.defaultvalue import DefaultValue
from telegram._utils.types import JSONDict, ODVInput
from telegram.error import NetworkError, RetryAfter, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData
from yarl import URL

Proxy = tuple[URL | None, dict[str, str]]
"""Its address, and what it is to be told on connecting."""

_NO_PROXY: Proxy = None, {}
_DEFAULT = BaseRequest.DEFAULT_NONE
_TOO_MANY_REQUESTS = 429


class NotSent(NetworkError):
    """No connection could be made: Telegram surely never saw the call."""

    __slots__ = ()


class NotSentInTime(NotSent, TimedOut):
    """No connection came about, or none became free, in time: Telegram surely never saw the call."""

    __slots__ = ()


class Flooded(RetryAfter):
    """Telegram asks to wait. python-telegram-bot's own class warns of a deprecation whenever it is made."""

    __slots__ = ()

    @property
    def retry_after(self) -> dtm.timedelta:
        """How long to wait."""
        return self._retry_after


class AiohttpRequest(BaseRequest):
    """One keep-alive pool of connections to the Bot API.

    Timeouts are seconds, None for no limit: `connect` for making a connection, `pool` for waiting for a free one,
    `read` for silence in the answer, `write` (`media_write` for uploads) for handing the request over; a whole call
    ends after their sum. One instance may serve as both `request` and `get_updates_request` of a bot. With `trust_env`
    the proxies of the environment (`HTTPS_PROXY`, `NO_PROXY`, …) are used, read once per server.
    """

    __slots__ = ("_media_write", "_pool", "_pool_size", "_proxies", "_read", "_session", "_trust_env", "_waits")

    def __init__(
        self,
        *,
        connect_timeout: float | None = 5.0,
        read_timeout: float | None = 10.0,
        write_timeout: float | None = 5.0,
        pool_timeout: float | None = 5.0,
        media_write_timeout: float | None = 30.0,
        pool_size: int = 256,
        trust_env: bool = True,
    ) -> None:
        self._waits = (connect_timeout, pool_timeout, write_timeout)
        self._read = read_timeout
        self._media_write = media_write_timeout
        self._pool_size = pool_size
        self._trust_env = trust_env
        self._proxies: dict[tuple[str, str], Proxy] = {}
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float | None:
        """Seconds of silence after which an answer is given up; `getUpdates` adds its own waiting time."""
        return self._read

    async def initialize(self) -> None:
        """Open the session; a second call changes nothing."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._pool_size),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.USER_AGENT},
            )

    async def shutdown(self) -> None:
        """Close all connections; a second call changes nothing."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = _DEFAULT,
        write_timeout: ODVInput[float] = _DEFAULT,
        connect_timeout: ODVInput[float] = _DEFAULT,
        pool_timeout: ODVInput[float] = _DEFAULT,
    ) -> tuple[int, bytes]:
        """The status and body of Telegram's answer.

        Raises `NotSent`, `TimedOut` or `NetworkError` as the module says (also where the answer is not one of the Bot
        API, as from a gateway), `Flooded` for a 429, and `RuntimeError` before `initialize`.
        """
        if self._session is None:
            raise RuntimeError("The transport is not initialized.")
        upload = request_data is not None and request_data.contains_files
        timeout = self._timeout(upload, connect_timeout, pool_timeout, write_timeout, read_timeout)
        body, headers = await _encoded(request_data)
        proxy, for_proxy = await self._proxy(URL(url))
        failure: TelegramError
        try:
            async with self._session.request(
                method,
                url,
                data=body,
                headers=headers | for_proxy if url.startswith("http:") else headers,
                timeout=timeout,
                proxy=proxy,
                proxy_headers=for_proxy,  # only used for tunnels, that is with https
                allow_redirects=False,
            ) as response:
                payload = await response.read()
            _check(response, payload, of_api=method == "POST")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            failure = _failure(error)
        else:
            return response.status, payload
        raise failure  # outside of the handler, so that the foreign exception and its URL are not chained

    @staticmethod
    def parse_json_payload(payload: bytes) -> JSONDict:
        """The answer; raises `NetworkError` where it is no JSON object. Unlike the base class, logs none of it."""
        answer = _json_object(payload)
        if answer is None:
            raise NetworkError("The answer is not a JSON object")
        return answer

    def _timeout(
        self,
        upload: bool,
        connect: ODVInput[float],
        pool: ODVInput[float],
        write: ODVInput[float],
        read: ODVInput[float],
    ) -> aiohttp.ClientTimeout:
        connecting, pooling, writing = self._waits
        connecting = _given(connect, connecting)
        acquiring = _total(connecting, _given(pool, pooling))
        reading = _given(read, self._read)
        writing = _given(write, self._media_write if upload else writing)
        return aiohttp.ClientTimeout(
            total=_total(acquiring, writing, reading), connect=acquiring, sock_connect=connecting, sock_read=reading
        )

    async def _proxy(self, url: URL) -> Proxy:
        # aiohttp's own trust_env asks the environment and .netrc in threads, for every request.
        server = url.scheme, url.host or ""
        if self._trust_env and server not in self._proxies:
            self._proxies[server] = await asyncio.to_thread(_proxy_of, *server)
        return self._proxies.get(server, _NO_PROXY)


def _given(value: ODVInput[float], default: float | None) -> float | None:
    return default if isinstance(value, DefaultValue) else value


def _total(*seconds: float | None) -> float | None:
    known = [second for second in seconds if second is not None]
    return sum(known) if len(known) == len(seconds) else None


def _proxy_of(scheme: str, host: str) -> Proxy:
    found = getproxies().get(scheme)
    if not found or proxy_bypass(host):
        return _NO_PROXY
    proxy = URL(found if "://" in found else f"http://{found}")
    name = f"{proxy.user or ''}:{proxy.password or ''}".encode()
    headers = {"Proxy-Authorization": f"Basic {b64encode(name).decode()}"} if proxy.user else {}
    return proxy.with_user(None), headers


async def _encoded(data: RequestData | None) -> tuple[bytes | aiohttp.FormData | None, dict[str, str]]:
    """The body and its headers: urlencoded, or multipart where there are files."""
    if data is None or not (data.parameters or data.contains_files):
        return None, {}
    if not data.contains_files:
        return data.url_encoded_parameters().encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    form = aiohttp.FormData(quote_fields=False)
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, mimetype) in data.multipart_data.items():
        octets = content if isinstance(content, bytes) else await asyncio.to_thread(content.read)
        form.add_field(name, io.BytesIO(octets), filename=filename, content_type=mimetype)
    return form, {}


def _check(response: aiohttp.ClientResponse, payload: bytes, of_api: bool) -> None:
    """Raise unless the answer is one that python-telegram-bot reads as Telegram meant it."""
    if response.status == _TOO_MANY_REQUESTS:
        raise Flooded(_seconds(response, payload))
    if 200 <= response.status < 300:
        if of_api and b'"result"' not in payload:
            raise NetworkError(f"HTTP {response.status} without a result")
    elif _json_object(payload) is None:
        # A gateway's page. With 401, 403 or 404 it must not pass for a revoked token or a chat that is closed to us.
        raise NetworkError(f"HTTP {response.status}, and not from the Bot API")


def _seconds(response: aiohttp.ClientResponse, payload: bytes) -> int:
    parameters = (_json_object(payload) or {}).get("parameters")
    told = parameters.get("retry_after") if isinstance(parameters, dict) else response.headers.get("Retry-After")
    seconds = str(told)
    return max(1, int(seconds)) if seconds.isdecimal() else 1


def _json_object(payload: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(payload)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _failure(error: aiohttp.ClientError | TimeoutError | OSError) -> TelegramError:
    # The texts of aiohttp's exceptions hold URLs: name the class and the system's error only.
    number = error.errno if isinstance(error, OSError) and not isinstance(error, aiohttp.ClientSSLError) else None
    code = errno.errorcode.get(number or 0)
    what = f"{type(error).__name__} ({code})" if code else type(error).__name__
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return NotSentInTime(what)
    if isinstance(error, (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError, aiohttp.InvalidURL)):
        return NotSent(what)
    if isinstance(error, TimeoutError):
        return TimedOut(what)
    return NetworkError(what)
