"""Updates in, each until its effect is saved: `Intake` works them off, `Polling` fetches and confirms them.

An update counts as taken only when its handler has returned. Telegram is told so only then, and only for the unbroken
run of taken updates: whatever a killed process had not finished comes again (at least once). What an update means is
not known here, and none of its content is logged.
"""

from __future__ import annotations

import asyncio
import datetime as dtm
import logging
import random
import traceback
from collections import deque
from collections.abc import Callable, Coroutine, Hashable, Sequence
from itertools import count
from pathlib import PurePath
from typing import Any, TypeVar

from telegram import Bot, Update
from telegram.error import Conflict, EndPointNotFound, InvalidToken, NetworkError, RetryAfter, TelegramError

from tgavalon.bot.lean import lean_update
from tgavalon.table.ports import Clock, StoreUnavailable

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

Raw = dict[str, Any]
"""An update as Telegram sent it."""

WINDOW = 100
"""Most updates that one getUpdates returns, and so the most that can be unconfirmed at a time."""

SILENCE = 5.0
"""Seconds of real time beyond those of a long poll after which Telegram counts as away."""

_REMEMBERED = 4096
_FIRST_GLANCE, _LAST_GLANCE = 0.05, 0.5
_ODD = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError)


class NotTaken(Exception):
    """Raised by a handler where the effect of an update could not be saved: it is to be tried again."""


class TokenRefused(Exception):
    """Telegram does not know the bot's token."""


