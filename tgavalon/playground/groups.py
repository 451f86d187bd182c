"""The life of groups: members come and go, rights change, groups become supergroups, get topics, are deleted.

Each step makes the service messages and membership updates that Telegram makes. Impossible steps raise `Nonsense`.
"""

from collections.abc import Iterable
from typing import Any

from tgavalon.playground import links, wire
from tgavalon.playground.model import ADMINS, INSIDE, Chat, ChatType, Message, Nonsense, Status, User
from tgavalon.playground.people import start, write
from tgavalon.playground.world import World


def add_group(
    world: World,
    title: str,
    kind: ChatType,
    members: Iterable[int],
    creator: int,
    *,
    with_bot: bool = True,
    forum: bool = False,
    username: str = "",
) -> Chat:
    """A new group, public with a `username`; the bot, if it is asked in, is added by the creator at once."""
    if kind not in ("group", "supergroup") or ((forum or username) and kind != "supergroup"):
        raise Nonsense("a group is a group or a supergroup, and only a supergroup has topics or is public")
    new_id = world.new_supergroup_id() if kind == "supergroup" else world.new_group_id()
    chat = Chat(new_id, kind, title, is_forum=forum, username=username)
    chat.members = dict.fromkeys((world.users[member].id for member in members), "member")
    chat.members[world.users[creator].id] = "creator"
    world.chats[new_id] = chat
    created: dict[str, Any] = {"supergroup_chat_created" if kind == "supergroup" else "group_chat_created": True}
    world.post(chat, creator, service=created)
    if with_bot:
        add_bot(world, chat, world.users[creator])
    return chat


def add_topic(world: World, chat: Chat, name: str, by: int | None = None) -> int:
    """A forum topic; its id is the id of the service message that opens it."""
    if not chat.is_forum:
        raise Nonsense("the chat is not a forum")
    creator = by or next(user for user, status in chat.members.items() if status == "creator")
    topic = chat.next_message_id
    chat.topics[topic] = name
    made = {"forum_topic_created": {"name": name, "icon_color": 0x6FB9F0}}
    _announce(world, chat, creator, topic=topic, **made)
    return topic


def _announce(world: World, chat: Chat, sender: int, topic: int | None = None, **service: Any) -> Message:
    """A service message that the bot hears only while it is inside."""
    if chat.bot_status in INSIDE:
        return world.post_service(chat, sender, topic, **service)
    return world.post(chat, sender, topic=topic, service=service)


def _tell_member(world: World, chat: Chat, user: User, old: Status, new: Status, by: User) -> None:
    """`chat_member`: only for admins among bots, and only if asked for."""
    if chat.bot_status in ADMINS:
        change = {
            "chat": wire.chat_json(world, chat),
            "from": wire.user_json(by),
            "date": world.clock.date(),
            "old_chat_member": wire.member_json(world, chat, user, old),
            "new_chat_member": wire.member_json(world, chat, user, new),
        }
        world.tell("chat_member", change, chat, by.id, user.id)


def set_bot_status(world: World, chat: Chat, new: Status, by: User, *, can_send: bool = True) -> None:
    """`my_chat_member`, and the state that later refusals depend on."""
    before = wire.bot_member_json(world, chat, chat.bot_status)
    chat.bot_status, chat.bot_can_send, chat.met = new, can_send, True
    change = {
        "chat": wire.chat_json(world, chat),
        "from": wire.user_json(by),
        "date": world.clock.date(),
        "old_chat_member": before,
        "new_chat_member": wire.bot_member_json(world, chat, new),
    }
    world.tell("my_chat_member", change, chat, by.id)


def add_bot(world: World, chat: Chat, by: User) -> None:
    if chat.bot_status in INSIDE:
        raise Nonsense("USER_ALREADY_PARTICIPANT")
    set_bot_status(world, chat, "member", by)
    world.post_service(chat, by.id, new_chat_members=[world.bot.id])


def remove_bot(world: World, chat: Chat, by: User) -> None:
    """Kicked: the last things the bot hears from this chat are these two updates."""
    if chat.bot_status not in INSIDE:
        raise Nonsense("USER_NOT_PARTICIPANT")
    set_bot_status(world, chat, "kicked", by)
    world.post_service(chat, by.id, left_chat_member=world.bot.id)


def bot_leaves(world: World, chat: Chat) -> None:
    """leaveChat: the bot is told of its own leaving, by both updates."""
    set_bot_status(world, chat, "left", world.bot)
    world.post_service(chat, world.bot.id, left_chat_member=world.bot.id)


