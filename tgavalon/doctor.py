"""`tgavalon doctor`: looks at everything a running bot needs and says of each whether it is well, or what to do.

It changes nothing but a lease in the store that ends at once. No line shows a secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

import aiohttp
from telegram import Bot, ChatMember, ChatMemberRestricted, User, WebhookInfo
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, EndPointNotFound, Forbidden, InvalidToken, TelegramError

from tgavalon.bot.transport import AiohttpRequest
from tgavalon.settings import Settings
from tgavalon.store.connection import Misconfigured
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import EmbeddedError
from tgavalon.table.ports import StoreUnavailable
from tgavalon.ui.catalogue import languages, translator

SLOW_STORE = 0.05
"""Seconds of a round trip to the store from which on taps are felt to be slow."""
MOST_SKEW = 5.0
MANY_WAITING = 100
_FAILED_LATELY = 3600.0
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do about it, '' where it is well."""

    what: str
    state: str
    advice: str = ""

    @property
    def is_well(self) -> bool:
        """Whether nothing is to be done."""
        return not self.advice

    def line(self) -> str:
        """The line as it is printed."""
        return f"{'ok ' if self.is_well else '!! '} {self.what}: {self.state}" + (self.advice and f" – {self.advice}")


async def examine(chosen: Settings, chat: int | None) -> AsyncIterator[Finding]:
    """Every finding as it is made. `chat` is the id of a group to look at the bot's rights in."""
    async for finding in _telegram(chosen, chat):
        yield finding
    yield await _clock(chosen.api_url)
    async for finding in _store(chosen):
        yield finding
    yield _languages()


async def run(chosen: Settings, chat: int | None, say: Callable[[str], None]) -> int:
    """Say every finding; the exit code: 1 where something is to be done."""
    findings = []
    async for finding in examine(chosen, chat):
        say(finding.line())
        findings.append(finding)
    return 0 if all(finding.is_well for finding in findings) else 1


async def _telegram(chosen: Settings, chat: int | None) -> AsyncIterator[Finding]:
    request = AiohttpRequest()
    token, url = chosen.bot_token().reveal(), chosen.api_url
    bot = Bot(token, base_url=f"{url}/bot", request=request, get_updates_request=request)
    await request.initialize()
    try:
        me = await bot.get_me()
        yield Finding("token", f"it is @{me.username}'s")
        yield _webhook(await bot.get_webhook_info(), chosen.webhook)
        yield _privacy(me)
        yield _groups(me)
        if chat is not None:
            yield await _rights(bot, me, chat)
    except (InvalidToken, EndPointNotFound):
        yield Finding("token", "Telegram does not know it", "copy it again from @BotFather")
    except TelegramError as error:
        advice = f"check the network of this machine and api_url ({url})"
        yield Finding("Telegram", f"does not answer as it should ({type(error).__name__})", advice)
    finally:
        await request.shutdown()


def _webhook(info: WebhookInfo, wanted: str | None) -> Finding:
    name, waiting = "updates", f"{info.pending_update_count} waiting"
    if wanted is None:
        if info.url:
            advice = "`tgavalon run` without a webhook takes it away; stop whatever else serves it"
            return Finding(name, "a webhook is set, and this bot polls", advice)
        state = f"by polling, {waiting}"
    elif info.url != wanted:
        there = "another one" if info.url else "none"
        return Finding(name, f"{there} is registered as webhook", "start `tgavalon run`, which registers its own")
    else:
        state = f"by webhook, {waiting}"
    if info.last_error_date is not None and _age(info.last_error_date) < _FAILED_LATELY:
        advice = "see to the proxy before the bot, its certificate and its path"
        return Finding(name, f"Telegram could not deliver: {info.last_error_message}", advice)
    if info.pending_update_count > MANY_WAITING:
        return Finding(name, state, "the bot does not keep up, or is not running: see its log")
    return Finding(name, state)


def _age(date: datetime) -> float:
    return time.time() - date.timestamp()


def _privacy(me: User) -> Finding:
    if me.can_read_all_group_messages:
        advice = "the bot needs none of them: @BotFather, /setprivacy, Enable"
        return Finding("privacy mode", "off, every message of a group is sent to the bot", advice)
    return Finding("privacy mode", "on, only commands and taps reach the bot")


def _groups(me: User) -> Finding:
    if me.can_join_groups is False:
        return Finding("groups", "nobody may add the bot to one", "@BotFather, /setjoingroups, Enable")
    return Finding("groups", "the bot may be added to them")


