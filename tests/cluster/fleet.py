"""Real workers behind a real nginx, and a group that plays by itself at the double."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.telegram_users import Double, Group
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.playground.model import Message
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Place, Stage, Table

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus")
PATIENCE = 120.0
WELCOME = "✅ You sit at"
"""What answers each /start from the group; somebody who plays by themselves may send it twice."""
ON_THE_WAY = 0.5
"""Seconds within which a worker on a busy machine records what it has sent."""
NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  upstream workers {{ {servers} keepalive 16; }}
  server {{
    listen 127.0.0.1:{port};
    location /telegram {{
      proxy_pass http://workers; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_next_upstream error timeout http_503 non_idempotent; proxy_connect_timeout 1s;
    }}
  }}
}}
"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nginx_program() -> str:
    """nginx on the PATH, or the test is skipped."""
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if found is None:
        pytest.skip("no nginx on the PATH (Debian: apt install nginx-light)")
    return found


@contextlib.asynccontextmanager
async def nginx(program: str, folder: Path, ports: list[int]) -> AsyncIterator[int]:
    """A proxy before workers at these ports; yields its own."""
    port = free_port()
    servers = " ".join(f"server 127.0.0.1:{worker} max_fails=1 fail_timeout=1s;" for worker in ports)
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, servers=servers, port=port))
    process = await asyncio.create_subprocess_exec(program, "-c", str(config), "-p", str(folder))
    try:
        async with asyncio.timeout(10):
            while not await _listens(port):  # noqa: ASYNC110  another process, which tells nobody
                await asyncio.sleep(0.02)
        yield port
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@dataclass
class Fleet:
    """Workers of one bot on one store. `ports` is where each listens; a polling worker has none."""

    double: Double
    redis_url: str
    folder: Path
    ports: list[int]
    public: str | None = None
    processes: dict[int, asyncio.subprocess.Process] = field(default_factory=dict)
    starts: int = 0
    kills: list[float] = field(default_factory=list)

    async def start(self, number: int) -> None:
        """Start a worker and wait until updates can reach it."""
        arguments = [
            *("run", "--redis-url", self.redis_url, "--api-url", self.double.url.rstrip("/")),
            *("--token-file", str(self.folder / "token"), "--log-level", "INFO"),
        ]
        if self.public is not None:
            arguments += ["--webhook", self.public, "--listen", f"127.0.0.1:{self.ports[number]}"]
        (self.folder / "token").write_text(TEST_TOKEN)
        self.starts += 1
        with (self.folder / f"worker-{number}-{self.starts}.log").open("wb") as log:
            self.processes[number] = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.cluster.worker", *arguments), cwd=ROOT, stderr=log
            )
        method = "getUpdates" if self.public is None else "setWebhook"
        calls = len(self.double.calls(method))
        await self.double.until(lambda: len(self.double.calls(method)) > calls, timeout=30)

    async def kill(self, number: int) -> None:
        """As a machine that loses its power."""
        self.processes[number].kill()
        self.kills.append(self.double.world.clock.now())
        await self.processes.pop(number).wait()

    async def stop(self, number: int) -> int:
        """As an orchestrator does it; the exit code."""
        self.processes[number].send_signal(signal.SIGTERM)
        return await self.processes.pop(number).wait()

    async def close(self) -> None:
        """Stop whatever still runs."""
        for number in [*self.processes]:
            await self.stop(number)

    def errors(self) -> list[str]:
        """What the workers have logged as errors."""
        lines = [line for log in self.folder.glob("worker-*.log") for line in log.read_text().splitlines()]
        return [line for line in lines if " ERROR " in line or " CRITICAL " in line]


@dataclass
class Game:
    """A group at the double that opens a table and plays by itself."""

    double: Double
    store: RedisStore
    group: Group

    @classmethod
    def begin(cls, double: Double, store: RedisStore, players: int = 5, pace: float = 0.05) -> Game:
        """Everybody sits down and plays."""
        people = [double.person(name, language_code="en", started=True) for name in NAMES[:players]]
        group = double.group("Friends", people)
        people[0].command(group, "/newgame")
        double.puppets.set([person.id for person in people], on=True, pace=pace)
        return cls(double, store, group)

    async def table(self) -> Table | None:
        """The table in the group."""
        place = Place(self.group.id)
        found = await self.store.at(place) or await self.store.last_at(place)
        return await self.store.load(found) if found is not None else None

    async def until(self, condition: Callable[[Table], bool]) -> Table:
        """Wait for something at the table."""
        async with asyncio.timeout(PATIENCE):
            while (table := await self.table()) is None or not condition(table):  # noqa: ASYNC110  the store tells nobody
                await asyncio.sleep(0.05)
        return table

    async def until_painted(self) -> Table:
        """Wait for the end of the game, and for all its screens."""
        table = await self.until(lambda table: table.stage is Stage.OVER)
        async with asyncio.timeout(PATIENCE):
            while await self.store.unpainted() or self.double.world.updates.pending():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        return table

    def posts(self) -> list[Message]:
        """What the bot has written in the group."""
        bot = self.double.world.bot.id
        return [message for message in self.group.messages if message.sender == bot and not message.service]

    def duplicates(self, kills: Sequence[float] = ()) -> list[tuple[str, str]]:
        """Chat and text of messages that an earlier one in the same chat says already.

        But for answers to /start, and for calls that a worker could not record any more before it was killed.
        """
        first: dict[tuple[str, str], float] = {}
        again = []
        for call in self.double.calls("sendMessage"):
            said = call.params["chat_id"], call.params["text"]
            if said[1].startswith(WELCOME):
                continue
            at = first.setdefault(said, call.at)
            if call.status == 200 and at != call.at and not any(0 <= kill - at < ON_THE_WAY for kill in kills):
                again.append(said)
        return again

    def unanswered(self) -> list[object]:
        """Presses that nobody was ever told about."""
        return [answer for answer in self.double.world.answers if answer.unanswered]