def promote_bot(world: World, chat: Chat, by: User) -> None:
    set_bot_status(world, chat, "administrator", by)


def demote_bot(world: World, chat: Chat, by: User) -> None:
    set_bot_status(world, chat, "member", by)


def restrict_bot(world: World, chat: Chat, by: User, *, can_send: bool) -> None:
    """The right to write is taken or given back. In a basic group only everybody's rights change: no update."""
    if chat.type == "supergroup":
        set_bot_status(world, chat, chat.bot_status, by, can_send=can_send)
    chat.bot_can_send = can_send
    world.changed.fire()


def join(world: World, user: User, chat: Chat, by: User | None = None) -> None:
    old = chat.members.get(user.id, "left")
    if old in INSIDE:
        raise Nonsense("USER_ALREADY_PARTICIPANT")
    chat.members[user.id] = "member"
    _tell_member(world, chat, user, old, "member", by or user)
    _announce(world, chat, (by or user).id, new_chat_members=[user.id])


def leave(world: World, user: User, chat: Chat, by: User | None = None) -> None:
    """`by` somebody else: kicked."""
    old = chat.members.get(user.id, "left")
    if old not in INSIDE:
        raise Nonsense("USER_NOT_PARTICIPANT")
    new: Status = "left" if by is None else "kicked"
    chat.members[user.id] = new
    _tell_member(world, chat, user, old, new, by or user)
    _announce(world, chat, (by or user).id, left_chat_member=user.id)


def kick(world: World, user: User, chat: Chat) -> None:
    leave(world, user, chat, by=creator_of(world, chat))


def set_rank(world: World, user: User, chat: Chat, new: Status) -> None:
    """Promote to administrator or demote to member."""
    old = chat.members.get(user.id, "left")
    if old not in ("administrator", "member"):
        raise Nonsense("USER_NOT_PARTICIPANT")
    chat.members[user.id] = new
    _tell_member(world, chat, user, old, new, creator_of(world, chat))
    world.changed.fire()


def creator_of(world: World, chat: Chat) -> User:
    for user_id, status in chat.members.items():
        if status == "creator":
            return world.users[user_id]
    raise Nonsense("the group has no creator")


def migrate(world: World, chat: Chat) -> Chat:
    """A basic group becomes a supergroup: new chat id, new message ids, old messages stay behind.

    The bot is told of the new chat first, then on both sides (telegram-bot-api#266: no leaving of the old one).
    """
    if chat.type != "group" or chat.is_gone:
        raise Nonsense("CHAT_ID_INVALID")
    creator = creator_of(world, chat)
    new = Chat(world.new_supergroup_id(), "supergroup", chat.title, dict(chat.members), last_bot=chat.last_bot)
    world.chats[new.id] = new
    status = chat.bot_status
    if status in INSIDE:
        set_bot_status(world, new, status, creator)
    _announce(world, chat, creator.id, migrate_to_chat_id=new.id)
    chat.migrated_to = new.id
    _announce(world, new, creator.id, migrate_from_chat_id=chat.id)
    return new


def delete_group(world: World, chat: Chat) -> None:
    """Deleted by its creator. From a supergroup the bot is gone; a basic group answers "the group chat was deleted"."""
    by = creator_of(world, chat)
    if chat.bot_status in INSIDE:
        set_bot_status(world, chat, "left", by)
    chat.deleted = True
    world.changed.fire()


def _group_to_add_to(world: World, user: User) -> Chat:
    """The first group of this person without the bot, else a new one."""
    for chat in world.chats.values():
        if chat.members.get(user.id) in INSIDE and chat.bot_status not in INSIDE and not chat.is_gone:
            return chat
    return add_group(world, f"{user.first_name}'s group", "group", [user.id], user.id, with_bot=False)


def open_link(world: World, user: User, url: str, chat: Chat | None = None) -> Message | None:
    """Follow a link, as a tap on a url button does. `chat` is the group that the person chose for a ?startgroup link.

    Returns the message that went to the bot; None for a link that leads elsewhere.
    """
    link = links.bot_link(url, world.bot.username)
    if link is None:
        return None
    if link.kind == "start":
        return start(world, user, link.payload)
    chat = chat or _group_to_add_to(world, user)
    if chat.bot_status not in INSIDE:
        add_bot(world, chat, user)
    return write(world, user, chat, f"/start@{world.bot.username} {link.payload}".rstrip())
