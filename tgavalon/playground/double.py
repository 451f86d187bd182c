"""The double itself: the server on 127.0.0.1, started and stopped with `async with`. Only wiring."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from aiohttp import web

from tgavalon.playground.botapi import BotApi
from tgavalon.playground.clock import wait_any
from tgavalon.playground.control import Control, local_only
from tgavalon.playground.puppets import Choose, Puppets
from tgavalon.playground.refusals import RESTART, Refusal
from tgavalon.playground.webhook import Pusher
from tgavalon.playground.world import World

HOST = "127.0.0.1"
MAX_UPLOAD = 50 * 1024 * 1024
ANSWER_WINDOW = 15.0
TEST_TOKEN = "42:TEST"


class Double:
    """A Bot API server for one bot, with pretend people around it.

    `port` 0 takes a free one; a busy port raises OSError on entering. `privacy` is the bot's group privacy mode,
    `limits` switches the flood limits on, `answer_window` is how long clients wait for a callback answer (seconds),
    `choose` decides for autoplay users, and `speed` is how many seconds pass here in one of real time.
    """

    def __init__(
        self,
        token: str = TEST_TOKEN,
        *,
        port: int = 0,
        username: str = "avalon_bot",
        first_name: str = "Avalon",
        privacy: bool = True,
        limits: bool = False,
        answer_window: float = ANSWER_WINDOW,
        choose: Choose | None = None,
        speed: float = 1.0,
    ) -> None:
        self.world = World(token, username, first_name, privacy=privacy, answer_window=answer_window, speed=speed)
        self.world.limits.on = limits
        self.puppets = Puppets(self.world, choose)
        self.port = port
        self._control = Control(self)
        self._pusher = Pusher(self.world)
        self._tasks: list[asyncio.Task[None]] = []
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.port}/"

    @property
    def base_url(self) -> str:
        """What a bot library takes as its `base_url`."""
        return f"{self.url}bot"

    @property
    def base_file_url(self) -> str:
        return f"{self.url}file/bot"

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[local_only], client_max_size=MAX_UPLOAD)
        app.add_routes([*BotApi(self.world).routes(), *self._control.routes()])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        try:
            site = web.TCPSite(self._runner, HOST, self.port)
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self.port = self._runner.addresses[0][1]
        self._tasks = [asyncio.create_task(self._expire()), asyncio.create_task(self._pusher.run())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.puppets.close()
        for task in self._tasks:
            task.cancel()
        outcomes = await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._control.close()
        self.world.updates.end_poll(Refusal(500, RESTART))
        if self._runner is not None:
            await self._runner.cleanup()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _expire(self) -> None:
        """Give up on presses that the bot did not answer in time."""
        world = self.world
        while True:
            world.expire_presses()
            first = min((press.deadline for press in world.presses.values()), default=None)
            left = None if first is None else world.clock.real(max(0.0, first - world.clock.now()))
            await wait_any(world.changed, world.clock.turned, seconds=left)

    async def until(self, predicate: Callable[[], bool], timeout: float = 5.0) -> None:  # noqa: ASYNC109  tests pass it
        """Wait for a condition, looked at after each change, call and confirmation.

        Raises TimeoutError after so many seconds of real time.
        """
        async with asyncio.timeout(timeout):
            while not predicate():
                await wait_any(self.world.changed, self.world.journal.changed, self.world.updates.changed)
