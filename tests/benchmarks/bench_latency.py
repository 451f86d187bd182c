"""How long people wait: for the answer to a tap, and for the screen, with Telegram's flood limits enforced.

`python -m tests.benchmarks.bench_latency [--tables 100] [--seconds 30] [--pause 5]` prints one JSON object. At each of
so many seven-player tables somebody taps every few seconds. The baseline is the bare bot under the same load at the
same double, first without limits, for the way of a tap through Telegram's side and a bot that keeps nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from tests.benchmarks.rig import bot, machine, rig


async def measure(kind: str, tables: int, seconds: float, pause: float, *, limits: bool) -> dict[str, Any]:
    """One bot."""
    async with rig(tables, limits=limits) as stage, bot(kind, stage):
        await stage.tap(3.0, tables, pause)
        return await stage.tap(seconds, tables, pause)


async def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="How long people wait.")
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--pause", type=float, default=5.0)
    chosen = options.parse_args()
    rest = (chosen.tables, chosen.seconds, chosen.pause)
    found = {
        "bare_without_limits": await measure("bare", *rest, limits=False),
        "ours": await measure("ours", *rest, limits=True),
    }
    json.dump({"machine": machine(), "tables": chosen.tables, "results": found}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    asyncio.run(main())
