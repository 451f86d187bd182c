"""The bot about itself: getMe, commands per language and scope, descriptions, menu button, files.

Sources: telegram-bot-api `Client.cpp`, tdlib/td `BotCommand.cpp` and `BotInfoManager.cpp`.
"""

import json
import re
from typing import Any

from tgavalon.playground import wire
from tgavalon.playground.access import Access, chat_for
from tgavalon.playground.endpoints import endpoint
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import bad_request
from tgavalon.playground.wire import Json
from tgavalon.playground.world import World

MAX_COMMANDS = 100
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_PLAIN_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
_CHAT_SCOPES = frozenset({"chat", "chat_administrators", "chat_member"})


@endpoint("getMe")
def get_me(world: World, _params: Params) -> Json:
    return wire.me_json(world)


def _language(params: Params) -> str:
    """Two letters, or none for everybody else; "pt-br" is refused."""
    language = params.text("language_code")
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("Invalid language code specified")
    return language


def _scope(world: World, params: Params) -> str:
    """The scope as one text, for example "default" or "chat_member -41 7"."""
    scope = params.object("scope", "BotCommandScope")
    kind = scope.get("type", "default" if not scope else "")
    if kind in _PLAIN_SCOPES:
        return str(kind)
    if kind not in _CHAT_SCOPES:
        raise bad_request("Can't parse BotCommandScope: Unsupported type specified")
    if not scope.get("chat_id"):
        raise bad_request("Can't parse BotCommandScope: Empty chat_id specified")
    chat = chat_for(world, Params({"chat_id": str(scope["chat_id"])}), Access.READ)
    if chat.is_private and kind != "chat":
        raise bad_request("Can't use specified scope in private chats")
    if kind != "chat_member":
        return f"{kind} {chat.id}"
    if type(scope.get("user_id")) is not int or scope["user_id"] <= 0:
        raise bad_request("Can't parse BotCommandScope: Invalid user_id specified")
    return f"{kind} {chat.id} {scope['user_id']}"


def _commands(params: Params) -> list[dict[str, str]]:
    value = params.json("commands")
    if value is None and params.text("commands"):
        raise bad_request("Can't parse commands JSON object")
    if not isinstance(value, list):
        raise bad_request("Expected an Array of BotCommand")
    if len(value) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    return [_command(one) for one in value]


def _command(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise bad_request("Can't parse BotCommand: expected an Object")
    command, description = str(value.get("command", "")).lstrip("/"), str(value.get("description", "")).strip()
    if not command:
        raise bad_request("Command must be non-empty")
    if len(command) > 32:
        raise bad_request("Command length must not exceed 32")
    if not description:
        raise bad_request("Command description must be non-empty")
    if len(description) > 256:
        raise bad_request("Command description length must not exceed 256")
    if not _COMMAND.fullmatch(command):
        raise bad_request("BOT_COMMAND_INVALID")
    return {"command": command, "description": description}


@endpoint("setMyCommands", "commands scope language_code")
def set_my_commands(world: World, params: Params) -> bool:
    commands, scope = _commands(params), _scope(world, params)
    world.commands[scope, _language(params)] = commands
    world.changed.fire()
    return True


@endpoint("getMyCommands", "scope language_code")
def get_my_commands(world: World, params: Params) -> list[dict[str, str]]:
    return world.commands.get((_scope(world, params), _language(params)), [])


@endpoint("deleteMyCommands", "scope language_code")
def delete_my_commands(world: World, params: Params) -> bool:
    world.commands.pop((_scope(world, params), _language(params)), None)
    world.changed.fire()
    return True


def _set_profile(world: World, params: Params, field: str, limit: int) -> bool:
    text, language = params.text(field), _language(params)
    if len(text) > limit:
        raise bad_request(f"{_TOO_LONG[field]} is too long")
    if not text and (field != "name" or not language):
        world.profile.pop((field, language), None)
    else:
        world.profile[field, language] = text
    world.changed.fire()
    return True


_TOO_LONG = {"name": "Name", "description": "Description", "short_description": "Short description"}


def _profile(world: World, params: Params, field: str) -> dict[str, str]:
    """The text for this language, else the one for everybody."""
    default = world.bot.first_name if field == "name" else ""
    found = world.profile.get((field, _language(params))) or world.profile.get((field, ""), default)
    return {field: found}


@endpoint("setMyName", "name language_code")
def set_my_name(world: World, params: Params) -> bool:
    return _set_profile(world, params, "name", 64)


@endpoint("getMyName", "language_code")
def get_my_name(world: World, params: Params) -> dict[str, str]:
    return _profile(world, params, "name")


@endpoint("setMyDescription", "description language_code")
def set_my_description(world: World, params: Params) -> bool:
    return _set_profile(world, params, "description", 512)


@endpoint("getMyDescription", "language_code")
def get_my_description(world: World, params: Params) -> dict[str, str]:
    return _profile(world, params, "description")


@endpoint("setMyShortDescription", "short_description language_code")
def set_my_short_description(world: World, params: Params) -> bool:
    return _set_profile(world, params, "short_description", 120)


@endpoint("getMyShortDescription", "language_code")
def get_my_short_description(world: World, params: Params) -> dict[str, str]:
    return _profile(world, params, "short_description")


@endpoint("setChatMenuButton", "chat_id menu_button")
def set_chat_menu_button(world: World, params: Params) -> bool:
    button = params.object("menu_button", "menu button") or {"type": "default"}
    if button.get("type") not in ("default", "commands", "web_app"):
        raise bad_request("Can't parse menu button: MenuButton has unsupported type")
    chat = chat_for(world, params, Access.READ).id if params.text("chat_id") else 0
    world.profile["menu_button", str(chat)] = json.dumps(button)
    return True


@endpoint("getFile", "file_id")
def get_file(world: World, params: Params) -> Json:
    file = world.files.get(params.text("file_id"))
    if file is None:
        raise bad_request("invalid file_id")
    if len(file.content) > 20 * 1024 * 1024:
        raise bad_request("file is too big")
    return wire.file_json(file) | {"file_path": file.path}
