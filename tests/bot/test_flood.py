"""One person's flood is cut off, said once, and over when the window has passed; nobody else notices."""

from __future__ import annotations

from tgavalon.bot.flood import FloodGuard, Flow


class TurnedClock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


def test_a_flood_is_complained_of_once() -> None:
    clock = TurnedClock()
    guard = FloodGuard(clock, limit=3, window=10.0)
    assert [guard.ask(1) for _ in range(6)] == [Flow.SERVE] * 3 + [Flow.COMPLAIN] + [Flow.IGNORE] * 2
    assert guard.ask(2) is Flow.SERVE
    clock.time += 10.0
    assert [guard.ask(1) for _ in range(4)] == [Flow.SERVE] * 3 + [Flow.COMPLAIN]


def test_what_could_not_be_served_does_not_count_twice() -> None:
    guard = FloodGuard(TurnedClock(), limit=2, window=10.0)
    for _ in range(5):
        assert guard.ask(1) is Flow.SERVE
        guard.uncount(1)
    assert [guard.ask(1) for _ in range(3)] == [Flow.SERVE, Flow.SERVE, Flow.COMPLAIN]
