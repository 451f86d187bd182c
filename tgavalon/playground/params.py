"""The arguments of one Bot API call, read as the server reads them: all strings, with JSON parsed on demand."""

import json
from dataclasses import dataclass, field
from typing import Any

from tgavalon.playground.refusals import bad_request


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with the request."""

    name: str
    mime: str
    content: bytes


@dataclass(slots=True)
class Params:
    """`values` from the query string, a form or JSON; `files` from multipart parts with a file name."""

    values: dict[str, str]
    files: dict[str, Upload] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return self.values.get(name, "")

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> int:
        """As on the server, rubbish counts as 0, and a number out of range is moved into it."""
        raw = self.text(name)
        if not raw:
            return default
        digits = raw[1:] if raw[:1] == "-" else raw
        number = int(raw) if digits.isdecimal() and digits.isascii() else 0
        number = number if low is None else max(low, number)
        return number if high is None else min(high, number)

    def flag(self, name: str) -> bool:
        return self.text(name).strip().lower() in ("true", "yes", "1")

    def json(self, name: str) -> Any:
        """The parsed value; None for a missing or broken one."""
        try:
            return json.loads(self.text(name) or "null")
        except ValueError:
            return None

    def object(self, name: str, label: str) -> dict[str, Any]:
        """A JSON object, {} if missing; raises "Can't parse <label> JSON object" for anything else."""
        raw = self.text(name)
        if not raw:
            return {}
        value = self.json(name)
        if not isinstance(value, dict):
            raise bad_request(f"Can't parse {label} JSON object")
        return value
