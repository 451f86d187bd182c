"""Taps a second and processor time per tap of the whole bot, beside a bare python-telegram-bot.

`python -m tests.benchmarks.bench_taps [--seconds 5] [--tables 1 10 100 1000]` prints one JSON object. The double, with
the people who tap, is a process of its own and the same for both bots, and so is the number of taps under way: at most
32. Each is warmed up first. The bare bot has default settings (httpx, one update after the other), answers and edits.

Beside that, `steady` compares numbers of tables at the same pace, a tap at each every 15 seconds, so that each tap
costs its own screen; there the processor time that an idle bot uses is taken off.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from tests.benchmarks.rig import bot, cpu, machine, rig

AT_ONCE = 32
EVERY = 15.0
"""Seconds between the taps at one table, on average."""
IDLE = 10.0
WARM_UP = 5.0
"""Seconds in which a bot may also introduce itself."""


async def measure(kind: str, tables: int, seconds: float) -> dict[str, Any]:
    """One bot with so many tables."""
    async with rig(tables) as stage, bot(kind, stage) as process:
        await stage.tap(WARM_UP, min(tables, AT_ONCE))
        before, store = cpu(process.pid), cpu(stage.redis_pid)
        found = await stage.tap(seconds, min(tables, AT_ONCE))
        found["cpu_ms_per_tap"] = round(1000 * (cpu(process.pid) - before) / found["taps"], 3)
        found["store_cpu_ms_per_tap"] = round(1000 * (cpu(stage.redis_pid) - store) / found["taps"], 3)
    return found


async def steady(tables: int, seconds: float) -> dict[str, Any]:
    """Our bot with so many tables, each of which is tapped at now and then."""
    async with rig(tables) as stage, bot("ours", stage) as process:
        await stage.tap(WARM_UP, min(tables, AT_ONCE))
        await asyncio.sleep(WARM_UP)
        before = cpu(process.pid)
        await asyncio.sleep(IDLE)
        idle = (cpu(process.pid) - before) / IDLE
        before = cpu(process.pid)
        found = await stage.tap(seconds, tables, EVERY)
        used = cpu(process.pid) - before - idle * found["seconds"]
    return {
        "tables": tables,
        "taps": found["taps"],
        "edits": found["calls"].get("editMessageText", 0),
        "cpu_ms_per_tap": round(1000 * used / found["taps"], 2),
        "idle_cpu_percent": round(100 * idle, 2),
    }


async def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="Taps a second.")
    options.add_argument("--seconds", type=float, default=5.0)
    options.add_argument("--steady", type=float, default=60.0, help="seconds of the steady part")
    options.add_argument("--tables", type=int, nargs="*", default=[1, 10, 100, 1000])
    chosen = options.parse_args()
    results = []
    for tables in chosen.tables:
        row: dict[str, Any] = {"tables": tables}
        for kind in ("bare", "ours"):
            row[kind] = await measure(kind, tables, chosen.seconds)
        row["times_bare"] = round(row["ours"]["taps_per_second"] / row["bare"]["taps_per_second"], 2)
        results.append(row)
    found = [await steady(tables, chosen.steady) for tables in chosen.tables if tables >= 10]
    json.dump({"machine": machine(), "results": results, "steady": found}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    asyncio.run(main())
