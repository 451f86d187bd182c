"""The world as Bot API objects. Field names and presence follow telegram-bot-api `Client.cpp` (JsonUser, JsonChat, …).

Reads the world and never changes it.
"""

from typing import TYPE_CHECKING, Any

from tgavalon.playground.model import ADMINS, ANONYMOUS_ADMIN, Chat, Message, Press, Status, StoredFile, User
from tgavalon.playground.text import Entity, Formatted

if TYPE_CHECKING:
    from tgavalon.playground.world import World

Json = dict[str, Any]

ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_change_info",
    "can_delete_messages",
    "can_invite_users",
    "can_restrict_members",
    "can_pin_messages",
    "can_manage_topics",
    "can_promote_members",
    "can_manage_video_chats",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_manage_tags",
)
PERMISSIONS = (
    "can_send_messages",
    "can_send_media_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
_ME = {
    "can_join_groups": True,
    "supports_inline_queries": False,
    "supports_guest_queries": False,
    "can_connect_to_business": False,
    "has_main_web_app": False,
    "has_topics_enabled": False,
    "allows_users_to_create_topics": False,
    "can_manage_bots": False,
}
_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")


def user_json(user: User) -> Json:
    found: Json = {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name}
    optional = {"last_name": user.last_name, "username": user.username, "language_code": user.language_code}
    return found | {key: value for key, value in optional.items() if value}


def me_json(world: "World") -> Json:
    return user_json(world.bot) | _ME | {"can_read_all_group_messages": not world.privacy}


def chat_json(world: "World", chat: Chat) -> Json:
    if chat.is_private:
        user = world.users[chat.id]
        found: Json = {"id": chat.id, "first_name": user.first_name}
        optional = {"last_name": user.last_name, "username": user.username}
        return found | {key: value for key, value in optional.items() if value} | {"type": "private"}
    found = {"id": chat.id, "title": chat.title, "type": chat.type}
    if chat.type == "group":
        found["all_members_are_administrators"] = True
        found["accepted_gift_types"] = dict.fromkeys(_GIFTS, False)
    if chat.is_forum:
        found["is_forum"] = True
    if chat.username:
        found["username"] = chat.username
    return found


def full_chat_json(world: "World", chat: Chat) -> Json:
    """ChatFullInfo, with the fields that libraries insist on."""
    found = chat_json(world, chat) | {"max_reaction_count": 11, "accent_color_id": abs(chat.id) % 7}
    found["accepted_gift_types"] = dict.fromkeys(_GIFTS, chat.is_private)
    if username := world.users[chat.id].username if chat.is_private else chat.username:
        found["active_usernames"] = [username]
    if not chat.is_private:
        found["permissions"] = dict.fromkeys(PERMISSIONS, True)
    if chat.pinned:
        found["pinned_message"] = message_json(world, chat.messages[chat.pinned[-1]], with_reply=False)
    return found


def member_json(world: "World", chat: Chat, user: User, status: Status) -> Json:
    found: Json = {"user": user_json(user), "status": status}
    if status == "creator":
        return found | {"is_anonymous": False}
    if status == "administrator":
        mine = user.id == world.bot.id
        skipped = set() if chat.type == "supergroup" else {"can_manage_topics"}
        rights: Json = {right: right != "can_promote_members" for right in ADMIN_RIGHTS if right not in skipped}
        return found | {"can_be_edited": not mine, "can_manage_voice_chats": True, "is_anonymous": False} | rights
    if status == "kicked":
        return found | {"until_date": 0}
    return found


def bot_member_json(world: "World", chat: Chat, status: Status) -> Json:
    """The bot's own membership: in a supergroup where it may not write, `restricted`."""
    found = member_json(world, chat, world.bot, status)
    if status == "member" and not chat.bot_can_send and chat.type == "supergroup":
        may = {permission: not permission.startswith("can_send") for permission in PERMISSIONS}
        return found | may | {"status": "restricted", "until_date": 0, "is_member": True}
    return found


def file_json(file: StoredFile) -> Json:
    return {"file_id": file.file_id, "file_unique_id": file.unique_id, "file_size": len(file.content)}


def entities_json(world: "World", entities: list[Entity]) -> list[Entity]:
    """Mentions by id become `text_mention` with the user."""
    shown = []
    for entity in entities:
        fields = dict(entity)
        if entity["type"] == "text_mention":
            fields["user"] = user_json(world.users[fields.pop("user_id")])
        shown.append(fields)
    return shown


def _formatted_json(world: "World", body: Formatted, text: str, entities: str) -> Json:
    found: Json = {text: body.text}
    if body.entities:
        found[entities] = entities_json(world, body.entities)
    return found


def _content_json(world: "World", message: Message) -> Json:
    found: Json = {}
    if message.body is not None:
        found |= _formatted_json(world, message.body, "text", "entities")
        if message.link_preview:
            found["link_preview_options"] = message.link_preview
    if message.media is not None:
        media = file_json(message.media)
        if message.media_kind == "photo":
            found["photo"] = [media | {"width": message.media.width, "height": message.media.height}]
        else:
            found["document"] = media | {"file_name": message.media.name, "mime_type": message.media.mime}
    if message.caption is not None and message.caption.text:
        found |= _formatted_json(world, message.caption, "caption", "caption_entities")
    if message.spoiler:
        found["has_media_spoiler"] = True
    return found


def _service_json(world: "World", message: Message) -> Json:
    found: Json = {}
    for field, value in message.service.items():
        if field == "new_chat_members":
            members = [user_json(world.user(user)) for user in value]
            found |= {"new_chat_participant": members[0], "new_chat_member": members[0], field: members}
        elif field == "left_chat_member":
            found |= {"left_chat_participant": user_json(world.user(value)), field: user_json(world.user(value))}
        elif field == "pinned_message":
            pinned = world.chats[message.chat_id].messages.get(value)
            found[field] = (
                message_json(world, pinned, with_reply=False)
                if pinned
                else {"chat": chat_json(world, world.chats[message.chat_id]), "message_id": value, "date": 0}
            )
        else:
            found[field] = value
    return found


def message_json(world: "World", message: Message, *, with_reply: bool = True) -> Json:
    chat = world.chats[message.chat_id]
    found: Json = {"message_id": message.message_id, "from": user_json(world.user(message.sender))}
    if message.sender_chat is not None:
        found["sender_chat"] = chat_json(world, world.chats[message.sender_chat])
    found |= {"chat": chat_json(world, chat), "date": message.date}
    if message.edit_date is not None:
        found["edit_date"] = message.edit_date
    if message.topic is not None:
        found |= {"message_thread_id": message.topic, "is_topic_message": True}
    elif (thread := world.reply_thread(message)) is not None:
        found["message_thread_id"] = thread
    if with_reply and message.reply_to is not None and (replied := chat.messages.get(message.reply_to)):
        found["reply_to_message"] = message_json(world, replied, with_reply=False)
    found |= _content_json(world, message) | _service_json(world, message)
    if message.keyboard:
        found["reply_markup"] = {"inline_keyboard": message.keyboard}
    if message.effect:
        found["effect_id"] = message.effect
    if message.protected:
        found["has_protected_content"] = True
    return found


def press_json(world: "World", press: Press) -> Json:
    chat = world.chats[press.chat]
    return {
        "id": press.query,
        "from": user_json(world.users[press.user]),
        "message": message_json(world, chat.messages[press.message_id]),
        "chat_instance": chat.instance,
        "data": press.data,
    }


def is_admin(chat: Chat, user_id: int) -> bool:
    return chat.members.get(user_id) in ADMINS or user_id == ANONYMOUS_ADMIN
