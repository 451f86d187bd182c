"""A guard against one person's flood of taps or commands, counted in a sliding window, in this worker alone."""

from __future__ import annotations

from collections import deque
from enum import Enum

from tgavalon.table.ports import Clock

_MOST_PEOPLE = 10_000


class Flow(Enum):
    """What to do with one more request: serve it, say once that it is too much, or keep quiet."""

    SERVE = "serve"
    COMPLAIN = "complain"
    IGNORE = "ignore"


class FloodGuard:
    """Serves `limit` requests of one person within `window` seconds."""

    def __init__(self, clock: Clock, limit: int, window: float) -> None:
        self._clock = clock
        self._limit = limit
        self._window = window
        self._served: dict[int, deque[float]] = {}
        self._warned: dict[int, float] = {}

    def ask(self, user: int) -> Flow:
        """Count one request of `user` and say what to do with it."""
        now = self._clock.now()
        served = self._served.setdefault(user, deque())
        while served and served[0] <= now - self._window:
            served.popleft()
        if len(served) < self._limit:
            served.append(now)
            self._warned.pop(user, None)
            self._tidy(now)
            return Flow.SERVE
        if user in self._warned:
            return Flow.IGNORE
        self._warned[user] = now
        return Flow.COMPLAIN

    def uncount(self, user: int) -> None:
        """The last request of `user` could not be served and comes again: it does not count twice."""
        if served := self._served.get(user):
            served.pop()

    def _tidy(self, now: float) -> None:
        if len(self._served) > _MOST_PEOPLE:
            recent = now - self._window
            self._served = {user: times for user, times in self._served.items() if times and times[-1] > recent}
