"""The double as a process of its own with people who tap: `python -m tests.benchmarks.telegram REDIS_URL TABLES …`.

It seats and deals so many tables straight into the store, with their screens already shown, and prints its address. For
each line `tap SECONDS CONCURRENCY PAUSE` on its standard input it has leaders choose and unchoose companions, each tap
PAUSE seconds on average after the one before it was answered, and prints what was measured as one line of JSON.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

import aiohttp

from tests.telegram_users import Double
from tgavalon.core.deal import new_game
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import Ruleset
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.playground.model import Press
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.feed import GROUP, feeds
from tgavalon.table.model import Place, Sitter, Table
from tgavalon.table.painting import acts
from tgavalon.table.ports import Person, Shown
from tgavalon.ui.taps import Tap, Verb, encode

PLAYERS = 7
ROLES = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.SERVANT, Role.ASSASSIN, Role.MORGANA, Role.MINION)


@dataclass
class Seated:
    """A table in the middle of choosing its first team."""

    table: Table
    leader: int
    chat: int
    message: int
    chosen: bool = False
    busy: bool = False


class Stage:
    """Everything on the side of Telegram and of the people."""

    def __init__(self, double: Double, store: RedisStore, session: aiohttp.ClientSession) -> None:
        self.double = double
        self.store = store
        self.session = session
        self.tables: list[Seated] = []
        self.waits: list[float] = []
        self.tapped: list[tuple[float, int]] = []
        self.dice = random.Random(1)

    async def call(self, method: str, **params: Any) -> Any:
        """A Bot API call of the setting up."""
        async with self.session.post(f"{self.double.base_url}{TEST_TOKEN}/{method}", data=params) as answer:
            return (await answer.json())["result"]

    async def seat(self, number: int) -> None:
        """One more table, dealt and painted."""
        people = [self.double.person(f"P{number}-{seat}", language_code="en", started=True) for seat in range(PLAYERS)]
        group = self.double.group(f"Group {number}", people)
        sitters = tuple(Sitter(person.id, person.name, "en", ready=True) for person in people)
        for person in people:
            await self.store.save_person(Person(person.id, person.name, hint="en", ready=True))
        now, name = time.time(), f"bench{number:05}"
        table = Table(name, 1, Place(group.id), group.chat.title, "en", people[0].id, now, now, sitters)
        table = replace(table, game=new_game(Ruleset(), ROLES, leader=0), salt="0" * 32, deadline=now + 1e6)
        assert await self.store.create(table)
        canvas = {}
        for slot, feed in feeds(table).items():
            for post in feed.posts:
                sent = await self.call("sendMessage", chat_id=feed.place.chat, text=f"{slot} {post.epoch}")
                shown = Shown(feed.place, sent["message_id"], post.screen.digest, acts(post.screen), post.fleeting)
                canvas[f"{slot}/{post.epoch}"] = shown
        await self.store.paint(name, 1, canvas, done=True)
        last = max(shown.message for key, shown in canvas.items() if key.startswith(f"{GROUP}/"))
        self.tables.append(Seated(table, people[0].id, group.id, last))

    async def tap(self, seated: Seated) -> None:
        """The leader chooses the next player, or unchooses them; wait for the answer."""
        verb = Verb.UNPICK if seated.chosen else Verb.PICK
        seated.chosen = not seated.chosen
        world, loop = self.double.world, asyncio.get_running_loop()
        now = world.clock.now()
        data = encode(seated.table.id, Tap(verb, 1, 1))
        press = Press(
            world.new_query_id(), seated.leader, seated.chat, seated.message, data, now, now + 60, loop.create_future()
        )
        world.presses[press.query] = press
        began = time.monotonic()
        world.tell_press(press)
        answer = await press.answer
        assert not answer.unanswered
        self.waits.append(time.monotonic() - began)
        self.tapped.append((now, seated.chat))

    async def run(self, seconds: float, concurrency: int, pause: float = 0.0) -> dict[str, Any]:
        """Tap for so long at so many tables at once, with pauses of `pause` seconds on average."""
        self.waits.clear()
        self.tapped.clear()
        edits, began = len(self.double.calls()), time.monotonic()
        line = itertools.cycle(self.tables)

        async def people() -> None:
            if pause:
                await asyncio.sleep(self.dice.uniform(0, pause))
            while time.monotonic() < began + seconds:
                seated = next(line)
                if seated.busy:
                    await asyncio.sleep(0.001)
                    continue
                seated.busy = True
                await self.tap(seated)
                seated.busy = False
                if pause:
                    await asyncio.sleep(self.dice.uniform(0.5, 1.5) * pause)

        await asyncio.gather(*(people() for _ in range(concurrency)))
        took = time.monotonic() - began
        calls: dict[str, int] = {}
        for call in self.double.calls()[edits:]:
            calls[call.method] = calls.get(call.method, 0) + 1
        return {
            "taps": len(self.waits),
            "seconds": round(took, 3),
            "taps_per_second": round(len(self.waits) / took, 1),
            "answer_ms": quantiles([1000 * wait for wait in self.waits]),
            "screen_s": self.screens(),
            "calls": calls,
        }

    def screens(self) -> dict[str, float]:
        """Seconds from each tap until its group was written to, and how many taps no screen has followed yet."""
        wrote: dict[int, list[float]] = {}
        for call in self.double.calls("editMessageText", "sendMessage"):
            if call.status == 200:
                wrote.setdefault(int(call.params["chat_id"]), []).append(call.at)
        waits = [
            next((at - tapped for at in wrote.get(chat, ()) if at >= tapped), None) for tapped, chat in self.tapped
        ]
        seen = [wait for wait in waits if wait is not None]
        return quantiles(seen) | {"unseen": len(waits) - len(seen)}


def quantiles(values: list[float]) -> dict[str, float]:
    """p50, p95 and p99."""
    ordered = sorted(values) or [0.0]
    return {f"p{p}": round(ordered[min(len(ordered) - 1, len(ordered) * p // 100)], 2) for p in (50, 95, 99)}


async def main(redis_url: str, tables: int, limits: bool) -> None:
    """Set up, then obey."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    store = RedisStore(redis_url)
    async with Double(TEST_TOKEN, answer_window=60.0) as double, aiohttp.ClientSession() as session:
        stage = Stage(double, store, session)
        for number in range(tables):
            await stage.seat(number)
        double.world.updates.confirm(update.update_id for update in double.world.updates.pending())  # groups were made
        double.world.limits.on = limits
        say({"url": double.url.rstrip("/")})
        while line := (await reader.readline()).decode().split():
            say(await stage.run(float(line[1]), int(line[2]), float(line[3])))
        await store.close()


def say(value: dict[str, Any]) -> None:
    """One line of JSON to whoever measures."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), limits="limits" in sys.argv))
