"""The whole world as JSON for the page: what every person could see. It reads and changes nothing."""

from typing import Any

from tgavalon.playground import wire
from tgavalon.playground.model import INSIDE, Answer, Chat, Message, User
from tgavalon.playground.wire import Json
from tgavalon.playground.world import World

SHOWN_ANSWERS = 100


def state_json(world: World, autoplay: list[int]) -> Json:
    return {
        "now": world.clock.now(),
        "bot": {"id": world.bot.id, "username": world.bot.username, "first_name": world.bot.first_name},
        "autoplay": autoplay,
        "limits": world.limits.on,
        "users": [user_state(user) for user in world.users.values()],
        "chats": [chat_state(world, chat) for chat in world.chats.values()],
        "answers": [answer_state(answer) for answer in world.answers[-SHOWN_ANSWERS:]],
        "pending": [
            {"user": one.user, "chat": one.chat, "message_id": one.message_id, "data": one.data, "at": one.at}
            for one in world.presses.values()
        ],
    }


def user_state(user: User) -> Json:
    found: Json = {"id": user.id, "first_name": user.first_name}
    optional = {"last_name": user.last_name, "username": user.username, "language_code": user.language_code}
    found |= {key: value for key, value in optional.items() if value}
    return found | {"started": user.started, "blocked": user.blocked}


def answer_state(answer: Answer) -> Json:
    found: Json = {"n": answer.n, "user": answer.user, "text": answer.text, "alert": answer.alert, "at": answer.at}
    return found | ({"url": answer.url} if answer.url else {})


def chat_state(world: World, chat: Chat) -> Json:
    found: Json = {"id": chat.id, "type": chat.type}
    found |= {"user": chat.id} if chat.is_private else {"title": chat.title}
    found |= {
        "is_forum": chat.is_forum,
        "topics": [{"id": topic, "name": name} for topic, name in chat.topics.items()],
        "members": [{"user": user, "status": status} for user, status in chat.members.items() if status in INSIDE],
        "bot_status": chat.bot_status,
        "pinned": list(chat.pinned),
        "messages": [message_state(world, message) for message in chat.messages.values()],
    }
    if chat.migrated_to is not None:
        found["migrated_to"] = chat.migrated_to
    return found


def message_state(world: World, message: Message) -> Json:
    sender = world.user(message.sender)
    author: Json = {"id": sender.id, "first_name": sender.first_name, "is_bot": sender.is_bot}
    if sender.last_name:
        author["last_name"] = sender.last_name
    found: Json = {"message_id": message.message_id, "date": message.date, "from": author}
    optional: dict[str, Any] = {"edit_date": message.edit_date, "topic": message.topic, "reply_to": message.reply_to}
    found |= {key: value for key, value in optional.items() if value is not None}
    if message.sender_chat is not None:
        found["sender_chat"] = {"id": message.sender_chat, "title": world.chats[message.sender_chat].title}
    if message.service:
        found["service"] = service_line(world, message)
    return found | _content(world, message) | {"protected": message.protected}


def _content(world: World, message: Message) -> Json:
    found: Json = {}
    if message.body is not None:
        found["text"] = message.body.text
        found["entities"] = wire.entities_json(world, message.body.entities)
    if message.caption is not None:
        found["caption"] = message.caption.text
        found["caption_entities"] = wire.entities_json(world, message.caption.entities)
    if message.media is not None:
        url = f"/control/file/{message.media.file_id}"
        size = len(message.media.content)
        document = {"url": url, "file_name": message.media.name, "file_size": size}
        found |= {"photo": url} if message.media_kind == "photo" else {"document": document}
    if message.keyboard:
        found["reply_markup"] = {"inline_keyboard": message.keyboard}
    if message.reactions:
        found["reactions"] = message.reactions
    return found


def _names(world: World, users: list[int]) -> str:
    return ", ".join(world.user(user).first_name for user in users)


def service_line(world: World, message: Message) -> str:
    """A service message as the grey line that clients show."""
    who = world.user(message.sender).first_name
    service = message.service
    if "new_chat_members" in service:
        added = service["new_chat_members"]
        return f"{who} joined the group" if added == [message.sender] else f"{who} added {_names(world, added)}"
    if "left_chat_member" in service:
        gone = service["left_chat_member"]
        return f"{who} left the group" if gone == message.sender else f"{who} removed {_names(world, [gone])}"
    if "pinned_message" in service:
        pinned = world.chats[message.chat_id].messages.get(service["pinned_message"])
        words = pinned.text.partition("\n")[0][:30] if pinned else ""
        return f"{who} pinned “{words}”" if words else f"{who} pinned a message"
    if "forum_topic_created" in service:
        return f"{who} created the topic “{service['forum_topic_created']['name']}”"
    if "migrate_to_chat_id" in service or "migrate_from_chat_id" in service:
        return "The group became a supergroup"
    return f"{who} created the group"
