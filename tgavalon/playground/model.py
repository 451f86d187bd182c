"""What the double's world is made of: plain records. Rules are elsewhere; nothing here talks to anybody."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from tgavalon.playground.text import Formatted

ChatType = Literal["private", "group", "supergroup"]
Status = Literal["creator", "administrator", "member", "left", "kicked"]
Keyboard = list[list[dict[str, Any]]]

INSIDE: frozenset[str] = frozenset({"creator", "administrator", "member"})
ADMINS: frozenset[str] = frozenset({"creator", "administrator"})
# Telegram's own account that speaks for anonymous admins.
ANONYMOUS_ADMIN = 1087968824


class Nonsense(Exception):
    """A pretend person tried what no client could do; the control side answers it with the text."""


@dataclass(slots=True)
class User:
    """`started`: has pressed Start; `seen`: the bot has met this user in some update, so it knows the id."""

    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = ""
    is_bot: bool = False
    started: bool = False
    blocked: bool = False
    seen: bool = False
    deactivated: bool = False


@dataclass(slots=True)
class StoredFile:
    """`kind` is "photos" or "documents"; `width` and `height` are 0 for documents."""

    file_id: str
    unique_id: str
    kind: str
    name: str
    mime: str
    content: bytes
    width: int = 0
    height: int = 0

    @property
    def path(self) -> str:
        suffix = self.name.rpartition(".")[2] if "." in self.name else "bin"
        return f"{self.kind}/file_{self.unique_id}.{suffix}"


@dataclass(slots=True)
class Message:
    """One message. `body` is None for media and service messages; `service` holds Bot API fields such as
    pinned_message. `keyboard` is the inline keyboard; `closed_to_edits` marks a reply keyboard or a forced reply, which
    can never be edited.
    """

    chat_id: int
    message_id: int
    date: int
    sender: int
    sender_chat: int | None = None
    topic: int | None = None
    reply_to: int | None = None
    body: Formatted | None = None
    caption: Formatted | None = None
    media: StoredFile | None = None
    media_kind: Literal["photo", "document"] | None = None
    spoiler: bool = False
    link_preview: dict[str, Any] | None = None
    keyboard: Keyboard | None = None
    closed_to_edits: bool = False
    service: dict[str, Any] = field(default_factory=dict)
    edit_date: int | None = None
    protected: bool = False
    silent: bool = False
    effect: str = ""
    reactions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words that people see: the text, or the caption."""
        shown = self.body or self.caption
        return shown.text if shown else ""

    def buttons(self) -> list[dict[str, Any]]:
        return [button for row in self.keyboard or [] for button in row]


@dataclass(slots=True)
class Chat:
    """A private chat (its id is the user's), a basic group or a supergroup.

    `members` never holds this bot: that is `bot_status`. `last_bot` is the last bot to post, as privacy mode asks.
    """

    id: int
    type: ChatType
    title: str = ""
    members: dict[int, Status] = field(default_factory=dict)
    bot_status: Status = "left"
    bot_can_send: bool = True
    is_forum: bool = False
    topics: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    next_message_id: int = 1
    pinned: list[int] = field(default_factory=list)
    migrated_to: int | None = None
    deleted: bool = False
    last_bot: int | None = None
    username: str = ""  # of a public supergroup, which anybody may look into
    met: bool = False  # the bot has been in this group at some time

    @property
    def is_private(self) -> bool:
        return self.type == "private"

    @property
    def is_gone(self) -> bool:
        """Deleted, or left behind by becoming a supergroup."""
        return self.deleted or self.migrated_to is not None

    @property
    def instance(self) -> str:
        """The `chat_instance` of callback queries: an opaque number, one per chat."""
        return str((self.id * 2654435761) % (1 << 62) + 1)


@dataclass(slots=True)
class Answer:
    """What a presser saw. `unanswered` marks the client's own "<bot> is not responding"."""

    n: int
    query: str
    user: int
    text: str
    alert: bool
    url: str
    at: float
    unanswered: bool = False


@dataclass(slots=True)
class Press:
    """A tap on a callback button that waits for the bot's answer until `deadline` (Unix seconds)."""

    query: str
    user: int
    chat: int
    message_id: int
    data: str
    at: float
    deadline: float
    answer: asyncio.Future[Answer]
