"""What need not be made objects of: the content of messages that the bot itself has written.

A pressed button brings its whole message along, and the answer to every send and edit is one; a keyboard of ten seats
is most of the work of reading it, and nothing here reads it.
"""

from __future__ import annotations

from typing import Any

from tgavalon.bot.transport import AiohttpRequest

Json = dict[str, Any]

_HEAD = frozenset(("message_id", "date", "chat", "message_thread_id", "is_topic_message"))


def lean_update(raw: Json) -> Json:
    """An update of which a pressed message is cut to where and which it is."""
    press = raw.get("callback_query")
    if not isinstance(press, dict) or not isinstance(press.get("message"), dict):
        return raw
    return raw | {"callback_query": press | {"message": _head(press["message"])}}


class LeanRequest(AiohttpRequest):
    """The transport of a bot that reads of a message it has written only where and which it is."""

    __slots__ = ()

    @staticmethod
    def parse_json_payload(payload: bytes) -> Json:
        """As the base class, but a written message is cut likewise."""
        answer = AiohttpRequest.parse_json_payload(payload)
        result = answer.get("result")
        if not isinstance(result, dict) or "message_id" not in result:
            return answer
        return answer | {"result": _head(result)}


def _head(message: Json) -> Json:
    return {key: value for key, value in message.items() if key in _HEAD}
