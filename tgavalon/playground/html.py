"""HTML to text and entities, byte for byte as the server reads it (tdlib/td `MessageEntity.cpp`, parse_html).

Works on UTF-8 bytes because the errors count bytes. Cleaning and trimming come later, in text.py.
"""

import re
from dataclasses import dataclass

from tgavalon.playground import links
from tgavalon.playground.refusals import cannot_parse
from tgavalon.playground.text import Entity, Formatted, sorted_entities, utf16_length

_SPACE = b" \t\r\n\x00\x0b"
_NAMED = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_REFERENCE = re.compile(rb"&(?:#x([0-9a-fA-F]*)|#([0-9]*)|([A-Za-z]*));?")
_SIMPLE = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "strike", "del"), "strikethrough"),
    **dict.fromkeys(("tg-spoiler", "span"), "spoiler"),
}
_TAGS = {*_SIMPLE, "a", "tg-emoji", "tg-time", "pre", "code", "blockquote"}
_ARGUMENTS = {("a", "href"), ("tg-emoji", "emoji-id"), ("tg-time", "format"), ("tg-time", "unix")}
_DATE_FORMAT = re.compile(r"[rR]|[tTdDwW]*")


@dataclass(slots=True)
class _Tag:
    name: str
    argument: str
    date: str
    offset: int
    begin: int


def parse_html(text: str) -> Formatted:
    """Raises the refusal "can't parse entities: …" with the server's words."""
    return _Html(text).parse()


def _reference(source: bytes, at: int) -> tuple[str, int] | None:
    """The character that a reference at `at` stands for, and where it ends; None where it is plain text."""
    match = _REFERENCE.match(source, at)
    if match is None:
        return None
    if match[3] is not None:
        named = _NAMED.get(match[3])
        return (named, match.end()) if named else None
    digits, base = (match[1], 16) if match[1] is not None else (match[2], 10)
    code = int(digits or b"0", base)
    length = len(match[0]) - match[0].endswith(b";")
    if code == 0 or code >= 0x10FFFF or length >= 10:
        return None
    return chr(code), match.end()


