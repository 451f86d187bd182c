"""Editing, deleting, reacting. An edit without `reply_markup` takes the keyboard away; one that changes nothing is
refused.

Sources: tdlib/td `MessagesManager.cpp` (can_edit_message, edit_message_*, delete_messages); a bot may edit its own
messages at any age, and delete them for 48 hours.
"""

from typing import Any

from tgavalon.playground import wire
from tgavalon.playground.access import Access, chat_for, message_for
from tgavalon.playground.content import MAX_TEXT, body_of, caption_of, media_of
from tgavalon.playground.endpoints import endpoint
from tgavalon.playground.keyboards import check_limits, check_texts, read_markup
from tgavalon.playground.model import ADMINS, Chat, Keyboard, Message
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import NOT_MODIFIED, bad_request, not_found
from tgavalon.playground.text import tidied
from tgavalon.playground.wire import Json
from tgavalon.playground.world import World

_EDITING = "business_connection_id chat_id message_id inline_message_id reply_markup"
DELETE_SECONDS = 48 * 3600
_REACTION_EMOJI = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 "
    "🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 "
    "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡 "
)
_REACTIONS = frozenset(_REACTION_EMOJI.split())


def _target(world: World, params: Params, problem: str = "Message can't be edited") -> tuple[Chat, Message]:
    """The message to edit; it must be the bot's own, no service message, and its markup an inline keyboard or none."""
    chat = chat_for(world, params, Access.EDIT)
    message = message_for(chat, params, "message to edit")
    if message.sender != world.bot.id or message.service or message.closed_to_edits:
        raise bad_request(problem)
    return chat, message


def _keyboard(params: Params) -> Keyboard | None:
    markup = read_markup(params.text("reply_markup"))
    if markup.other:
        raise bad_request("Inline keyboard expected")
    return markup.keyboard


def _change(world: World, chat: Chat, message: Message, **changes: Any) -> Json:
    """Apply the edit, or refuse it as not modified."""
    if not chat.bot_can_send:
        raise bad_request("CHAT_WRITE_FORBIDDEN")
    check_limits(changes["keyboard"])
    world.limits.charge(chat.id)
    if all(getattr(message, name) == value for name, value in changes.items()):
        raise bad_request(NOT_MODIFIED)
    for name, value in changes.items():
        setattr(message, name, value)
    message.edit_date = world.clock.date()
    world.changed.fire()
    return wire.message_json(world, message)


@endpoint("editMessageText", _EDITING + " text parse_mode entities link_preview_options disable_web_page_preview")
def edit_message_text(world: World, params: Params) -> Json:
    raw = body_of(world, params)
    preview = params.object("link_preview_options", "link preview options") or None
    keyboard = _keyboard(params)
    chat, message = _target(world, params)
    if message.body is None:
        raise bad_request("There is no text in the message to edit")
    body = tidied(raw)
    keyboard = check_texts(keyboard)
    if len(body.text) > MAX_TEXT:
        raise bad_request("MESSAGE_TOO_LONG")
    return _change(world, chat, message, body=body, link_preview=preview, keyboard=keyboard)


@endpoint("editMessageCaption", _EDITING + " caption parse_mode caption_entities show_caption_above_media")
def edit_message_caption(world: World, params: Params) -> Json:
    keyboard = _keyboard(params)
    chat, message = _target(world, params)
    if message.media is None:
        raise bad_request("There is no caption in the message to edit")
    caption = caption_of(world, dict(params.values), edit=True)
    return _change(world, chat, message, caption=caption, keyboard=check_texts(keyboard))


@endpoint("editMessageMedia", _EDITING + " media")
def edit_message_media(world: World, params: Params) -> Json:
    """Media of a photo or document may be replaced, and media may be added to a text."""
    keyboard = _keyboard(params)
    media = media_of(world, params)
    chat, message = _target(world, params, "Message media can't be edited")
    changes: dict[str, Any] = {"media": media.file, "media_kind": media.kind, "caption": media.caption}
    changes |= {"body": None, "spoiler": media.spoiler, "keyboard": check_texts(keyboard)}
    return _change(world, chat, message, **changes)


@endpoint("editMessageReplyMarkup", _EDITING)
def edit_message_reply_markup(world: World, params: Params) -> Json:
    keyboard = _keyboard(params)
    chat, message = _target(world, params)
    return _change(world, chat, message, keyboard=check_texts(keyboard))


def _require_deletable(world: World, chat: Chat, message: Message) -> None:
    mine = message.sender == world.bot.id
    old = world.clock.now() - message.date >= DELETE_SECONDS
    if chat.bot_status not in ADMINS and not chat.is_private and not mine:
        raise bad_request("Message can't be deleted")
    if old and chat.type == "supergroup" and chat.bot_status not in ADMINS:
        raise bad_request("Message can't be deleted")
    if old and chat.type != "supergroup":
        raise bad_request("Message can't be deleted for everyone")


@endpoint("deleteMessage", "chat_id message_id")
def delete_message(world: World, params: Params) -> bool:
    if not params.text("chat_id"):
        raise bad_request("Chat identifier is not specified")
    if params.integer("message_id") == 0:
        raise bad_request("Message identifier is not specified")
    chat = chat_for(world, params, Access.WRITE)
    message = message_for(chat, params, "message to delete")
    _require_deletable(world, chat, message)
    world.delete(chat, message.message_id)
    return True


@endpoint("deleteMessages", "chat_id message_ids")
def delete_messages(world: World, params: Params) -> bool:
    """Unknown ids are skipped; one that may not be deleted stops them all."""
    ids = params.json("message_ids")
    if not isinstance(ids, list) or not ids or not all(isinstance(one, int) for one in ids):
        raise bad_request("Message identifiers are not specified")
    if len(ids) > 100:
        raise bad_request("Too many message identifiers specified")
    chat = chat_for(world, params, Access.WRITE)
    messages = [chat.messages[found] for found in dict.fromkeys(ids) if found in chat.messages]
    for message in messages:
        _require_deletable(world, chat, message)
    for message in messages:
        world.delete(chat, message.message_id)
    return True


@endpoint("setMessageReaction", "chat_id message_id reaction is_big")
def set_message_reaction(world: World, params: Params) -> bool:
    """Bots set at most one reaction, from Telegram's list."""
    wanted = params.json("reaction") or []
    if not isinstance(wanted, list) or not all(isinstance(one, dict) for one in wanted):
        raise bad_request("Can't parse reaction types JSON object")
    chat = chat_for(world, params, Access.READ)
    message = chat.messages.get(params.integer("message_id"))
    if message is None:
        raise not_found("message to react")
    if len(wanted) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(one.get("type") != "emoji" or str(one.get("emoji")).rstrip("\ufe0f") not in _REACTIONS for one in wanted):
        raise bad_request("REACTION_INVALID")
    message.reactions = wanted
    world.changed.fire()
    return True
