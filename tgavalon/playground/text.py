"""Text as the server keeps it: cleaned, trimmed, measured in UTF-16, with the entities that clients find by themselves.

Follows tdlib/td `misc.cpp` (clean_input_string, strip_empty_characters) and `MessageEntity.cpp` (fix_formatted_text).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tgavalon.playground.refusals import bad_request

Entity = dict[str, Any]

MAX_BYTES = 1 << 15
# U+2028..U+202E are removed (bidi embeddings among them); U+2066..U+2069, the isolates, stay.
_REMOVED = {0x0D, *range(0x2028, 0x202F), 0x333, 0x33F, 0x30A}
_CLEAN: dict[int, str | None] = {code: " " for code in range(33) if code not in (10, 13)} | dict.fromkeys(_REMOVED)
_INVISIBLE = set(" \n\u00a0\u200b\u200c\u200d\u200e\u200f\ufeff\u1680\u180e\u202f\u205f\u2800\u3000\ufffc") | {
    chr(code) for code in range(0x2000, 0x200B)
}
_FOUND = (
    ("bot_command", re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("mention", re.compile(r"(?<![\w@])@[A-Za-z][A-Za-z0-9_]{3,31}(?!\w)")),
    ("url", re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?')\]]")),
)


@dataclass(slots=True)
class Formatted:
    """A text and its entities (Bot API objects, offsets in UTF-16 code units)."""

    text: str = ""
    entities: list[Entity] = field(default_factory=list)


def utf16_length(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def is_invisible(text: str) -> bool:
    """No character that anybody could see: the server calls such a text empty."""
    return all(char in _INVISIBLE for char in text)


def tidied_button(text: str) -> str:
    """A button's label after cleaning; may be empty, which the server refuses."""
    return text.translate(_CLEAN)


def sorted_entities(entities: Iterable[Entity]) -> list[Entity]:
    return sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))


def tidied(formatted: Formatted) -> Formatted:
    """Clean and trim, moving the entities along; found entities (commands, mentions, links) are added.

    Raises the refusal "text must be non-empty" when nothing visible is left.
    """
    cleaned = _cleaned(formatted)
    trimmed = _trimmed(cleaned)
    if is_invisible(trimmed.text):
        raise bad_request("Text must be non-empty")
    return with_found(trimmed)


def with_found(formatted: Formatted) -> Formatted:
    """Add bot commands, mentions and links where the text has no overlapping entity of that sort."""
    entities = list(formatted.entities)
    for kind, pattern in _FOUND:
        for match in pattern.finditer(formatted.text):
            offset, length = utf16_length(formatted.text[: match.start()]), utf16_length(match.group())
            if not any(_blocks(entity, offset, length) for entity in entities):
                entities.append({"type": kind, "offset": offset, "length": length})
    return Formatted(formatted.text, sorted_entities(entities))


def _blocks(entity: Entity, offset: int, length: int) -> bool:
    overlaps = entity["offset"] < offset + length and offset < entity["offset"] + entity["length"]
    return overlaps and entity["type"] not in ("bold", "italic", "underline", "strikethrough", "spoiler", "blockquote")


def _cleaned(formatted: Formatted) -> Formatted:
    text = formatted.text.translate(_CLEAN)
    if text == formatted.text or not formatted.entities:
        return Formatted(text, formatted.entities)
    shift = _offsets_after_removal(formatted.text)
    return Formatted(text, _moved(formatted.entities, lambda at: shift[at]))


def _offsets_after_removal(text: str) -> list[int]:
    """For every UTF-16 offset of the text, where that place is after cleaning."""
    shift, at = [], 0
    for char in text:
        kept = 0 if ord(char) in _REMOVED else 1
        shift.append(at)
        if char > "\uffff":
            shift.append(at + 1)
            kept = 2
        at += kept
    return [*shift, at]


def _trimmed(formatted: Formatted) -> Formatted:
    """Trailing space goes always; leading space only up to the first entity (as in fix_formatted_text)."""
    text = formatted.text.rstrip(" \n")
    end = utf16_length(text)
    entities = _moved(formatted.entities, lambda at: min(at, end))
    first = min((entity["offset"] for entity in entities), default=end)
    cut = min(len(text) - len(text.lstrip(" \n")), first)
    return Formatted(text[cut:], _moved(entities, lambda at: at - cut))


def _moved(entities: Iterable[Entity], place: Any) -> list[Entity]:
    moved = []
    for entity in entities:
        start, end = place(entity["offset"]), place(entity["offset"] + entity["length"])
        if end > start:
            moved.append({**entity, "offset": start, "length": end - start})
    return moved
