"""How the bot hears and answers: getUpdates, webhooks, answerCallbackQuery.

Sources: telegram-bot-api `Client.cpp` (process_get_updates_query, process_set_webhook_query), `WebhookActor.cpp`.
"""

import re
from typing import Any

from tgavalon.playground import links
from tgavalon.playground.endpoints import endpoint
from tgavalon.playground.params import Params
from tgavalon.playground.refusals import QUERY_TOO_OLD, WEBHOOK_ACTIVE, WEBHOOK_SET, Refusal, bad_request
from tgavalon.playground.text import tidied_button
from tgavalon.playground.updates import DEFAULT_KINDS, KNOWN_KINDS, LONGEST_POLL
from tgavalon.playground.wire import Json
from tgavalon.playground.world import Webhook, World

MAX_ANSWER = 200
_SECRET = re.compile(r"[A-Za-z0-9_-]{0,256}")
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


@endpoint("getUpdates", "offset limit timeout allowed_updates")
async def get_updates(world: World, params: Params) -> list[Json]:
    if world.webhook is not None:
        raise Refusal(409, WEBHOOK_ACTIVE)
    world.updates.allow(params.json("allowed_updates"))
    offset, limit = params.integer("offset"), params.integer("limit", 100, 1, 100)
    batch = await world.updates.poll(offset, limit, params.integer("timeout", 0, 0, LONGEST_POLL))
    return [update.body() for update in batch]


@endpoint("setWebhook", "url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token")
def set_webhook(world: World, params: Params) -> bool:
    url = params.text("url")
    if not url:
        return _without_webhook(world, params)
    parts = links.split(url)
    # The one kindness: a webhook on this machine needs no certificate.
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    secret = params.text("secret_token")
    if not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    world.updates.allow(params.json("allowed_updates"))
    _drop_if_asked(world, params)
    world.updates.end_poll(Refusal(409, WEBHOOK_SET))
    world.webhook = Webhook(url, secret, params.integer("max_connections", 40, 1, 100))
    world.changed.fire()
    return True


@endpoint("deleteWebhook", "drop_pending_updates")
def delete_webhook(world: World, params: Params) -> bool:
    return _without_webhook(world, params)


def _without_webhook(world: World, params: Params) -> bool:
    _drop_if_asked(world, params)
    world.webhook = None
    world.changed.fire()
    return True


def _drop_if_asked(world: World, params: Params) -> None:
    if params.flag("drop_pending_updates"):
        world.updates.confirm([update.update_id for update in world.updates.pending()])


@endpoint("getWebhookInfo")
def get_webhook_info(world: World, _params: Params) -> Json:
    hook = world.webhook
    found: dict[str, Any] = {
        "url": hook.url if hook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.pending()),
    }
    if hook and hook.last_error:
        found |= {"last_error_date": hook.last_error_date, "last_error_message": hook.last_error}
    if hook:
        found |= {"max_connections": hook.max_connections, "ip_address": "127.0.0.1"}
    if world.updates.allowed != DEFAULT_KINDS:
        found["allowed_updates"] = [kind for kind in KNOWN_KINDS if kind in world.updates.allowed]
    return found


@endpoint("answerCallbackQuery", "callback_query_id text show_alert url cache_time")
def answer_callback_query(world: World, params: Params) -> bool:
    """One answer per press, within the answer window. A link must open this bot's private chat."""
    world.expire_presses()
    press = world.presses.get(params.text("callback_query_id"))
    if press is None:
        raise bad_request(QUERY_TOO_OLD)
    text, url = tidied_button(params.text("text")), params.text("url")
    if len(text) > MAX_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    if url and ((link := links.bot_link(url, world.bot.username)) is None or link.kind != "start" or "?" not in url):
        raise bad_request("URL_INVALID")
    world.settle(press, text, alert=params.flag("show_alert"), url=url)
    return True
