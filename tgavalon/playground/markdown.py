"""MarkdownV2 to text and entities, as the server reads it (tdlib/td `MessageEntity.cpp`, parse_markdown_v2).

Works on UTF-8 bytes because the errors count bytes. The old "Markdown" mode is not offered: nothing here uses it.
"""

from dataclasses import dataclass

from tgavalon.playground import links
from tgavalon.playground.refusals import Refusal, cannot_parse
from tgavalon.playground.text import Entity, Formatted, sorted_entities, utf16_length

_RESERVED = b"_*[]()~`>#+-=|{}.!\n"
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "pre_code": "PreCode",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote",
}
_ENDS = {
    "bold": b"*",
    "code": b"`",
    "pre": b"```",
    "pre_code": b"```",
    "text_link": b"]",
    "custom_emoji": b"]",
    "underline": b"__",
    "strikethrough": b"~",
    "spoiler": b"||",
}


@dataclass(slots=True)
class _Open:
    kind: str
    argument: str
    offset: int
    byte: int
    begin: int


def parse_markdown_v2(text: str) -> Formatted:
    """Raises the refusal "can't parse entities: …" with the server's words."""
    return _Markdown(text).parse()


class _Markdown:
    def __init__(self, text: str) -> None:
        self.source = text.encode()
        self.at = 0
        self.out = bytearray()
        self.open: list[_Open] = []
        self.entities: list[Entity] = []
        self.quoting = False
        self.line_start = True

    @property
    def length(self) -> int:
        return utf16_length(self.out.decode(errors="ignore"))

    def starts(self, mark: bytes, ahead: int = 0) -> bool:
        return self.source.startswith(mark, self.at + ahead)

    def parse(self) -> Formatted:
        while self.at < len(self.source):
            self.step()
            self.at += 1
        self.finish()
        return Formatted(self.out.decode(), sorted_entities(self.entities))

    def step(self) -> None:
        char = self.source[self.at : self.at + 1]
        if char == b"\\" and self.at + 1 < len(self.source) and 0 < self.source[self.at + 1] <= 126:
            self.at += 1
            self.copy()
            return
        in_code = bool(self.open) and self.open[-1].kind in ("code", "pre", "pre_code")
        if char not in (b"`" if in_code else _RESERVED):
            self.copy()
        elif self.ends():
            self.end()
        else:
            self.begin(char)

    def copy(self) -> None:
        char = self.source[self.at : self.at + 1]
        self.out += char
        if char != b"\r" and (char[0] & 0xC0) != 0x80:
            self.line_start = char == b"\n"

    def ends(self) -> bool:
        if not self.open:
            return False
        if self.quoting and self.starts(b"\n") and not self.starts(b"\n>"):
            return True
        kind = self.open[-1].kind
        if kind == "blockquote":
            return False
        if kind == "italic":
            return self.starts(b"_") and not self.starts(b"__")
        return self.starts(_ENDS[kind])

    def reserved(self) -> Refusal:
        char = self.source[self.at : self.at + 1].decode()
        return cannot_parse(f"Character '{char}' is reserved and must be escaped with the preceding '\\'")

    def push(self, kind: str, byte: int, argument: str = "") -> None:
        self.open.append(_Open(kind, argument, self.length, byte, len(self.out)))

    def begin(self, char: bytes) -> None:
        byte = self.at
        if char == b"\n":
            self.copy()
        elif char == b">":
            if not self.line_start:
                raise self.reserved()
            if not self.quoting:
                self.quoting = True
                self.push("blockquote", byte)
        elif char == b"`" and self.starts(b"```"):
            self.begin_pre(byte)
        elif char in b"*~[`":
            self.push({b"*": "bold", b"~": "strikethrough", b"[": "text_link", b"`": "code"}[char], byte)
        else:
            self.begin_pair(char, byte)

    def begin_pair(self, char: bytes, byte: int) -> None:
        kinds = {b"__": "underline", b"||": "spoiler", b"![": "custom_emoji"}
        kind = kinds.get(self.source[self.at : self.at + 2])
        if kind is not None:
            self.at += 1
            self.push(kind, byte)
        elif char == b"_":
            self.push("italic", byte)
        else:
            raise self.reserved()

    def begin_pre(self, byte: int) -> None:
        self.at += 3
        stop = self.at
        while stop < len(self.source) and self.source[stop] not in b" \t\r\n\x00\x0b`":
            stop += 1
        language = ""
        if stop != self.at and stop < len(self.source) and self.source[stop] not in b"`":
            language = self.source[self.at : stop].decode()
            self.at = stop
        if self.starts(b"\r\n") or self.starts(b"\n\r"):
            self.at += 2
        elif self.starts(b"\n") or self.starts(b"\r"):
            self.at += 1
        self.at -= 1
        self.push("pre_code" if language else "pre", byte, language)

    def unended(self, entity: _Open) -> Refusal:
        return cannot_parse(f"Can't find end of {_NAMES[entity.kind]} entity at byte offset {entity.byte}")

    def end(self) -> None:
        entity = self.open.pop()
        kind = entity.kind
        if self.starts(b"\n") and kind != "blockquote":
            kind, entity = self.end_expandable(entity)
        empty = self.length == entity.offset
        if kind in ("blockquote", "expandable_blockquote"):
            self.quoting = False
            self.copy()
            empty = False
        elif kind == "text_link":
            self.end_link(entity, empty)
            return
        elif kind == "custom_emoji":
            self.end_emoji(entity, empty)
            return
        else:
            self.at += len(_ENDS.get(kind, b"_")) - 1
        if not empty:
            self.add(entity, kind)

    def end_expandable(self, entity: _Open) -> tuple[str, _Open]:
        """`||` just before the end of a quotation makes it expandable; anything else left open is an error."""
        at_end = entity.byte == self.at - 2 or (entity.byte == self.at - 3 and self.out.endswith(b"\r"))
        if entity.kind != "spoiler" or not at_end:
            raise self.unended(entity)
        quotation = self.open.pop()
        if quotation.kind != "blockquote":
            raise self.unended(quotation)
        return "expandable_blockquote", quotation

    def add(self, entity: _Open, kind: str, **fields: object) -> None:
        place = {"offset": entity.offset, "length": self.length - entity.offset}
        if kind == "pre_code":
            kind, fields = "pre", {"language": entity.argument}
        self.entities.append({"type": kind, **place, **fields})

    def target(self) -> str:
        """The `(…)` after a `]`; leaves the position on the closing parenthesis."""
        self.at += 2
        begin = self.at
        url = bytearray()
        while self.at < len(self.source) and not self.starts(b")"):
            if self.starts(b"\\") and self.at + 1 < len(self.source) and 0 < self.source[self.at + 1] <= 126:
                self.at += 1
            url += self.source[self.at : self.at + 1]
            self.at += 1
        if not self.starts(b")"):
            raise cannot_parse(f"Can't find end of a URL at byte offset {begin}")
        return url.decode()

    def end_link(self, entity: _Open, empty: bool) -> None:
        url = self.target() if self.starts(b"(", 1) else self.out[entity.begin :].decode()
        if empty:
            return
        if (user := links.mentioned_user(url)) is not None:
            self.add(entity, "text_mention", user_id=user)
        elif kept := links.kept(url):
            self.add(entity, "text_link", url=kept)

    def end_emoji(self, entity: _Open, empty: bool) -> None:
        if not self.starts(b"(", 1):
            raise cannot_parse("The entity must contain a tg://emoji or tg://time URL")
        emoji = self.target().removeprefix("tg://emoji?id=")
        if not emoji.isdecimal():
            raise cannot_parse("Invalid tg://emoji or tg://time URL specified")
        if not empty:
            self.add(entity, "custom_emoji", custom_emoji_id=emoji)

    def finish(self) -> None:
        if self.quoting:
            kind = "blockquote"
            if self.open[-1].kind == "spoiler" and self.open[-1].byte == len(self.source) - 2:
                self.open.pop()
                kind = "expandable_blockquote"
            if self.open and self.open[-1].kind == "blockquote":
                quotation = self.open.pop()
                if self.length > quotation.offset:
                    self.add(quotation, kind)
        if self.open:
            raise self.unended(self.open[-1])
