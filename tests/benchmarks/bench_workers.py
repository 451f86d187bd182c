"""Two workers against one, by webhook behind nginx.

`python -m tests.benchmarks.bench_workers [--tables 100] [--seconds 5]` prints one JSON object, or says that there is no
nginx. The double, nginx and the store share the machine's processors with the workers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _pytest.outcomes import Skipped

from tests.benchmarks.rig import bot, cpu, machine, rig
from tests.cluster.fleet import free_port, nginx, nginx_program

AT_ONCE = 64


async def measure(workers: int, tables: int, seconds: float) -> dict[str, Any]:
    """So many workers."""
    async with contextlib.AsyncExitStack() as stack:
        stage = await stack.enter_async_context(rig(tables))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ports = [free_port() for _ in range(workers)]
        proxy = await stack.enter_async_context(nginx(nginx_program(), folder, ports))
        url = f"http://127.0.0.1:{proxy}/telegram"
        bots = [await stack.enter_async_context(bot("ours", stage, str(port), url)) for port in ports]
        await stage.tap(5.0, AT_ONCE)
        before = [cpu(each.pid) for each in bots]
        found = await stage.tap(seconds, AT_ONCE)
        used = [cpu(each.pid) - was for each, was in zip(bots, before, strict=True)]
        found["cpu_seconds_of_each_worker"] = [round(seconds, 2) for seconds in used]
        found["cpu_ms_per_tap"] = round(1000 * sum(used) / found["taps"], 3)
        return found


async def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="Two workers against one.")
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--seconds", type=float, default=5.0)
    chosen = options.parse_args()
    try:
        one, two = [await measure(workers, chosen.tables, chosen.seconds) for workers in (1, 2)]
    except Skipped as reason:
        sys.exit(str(reason))
    ratio = round(two["taps_per_second"] / one["taps_per_second"], 2)
    json.dump({"machine": machine(), "one": one, "two": two, "times_one": ratio}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    asyncio.run(main())
