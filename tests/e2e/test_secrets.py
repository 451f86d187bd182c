"""Nobody learns before the end what is not theirs: games that one onlooker cannot tell apart look the same to them,
call by call, and neither the callback data nor the log knows a role or the token."""

from __future__ import annotations

import io
import random
import re
from collections.abc import AsyncIterator, MutableSequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from tests.conftest import fresh_prefix
from tests.e2e.conftest import QuickClock
from tests.e2e.players import NAMES, Friends
from tests.telegram_users import Double
from tgavalon import logs
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Assassinating
from tgavalon.core.roles import Role, Side
from tgavalon.playground.journal import Call
from tgavalon.settings import Secret
from tgavalon.store.redis_store import RedisStore
from tgavalon.ui.taps import IN_GROUP, Verb, decode

TOKEN = "8214567890:AAH9x-Zq3vT_7LmPw2RkYdE5sNcUgBj4oFi"  # of the right form, and of no bot
QUESTS = (((1, 2), 1), ((0, 3, 4), 0), ((0, 5, 6), 0), ((1, 2, 3, 4), 2), ((0, 1, 2, 3), 0))
"""The teams with the number of Fails on each."""
SERVANT, MERLIN, PERCIVAL = Role.SERVANT, Role.MERLIN, Role.PERCIVAL
ASSASSIN, MORGANA, OBERON = Role.ASSASSIN, Role.MORGANA, Role.OBERON
WORLDS = (
    (SERVANT, MERLIN, MORGANA, ASSASSIN, PERCIVAL, OBERON, SERVANT),
    (SERVANT, ASSASSIN, PERCIVAL, MERLIN, MORGANA, SERVANT, OBERON),
)
UNDER_PERCIVAL = (
    (SERVANT, MERLIN, MORGANA, ASSASSIN, PERCIVAL, OBERON, SERVANT),
    (SERVANT, MORGANA, MERLIN, ASSASSIN, PERCIVAL, OBERON, SERVANT),
)
ROLE_WORDS = re.compile("|".join(Role), re.IGNORECASE)


class Stacked(random.Random):
    """Dice that deal these roles, and the same leader and salt however often the deal is tried."""

    def __init__(self, roles: tuple[Role, ...]) -> None:
        super().__init__(7)
        self.roles = roles

    def shuffle(self, x: MutableSequence[Any]) -> None:
        assert sorted(x) == sorted(self.roles)
        x[:] = self.roles
        self.seed(7)


@dataclass
class Evening:
    """One game of seven with the Lady, up to the shot: everything the bot called."""

    friends: Friends
    roles: tuple[Role, ...]
    clock: QuickClock
    pauses: list[int] = field(default_factory=list)

    async def play(self, blocked: int | None) -> None:
        friends = self.friends
        await friends.open_table()
        for setting in ("Percival", "Morgana", "Oberon", "Lady of the Lake"):
            await friends.set(setting, "on")
        await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
        await self.pause()
        self.pauses = [len(friends.double.calls())]
        await friends.deal()
        await self.pause()
        if blocked is not None:
            friends.people[blocked].block()
            await self.pause()
        for person in friends.people:
            await friends.tap(person, friends.group, Verb.ROLE)
        for team, fails in QUESTS:
            await self.quest(team, fails)
        assert isinstance((await friends.game()).phase, Assassinating)
        await friends.tap(friends.people[0], friends.group, Verb.BET, 0, 4)
        await self.pause()

    async def quest(self, team: tuple[int, ...], fails: int) -> None:
        """One quest that is approved by some, with this many Fails, and the Lady after it."""
        friends = self.friends
        leader = await friends.leader()
        number = len((await friends.game()).proposals) + 1
        for seat in team:
            await friends.tap(leader, friends.group, Verb.PICK, number, seat)
            await self.pause()
        await friends.tap(leader, friends.group, Verb.PROPOSE, number, sum(1 << seat for seat in team))
        await self.pause()
        for seat, person in enumerate(friends.people):
            await friends.ballot(person, approve=seat not in (2, 5))
            await self.pause()
        liars = [seat for seat in team if self.roles[seat].side is Side.EVIL][:fails]
        assert len(liars) == fails
        for seat in team:
            await self.card(seat, success=seat not in liars)
            await self.pause()
        game = await friends.game()
        if game.lady is not None and len(game.quests) in (2, 3, 4):
            await friends.examine({2: 5, 3: 6, 4: 1}[len(game.quests)])
            await self.pause()

    async def card(self, seat: int, *, success: bool) -> None:
        """A card, in private or by the buttons of the group."""
        friends, person = self.friends, self.friends.people[seat]
        if not person.user.blocked:
            await friends.card(person, success)
            return
        number = len((await friends.game()).quests) + 1
        if success:
            await friends.tap(person, friends.group, Verb.SUCCESS, number)
            return
        await friends.tap(person, friends.group, Verb.FAIL, number, IN_GROUP)
        await friends.heard()
        friends.a_moment_later()
        await friends.tap(person, friends.group, Verb.FAIL, number, IN_GROUP)

    async def pause(self) -> None:
        """Let everything be painted, then wait until no limit counts what was painted before."""
        await self.friends.heard()
        self.pauses.append(len(self.friends.double.calls()))
        self.clock.turn(120)

    def seen(self, chat: int) -> list[list[tuple[str, str]]]:
        """The calls to one chat from the deal on, by what they followed, for which of two goes first may be chance.

        Without the seal of the deal: that differs with every deal, and tells nothing.
        """
        calls = self.friends.double.calls()
        moments = [calls[start:end] for start, end in pairwise(self.pauses)]
        return [
            sorted((call.method, _unsealed(call)) for call in moment if call.params.get("chat_id") == str(chat))
            for moment in moments
        ]


