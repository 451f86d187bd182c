"""Links as Telegram reads them: which are kept, how they are written, and what a t.me link to the bot asks for.

Follows tdlib/td `LinkManager.cpp` (check_link, get_link_user_id). It opens nothing.
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, urlsplit

_USER = re.compile(r"tg:(?://)?user\?id=(\d+)", re.IGNORECASE)
_OWN_SCHEME = re.compile(r"(tg|ton|tonsite):(?://)?([A-Za-z0-9_.-]+)(.*)", re.IGNORECASE | re.DOTALL)
_START = re.compile(r"[A-Za-z0-9_-]{0,64}")


@dataclass(frozen=True, slots=True)
class BotLink:
    """What a t.me link to the bot asks for: `kind` is "start" or "startgroup", `payload` may be empty."""

    kind: str
    payload: str


def is_payload(payload: str) -> bool:
    """What a deep link can carry: at most 64 of A-Z a-z 0-9 _ -."""
    return _START.fullmatch(payload) is not None


def mentioned_user(url: str) -> int | None:
    """The user id of a tg://user?id=… link."""
    match = _USER.match(url)
    return int(match[1]) if match else None


def checked(url: str) -> str:
    """The link as Telegram writes it; raises ValueError with the server's reason where it is no link."""
    if match := _OWN_SCHEME.fullmatch(url):
        scheme, host, rest = match[1].lower(), match[2].lower(), match[3]
        return f"{scheme}://{host}{rest or '/'}"
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "http", url
    if scheme.lower() not in ("http", "https"):
        raise ValueError("Unsupported URL protocol")
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    path = rest[len(host) :]
    if "." not in host.strip(".") or re.search(r"[\s\"<>]", host):
        raise ValueError("Wrong HTTP URL")
    return f"{scheme.lower()}://{host.lower()}{path if path.startswith('/') else '/' + path}"


def kept(url: str) -> str | None:
    """`checked`, with None for what is no link: a link entity with such a target is dropped without a word."""
    try:
        return checked(url)
    except ValueError:
        return None


def split(url: str) -> SplitResult:
    """The parts of a link; all of them empty for what is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def bot_link(url: str, username: str) -> BotLink | None:
    """What t.me/<username>?start=… or ?startgroup=… asks for; None for every other link or a forbidden payload."""
    parts = split(url if "://" in url else f"https://{url}")
    query = parse_qs(parts.query, keep_blank_values=True)
    if parts.scheme == "tg" and parts.netloc == "resolve":
        name = query.get("domain", [""])[0]
    elif parts.hostname in ("t.me", "telegram.me"):
        name = parts.path.strip("/")
    else:
        return None
    if name.lower() != username.lower():
        return None
    for kind in ("start", "startgroup"):
        payload = query.get(kind, [""])[0]
        if kind in query and is_payload(payload):
            return BotLink(kind, payload)
    return BotLink("start", "") if not query else None
