"""How Telegram says no: the exact words, codes and parameters. Only what the real server answers belongs here.

Sources: tdlib/telegram-bot-api (Client.cpp, Query.cpp, ClientManager.cpp), tdlib/td, real answers in public issues.
"""

from collections.abc import Mapping

PREFIXES = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict"}


class Refusal(Exception):
    """An answer with `ok: false`. `code` is also the HTTP status; `parameters` as in ResponseParameters."""

    def __init__(self, code: int, description: str, parameters: Mapping[str, int] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = dict(parameters or {})

    def body(self) -> dict[str, object]:
        body: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def refuse(code: int, text: str) -> Refusal:
    """A refusal in the server's form: its prefix, and a small first letter unless the second is `_` or a capital."""
    if len(text) < 2 or not (text[1] == "_" or "A" <= text[1] <= "Z"):
        text = text[:1].lower() + text[1:]
    return Refusal(code, f"{PREFIXES[code]}: {text}")


def bad_request(text: str) -> Refusal:
    return refuse(400, text)


def forbidden(text: str) -> Refusal:
    return refuse(403, text)


def flood(seconds: int) -> Refusal:
    return Refusal(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})


def upgraded(new_chat_id: int) -> Refusal:
    text = "Bad Request: group chat was upgraded to a supergroup chat"
    return Refusal(400, text, {"migrate_to_chat_id": new_chat_id})


def cannot_parse(text: str) -> Refusal:
    """Entities in HTML or MarkdownV2 that do not parse; `text` says where, in UTF-8 bytes."""
    return bad_request(f"can't parse entities: {text}")


def not_found(what: str) -> Refusal:
    """For example `not_found("message to edit")`."""
    return bad_request(f"{what} not found")


NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
OTHER_POLLER = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_SET = "Conflict: terminated by setWebhook request"
WEBHOOK_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
RESTART = "Internal Server Error: restart"
METHOD_NOT_FOUND = "Not Found: method not found"
INVALID_TOKEN = "Unauthorized: invalid token specified"
UNAUTHORIZED = "Unauthorized"
