"""What a message should look like, as values: text, rows of buttons, and the intention behind each button.

A screen is compared by its digest and drawn by the painter; nothing here knows how Telegram is told.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from tgavalon.ui.taps import Tap

Rows = tuple[tuple["Button", ...], ...]


class Style(StrEnum):
    """A button's colour, where the client knows colours."""

    SUCCESS = "success"
    DANGER = "danger"
    PRIMARY = "primary"


@dataclass(frozen=True, slots=True)
class Button:
    """One inline button: `tap` is what pressing it intends, or `url` is where it leads."""

    label: str
    tap: Tap | None = None
    url: str | None = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: `text` is Telegram HTML of at most 4096 characters after parsing.

    `protected` forbids forwarding and saving; `silent` sends it without a sound.
    """

    text: str
    rows: Rows = ()
    protected: bool = False
    silent: bool = False
    _digest: str = field(default="", init=False, repr=False, compare=False)

    @property
    def digest(self) -> str:
        """Equal for screens that look and act the same: eight hexadecimal digits of the text, eight of the buttons."""
        if not self._digest:  # asked for several times whenever a chat is planned
            object.__setattr__(self, "_digest", f"{_hash(self.text)}-{_hash(_written(self.rows))}")
        return self._digest


def same_buttons(digest: str, other: str) -> bool:
    """Whether two digests are of screens with the same buttons."""
    return digest.partition("-")[2] == other.partition("-")[2]


def _written(rows: Rows) -> str:
    return "\x1d".join("\x1e".join(map(_button, row)) for row in rows)


def _button(button: Button) -> str:
    tap = button.tap
    does = f"{tap.verb}:{tap.number}:{tap.value}" if tap is not None else ""
    return f"{button.label}\x1f{does}\x1f{button.url or ''}\x1f{button.style or ''}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Post:
    """A screen with its epoch: the same `epoch` is edited quietly, a new one is a new message.

    A `fleeting` post is deleted as soon as it is no longer wanted. A change of its words alone may wait `patience`
    seconds for others to come along.
    """

    epoch: str
    screen: Screen
    fleeting: bool = False
    patience: float = 0.2