async def _rights(bot: Bot, me: User, chat: int) -> Finding:
    name = f"chat {chat}"
    try:
        member = await bot.get_chat_member(chat, me.id)
    except (BadRequest, Forbidden):
        return Finding(name, "the bot does not see it", "add the bot to the group, and check the number")
    return _rights_of(name, member)


def _rights_of(name: str, member: ChatMember) -> Finding:
    if member.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED):
        return Finding(name, "the bot is not in it", "add it to the group")
    if isinstance(member, ChatMemberRestricted) and not member.can_send_messages:
        return Finding(name, "the bot may not write there", "an admin must let it send messages")
    return Finding(name, f"the bot is there as {member.status} and may write")


async def _clock(api_url: str) -> Finding:
    """By the Date header of the server of the Bot API, which needs no token."""
    timeout = aiohttp.ClientTimeout(total=_PATIENCE)
    try:
        async with aiohttp.ClientSession(timeout=timeout, trust_env=True) as session:
            before = time.time()
            async with session.get(api_url, allow_redirects=False) as response:
                there = parsedate_to_datetime(response.headers.get("Date", "")).timestamp()
    except (aiohttp.ClientError, TimeoutError, ValueError):
        return Finding("clock", "the server of the Bot API does not tell the time", "check the network")
    skew = (before + time.time()) / 2 - (there + 0.5)  # the header has no fractions
    if abs(skew) > MOST_SKEW:
        return Finding("clock", f"{skew:+.0f} seconds off", "let this machine keep time by NTP")
    return Finding("clock", "right")


async def _store(chosen: Settings) -> AsyncIterator[Finding]:
    try:
        async with _opened(chosen) as store:
            yield await _persistence(store, embedded=chosen.redis_url is None)
            there = await store.replicas()
            if (found := _replicas(there, chosen.redis_replicas)) is not None:
                yield found
            if there >= chosen.redis_replicas:
                yield await _round_trip(store)
    except Misconfigured as wrong:
        yield Finding("store", "cannot be used", str(wrong))
    except StoreUnavailable as error:
        yield Finding("store", f"does not answer ({error})", "check TGAVALON_REDIS_URL and that the server runs")
    except EmbeddedError as error:
        yield Finding("store", "the bot's own store does not start", str(error))


@contextlib.asynccontextmanager
async def _opened(chosen: Settings) -> AsyncIterator[RedisStore]:
    """The configured store, or the bot's own: that of the bot at work, or else started for the moment."""
    async with contextlib.AsyncExitStack() as stack:
        url = chosen.redis_url
        if url is None:
            url = f"unix://{chosen.data_dir / 'server.sock'}"
            if not await _answers(url):
                url = (await stack.enter_async_context(EmbeddedServer(chosen.data_dir))).url
        store = await RedisStore.connected(url, chosen.redis_replicas)
        stack.push_async_callback(store.close)
        yield store


async def _answers(url: str) -> bool:
    store = RedisStore(url, retries=0)
    try:
        await store.ping()
    except StoreUnavailable:
        return False
    finally:
        await store.close()
    return True


async def _round_trip(store: RedisStore) -> Finding:
    times = []
    for _ in range(5):
        began = time.monotonic()
        await store.release("doctor", "doctor")
        times.append(time.monotonic() - began)
        await asyncio.sleep(0)
    seconds = sorted(times)[len(times) // 2]
    advice = "put store and bot closer together" if seconds > SLOW_STORE else ""
    return Finding("store", f"a round trip takes {seconds * 1000:.1f} ms", advice)


async def _persistence(store: RedisStore, *, embedded: bool) -> Finding:
    if await store.persistence():
        return Finding("persistence", "an append-only file is kept" + (" in the data folder" if embedded else ""))
    return Finding("persistence", "a restart of the store loses games", "set `appendonly yes` in the server")


def _replicas(there: int, wanted: int) -> Finding | None:
    """None where nobody thinks of replicas."""
    name, state = "replicas", f"{there} in touch"
    if there < wanted:
        return Finding(name, f"{state}, {wanted} wanted: nothing can be saved", "start the missing ones")
    if there and not wanted:
        advice = "set TGAVALON_REDIS_REPLICAS, or what was just saved can be lost when one takes over"
        return Finding(name, f"{state}, and nothing waits for them", advice)
    return Finding(name, f"{state}, whatever is saved waits for {wanted}") if wanted else None


def _languages() -> Finding:
    known = [translator(language).language for language in languages()]
    if len(known) < 2:
        return Finding("languages", "English only", "install the package with its catalogues")
    return Finding("languages", f"{len(known)}: {', '.join(known)}")
