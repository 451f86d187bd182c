"""People who play by themselves: at a human pace each looks at the buttons on their screen, and a chooser picks.

Knows nothing of any game: what a button means is the chooser's business.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from tgavalon.playground import groups, people
from tgavalon.playground.model import Chat, Nonsense
from tgavalon.playground.world import World

DEFAULT_PACE = 1.5
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VisibleButton:
    """A button on screen. `chat` is the chat id; either `data` or `url` is set; `date`: when the message last changed.

    Buttons come oldest message first, then in reading order.
    """

    chat: int
    message_id: int
    text: str
    data: str | None
    url: str | None
    style: str
    date: int


Choose = Callable[[int, Sequence[VisibleButton]], Awaitable[VisibleButton | None]]


def visible_buttons(world: World, user_id: int) -> list[VisibleButton]:
    """Everything that this user could press now: in groups they are in, and in their own private chat."""
    chats = [chat for chat in world.chats.values() if world.can_see(user_id, chat) and not chat.is_gone]
    return [button for chat in chats for button in _buttons(chat)]


def _buttons(chat: Chat) -> list[VisibleButton]:
    return [
        VisibleButton(
            chat.id,
            message.message_id,
            button["text"],
            button.get("callback_data"),
            button.get("url"),
            button.get("style", ""),
            message.edit_date or message.date,
        )
        for message in chat.messages.values()
        for button in message.buttons()
    ]


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("%s stopped playing", task.get_name(), exc_info=error)


class Puppets:
    """One task per autoplay user. `choose` may return None: nothing to do now."""

    def __init__(self, world: World, choose: Choose | None) -> None:
        self._world = world
        self._choose = choose
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def users(self) -> list[int]:
        return list(self._tasks)

    def set(self, users: Iterable[int], *, on: bool, pace: float = DEFAULT_PACE) -> None:
        """Switch users on or off; `pace` is the mean number of seconds before a tap. Without a chooser: Nonsense."""
        if on and self._choose is None:
            raise Nonsense("nobody said how puppets choose")
        for user in users:
            if user not in self._world.users:
                raise Nonsense(f"no user {user}")
            if task := self._tasks.pop(user, None):
                task.cancel()
            if on and self._choose is not None:
                task = asyncio.create_task(self._play(user, self._choose, pace), name=f"puppet {user}")
                task.add_done_callback(_report)
                self._tasks[user] = task
        self._world.changed.fire()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def _play(self, user: int, choose: Choose, pace: float) -> None:
        while True:
            await self._world.clock.sleep(pace * random.uniform(0.5, 1.5))
            seen = self._world.changed.count
            button = await choose(user, visible_buttons(self._world, user))
            if button is not None:
                await self._tap(user, button)
            elif self._world.changed.count == seen:
                await self._world.changed.wait(max(pace, 0.05))

    async def _tap(self, user: int, button: VisibleButton) -> None:
        """Press and wait for the answer as a person does; a keyboard that changed meanwhile is looked at again."""
        world = self._world
        person, chat = world.users[user], world.chats[button.chat]
        try:
            if button.data is None:
                groups.open_link(world, person, button.url or "")
                return
            press = people.press(world, person, chat, button.message_id, button.data)
            answer = await press.answer
            if answer.url:
                groups.open_link(world, person, answer.url)
        except Nonsense:
            return