class _Html:
    def __init__(self, text: str) -> None:
        self.source = text.encode() + b"\0"
        self.at = 0
        self.parts: list[str] = []
        self.length = 0  # UTF-16 code units written so far
        self.open: list[_Tag] = []
        self.entities: list[Entity] = []

    def parse(self) -> Formatted:
        end = len(self.source) - 1
        while self.at < end:
            if self.source[self.at : self.at + 1] == b"<":
                self.tag()
            else:
                self.characters(end)
        if self.open:
            raise cannot_parse(f'Can\'t find end tag corresponding to start tag "{self.open[-1].name}"')
        for entity in self.entities:
            if entity["type"] == "code":
                entity.pop("language", None)
        return Formatted(self._checked_text(), sorted_entities(self.entities))

    def _checked_text(self) -> str:
        text = "".join(self.parts)
        try:
            text.encode()
        except UnicodeEncodeError:
            problem = "Text contains invalid Unicode characters after decoding HTML entities"
            raise cannot_parse(f"{problem}, check for unmatched surrogate code units") from None
        return text

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += utf16_length(text)

    def characters(self, end: int) -> None:
        if self.source[self.at : self.at + 1] == b"&":
            if found := _reference(self.source, self.at):
                self.write(found[0])
                self.at = found[1]
                return
            self.write("&")
            self.at += 1
            return
        stops = [stop for mark in (b"<", b"&") if (stop := self.source.find(mark, self.at)) >= 0]
        stop = min(stops, default=end)
        self.write(self.source[self.at : stop].decode())
        self.at = stop

    def peek(self) -> bytes:
        return self.source[self.at : self.at + 1]

    def until(self, marks: bytes) -> bytes:
        start = self.at
        while self.source[self.at] not in marks:
            self.at += 1
        return self.source[start : self.at]

    def skip_space(self) -> None:
        while self.peek() != b"\0" and self.source[self.at] in _SPACE:
            self.at += 1

    def tag(self) -> None:
        begin = self.at
        self.at += 1
        if self.peek() == b"/":
            self.at += 1
            self.end_tag(begin)
        else:
            self.start_tag(begin)
        self.at += 1

    def start_tag(self, begin: int) -> None:
        name = self.until(_SPACE + b">").decode().lower()
        if self.peek() == b"\0":
            raise cannot_parse(f"Unclosed start tag at byte offset {begin}")
        if name not in _TAGS:
            raise cannot_parse(f'Unsupported start tag "{name}" at byte offset {begin}')
        tag = _Tag(name, "", "", self.length, len(self.parts))
        while self.peek() != b">":
            self.skip_space()
            if self.peek() != b">":
                self.attribute(tag, begin)
        if name == "span" and tag.argument != "spoiler":
            raise cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(tag)

    def attribute(self, tag: _Tag, begin: int) -> None:
        name = self.until(_SPACE + b"=>/\"'").decode()
        if not name:
            raise cannot_parse(f'Empty attribute name in the tag "{tag.name}" at byte offset {begin}')
        self.skip_space()
        value = None
        if self.peek() == b"=":
            self.at += 1
            self.skip_space()
            value = self.value(tag, begin)
        elif self.peek() == b"\0":
            raise cannot_parse(f'Unclosed start tag "{tag.name}" at byte offset {begin}')
        self.keep(tag, name, value)

    def value(self, tag: _Tag, begin: int) -> str:
        if self.peek() == b"\0":
            raise cannot_parse(f'Unclosed start tag "{tag.name}" at byte offset {begin}')
        value = self.quoted() if self.peek() in (b"'", b'"') else self.token()
        if self.peek() == b"\0":
            raise cannot_parse(f"Unclosed start tag at byte offset {begin}")
        return value

    def token(self) -> str:
        start = self.at
        while self.peek().isalnum() or self.peek() in (b".", b"-"):
            self.at += 1
        if self.source[self.at] not in _SPACE + b">":
            raise cannot_parse(f"Unexpected end of name token at byte offset {start}")
        return self.source[start : self.at].decode().lower()

    def quoted(self) -> str:
        quote = self.peek()
        self.at += 1
        value = bytearray()
        while self.peek() not in (quote, b"\0"):
            if self.peek() == b"&" and (found := _reference(self.source, self.at)):
                value += found[0].encode(errors="surrogatepass")
                self.at = found[1]
            else:
                value += self.peek()
                self.at += 1
        if self.peek() == quote:
            self.at += 1
        return value.decode(errors="replace")

    @staticmethod
    def keep(tag: _Tag, name: str, value: str | None) -> None:
        if (tag.name, name) == ("blockquote", "expandable"):
            tag.argument = "1"
        elif value is None:
            return
        elif (tag.name, name) == ("tg-time", "unix"):
            tag.date = value
        elif (tag.name, name) in _ARGUMENTS:
            tag.argument = value
        elif (tag.name, name) == ("code", "class") and value.startswith("language-"):
            tag.argument = value.removeprefix("language-")
        elif (tag.name, name) == ("span", "class") and value.startswith("tg-"):
            tag.argument = value.removeprefix("tg-")

    def end_tag(self, begin: int) -> None:
        if not self.open:
            raise cannot_parse(f"Unexpected end tag at byte offset {begin}")
        name = self.until(_SPACE + b">").decode().lower()
        self.skip_space()
        if self.peek() != b">":
            raise cannot_parse(f"Unclosed end tag at byte offset {begin}")
        tag = self.open.pop()
        if name and name != tag.name:
            expected = f'expected "</{tag.name}>", found "</{name}>"'
            raise cannot_parse(f"Unmatched end tag at byte offset {begin}, {expected}")
        if self.length > tag.offset:
            self.close(tag)

    def close(self, tag: _Tag) -> None:
        if kind := _SIMPLE.get(tag.name):
            self.add(tag, kind)
        elif tag.name == "blockquote":
            self.add(tag, "expandable_blockquote" if tag.argument else "blockquote")
        elif tag.name == "a":
            self.link(tag)
        elif tag.name in ("pre", "code"):
            self.code(tag)
        else:
            self.special(tag)

    def add(self, tag: _Tag, kind: str, **fields: object) -> None:
        place = {"type": kind, "offset": tag.offset, "length": self.length - tag.offset}
        self.entities.append({**place, **fields})

    def link(self, tag: _Tag) -> None:
        url = tag.argument or "".join(self.parts[tag.begin :])
        if (user := links.mentioned_user(url)) is not None:
            self.add(tag, "text_mention", user_id=user)
        elif kept := links.kept(url):
            self.add(tag, "text_link", url=kept)

    def code(self, tag: _Tag) -> None:
        """<pre><code class="language-…"> is one `pre` with a language, whichever of the two is outside."""
        last = self.entities[-1] if self.entities else {}
        same = (last.get("offset"), last.get("length")) == (tag.offset, self.length - tag.offset)
        if tag.name == "pre" and same and last["type"] == "code" and "language" in last:
            last["type"] = "pre"
        elif tag.name == "code" and same and last["type"] == "pre" and tag.argument:
            last["language"] = tag.argument
        else:
            self.add(tag, tag.name, **({"language": tag.argument} if tag.argument else {}))

    def special(self, tag: _Tag) -> None:
        if tag.name == "tg-emoji":
            if not tag.argument.isdecimal() or int(tag.argument) == 0:
                raise cannot_parse("Invalid custom emoji identifier specified")
            self.add(tag, "custom_emoji", custom_emoji_id=tag.argument)
            return
        if not _DATE_FORMAT.fullmatch(tag.argument):
            raise cannot_parse("Invalid date format used")
        if tag.date.isdecimal() and int(tag.date) > 0:
            self.add(tag, "date_time", unix_time=int(tag.date), date_time_format=tag.argument)
