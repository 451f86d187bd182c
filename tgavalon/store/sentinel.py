"""The address of a server that Sentinels watch over: `redis+sentinel://[user:password@]host1:26379,host2/service[/db]`.

User and password are those of the server; Sentinels that want their own get them as `?sentinel_username=` and
`?sentinel_password=`. Everything else after the `?` is what redis-py takes from a `redis://` address, and the scheme
`rediss+sentinel` means TLS to both. Whom to ask and when is redis-py's business; nothing is sent here.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import unquote

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

_ADDRESS: Final = re.compile(
    r"redis(?P<tls>s?)\+sentinel://(?:(?P<login>[^/?#]*)@)?(?P<hosts>[^/?#@]+)"
    r"/(?P<service>[^/?#]+)(?P<db>/[0-9]+)?(?P<query>\?[^#]*)?"
)
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([^\[\]:,\s]+))(?::([0-9]{1,5}))?")
_PORT: Final = 26379
_SECONDS: Final = 0.5
"""How long one Sentinel may take to answer before the next is asked: it only tells what it knows."""


def is_watched(url: str) -> bool:
    """Whether `url` is that of a server that Sentinels know the whereabouts of."""
    return url.startswith(("redis+sentinel://", "rediss+sentinel://"))


class Watched:
    """A server by the name under which Sentinels watch over it."""

    def __init__(self, url: str) -> None:
        """Raises `ValueError`, which does not repeat the address, where it is malformed."""
        match = _ADDRESS.fullmatch(url)
        if match is None:
            raise ValueError("not the address of a service and its Sentinels")
        login = f"{match['login']}@" if match["login"] is not None else ""
        told: dict[str, Any] = {
            **parse_url(f"redis://{login}host{match['db'] or ''}{match['query'] or ''}"),
            **({"ssl": True} if match["tls"] else {}),
        }
        del told["host"]
        self._service = unquote(match["service"])
        of_sentinel = {name: told.pop(name) for name in [*told] if name.startswith("sentinel_")}
        self._options = told
        self._hosts = [_host(text) for text in match["hosts"].split(",")]
        self._asking = {
            **{name: value for name, value in told.items() if name.startswith("ssl")},
            **{name.removeprefix("sentinel_"): value for name, value in of_sentinel.items()},
            "protocol": 2,
            "socket_timeout": _SECONDS,
            "socket_connect_timeout": _SECONDS,
            "retry": Retry(NoBackoff(), 0),
        }
        self._guides: list[Any] = []

    def client(self, **options: Any) -> Redis:
        """A client of whichever server is the master; it asks the Sentinels whenever it connects.

        Each has its own way to the Sentinels: redis-py puts the one that answered first in their list, and two callers
        at once would put one there twice and lose another.
        """
        untyped: Any = Sentinel
        guide = untyped(self._hosts, sentinel_kwargs=self._asking)
        self._guides.append(guide)
        found: Redis = guide.master_for(self._service, **{**self._options, **options})
        return found

    async def close(self) -> None:
        """Close the connections to the Sentinels."""
        for guide in self._guides:
            for sentinel in guide.sentinels:
                await sentinel.aclose()


def _host(text: str) -> tuple[str, int]:
    match = _HOST.fullmatch(text)
    if match is None or not 0 < int(match[3] or _PORT) < 1 << 16:
        raise ValueError("a Sentinel's address is malformed")
    return match[1] or match[2], int(match[3] or _PORT)
