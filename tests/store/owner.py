"""A bot reduced to its store, to be killed: `python owner.py FOLDER [orphan]`.

It starts the embedded server and saves one person after another, printing each number once it is acknowledged. With
`orphan` the server is not told when its bot dies, as on systems without that service.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from tgavalon.store import embedded
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.ports import Person


async def main() -> None:
    """Save for ever."""
    if "orphan" in sys.argv:
        vars(embedded)["die_with_parent"] = lambda: None
    async with embedded.EmbeddedServer(Path(sys.argv[1])) as server:
        print("server", server.pid, flush=True)  # noqa: T201  # the test reads it
        store = RedisStore(server.url)
        for number in itertools.count(1):
            await store.save_person(Person(number, f"person {number}"))
            print("saved", number, flush=True)  # noqa: T201  # the test reads it


asyncio.run(main())
