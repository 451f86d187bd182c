"""Telegram fails in every way and at every stage: the game comes to its end as it was played."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import QuickClock, worker
from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.table.history import record_of
from tgavalon.table.model import Place
from tgavalon.table.ports import Answer, Store
from tgavalon.ui.screen import Screen

READ_TIMEOUT = 0.5
"""Seconds after which this bot gives up on an answer, so that a slow Telegram costs the test little."""

FAULTS: dict[str, dict[str, Any]] = {
    "500": {"code": 500},
    "502": {"code": 502},
    "lost before": {"drop": "before"},
    "lost after": {"drop": "after"},
    "slow": {"delay": 0.3},
    "too slow": {"delay": 2 * READ_TIMEOUT},
}
MAY_DOUBLE = ("lost after", "too slow")
SCREENS = ("sendMessage", "editMessageText", "editMessageReplyMarkup")


@pytest.fixture
async def bot(double: Double, store: Store, clock: QuickClock) -> AsyncIterator[AvalonBot]:
    bot = worker(double, store, clock)
    bot._transport._read = READ_TIMEOUT
    async with bot.running():
        yield bot


@pytest.fixture
def known(bot: AvalonBot, monkeypatch: pytest.MonkeyPatch) -> set[tuple[int, int]]:
    """The messages, by chat and id, of which the bot has heard that they were sent."""
    found: set[tuple[int, int]] = set()
    send = bot._messenger.send

    async def noting(place: Place, table: str, screen: Screen) -> Answer:
        answer = await send(place, table, screen)
        if answer.message is not None:
            found.add((place.chat, answer.message))
        return answer

    monkeypatch.setattr(bot._messenger, "send", noting)
    return found


class Storm:
    """Orders the same fault for some methods before each stage of a game."""

    def __init__(self, double: Double, fault: dict[str, Any], *methods: str) -> None:
        self._double, self._fault, self._methods = double, fault, methods
        self.strikes = 0

    def strike(self) -> None:
        self.strikes += 1
        for method in self._methods:
            self._double.fault(method, **self._fault)


async def play(friends: Friends, storm: Storm) -> None:
    """Three quests and the shot, with the storm before each stage."""
    storm.strike()
    await friends.open_table()
    storm.strike()
    await friends.deal()
    for _ in range(3):
        storm.strike()
        await friends.propose(await friends.team())
        storm.strike()
        await friends.vote()
        storm.strike()
        await friends.play()
    storm.strike()
    await friends.shoot(merlin=False)
    await friends.until_reads("Good wins!")
    await friends.settled()


async def assert_whole(friends: Friends, known: set[tuple[int, int]]) -> None:
    """The record holds every move once, and no old message that the bot knows of keeps a game's buttons."""
    record = record_of(await friends.table())
    assert record is not None
    kinds = Counter(next(iter(move)) for move in json.loads(record)["moves"])
    assert kinds == {"propose": 3, "vote": 3, "quest": 3, "assassinate": 1}
    there = [message for message in friends.group.messages if (friends.group.id, message.message_id) in known]
    left = {button["text"] for message in there for button in message.buttons()}
    assert left <= {"🎭 My role", "🌐", "🔁 Play again", "📄 Record"}, left


def duplicates(friends: Friends) -> int:
    """How many messages are in some chat once more than they should be."""
    chats = [friends.people[0].hears(friends.group), *(person.hears() for person in friends.people)]
    return sum(count - 1 for chat in chats for count in Counter(message.text for message in chat).values())


@pytest.mark.parametrize("kind", FAULTS)
async def test_screens_that_fail_in_every_stage(
    double: Double, bot: AvalonBot, known: set[tuple[int, int]], kind: str
) -> None:
    friends = Friends.gather(double, bot)
    storm = Storm(double, FAULTS[kind], *SCREENS)
    await play(friends, storm)
    await assert_whole(friends, known)
    assert duplicates(friends) <= (storm.strikes if kind in MAY_DOUBLE else 0)


@pytest.mark.parametrize("kind", FAULTS)
async def test_updates_that_fail_to_come_in_every_stage(
    double: Double, bot: AvalonBot, known: set[tuple[int, int]], kind: str
) -> None:
    friends = Friends.gather(double, bot)
    await play(friends, Storm(double, FAULTS[kind], "getUpdates"))
    await assert_whole(friends, known)
    assert duplicates(friends) == 0


@pytest.mark.parametrize("kind", ["500", "lost before", "lost after", "slow"])
async def test_a_lost_answer_is_given_again(double: Double, bot: AvalonBot, kind: str) -> None:
    friends = Friends.gather(double, bot)
    await friends.begin()
    for person in friends.people:
        double.fault("answerCallbackQuery", **FAULTS[kind])
        answer = await friends.press(person, friends.group, "🎭 My role")
        assert answer.text.startswith("You are"), answer


async def test_somebody_who_cannot_be_looked_up_is_asked_to_tap_again(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, kind="supergroup", username="friends_of_avalon")
    friends.people[0].command(friends.group, "/newgame")
    double.fault("getChatMember", code=502)
    answer = await friends.press(friends.people[1], friends.group, "🪑 Join")
    assert "tap again" in answer.text
    assert len((await friends.table()).sitters) == 1
    await friends.press(friends.people[1], friends.group, "🪑 Join")
    assert len((await friends.table()).sitters) == 2


async def test_taps_that_piled_up_while_telegram_was_away_all_count(double: Double, bot: AvalonBot) -> None:
    """Nothing comes in and nothing goes out for a while; people go on tapping."""
    friends = Friends.gather(double, bot)
    await friends.begin()
    await friends.propose(await friends.team())
    voters = await friends.by_seat()
    await friends.until(lambda: all(person.shows(friends.group, "👍 Approve") for person in voters))
    double.fault("*", times=10_000, drop="before")
    pending = [person.tap(friends.group, "👍 Approve") for person in voters]
    await asyncio.sleep(1.0)
    double.world.faults.clear()
    await double.until(lambda: not set(pending) & set(double.world.presses), timeout=12.0)
    assert [vote_heard(person) for person in voters] == ["Your vote: Approve"] * 5
    await friends.play()
    await friends.finish()


def vote_heard(person: Person) -> str:
    return person.answers[-1].text.partition(".")[0]
