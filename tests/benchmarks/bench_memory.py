"""What tables cost: bytes in the store for each, and memory of a worker with none and with ten thousand idle ones.

`python -m tests.benchmarks.bench_memory [--tables 10000]` prints one JSON object. The baselines are the same store
empty, the encoded table alone, and the same worker without tables.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import replace
from typing import Any

from redis.asyncio import Redis

from tests.benchmarks.rig import bot, machine, memory, rig
from tests.benchmarks.telegram import PLAYERS, ROLES
from tgavalon.core.actions import Pick, Propose
from tgavalon.core.deal import new_game
from tgavalon.core.play import apply
from tgavalon.core.ruleset import Ruleset
from tgavalon.store.codec import encode_table
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.feed import feeds
from tgavalon.table.model import Place, Sitter, Table
from tgavalon.table.painting import acts
from tgavalon.table.ports import Shown

SETTLED = 6.0
"""Seconds after its start at which a worker's memory is read."""


def running_table(number: int) -> Table:
    """Seven people in the middle of a vote, with names as long as names are."""
    now = time.time()
    sitters = tuple(Sitter(10**9 + PLAYERS * number + seat, f"Player {seat} Éé", "en", ready=True) for seat in range(7))
    table = Table(
        f"mem{number:07}", 1, Place(-1001000000000 - number), "Friends", "en", sitters[0].user, now, now, sitters
    )
    game = new_game(Ruleset(), ROLES, leader=0)
    for seat in (0, 1):
        game = apply(game, Pick(0, 1, seat, chosen=True))
    game = apply(game, Propose(0, 1, (0, 1)))
    return replace(table, game=game, salt="0" * 32, deadline=now + 1e6)


async def fill(store: RedisStore, tables: int) -> None:
    """So many tables, painted."""

    async def one(number: int) -> None:
        table = running_table(number)
        assert await store.create(table)
        canvas = {
            f"{slot}/{post.epoch}": Shown(feed.place, 7, post.screen.digest, acts(post.screen), post.fleeting)
            for slot, feed in feeds(table).items()
            for post in feed.posts
        }
        await store.paint(table.id, 1, canvas, done=True)

    for start in range(0, tables, 100):
        await asyncio.gather(*(one(number) for number in range(start, min(tables, start + 100))))


async def used(url: str) -> int:
    """Bytes that the server has given out."""
    async with Redis.from_url(url, protocol=2) as client:
        return int((await client.info("memory"))["used_memory"])


async def worker_memory(tables: int) -> tuple[int, int]:
    """Bytes of a worker, and of the store for all tables."""
    async with rig(0) as stage:
        empty = await used(stage.redis_url)
        store = RedisStore(stage.redis_url)
        await fill(store, tables)
        await store.close()
        full = await used(stage.redis_url)
        async with bot("ours", stage) as process:
            await asyncio.sleep(SETTLED)
            return memory(process.pid), full - empty


async def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="What tables cost.")
    options.add_argument("--tables", type=int, default=10_000)
    tables = options.parse_args().tables
    idle, _ = await worker_memory(0)
    loaded, stored = await worker_memory(tables)
    found: dict[str, Any] = {
        "tables": tables,
        "store_bytes_per_table": round(stored / tables),
        "encoded_table_bytes": len(encode_table(running_table(1))),
        "worker_mb_without_tables": round(idle / 1e6, 1),
        "worker_mb_with_tables": round(loaded / 1e6, 1),
    }
    json.dump({"machine": machine(), "results": found}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    asyncio.run(main())
