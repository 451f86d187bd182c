"""Sending: sendMessage, sendPhoto, sendDocument, sendChatAction. The order of the checks is the server's."""

from typing import Any

from tgavalon.playground import wire
from tgavalon.playground.access import Access, chat_for, require_right_to_send, topic_for
from tgavalon.playground.content import MAX_TEXT, MediaKind, body_of, caption_of, file_for, require_file
from tgavalon.playground.endpoints import SENDING, endpoint
from tgavalon.playground.keyboards import Markup, check_limits, check_texts, read_markup
from tgavalon.playground.model import Chat
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import bad_request, not_found
from tgavalon.playground.text import tidied
from tgavalon.playground.wire import Json
from tgavalon.playground.world import World

_ACTIONS = frozenset(
    {
        *("typing", "upload_photo", "upload_document", "upload_video", "upload_voice", "upload_video_note"),
        *("record_video", "record_voice", "record_video_note", "choose_sticker", "find_location"),
    }
)


def _frame(world: World, params: Params, what: str) -> tuple[Chat, Markup, dict[str, Any]]:
    """What every sending call has in common: chat, keyboard, topic, reply and the small flags."""
    markup = read_markup(params.text("reply_markup"))
    chat = chat_for(world, params, Access.WRITE)
    topic = topic_for(chat, params)
    reply_to = _reply(chat, params)
    if topic is None and reply_to is not None:
        topic = chat.messages[reply_to].topic
    require_right_to_send(chat, what)
    fields: dict[str, Any] = {
        "topic": topic,
        "reply_to": reply_to,
        "keyboard": check_texts(markup.keyboard),
        "closed_to_edits": markup.other in ("keyboard", "force_reply"),
        "protected": params.flag("protect_content"),
        "silent": params.flag("disable_notification"),
        "effect": _effect(chat, params),
    }
    return chat, markup, fields


def _effect(chat: Chat, params: Params) -> str:
    """Message effects exist in private chats only."""
    effect = params.text("message_effect_id")
    if effect and not chat.is_private:
        raise bad_request("Message effects can't be used in the chat")
    return effect


def _reply(chat: Chat, params: Params) -> int | None:
    reply = params.object("reply_parameters", "reply parameters")
    wanted = Params({"id": str(reply.get("message_id", ""))}).integer("id") or params.integer("reply_to_message_id")
    elsewhere = reply.get("chat_id")
    if wanted <= 0:
        return None
    if elsewhere in (None, chat.id, str(chat.id)) and wanted in chat.messages:
        return wanted
    if reply.get("allow_sending_without_reply") is True or params.flag("allow_sending_without_reply"):
        return None
    raise not_found("message to be replied")


@endpoint("sendMessage", SENDING + " text parse_mode entities link_preview_options disable_web_page_preview")
def send_message(world: World, params: Params) -> Json:
    raw = body_of(world, params)
    preview = params.object("link_preview_options", "link preview options")
    chat, markup, fields = _frame(world, params, "text messages")
    body = tidied(raw)
    if len(body.text) > MAX_TEXT:
        raise bad_request("Message is too long")
    check_limits(markup.keyboard)
    world.limits.charge(chat.id)
    message = world.post(chat, world.bot.id, body=body, link_preview=preview or None, **fields)
    return wire.message_json(world, message)


def _send_media(world: World, params: Params, kind: MediaKind) -> Json:
    require_file(params, kind)
    caption = caption_of(world, dict(params.values))
    chat, markup, fields = _frame(world, params, f"{kind}s")
    check_limits(markup.keyboard)
    file = file_for(world, params, kind, params.text(kind), kind)
    world.limits.charge(chat.id)
    fields |= {"media": file, "media_kind": kind, "caption": caption, "spoiler": params.flag("has_spoiler")}
    return wire.message_json(world, world.post(chat, world.bot.id, **fields))


@endpoint("sendPhoto", SENDING + " photo caption parse_mode caption_entities show_caption_above_media has_spoiler")
def send_photo(world: World, params: Params) -> Json:
    return _send_media(world, params, "photo")


@endpoint(
    "sendDocument",
    SENDING + " document thumbnail caption parse_mode caption_entities disable_content_type_detection",
)
def send_document(world: World, params: Params) -> Json:
    return _send_media(world, params, "document")


@endpoint("sendChatAction", "business_connection_id chat_id message_thread_id action")
def send_chat_action(world: World, params: Params) -> bool:
    action = params.text("action").lower()
    if action not in _ACTIONS:
        raise bad_request("Wrong parameter action in request")
    chat = chat_for(world, params, Access.WRITE)
    topic_for(chat, params)
    world.actions.append((chat.id, action))
    return True