class Intake:
    """Works updates off, in order per key and in parallel across keys, each until it is taken.

    `handle` raising `NotTaken` or `StoreUnavailable`, or taking longer than `limit` seconds, has the update tried
    again, ever more slowly, up to every 5 seconds; that holds up only its key. Failures count from when another update
    has been taken meanwhile, and after `tries` of them it is given up: so a store that is away costs no update, and one
    that can never be saved does not stay for good. Any other exception makes it a poisoned update: logged by number and
    class, and counted as taken.
    """

    def __init__(
        self,
        bot: Bot,
        handle: Callable[[Update], Coroutine[Any, Any, None]],
        key: Callable[[Update], Hashable],
        clock: Clock,
        *,
        limit: float = 60.0,
        tries: int = 40,
    ) -> None:
        self._bot = bot
        self._handle = handle
        self._key = key
        self._clock = clock
        self._limit = limit
        self._tries = tries
        self._known: dict[int, asyncio.Future[None]] = {}
        self._past: deque[int] = deque()
        self._lines: dict[Hashable, deque[tuple[int, Update]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._taken = 0

    def take(self, raw: Raw) -> asyncio.Future[None]:
        """Start on an update, or find it again: the future is done once it is taken, and never fails.

        To be called in the order of arrival. One of the last few thousand updates is not started a second time.
        """
        number = raw["update_id"]
        if number in self._known:
            return self._known[number]
        future = self._known[number] = asyncio.get_running_loop().create_future()
        try:
            update = Update.de_json(lean_update(raw), self._bot)
            key = self._key(update)
            hash(key)  # the id of a chat can be anything in an update that is none
        except _ODD as error:
            self._drop(number, error)
        else:
            self._queue(key, number, update)
        return future

    def stop(self) -> None:
        """Start nothing more, and try nothing again."""
        self._stopping.set()

    async def drain(self, grace: float) -> None:
        """Stop, give what is running `grace` seconds, then cancel it. What is not taken stays so."""
        self.stop()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _queue(self, key: Hashable, number: int, update: Update) -> None:
        if key in self._lines:
            self._lines[key].append((number, update))
            return
        self._lines[key] = deque([(number, update)])
        task = asyncio.get_running_loop().create_task(self._serve(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, key: Hashable) -> None:
        line = self._lines[key]
        while line and not self._stopping.is_set():
            await self._settle(*line.popleft())
        del self._lines[key]

    async def _settle(self, number: int, update: Update) -> None:
        failures, taken = 0, self._taken
        for attempt in count():
            [outcome] = await asyncio.gather(self._attempt(update), return_exceptions=True)
            if outcome is None:
                self._taken += 1
                return self._close(number)
            failures += self._taken > taken
            if failures >= self._tries or not isinstance(outcome, (NotTaken, StoreUnavailable)):
                return self._drop(number, outcome)
            _log.log(logging.DEBUG if attempt else logging.WARNING, "update %d: %s", number, type(outcome).__name__)
            await _until(self._stopping, self._clock.sleep(_pause(attempt, first=0.1, longest=5.0)))
            if self._stopping.is_set():
                return None
        raise AssertionError("count() ends never")

    async def _attempt(self, update: Update) -> None:
        limit = asyncio.timeout(self._limit)
        try:
            async with limit:
                await self._handle(update)
        except TimeoutError as error:
            if limit.expired():
                raise NotTaken from error
            raise

    def _drop(self, number: int, error: BaseException) -> None:
        _log.error("update %d is dropped: %s", number, name_of(error))
        self._close(number)

    def _close(self, number: int) -> None:
        self._known[number].set_result(None)
        self._past.append(number)
        if len(self._past) > _REMEMBERED:
            del self._known[self._past.popleft()]


def name_of(error: BaseException) -> str:
    """The class of an error and where it came up: all that may be told of it, for its text can hold a message."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


class Polling:
    """Fetches updates by getUpdates and confirms those that `intake` has taken.

    getUpdates returns at most a hundred updates from the first unconfirmed one on, and at once while there is any; so
    while a slow one runs, the others are looked for some times a second, and a hundred behind it wait for it.
    """

    def __init__(
        self,
        bot: Bot,
        intake: Intake,
        allowed_updates: Sequence[str],
        clock: Clock,
        *,
        wait: int = 10,
        grace: float = 10.0,
    ) -> None:
        self._bot = bot
        self._intake = intake
        self._allowed = list(allowed_updates)
        self._clock = clock
        self._wait = wait
        self._grace = grace
        self._open: dict[int, asyncio.Future[None]] = {}
        self._next: int | None = None
        self._glance = _FIRST_GLANCE
        self._stopping = asyncio.Event()
        self._last_success: float | None = None
        self._in_reach = True
        self._asked: float | None = None

    @property
    def in_reach(self) -> bool:
        """Whether Telegram has answered the last call that has ended, and is not silent for too long on this one."""
        silent = self._asked is not None and _now() - self._asked > self._wait + SILENCE
        return self._in_reach and not silent

    @property
    def last_success(self) -> float | None:
        """When Telegram last answered getUpdates, in seconds since the epoch; None before the first time."""
        return self._last_success

    def stop(self) -> None:
        """Have `run` finish what is in flight, confirm it and return."""
        self._intake.stop()
        self._stopping.set()

    async def run(self) -> None:
        """Poll until `stop`. Raises `TokenRefused`; other troubles are waited out."""
        try:
            await self._insist(self._bot.delete_webhook)
            while not self._stopping.is_set():
                asked = self._offset()
                batch = await self._insist(self._fetch) or []
                fresh = self._accept(batch)
                await self._breathe(fresh, stuck=len(batch) >= WINDOW and self._offset() == asked)
        finally:
            await self._intake.drain(self._grace)
        await self._confirm()

    async def _fetch(self) -> list[Raw]:
        updates = await self._updates(self._wait, WINDOW)
        self._last_success = self._clock.now()
        return updates

    async def _updates(self, wait: int, limit: int) -> list[Raw]:
        # Not Bot.get_updates, which parses a batch as a whole and logs all of it if it cannot parse one; spelt as the
        # server reads every method name, since python-telegram-bot warns of do_api_request for methods that it has.
        answer = await self._bot.do_api_request(
            "getupdates",
            {"offset": self._offset(), "limit": limit, "timeout": wait, "allowed_updates": self._allowed},
            read_timeout=(self._bot.request.read_timeout or 0) + wait,
        )
        if not isinstance(answer, list) or not all(isinstance(raw.get("update_id"), int) for raw in answer):
            raise NetworkError("Not a list of updates")
        # Confirmed. From here on the offset is left out, for after a quiet week update ids start again anywhere.
        self._next = None
        return answer

    def _offset(self) -> int | None:
        """The first update that is not taken, or the one after all of them; None where nothing is to be confirmed."""
        while self._open:
            number = next(iter(self._open))
            if not self._open[number].done():
                return number
            del self._open[number]
            self._next = number + 1
        return self._next

    def _accept(self, batch: list[Raw]) -> bool:
        """Whether any of the batch was new."""
        fresh = [raw for raw in batch if raw["update_id"] not in self._open]
        for raw in fresh:
            self._open[raw["update_id"]] = self._intake.take(raw)
        return bool(fresh)

    async def _breathe(self, fresh: bool, stuck: bool) -> None:
        """Wait for what is running, but not so long that new updates would wait for it."""
        running = [future for future in self._open.values() if not future.done()]
        self._glance = _FIRST_GLANCE if fresh or not running else min(2 * self._glance, _LAST_GLANCE)
        if running and stuck and not fresh:
            await _until(self._stopping, asyncio.wait(running[:1]))
        elif running:
            await _until(self._stopping, asyncio.wait(running, timeout=self._glance))

    async def _insist(self, call: Callable[[], Coroutine[Any, Any, _T]]) -> _T | None:
        """What `call` returns once it succeeds; None where `stop` came first."""
        for attempt in count():
            try:
                self._asked = _now()
                answer = await _until(self._stopping, call())
                self._in_reach = True
                return answer
            except TelegramError as error:
                self._in_reach = False
                seconds = _trouble(error, attempt)
            finally:
                self._asked = None
            await _until(self._stopping, self._clock.sleep(seconds))
            if self._stopping.is_set():
                return None
        raise AssertionError("count() ends never")

    async def _confirm(self) -> None:
        if self._offset() is not None:
            try:
                async with asyncio.timeout(self._grace):
                    await self._updates(0, 1)
            except (TelegramError, TimeoutError) as error:
                _log.warning("The last updates could not be confirmed and will come again: %s", type(error).__name__)


def _trouble(error: TelegramError, attempt: int) -> float:
    """Log the first of a row of failures; the seconds to wait, or `TokenRefused` where waiting cannot help."""
    if isinstance(error, (InvalidToken, EndPointNotFound)):
        raise TokenRefused("Telegram does not know this bot token") from None
    if isinstance(error, RetryAfter):
        wait = error.retry_after
        return wait.total_seconds() if isinstance(wait, dtm.timedelta) else float(wait)
    if isinstance(error, Conflict):
        text = "Another program receives this bot's updates; stop it and this one goes on by itself (%s)"
    else:
        text = "No updates from Telegram for now (%s)"
    _log.log(logging.DEBUG if attempt else logging.WARNING, text, error)
    return _pause(attempt, first=0.5, longest=30.0)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _pause(attempt: int, first: float, longest: float) -> float:
    return min(longest, first * 2.0 ** min(attempt, 20)) * random.uniform(0.5, 1.0)


async def _until(stopping: asyncio.Event, work: Coroutine[Any, Any, _T]) -> _T | None:
    """What `work` returns, or None where `stopping` is set first; `work` is cancelled then."""
    loop = asyncio.get_running_loop()
    task, stop = loop.create_task(work), loop.create_task(stopping.wait())
    try:
        await asyncio.wait((task, stop), return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        stop.cancel()
        await asyncio.gather(task, stop, return_exceptions=True)
