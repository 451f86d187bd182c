"""The painter: makes what is on Telegram equal to what should be, latest first, and alone of all workers.

One task a table and chat, so that a chat that must wait holds up no other. A worker paints a table only while it holds
the lease for it; what another worker has saved meanwhile it finds at the end of its work, or within a second. What is
shown is recorded after every call; a table whose stored version is not fully painted is picked up again after a crash.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tgavalon.table.brush import STORE_AWAY, Brush
from tgavalon.table.budget import Budget
from tgavalon.table.easel import Easel
from tgavalon.table.feed import GROUP, Feed
from tgavalon.table.model import Table
from tgavalon.table.ports import Clock, Leased, Messenger, Painted, Store, StoreUnavailable

log = logging.getLogger(__name__)

LEASE = 12.0
"""Seconds after which the tables of a worker that has died are taken up by others."""
PROLONG_BELOW = 8.0
ASK_AGAIN = 3.0
"""Seconds until a table that another worker paints is asked for again."""
FIRST_ASKED = 1.0
"""Seconds for which a change is left to the worker that made it."""
LAST_CALLS = 3.0
"""Seconds that calls on the way are given when painting stops."""
MOST_DRAWN = 1024
"""Tables whose screens are remembered, so that a small change draws few of them anew."""
_NEVER = float("inf")


class Painter:
    """Paints tables that have changed.

    `on_unreachable(user)` and `on_moved(chat, new_chat)` tell the service what the world answered. `worker` tells this
    painter from those of other workers; `on_painted(seconds)` hears how long it took until a change that was saved here
    was on all screens. `budget` is shared with whoever else writes to the same chats.
    Leases are counted in real time, whatever `clock` says.
    """

    def __init__(
        self,
        store: Store,
        messenger: Messenger,
        clock: Clock,
        on_unreachable: Callable[[int], Awaitable[None]],
        on_moved: Callable[[int, int], Awaitable[None]],
        *,
        worker: str = "worker",
        on_painted: Callable[[float], None] = lambda _: None,
        budget: Budget | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._worker = worker
        self._on_painted = on_painted
        self._budget = budget or Budget()
        self._brush = Brush(messenger, clock, self._budget, self._holds, self._note, on_unreachable, on_moved)
        self._easels: dict[str, Easel] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._saved: dict[str, Table] = {}
        self._drawn: dict[str, tuple[Table | None, dict[str, Feed]]] = {}
        self._saved_at: dict[str, float] = {}
        self._working: set[asyncio.Task[None]] = set()
        self._later: dict[str, tuple[int, float]] = {}
        self._closing = False
        self._behind = 0

    @property
    def backlog(self) -> int:
        """How many tables this worker is painting or about to look at."""
        return len({*self._easels, *self._looking})

    @property
    def behind(self) -> int:
        """How many tables of all workers were not fully painted at the last sweep."""
        return self._behind

    def wake(self, table: str, saved: Table | None = None) -> None:
        """A table has changed, or may have: look at it soon. `saved` is what this worker has just stored of it."""
        if saved is not None and (table not in self._saved or self._saved[table].version < saved.version):
            self._saved[table] = saved
            self._saved_at.setdefault(table, _now())
        if table in self._looking:
            self._again.add(table)
            return
        task = asyncio.create_task(self._look(table), name=f"look at {table}")
        self._looking[table] = task
        task.add_done_callback(lambda _: self._looked(table))

    async def catch_up(self) -> None:
        """Look at every table whose screens are behind, as after a crash."""
        for table in await self._store.unpainted():
            self.wake(table)

    async def sweep(self) -> None:
        """Prolong the leases, and look at what other workers have saved, or have left behind.

        To be called about once a second. Raises `StoreUnavailable`.
        """
        now = _now()
        for easel in [*self._easels.values()]:
            if easel.until - now < PROLONG_BELOW:
                await self._prolong(easel)
        marks = await self._store.unpainted()
        self._behind = len(marks)
        self._later = {table: later for table, later in self._later.items() if table in marks}
        for table, version in marks.items():
            if table not in self._looking and self._is_due(table, version, now):
                self.wake(table)

    async def idle(self) -> None:
        """Return once nothing is left to paint."""
        while tasks := [*self._looking.values(), *self._working]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stop painting and end all leases; what is left undone is painted by the next worker."""
        self._closing = True
        self._brush.stop()
        self._again.clear()
        for easel in self._easels.values():
            easel.announce()
        if tasks := [*self._looking.values(), *self._working]:
            _, late = await asyncio.wait(tasks, timeout=LAST_CALLS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for easel in [*self._easels.values()]:
            await self._finish(easel)

    def _is_due(self, table: str, version: int, now: float) -> bool:
        """Whether a table that is behind is to be looked at now."""
        if (easel := self._easels.get(table)) is not None:
            return version > easel.table.version
        seen, at = self._later.setdefault(table, (version, now + FIRST_ASKED))
        if now < at and not (at == _NEVER and version > seen):
            return False
        self._later[table] = version, now + ASK_AGAIN
        return True

    def _looked(self, table: str) -> None:
        task = self._looking.pop(table)
        if _failed(task):
            self._give_up(table)
        if table in self._again:
            self._again.discard(table)
            self.wake(table)

    async def _look(self, table_id: str) -> None:
        try:
            easel = self._easels.get(table_id) or await self._take_up(table_id)
            if easel is not None:
                async with easel.lock:
                    await self._set_up(easel)
        except StoreUnavailable as unavailable:
            log.warning("table %s is not painted now: %s", table_id, unavailable)
            await self._clock.sleep(STORE_AWAY)
            self._again.add(table_id)

    async def _take_up(self, table_id: str) -> Easel | None:
        """A new easel for a table that nobody else paints."""
        asked, saved = _now(), self._saved.get(table_id)
        leased = await self._store.lease(table_id, self._worker, LEASE, saved.version if saved is not None else 0)
        if leased is None:
            self._saved.pop(table_id, None)
            self._saved_at.pop(table_id, None)
            return None
        table = leased.table or saved
        if table is None:
            raise ValueError("a table comes with its lease")
        self._budget.learn(table.place.chat, leased.spent)
        easel = self._easels[table_id] = Easel(table, leased.canvas, asked + LEASE)
        easel.drawn, easel.wanted = self._drawn.pop(table_id, (None, {}))
        return easel

    async def _set_up(self, easel: Easel) -> None:
        """Have every chat of the table that is behind painted."""
        if easel.put_away:
            self._again.add(easel.table.id)
            return
        await self._refresh(easel)
        private = easel.draw()
        easel.paused.clear()
        if not private and GROUP in easel.tasks:
            if GROUP not in easel.hurried:
                easel.news.setdefault(GROUP, asyncio.Event()).set()
            return  # it looks again before it writes, and need not wait as long for what matters more
        for slot in easel.slots if private or easel.is_new else (GROUP,):
            easel.news.setdefault(slot, asyncio.Event()).set()
            if slot not in easel.tasks and easel.steps(slot):
                self._start(easel, slot)
        easel.is_new = False
        if not easel.tasks:
            await self._finish(easel)

    async def _refresh(self, easel: Easel) -> None:
        """Bring the easel up to the latest version."""
        saved = self._saved.pop(easel.table.id, None)
        if easel.is_new and (saved is None or saved.version <= easel.table.version):
            return  # it has just come with the lease
        if saved is None:
            saved = await self._store.load(easel.table.id)
        if saved is not None and saved.version > easel.table.version:
            easel.table = saved

    def _start(self, easel: Easel, slot: str) -> None:
        task = asyncio.create_task(self._work(easel, slot), name=f"paint {easel.table.id} {slot}")
        easel.tasks[slot] = task
        self._working.add(task)
        task.add_done_callback(lambda task: self._worked(task, easel))

    def _worked(self, task: asyncio.Task[None], easel: Easel) -> None:
        self._working.discard(task)
        if _failed(task):
            self._give_up(easel.table.id)

    def _give_up(self, table: str) -> None:
        """Leave a table that cannot be drawn until it has changed; its lease runs out."""
        easel = self._easels.get(table)
        if easel is not None:
            self._put_away(easel)
            self._later[table] = easel.table.version, _NEVER

    async def _work(self, easel: Easel, slot: str) -> None:
        try:
            await self._brush.paint(easel, slot)
        finally:
            easel.tasks.pop(slot, None)
        async with easel.lock:
            if easel.tasks:
                await self._note(easel)
            else:
                await self._finish(easel)

    async def _finish(self, easel: Easel) -> None:
        """Record the end of the work, and put the easel away unless there is more."""
        if easel.put_away:
            return
        try:
            record = await self._record(easel, done=easel.is_done)
            if record is Painted.BEHIND and self._closing:
                await self._store.release(easel.table.id, self._worker)
        except StoreUnavailable as unavailable:
            log.warning("what is shown of table %s is not recorded: %s", easel.table.id, unavailable)
            if not self._closing:
                await self._clock.sleep(STORE_AWAY)
                self.wake(easel.table.id)
            return
        if record is Painted.BEHIND and not self._closing:
            self.wake(easel.table.id)
            return
        since = self._put_away(easel)
        if record is Painted.DONE and since is not None:
            self._on_painted(_now() - since)

    def _put_away(self, easel: Easel) -> float | None:
        """Take an easel out of use; since when a change saved here has waited for it."""
        easel.put_away = True
        self._easels.pop(easel.table.id, None)
        easel.announce()
        if easel.drawn is not None and not easel.stale:
            self._drawn[easel.table.id] = easel.drawn, easel.wanted
            if len(self._drawn) > MOST_DRAWN:
                del self._drawn[next(iter(self._drawn))]
        return self._saved_at.pop(easel.table.id, None)

    async def _note(self, easel: Easel) -> bool:
        """Record what is shown so far; whether that worked."""
        try:
            if await self._record(easel, done=False) is not Painted.LOST:
                return True
            self._lose(easel)
        except StoreUnavailable as unavailable:
            log.warning("what is shown of table %s is not recorded yet: %s", easel.table.id, unavailable)
        return False

    async def _record(self, easel: Easel, *, done: bool) -> Painted:
        table, canvas = easel.table, easel.canvas
        spent = self._budget.recent(table.place.chat)
        record = await self._store.paint(table.id, table.version, canvas, done, worker=self._worker, spent=spent)
        if record is not Painted.LOST:
            easel.recorded = canvas
        return record

    async def _holds(self, easel: Easel) -> bool:
        """Whether the table is ours to paint; waits where the store is away and the lease may have run out."""
        while not easel.put_away and not self._closing and _now() >= easel.until:
            try:
                await self._prolong(easel)
            except StoreUnavailable:
                await self._clock.sleep(STORE_AWAY)
        return not easel.put_away and not self._closing

    async def _prolong(self, easel: Easel) -> None:
        asked, table = _now(), easel.table
        leased = await self._store.lease(table.id, self._worker, LEASE, table.version)
        if leased is None or (asked >= easel.until and self._was_painted(easel, leased)):
            self._lose(easel)
        else:
            easel.until = asked + LEASE

    def _was_painted(self, easel: Easel, leased: Leased) -> bool:
        """Whether somebody else has painted while our lease had run out."""
        return leased.canvas != easel.recorded

    def _lose(self, easel: Easel) -> None:
        log.warning("table %s is painted by another worker", easel.table.id)
        self._put_away(easel)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _failed(task: asyncio.Task[None]) -> bool:
    if task.cancelled() or (error := task.exception()) is None:
        return False
    log.error("%s: %s", task.get_name(), type(error).__name__, exc_info=error)
    return True
