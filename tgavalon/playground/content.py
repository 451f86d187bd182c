"""What a message may consist of: formatted texts, photographs and files, with the server's refusals.

Used by sending and by editing, which differ in a few words of refusal.
"""

import json
import mimetypes
from dataclasses import dataclass
from typing import Any, Literal

from tgavalon.playground.html import parse_html
from tgavalon.playground.images import image_size, image_type
from tgavalon.playground.markdown import parse_markdown_v2
from tgavalon.playground.model import StoredFile
from tgavalon.playground.params import Params, Upload
from tgavalon.playground.refusals import Refusal, bad_request
from tgavalon.playground.text import MAX_BYTES, Entity, Formatted, tidied, utf16_length
from tgavalon.playground.world import World

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_PHOTO_BYTES = 10 * 1024 * 1024
_PARSERS = {"html": parse_html, "markdownv2": parse_markdown_v2}
# Found by the server itself; a bot that names them is not contradicted, they are simply dropped.
_AUTOMATIC = {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"}
_FORMATTING = {"bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote"} | {
    "expandable_blockquote",
    "text_link",
    "text_mention",
    "custom_emoji",
    "date_time",
}

MediaKind = Literal["photo", "document"]


@dataclass(slots=True)
class Media:
    """A photo or document as `media` in JSON or as an argument of its own."""

    kind: MediaKind
    file: StoredFile
    caption: Formatted | None
    spoiler: bool


def parsed(text: str, parse_mode: str, entities: Any) -> Formatted:
    """Text and entities before cleaning. Raises for bad markup, an unknown parse_mode, or over 32768 bytes."""
    if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise bad_request("Text is too long")
    mode = parse_mode.lower()
    if not text or mode in ("", "none"):
        return Formatted(text, _given(text, entities))
    if mode not in _PARSERS:
        raise bad_request("Unsupported parse_mode")
    return _PARSERS[mode](text)


def _given(text: str, entities: Any) -> list[Entity]:
    if not isinstance(entities, list):
        return []
    end, kept = utf16_length(text), []
    for entity in entities:
        if not isinstance(entity, dict) or not all(type(entity.get(key)) is int for key in ("offset", "length")):
            raise bad_request("Can't parse MessageEntity: expected an Object")
        if entity.get("type") not in _AUTOMATIC | _FORMATTING:
            raise bad_request("Can't parse MessageEntity: Unsupported type specified")
        if entity["type"] in _FORMATTING and 0 <= entity["offset"] < end and entity["length"] > 0:
            kept.append(_entity(entity, end))
    return kept


def _entity(entity: Entity, end: int) -> Entity:
    fields = dict(entity, length=min(entity["length"], end - entity["offset"]))
    if fields["type"] == "text_mention":
        user = fields.pop("user", None)
        fields["user_id"] = user.get("id", 0) if isinstance(user, dict) else 0
    return fields


def body_of(world: World, params: Params) -> Formatted:
    """The `text` argument, parsed but not yet cleaned."""
    text = params.text("text")
    if not text:
        raise bad_request("Message text is empty")
    return _known_people(world, parsed(text, params.text("parse_mode"), params.json("entities")))


def _known_people(world: World, formatted: Formatted) -> Formatted:
    """A mention by id of somebody the bot has never met is plain text."""
    formatted.entities = [
        entity
        for entity in formatted.entities
        if entity["type"] != "text_mention"
        or ((user := world.users.get(entity["user_id"])) is not None and user.seen)
        or entity["user_id"] == world.bot.id
    ]
    return formatted


def caption_of(world: World, values: dict[str, Any], *, edit: bool = False) -> Formatted | None:
    """The caption of a photo or document; None when there is none. Over 1024 characters is refused."""
    raw = str(values.get("caption") or "")
    if not raw:
        return None
    entities = values.get("caption_entities")
    if isinstance(entities, str):
        entities = _loaded(entities)
    formatted = _known_people(world, parsed(raw, str(values.get("parse_mode") or ""), entities))
    try:
        caption = tidied(formatted)
    except Refusal:
        return None  # a caption may be empty, and then there is none
    if len(caption.text) > MAX_CAPTION:
        raise bad_request("MEDIA_CAPTION_TOO_LONG" if edit else "Message caption is too long")
    return caption


def _loaded(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def require_file(params: Params, kind: MediaKind) -> None:
    if not params.text(kind) and kind not in params.files:
        raise bad_request(f"There is no {kind} in the request")


def file_for(world: World, params: Params, kind: MediaKind, value: str, field: str) -> StoredFile:
    """An upload (under its own name or by attach://name) or the file_id of a file that was sent before."""
    attached = value.removeprefix("attach://") if value.startswith("attach://") else field
    upload = params.files.get(attached)
    if upload is not None:
        return store(world, kind, upload)
    known = world.files.get(value)
    if known is None:
        is_url = value.startswith(("http://", "https://"))
        raise bad_request("Failed to get HTTP URL content" if is_url else "Wrong file identifier/HTTP URL specified")
    if (known.kind == "photos") != (kind == "photo"):
        raise bad_request(f"Can't use file of type {'Photo' if kind == 'document' else 'Document'} as {kind.title()}")
    return known


def store(world: World, kind: MediaKind, upload: Upload) -> StoredFile:
    """Keep an upload. Photos must be pictures within Telegram's bounds."""
    if not upload.content:
        raise bad_request("file must be non-empty")
    width, height = _photo_size(upload.content) if kind == "photo" else (0, 0)
    guessed = mimetypes.guess_type(upload.name)[0] or upload.mime
    number = world.next_file_number()
    prefix = "AgACAgIAAxkBAAI" if kind == "photo" else "BQACAgIAAxkBAAI"
    file = StoredFile(
        file_id=f"{prefix}{number:06d}playground",
        unique_id=f"AQAD{number:06d}",
        kind="photos" if kind == "photo" else "documents",
        name=upload.name,
        mime=image_type(upload.content) if kind == "photo" else guessed,
        content=upload.content,
        width=width,
        height=height,
    )
    world.files[file.file_id] = file
    return file


def _photo_size(content: bytes) -> tuple[int, int]:
    if len(content) > MAX_PHOTO_BYTES:
        limit = f"the maximum size is {MAX_PHOTO_BYTES} bytes"
        raise bad_request(f"file of size {len(content)} bytes is too big for a photo; {limit}")
    size = image_size(content)
    if size is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    width, height = size
    if width + height > 10_000 or max(size) > 20 * min(size):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return size


def media_of(world: World, params: Params) -> Media:
    """The `media` argument of editMessageMedia."""
    value = params.json("media")
    if not isinstance(value, dict):
        raise bad_request("Can't parse media JSON object")
    kind = value.get("type")
    if kind not in ("photo", "document"):
        raise bad_request(f'Can\'t parse InputMedia: type "{kind}" is unsupported')
    file = file_for(world, params, kind, str(value.get("media") or ""), "media")
    return Media(kind, file, caption_of(world, value, edit=True), value.get("has_spoiler") is True)
