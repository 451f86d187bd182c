"""Chats: who is in them, what is pinned, leaving. Follows telegram-bot-api `Client.cpp` and tdlib's DialogManager."""

from tgavalon.playground import groups, wire
from tgavalon.playground.access import Access, chat_for, message_for
from tgavalon.playground.endpoints import endpoint
from tgavalon.playground.model import ADMINS, INSIDE, Chat, Status
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import bad_request, not_found
from tgavalon.playground.wire import Json
from tgavalon.playground.world import World


@endpoint("getChat", "chat_id")
def get_chat(world: World, params: Params) -> Json:
    return wire.full_chat_json(world, chat_for(world, params, Access.READ))


def _all_members(world: World, chat: Chat) -> dict[int, Status]:
    inside: dict[int, Status] = {user: status for user, status in chat.members.items() if status in INSIDE}
    return inside | ({world.bot.id: chat.bot_status} if chat.bot_status in INSIDE else {})


@endpoint("getChatMember", "chat_id user_id")
def get_chat_member(world: World, params: Params) -> Json:
    """Outside a supergroup a stranger is an error; inside, somebody known is "left"."""
    user_id = params.integer("user_id", low=0)
    if user_id == 0:
        raise bad_request("Invalid user_id specified")
    mine = user_id == world.bot.id
    chat = chat_for(world, params, Access.READ if mine else Access.READ_MEMBERS)
    if mine and not chat.is_private:
        return wire.bot_member_json(world, chat, chat.bot_status)
    known = user_id in world.users and (world.users[user_id].seen or user_id in chat.members)
    status = chat.members.get(user_id)
    if chat.is_private:
        status = "member" if user_id in (chat.id, world.bot.id) else None
        known = status is not None
    elif chat.type == "group" and status not in INSIDE:
        known = False
    if not known:
        raise bad_request("Member not found")
    user = world.user(user_id)
    user.seen = True
    return wire.member_json(world, chat, user, status or "left")


@endpoint("getChatAdministrators", "chat_id return_bots")
def get_chat_administrators(world: World, params: Params) -> list[Json]:
    chat = chat_for(world, params, Access.READ_MEMBERS)
    if chat.is_private:
        raise bad_request("there are no administrators in the private chat")
    admins = {user: status for user, status in _all_members(world, chat).items() if status in ADMINS}
    for user_id in admins:
        world.user(user_id).seen = True
    shown = {user: status for user, status in admins.items() if user == world.bot.id or not world.user(user).is_bot}
    return [wire.member_json(world, chat, world.user(user), status) for user, status in shown.items()]


@endpoint("getChatMemberCount", "chat_id")
def get_chat_member_count(world: World, params: Params) -> int:
    chat = chat_for(world, params, Access.READ_MEMBERS)
    return 2 if chat.is_private else len(_all_members(world, chat))


@endpoint("leaveChat", "chat_id")
def leave_chat(world: World, params: Params) -> bool:
    chat = chat_for(world, params, Access.READ)
    if chat.is_private:
        raise bad_request("chat not found")
    if chat.bot_status in INSIDE:
        groups.bot_leaves(world, chat)
    return True


def _require_pin_right(chat: Chat) -> None:
    """Basic group: an appointed admin. Supergroup: the right to pin, which an admin here has."""
    if not chat.is_private and chat.bot_status not in ADMINS:
        raise bad_request("Not enough rights to manage pinned messages in the chat")


@endpoint("pinChatMessage", "business_connection_id chat_id message_id disable_notification")
def pin_chat_message(world: World, params: Params) -> bool:
    """Pinning makes a service message, and that one comes back to the bot as an update."""
    chat = chat_for(world, params, Access.WRITE)
    message = message_for(chat, params, "message to pin")
    _require_pin_right(chat)
    if message.service:
        raise bad_request("Message can't be pinned")
    if message.message_id not in chat.pinned:
        chat.pinned.append(message.message_id)
        world.post_service(chat, world.bot.id, message.topic, pinned_message=message.message_id)
    return True


@endpoint("unpinChatMessage", "business_connection_id chat_id message_id")
def unpin_chat_message(world: World, params: Params) -> bool:
    chat = chat_for(world, params, Access.WRITE)
    if params.integer("message_id") == 0:
        if not chat.pinned:
            raise not_found("message to unpin")
        message_id = chat.pinned[-1]
    else:
        message_id = message_for(chat, params, "message to unpin").message_id
    _require_pin_right(chat)
    chat.pinned = [pinned for pinned in chat.pinned if pinned != message_id]
    world.changed.fire()
    return True


@endpoint("unpinAllChatMessages", "chat_id")
def unpin_all_chat_messages(world: World, params: Params) -> bool:
    chat = chat_for(world, params, Access.WRITE)
    _require_pin_right(chat)
    chat.pinned.clear()
    world.changed.fire()
    return True
