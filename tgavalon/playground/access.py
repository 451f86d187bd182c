"""Which chat a call means, and whether the bot may do that there: the refusals 400, 403 and "upgraded".

Follows telegram-bot-api `Client.cpp` (check_chat, check_chat_access, check_message_topic) and what Telegram answers
behind it.
"""

from enum import IntEnum

from tgavalon.playground.model import INSIDE, Chat, Message
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import bad_request, forbidden, not_found, upgraded
from tgavalon.playground.world import World

GENERAL_TOPIC = 1


class Access(IntEnum):
    READ = 0
    READ_MEMBERS = 1
    EDIT = 2
    WRITE = 3


def chat_for(world: World, params: Params, access: Access, name: str = "chat_id") -> Chat:
    raw = params.text(name)
    if not raw:
        raise bad_request("chat_id is empty")
    chat = world.chats.get(params.integer(name))
    if chat is None or (chat.is_private and not world.users[chat.id].seen) or not (chat.is_private or chat.met):
        raise bad_request("chat not found")
    _CHECKS[chat.type](world, chat, access)
    return chat


def _check_private(world: World, chat: Chat, access: Access) -> None:
    user = world.users[chat.id]
    if access < Access.EDIT:
        return
    if user.deactivated:
        raise forbidden("user is deactivated")
    if not user.started:
        raise forbidden("Bot can't initiate conversation with a user")
    if user.blocked:
        raise forbidden("bot was blocked by the user")


def _check_group(_world: World, chat: Chat, access: Access) -> None:
    if access == Access.READ:
        return
    if chat.migrated_to is not None:
        raise upgraded(chat.migrated_to)
    if chat.deleted:
        raise forbidden("the group chat was deleted")
    _check_inside(chat, "group")


def _check_supergroup(_world: World, chat: Chat, _access: Access) -> None:
    _check_inside(chat, "supergroup")


def _check_inside(chat: Chat, kind: str) -> None:
    if chat.bot_status == "kicked":
        raise forbidden(f"bot was kicked from the {kind} chat")
    if chat.bot_status not in INSIDE:
        raise forbidden(f"bot is not a member of the {kind} chat")


_CHECKS = {"private": _check_private, "group": _check_group, "supergroup": _check_supergroup}


def topic_for(chat: Chat, params: Params) -> int | None:
    """The topic that a send names. General is sent to without an id; naming it fails, as on the real server."""
    topic = params.integer("message_thread_id", low=0)
    if topic == 0 or (not chat.is_forum and not chat.is_private):
        return None
    if topic == GENERAL_TOPIC or topic not in chat.topics:
        raise not_found("message thread")
    return topic


def message_for(chat: Chat, params: Params, what: str, name: str = "message_id") -> Message:
    """`what` as in the refusal: "message to edit", "message to pin" …"""
    message = chat.messages.get(params.integer(name))
    if message is None:
        raise not_found(what)
    return message


def require_right_to_send(chat: Chat, what: str) -> None:
    """`what`: "text messages", "photos" or "documents"."""
    if not chat.bot_can_send:
        raise bad_request(f"Not enough rights to send {what} to the chat")
