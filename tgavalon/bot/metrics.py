"""What a worker counts and times, in Prometheus' terms.

No label ever holds anything of people or games: no name, id, role, text or token. Labels are method names, kinds and
outcomes out of this file and of the ports, so that their number is small and fixed.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from telegram import Update
from telegram.error import RetryAfter, TelegramError
from telegram.request import RequestData

from tgavalon.bot.lean import LeanRequest
from tgavalon.bot.transport import NotSent
from tgavalon.table.model import Stage
from tgavalon.table.ports import Store

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SCREEN = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0)
_MOST_WAITING = 10_000
_KINDS = ("message", "callback_query", "my_chat_member")


class Metrics:
    """One worker's counters and histograms. `now` is in seconds and never goes back."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.registry = CollectorRegistry()
        self._now = now
        self._arrived: dict[int, float] = {}
        self.updates = self._counter("updates", "Updates by kind and by what became of them", "kind", "outcome")
        self.answer = self._histogram("tap_to_answer_seconds", "From a tap's arrival to its answer", _QUICK)
        self.screen = self._histogram(
            "tap_to_screen_seconds", "From a saved change of a table to its painted screens", _SCREEN
        )
        self.calls = self._counter("bot_api_calls", "Bot API calls by method and outcome", "method", "outcome")
        self.call_time = self._histogram("bot_api_seconds", "Time of Bot API calls but for polling", _QUICK, "method")
        self.floods = self._counter("bot_api_floods", "429 answers of the Bot API by method", "method")
        self.store = self._histogram("store_seconds", "Time of store operations", _QUICK, "operation", "outcome")
        self.tables = Gauge("tgavalon_tables", "Open tables by phase, estimated", ["phase"], registry=self.registry)
        self.last_call = 0.0
        ProcessCollector(registry=self.registry)

    def gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Show `value` whenever the metrics are read."""
        Gauge(f"tgavalon_{name}", text, registry=self.registry).set_function(value)

    def arrived(self, update: Update) -> None:
        """An update has come in."""
        if len(self._arrived) < _MOST_WAITING:
            self._arrived[update.update_id] = self._now()

    def settled(self, update: Update, outcome: str) -> None:
        """An update has been handled: `ok`, `again` (not saved, comes again) or `error`."""
        kind = next((kind for kind in _KINDS if getattr(update, kind) is not None), "other")
        self.updates.labels(kind, outcome).inc()
        arrived = self._arrived.pop(update.update_id, None) if outcome != "again" else None
        if arrived is not None and kind == "callback_query":
            self.answer.observe(self._now() - arrived)

    def painted(self, seconds: float) -> None:
        """The screens of a table that was saved here so long ago are as they should be."""
        self.screen.observe(seconds)

    def called(self, method: str, outcome: str, seconds: float) -> None:
        """A Bot API call has ended: `ok`, `refused`, `flood`, `lost` or `not_sent`."""
        self.calls.labels(method, outcome).inc()
        if outcome == "flood":
            self.floods.labels(method).inc()
        if method.lower() != "getupdates":
            self.call_time.labels(method).observe(seconds)
        if outcome in ("ok", "refused", "flood"):
            self.last_call = self._now()

    def since_last_call(self) -> float:
        """Seconds since Telegram last answered anything."""
        return self._now() - self.last_call

    def census(self, phases: dict[Stage, float]) -> None:
        """Show how many open tables there are of each phase."""
        for stage in Stage:
            self.tables.labels(stage.value).set(phases.get(stage, 0.0))

    def page(self) -> bytes:
        """Everything, in Prometheus' text format."""
        return generate_latest(self.registry)

    def timed(self, store: Store) -> Store:
        """The same store, with every operation timed."""
        return cast("Store", _TimedStore(store, self))

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"tgavalon_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"tgavalon_{name}", text, labels, registry=self.registry, buckets=buckets)


class MeteredRequest(LeanRequest):
    """The transport, with every call counted by the method at the end of its address."""

    __slots__ = ("_metrics",)

    def __init__(self, metrics: Metrics) -> None:
        super().__init__()
        self._metrics = metrics

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *timeouts: Any, **named: Any
    ) -> tuple[int, bytes]:
        """As `LeanRequest` does."""
        began, outcome = time.monotonic(), "lost"
        try:
            status, payload = await super().do_request(url, method, request_data, *timeouts, **named)
            outcome = "ok" if status < 300 else "refused"
        except TelegramError as error:
            outcome = _outcome(error)
            raise
        finally:
            name = url.rpartition("/")[2] if method == "POST" else "file"
            self._metrics.called(name, outcome, time.monotonic() - began)
        return status, payload


def _outcome(error: TelegramError) -> str:
    if isinstance(error, RetryAfter):
        return "flood"
    return "not_sent" if isinstance(error, NotSent) else "lost"


class _TimedStore:
    """Stands in front of a store; what it is asked for, it asks for, and looks at the clock."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        well = self._metrics.store.labels(name, "ok")
        badly = self._metrics.store.labels(name, "failed")

        async def timed(*arguments: Any, **named: Any) -> Any:
            began, kept = time.monotonic(), badly
            try:
                answer = await getattr(self._store, name)(*arguments, **named)
                kept = well
            finally:
                kept.observe(time.monotonic() - began)
            return answer

        self.__dict__[name] = timed
        return timed
