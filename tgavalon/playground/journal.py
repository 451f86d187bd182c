"""A record of every Bot API call, for assertions: what was asked, what was answered, what Telegram would not know."""

import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tgavalon.playground.clock import Clock, Signal

KEPT = 50_000


@dataclass(slots=True)
class Call:
    """One call. `method` is spelt as in the documentation where it is known. `status` is 0 until answered, or when the
    connection was dropped. `unknown_params` are arguments the method does not have: Telegram ignores them silently."""

    n: int
    at: float
    method: str
    params: dict[str, str]
    known: bool
    unknown_params: list[str] = field(default_factory=list)
    status: int = 0
    response: dict[str, Any] = field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        names = ("n", "at", "method", "params", "status", "response", "known", "unknown_params")
        return {name: getattr(self, name) for name in names}


class Journal:
    """The latest calls; the oldest are dropped after `KEPT`. `changed` fires when a call comes in or is answered."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.changed = Signal()
        self._numbers = itertools.count(1)
        self.calls: deque[Call] = deque(maxlen=KEPT)

    def open(self, method: str, params: dict[str, str], *, known: bool, unknown_params: list[str]) -> Call:
        call = Call(next(self._numbers), self._clock.now(), method, params, known, unknown_params)
        self.calls.append(call)
        self.changed.fire()
        return call

    def close(self, call: Call, status: int, response: dict[str, Any]) -> None:
        """The call was answered; status 0 means that the answer was lost on the way."""
        call.status, call.response = status, response
        self.changed.fire()

    def of(self, *methods: str) -> list[Call]:
        """The calls of these methods, oldest first."""
        wanted = {method.lower() for method in methods}
        return [call for call in self.calls if call.method.lower() in wanted]

    def unknown(self) -> list[Call]:
        """Calls of methods this server does not have. A test suite should find none."""
        return [call for call in self.calls if not call.known]
