"""Pushing updates to the bot's webhook: in order per lane, again and again until it says 2xx.

Source: telegram-bot-api `WebhookActor.cpp`: again at once, then after 2, 4, 8 … 120 s; a failing lane holds up only
itself.
"""

import asyncio
from itertools import chain, repeat

import aiohttp

from tgavalon.playground.clock import wait_any
from tgavalon.playground.updates import Lane, Update
from tgavalon.playground.world import Webhook, World

BACK_OFF = (0.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 120.0)
SECONDS_TO_ANSWER = 60.0


class Pusher:
    """Runs beside the server; does nothing while no webhook is set."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lanes: dict[Lane, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Until cancelled."""
        try:
            async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS_TO_ANSWER)) as session:
                while True:
                    self._start_lanes(session)
                    await wait_any(self._world.updates.changed, self._world.changed, self._world.clock.turned)
        finally:
            for task in self._lanes.values():
                task.cancel()
            await asyncio.gather(*self._lanes.values(), return_exceptions=True)

    def _start_lanes(self, session: aiohttp.ClientSession) -> None:
        hook = self._world.webhook
        if hook is None:
            return
        for update in self._world.updates.pending():
            running = self._lanes.get(update.lane)
            if running is not None and running.done():
                running.result()  # a fault of the pusher itself must not pass in silence
            if (running is None or running.done()) and self._busy() < hook.max_connections:
                self._lanes[update.lane] = asyncio.create_task(self._serve(session, update.lane))

    def _busy(self) -> int:
        return sum(not task.done() for task in self._lanes.values())

    async def _serve(self, session: aiohttp.ClientSession, lane: Lane) -> None:
        while update := next((one for one in self._world.updates.pending() if one.lane == lane), None):
            if not await self._deliver(session, update):
                return

    async def _deliver(self, session: aiohttp.ClientSession, update: Update) -> bool:
        """Until it is taken, has expired, or the webhook is gone (False)."""
        for pause in chain(BACK_OFF, repeat(BACK_OFF[-1])):
            hook = self._world.webhook
            if hook is None:
                return False
            if await self._push(session, hook, update):
                self._world.updates.confirm([update.update_id])
                return True
            await self._world.clock.sleep(pause)
            if update.expires <= self._world.clock.now():
                return True
        return False

    async def _push(self, session: aiohttp.ClientSession, hook: Webhook, update: Update) -> bool:
        headers = {"X-Telegram-Bot-Api-Secret-Token": hook.secret} if hook.secret else {}
        try:
            async with session.post(hook.url, json=update.body(), headers=headers) as response:
                if 200 <= response.status < 300:
                    return True
                problem = f"Wrong response from the webhook: {response.status} {response.reason}"
        except (aiohttp.ClientError, TimeoutError) as error:
            problem = f"Connection failed: {type(error).__name__}"
        hook.last_error, hook.last_error_date = problem, self._world.clock.date()
        return False
