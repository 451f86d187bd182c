"""Flags, environment and file → one frozen value; the former win over the latter, and all over the defaults.

Reads and checks, changes nothing. What is secret does not show in a `repr`, and no error names it.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

OFFICIAL_API = "https://api.telegram.org"

_OFFICIAL_TOKEN = re.compile(r"[0-9]{5,}:[A-Za-z0-9_-]{30,}")
_ANY_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
_SENTINEL = re.compile(
    r"rediss?\+sentinel://([^/?#]*@)?HOST(,HOST)*/[^/?#]+(/[0-9]+)?(\?[^#]*)?".replace(
        "HOST", r"(\[[0-9A-Fa-f:.%]+\]|[^][:,/?#@\s]+)(:[0-9]{1,5})?"
    )
)
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

_GET_A_TOKEN = (
    "No bot token: set TGAVALON_TOKEN to the token that @BotFather gave you, or TGAVALON_TOKEN_FILE to a file with it"
)

# Each setting by the environment variables that name it, the first that is set counts. `config` is the TOML file.
VARIABLES: Mapping[str, tuple[str, ...]] = {
    "token": ("TGAVALON_TOKEN",),
    "token_file": ("TGAVALON_TOKEN_FILE",),
    "api_url": ("TGAVALON_API_URL",),
    "redis_url": ("TGAVALON_REDIS_URL", "REDIS_URL"),
    "redis_replicas": ("TGAVALON_REDIS_REPLICAS",),
    "data_dir": ("TGAVALON_DATA_DIR",),
    "log_level": ("TGAVALON_LOG_LEVEL",),
    "log_format": ("TGAVALON_LOG_FORMAT",),
    "webhook": ("TGAVALON_WEBHOOK",),
    "listen": ("TGAVALON_LISTEN",),
    "admin": ("TGAVALON_ADMIN",),
}
CONFIG_VARIABLE = "TGAVALON_CONFIG"


class SettingError(Exception):
    """A setting is missing or wrong. The text is one line that says what to do."""


class LogFormat(StrEnum):
    """How a log line looks."""

    HUMAN = "human"
    JSON = "json"


class Secret:
    """A string that shows itself only when asked to."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The string itself."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __str__(self) -> str:
        return "…"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen on this machine; the host without the brackets of IPv6."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set. `token` is already read from `token_file` where that is given.

    `redis_url` None means the embedded store, with its files in `data_dir`; what is saved is in `redis_replicas` of its
    replicas too. URLs have no slash at the end. `webhook` None means long polling. Health and metrics are served at
    `admin`, None for nowhere.
    """

    data_dir: Path
    token: Secret | None = None
    token_file: Path | None = None
    api_url: str = OFFICIAL_API
    redis_url: str | None = field(default=None, repr=False)
    redis_replicas: int = 0
    log_level: str = "INFO"
    log_format: LogFormat = LogFormat.HUMAN
    webhook: str | None = None
    listen: Address = Address("127.0.0.1", 8443)
    admin: Address | None = None

    def bot_token(self) -> Secret:
        """The token. Raises `SettingError` where none is set."""
        if self.token is None:
            raise SettingError(_GET_A_TOKEN)
        return self.token


def load(flags: Mapping[str, str | None], environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings from `flags` (by field name, and `config`; None and "" count as not given), environment and file.

    Raises `SettingError` for the first setting that is wrong.
    """
    given = {name: value for name, value in flags.items() if value}
    named = {name: value for name, keys in VARIABLES.items() if (value := _first(environ, keys))}
    config = given.pop("config", None) or environ.get(CONFIG_VARIABLE)
    levels = [given, named, _file(Path(config).expanduser()) if config else {}]
    values = {name: value for level in reversed(levels) for name, value in level.items()}
    api_url = _api_url(values.get("api_url", OFFICIAL_API))
    token, token_file = _token_source(levels)
    return Settings(
        data_dir=Path(values["data_dir"]).expanduser().absolute()
        if "data_dir" in values
        else _default_data_dir(environ),
        token=_token(token, token_file, api_url),
        token_file=token_file,
        api_url=api_url,
        redis_url=_redis_url(values.get("redis_url")),
        redis_replicas=_replicas(values.get("redis_replicas", "0"), values.get("redis_url")),
        log_level=_choice("log_level", values.get("log_level", "INFO").upper(), _LEVELS),
        log_format=LogFormat(_choice("log_format", values.get("log_format", LogFormat.HUMAN).lower(), (*LogFormat,))),
        webhook=_webhook(values["webhook"], api_url) if "webhook" in values else None,
        listen=_address("listen", values.get("listen", "127.0.0.1:8443")),
        admin=_address("admin", values["admin"]) if "admin" in values else None,
    )


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((environ[name] for name in names if environ.get(name)), None)


