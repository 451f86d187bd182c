"""The size of a picture, read from its first bytes: PNG, JPEG, GIF, WebP. Decodes nothing."""

import struct

_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def image_type(content: bytes) -> str:
    """The media type of a picture whose size is known."""
    starts = {b"\x89": "image/png", b"\xff": "image/jpeg", b"G": "image/gif", b"R": "image/webp"}
    return starts[content[:1]]


def image_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for what is no such picture."""
    try:
        size = _size(content)
    except (struct.error, IndexError):
        return None
    return size if size and min(size) > 0 else None


def _size(content: bytes) -> tuple[int, int] | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = struct.unpack_from(">II", content, 16)
    elif content.startswith(b"\xff\xd8"):
        return _jpeg(content)
    elif content[:6] in (b"GIF87a", b"GIF89a"):
        width, height = struct.unpack_from("<HH", content, 6)
    elif content[:4] == b"RIFF" and content[8:15] == b"WEBPVP8":
        return _webp(content)
    else:
        return None
    return width, height


def _jpeg(content: bytes) -> tuple[int, int] | None:
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", content, at + 2)[0]
    return None


def _webp(content: bytes) -> tuple[int, int] | None:
    form = content[12:16]
    if form == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if form == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", content, 26)
    return width & 0x3FFF, height & 0x3FFF
