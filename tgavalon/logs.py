"""Log lines to stderr, for people or as JSON, in which no bot token can appear.

Every logger's records pass here, those of libraries too. Libraries that log addresses or whole messages (which hold
roles) are kept to what is worth knowing, whatever the level.
"""

from __future__ import annotations

import datetime as dtm
import json
import logging
import re
import sys
from collections.abc import Iterable
from types import TracebackType
from typing import TextIO
from urllib.parse import quote

from tgavalon.settings import LogFormat, Secret

_TOKEN = re.compile(r"[0-9]+(?::|%3[Aa])[A-Za-z0-9_-]{20,}")
_HIDDEN = "<token>"

# httpx and aiohttp log addresses, and the Bot API's hold the token; python-telegram-bot logs all it sends at DEBUG.
_AT_LEAST = {
    "aiohttp": logging.WARNING,
    "aiohttp.access": logging.WARNING,
    "httpcore": logging.WARNING,
    "httpx": logging.WARNING,
    "telegram": logging.INFO,
}
_BRIEF = logging.Formatter()


class Redaction(logging.Filter):
    """Takes tokens out of a record: whatever looks like one, and the given secrets word for word."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        super().__init__()
        known = {form for secret in secrets for form in _forms(secret.reveal())}
        longest_first = sorted(filter(None, known), key=len, reverse=True)
        self._pattern = re.compile("|".join([*map(re.escape, longest_first), _TOKEN.pattern]))

    def redact(self, text: str) -> str:
        """The text with every token replaced."""
        return self._pattern.sub(_HIDDEN, text)

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite message, arguments, traceback and stack of the record; keeps every record."""
        record.msg, record.args = self.redact(_message(record)), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = _BRIEF.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = self.redact(record.exc_text)
            record.exc_info = None  # other handlers would format it again
        if record.stack_info:
            record.stack_info = self.redact(record.stack_info)
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (ISO 8601, UTC), level, logger, message, and exception and stack where there are."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line = {
            "time": dtm.datetime.fromtimestamp(record.created, dtm.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "exception": record.exc_text,
            "stack": record.stack_info,
        }
        return json.dumps({name: value for name, value in line.items() if value is not None}, ensure_ascii=False)


class _Lines(logging.StreamHandler[TextIO]):
    """The handler of `set_up`, so that a second call replaces it."""


def set_up(
    level: str = "INFO",
    log_format: LogFormat = LogFormat.HUMAN,
    secrets: Iterable[Secret] = (),
    stream: TextIO | None = None,
) -> None:
    """Send the records of all loggers, warnings and uncaught exceptions to `stream` (stderr), redacted.

    `level` is the lowest that is shown, by name. A second call replaces the first.
    """
    handler = _Lines(stream or sys.stderr)
    human = logging.Formatter("%(asctime)s %(levelname)-8s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if log_format is LogFormat.JSON else human)
    handler.addFilter(Redaction(secrets))
    root = logging.getLogger()
    # First, so that the handlers of others get what is redacted here.
    root.handlers[:] = [handler, *(old for old in root.handlers if not isinstance(old, _Lines))]
    root.setLevel(level)
    for name, least in _AT_LEAST.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    logging.captureWarnings(True)
    sys.excepthook = _uncaught


def _forms(secret: str) -> set[str]:
    """A secret as it may occur: as it is, in an address, and a token's long half alone."""
    half = secret.partition(":")[2]
    return {secret, quote(secret, safe="")} | ({half} if len(half) >= 20 else set())


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        # Arguments that do not fit the format: logging would print both to stderr, unredacted.
        return f"{record.msg} {record.args!r}"


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger("tgavalon").critical("stopped by an error of its own", exc_info=(kind, error, trace))