def _file(path: Path) -> dict[str, str]:
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(f"The configuration file {path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # TOML or UTF-8
        raise SettingError(f"The configuration file {path} is not valid TOML: {_line(error)}") from None
    for name, value in settings.items():
        if name not in VARIABLES:
            raise SettingError(f"{path} has an unknown setting {name!r}; known are {', '.join(VARIABLES)}")
        if not isinstance(value, str):
            raise SettingError(f"{path}: {name} must be a text in quotes")
    return {name: value for name, value in settings.items() if value}


def _line(error: ValueError) -> str:
    return str(error).splitlines()[0]


def _token_source(levels: list[dict[str, str]]) -> tuple[str | None, Path | None]:
    """Token or file from the highest level that has either."""
    for level in levels:
        token, file = level.get("token"), level.get("token_file")
        if token and file:
            raise SettingError(
                "Both a token and a token file are set; set only one of TGAVALON_TOKEN, TGAVALON_TOKEN_FILE"
            )
        if token or file:
            return token, Path(file).expanduser() if file else None
    return None, None


def _token(token: str | None, file: Path | None, api_url: str) -> Secret | None:
    where = "The bot token"
    if file is not None:
        where = f"The bot token in {file}"
        try:
            token = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise SettingError(f"The token file {file} cannot be read: {reason}") from None
    if token is None:
        return None
    form = _OFFICIAL_TOKEN if api_url == OFFICIAL_API else _ANY_TOKEN
    if not form.fullmatch(token.strip()):
        raise SettingError(f"{where} is malformed: it looks like 123456789:AAE…, copy it whole from @BotFather")
    return Secret(token.strip())


def _api_url(value: str) -> str:
    url = value.strip().rstrip("/")
    if not _is_server(url):
        raise SettingError("api_url must look like https://api.telegram.org or http://localhost:8081")
    return url


def _is_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return bool(named) and not (parts.query or parts.fragment or parts.username or re.search(r"\s", url))


def _webhook(value: str, api_url: str) -> str:
    """Telegram posts to https only; a server of one's own may be content with less."""
    url = value.strip()
    if not _is_server(url) or (api_url == OFFICIAL_API and not url.startswith("https:")):
        raise SettingError("webhook must look like https://bot.example.org/telegram")
    return url


def _address(name: str, value: str) -> Address:
    host, _, port = value.strip().rpartition(":")
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not host or not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise SettingError(f"{name} must look like 127.0.0.1:8443, not {value!r}")
    return Address(host, int(port))


def _redis_url(value: str | None) -> str | None:
    if value is None or value.startswith(("redis://", "rediss://", "unix://")):
        return value
    if not value.startswith(("redis+sentinel://", "rediss+sentinel://")):
        raise SettingError("redis_url must begin with redis://, rediss://, unix:// or redis+sentinel://")
    if not _SENTINEL.fullmatch(value):
        raise SettingError("redis_url must look like redis+sentinel://user:password@host1:26379,host2,host3/service/0")
    return value


def _replicas(value: str, url: str | None) -> int:
    """More than nine are nobody's, and a mistake."""
    if not re.fullmatch("[0-9]", value):
        raise SettingError(f"redis_replicas must be a number from 0 to 9, not {value!r}")
    if value != "0" and url is None:
        raise SettingError("redis_replicas needs redis_url: the bot's own store has no replicas")
    return int(value)


def _choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise SettingError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def _default_data_dir(environ: Mapping[str, str]) -> Path:
    """Where programs keep data: by the XDG rules, else as the platform has it."""
    named = environ.get("XDG_DATA_HOME") or (environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    if named and Path(named).is_absolute():
        return Path(named) / "tgavalon"
    try:
        home = Path.home()
    except RuntimeError:
        raise SettingError("There is no home directory: set TGAVALON_DATA_DIR to a directory for the data") from None
    return home / ("Library/Application Support" if sys.platform == "darwin" else ".local/share") / "tgavalon"