def _unsealed(call: Call) -> str:
    return "\n".join(f"{name}: {re.sub('[0-9a-f]{64}', '…', value)}" for name, value in sorted(call.params.items()))


@asynccontextmanager
async def evening(roles: tuple[Role, ...], valkey_url: str, token: str = TOKEN) -> AsyncIterator[Evening]:
    """A table in a world of its own."""
    store, clock = RedisStore(valkey_url, prefix=fresh_prefix()), QuickClock()
    async with Double(token) as double:
        bot = AvalonBot(token, double.url.rstrip("/"), store, clock=clock, dice=Stacked(roles))
        async with bot.running():
            yield Evening(Friends.named(double, bot, NAMES[:7]), roles, clock)
    await store.close()


_played: dict[tuple[tuple[Role, ...], int | None], Evening] = {}


async def played(roles: tuple[Role, ...], valkey_url: str, blocked: int | None = None) -> Evening:
    """An evening that has been played up to the shot; the same one for all tests that ask for it."""
    if (roles, blocked) not in _played:
        async with evening(roles, valkey_url) as one:
            await one.play(blocked)
            _played[roles, blocked] = one
    return _played[roles, blocked]


@pytest.mark.parametrize("blocked", [None, 1, 3], ids=["everybody reachable", "one blocked", "another blocked"])
async def test_the_group_sees_the_same_whoever_is_who(valkey_url: str, blocked: int | None) -> None:
    """Also who plays Fail, and whether it is a player of evil or of good that cannot be written to, changes nothing."""
    first, second = [await played(roles, valkey_url, blocked) for roles in WORLDS]
    group = first.friends.group.id
    assert first.seen(group) == second.seen(group)
    assert sum(map(len, first.seen(group))) > 60


async def test_a_servant_sees_the_same_whoever_the_others_are(valkey_url: str) -> None:
    first, second = [await played(roles, valkey_url) for roles in WORLDS]
    observer = first.friends.people[0].id
    told = [[a.text for a in one.friends.people[0].answers] for one in (first, second)]
    assert first.seen(observer) == second.seen(observer)
    assert told[0] == told[1]


async def test_percival_does_not_tell_merlin_from_morgana(valkey_url: str) -> None:
    first, second = [await played(roles, valkey_url) for roles in UNDER_PERCIVAL]
    observer = first.friends.people[4].id
    assert first.seen(observer) == second.seen(observer)
    assert "One of these is Merlin, the other Morgana" in str(first.seen(observer))


async def test_roles_are_told_to_their_owners_only(valkey_url: str) -> None:
    """What stands in a private chat names the owner's role, and in nobody else's "You are"."""
    one = await played(WORLDS[0], valkey_url)
    for person, role in zip(one.friends.people, one.roles, strict=True):
        told = str(one.seen(person.id))
        assert {word.lower() for word in re.findall(r"You are <b>\W*(\w+)", told)} <= {role, "loyal"}
    assert "You are <b>" not in str(one.seen(one.friends.group.id))


async def test_callback_data_is_made_of_numbers(valkey_url: str) -> None:
    one = await played(WORLDS[0], valkey_url)
    people = {str(person.id) for person in one.friends.people}
    found = [
        data
        for call in one.friends.double.calls()
        for data in re.findall(r'"callback_data": ?"([^"]*)"', call.params.get("reply_markup", ""))
    ]
    assert len(set(found)) > 100
    for data in found:
        assert decode(data) is not None
        assert len(data.encode()) <= 64
        assert not ROLE_WORDS.search(data)
        assert not any(person in data for person in people)


@pytest.fixture
def everything_logged() -> io.StringIO:
    """All that a bot at level DEBUG writes to its log."""
    stream = io.StringIO()
    logs.set_up("DEBUG", secrets=[Secret(TOKEN)], stream=stream)
    return stream


async def test_the_log_knows_no_role_no_card_and_no_token(
    valkey_url: str, everything_logged: io.StringIO, caplog: pytest.LogCaptureFixture
) -> None:
    async with evening(WORLDS[1], valkey_url) as one:
        double, friends = one.friends.double, one.friends
        double.fault("sendMessage", times=2, drop="before")
        double.fault("editMessageText", times=2, code=500)
        double.fault("getUpdates", times=2, code=502)
        await one.play(blocked=3)
        double.fault("sendMessage", code=400, description="Bad Request: can't parse entities: Unsupported start tag")
        await friends.command(friends.people[1], "/role")
        await friends.shoot(merlin=True)
        await friends.until_reads("wins!")
        await friends.settled()
    text = everything_logged.getvalue() + "\n".join(f"{r.getMessage()}{r.exc_text}{r.args}" for r in caplog.records)
    assert "tgavalon" in text
    assert not ROLE_WORDS.search(text)
    assert not re.search(r"success|\bcard\b|loyal", text, re.IGNORECASE)
    assert TOKEN not in text
    assert TOKEN.partition(":")[2] not in text
    caplog.clear()
