"""What pretend people do with their clients: write, press, follow links, block. Each step becomes updates for the bot.

A step that no client offers raises `Nonsense` with the client's or the server's word for it.
"""

import asyncio

from tgavalon.playground import links, wire
from tgavalon.playground.model import ADMINS, ANONYMOUS_ADMIN, INSIDE, Chat, Message, Nonsense, Press, Status, User
from tgavalon.playground.refusals import Refusal
from tgavalon.playground.text import Formatted, tidied
from tgavalon.playground.world import World


def add_user(
    world: World,
    first_name: str,
    last_name: str = "",
    username: str = "",
    language_code: str = "",
    user_id: int | None = None,
    *,
    is_bot: bool = False,
) -> User:
    """A new account. Raises Nonsense for a missing name or an id in use."""
    if not first_name:
        raise Nonsense("first_name is empty")
    if user_id is None:
        user_id = world.new_user_id()
    if user_id <= 0 or user_id in world.users or user_id == world.bot.id:
        raise Nonsense(f"user id {user_id} is in use or impossible")
    user = User(user_id, first_name, last_name, username, language_code, is_bot)
    world.users[user_id] = user
    world.private_chat(user_id)
    world.changed.fire()
    return user


def rename(world: World, user: User, first_name: str, last_name: str = "") -> None:
    if not first_name:
        raise Nonsense("first_name is empty")
    user.first_name, user.last_name = first_name, last_name
    world.changed.fire()


def deactivate(world: World, user: User) -> None:
    """The account is deleted: the bot's next message is refused with "user is deactivated"."""
    user.deactivated, user.first_name, user.last_name = True, "", ""
    world.changed.fire()


def start(world: World, user: User, payload: str = "") -> Message:
    """Press Start (or Restart after a block) in the bot's private chat."""
    if not links.is_payload(payload):
        raise Nonsense("START_PARAM_INVALID")
    if user.blocked:
        unblock(world, user)
    user.started = True
    return write(world, user, world.private_chat(user.id), f"/start {payload}".rstrip())


def say(
    world: World,
    user: User,
    chat: Chat,
    text: str,
    *,
    topic: int | None = None,
    anonymous: bool = False,
    reply_to: int | None = None,
) -> Message:
    """Write into a chat. Privacy mode decides whether the bot hears it."""
    _require_member(world, user, chat)
    if anonymous and not (chat.type == "supergroup" and chat.members[user.id] in ADMINS):
        raise Nonsense("only admins of a supergroup can be anonymous")
    if topic is not None and topic not in chat.topics:
        raise Nonsense("TOPIC_ID_INVALID")
    if reply_to is not None and reply_to not in chat.messages:
        raise Nonsense("MESSAGE_ID_INVALID")
    if chat.is_private:
        if user.blocked:
            raise Nonsense("YOU_BLOCKED_USER")
        user.started = True
    return write(world, user, chat, text, topic=topic, anonymous=anonymous, reply_to=reply_to)


def _require_member(world: World, user: User, chat: Chat) -> None:
    if chat.is_gone:
        raise Nonsense("the group is gone")
    if not world.can_see(user.id, chat):
        raise Nonsense("USER_NOT_PARTICIPANT")


def write(
    world: World,
    user: User,
    chat: Chat,
    text: str,
    *,
    topic: int | None = None,
    anonymous: bool = False,
    reply_to: int | None = None,
) -> Message:
    """Post the text without asking whether this person may; `say` and `start` ask."""
    try:
        body = tidied(Formatted(text))
    except Refusal:
        raise Nonsense("MESSAGE_EMPTY") from None
    if len(body.text) > 4096:
        raise Nonsense("MESSAGE_TOO_LONG")
    sender, sender_chat = (ANONYMOUS_ADMIN, chat.id) if anonymous else (user.id, None)
    message = world.post(chat, sender, body=body, topic=topic, reply_to=reply_to, sender_chat=sender_chat)
    if hears(world, chat, message):
        world.tell_message(message)
    return message


def hears(world: World, chat: Chat, message: Message) -> bool:
    """Group privacy mode (core.telegram.org/bots/features): commands to this bot, plain commands if it posted last,
    replies to it; everything if it is an admin. Bots never hear other bots."""
    if chat.bot_status not in INSIDE or (world.user(message.sender).is_bot and message.sender_chat is None):
        return False
    if chat.is_private or not world.privacy or chat.bot_status in ADMINS:
        return True
    replied = chat.messages.get(message.reply_to or 0)
    return (replied is not None and replied.sender == world.bot.id) or _is_command_to(world, chat, message)


def _is_command_to(world: World, chat: Chat, message: Message) -> bool:
    if message.body is None or not message.body.entities:
        return False
    first = message.body.entities[0]
    if first["type"] != "bot_command" or first["offset"] != 0:
        return False
    addressee = message.body.text[: first["length"]].partition("@")[2]
    return addressee.lower() == world.bot.username.lower() if addressee else chat.last_bot == world.bot.id


def press(world: World, user: User, chat: Chat, message_id: int, data: str) -> Press:
    """Tap a callback button, in a public group from outside too.

    Refused with DATA_INVALID unless the message's current keyboard has that data.
    """
    if not chat.username:
        _require_member(world, user, chat)
    message = chat.messages.get(message_id)
    if message is None:
        raise Nonsense("MESSAGE_ID_INVALID")
    if not any(button.get("callback_data") == data for button in message.buttons()):
        raise Nonsense("DATA_INVALID")
    now = world.clock.now()
    future = asyncio.get_running_loop().create_future()
    press_ = Press(world.new_query_id(), user.id, chat.id, message_id, data, now, now + world.answer_window, future)
    world.presses[press_.query] = press_
    if chat.bot_status in INSIDE:
        world.tell_press(press_)
    world.changed.fire()
    return press_


def block(world: World, user: User) -> None:
    if not user.blocked:
        user.blocked = True
        _tell_block(world, user, "member", "kicked")


def unblock(world: World, user: User) -> None:
    if user.blocked:
        user.blocked = False
        _tell_block(world, user, "kicked", "member")


def _tell_block(world: World, user: User, old: Status, new: Status) -> None:
    """In private chats `my_chat_member` comes only for these two."""
    chat = world.private_chat(user.id)
    change = {
        "chat": wire.chat_json(world, chat),
        "from": wire.user_json(user),
        "date": world.clock.date(),
        "old_chat_member": wire.member_json(world, chat, world.bot, old),
        "new_chat_member": wire.member_json(world, chat, world.bot, new),
    }
    world.tell("my_chat_member", change, chat, user.id)
