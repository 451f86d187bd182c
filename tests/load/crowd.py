"""People who tap as fast as they can: what the game wants of them at once, and everything else in between.

Everybody writes down each of their taps with its answer, so that the record can be compared with what counted.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.players import Friends
from tests.load.lag import Saved
from tests.telegram_users import Answer, NoButton, Person
from tgavalon.core.game import Proposing
from tgavalon.playground.model import Nonsense
from tgavalon.playground.puppets import VisibleButton, visible_buttons
from tgavalon.puppeteer import Puppeteer
from tgavalon.table.model import Table
from tgavalon.ui import toasts
from tgavalon.ui.catalogue import translator
from tgavalon.ui.taps import Tap, Verb, decode

SCREEN_CALLS = frozenset({"sendMessage", "editMessageText", "editMessageReplyMarkup"})
PATIENCE = 90.0
"""Seconds of real time for one whole game."""
FIDDLED_WITH = frozenset({Verb.ROLE, Verb.GLANCE, Verb.BET})
REFUSED_PAUSE = 1.0
"""Seconds until somebody whose tap was refused tries again."""


@dataclass(frozen=True)
class Tapped:
    """One tap: when, by whom, what for, and the answer."""

    at: float
    user: int
    tap: Tap
    answer: Answer

    @property
    def counted(self) -> bool:
        """Whether the answer says that it was taken."""
        t, votes = translator("en"), (Verb.APPROVE, Verb.REJECT)
        last = {toasts.voted_last(t, self.tap.verb is Verb.APPROVE)} if self.tap.verb in votes else set()
        return self.answer.text in {toasts.accepted(t, self.tap), *last}


@dataclass
class Crowd:
    """The people of one group in one game. `fidgets` is how many seconds somebody rests between two idle taps."""

    friends: Friends
    dice: random.Random
    fidgets: Callable[[Person], float]
    taps: list[Tapped] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    _screens: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> Table:
        """A whole game; returns the finished table."""
        host, *_ = self.friends.people
        self.friends.double.world.limits.on = True
        host.command(self.friends.group, "/newgame")
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(self._watch())
            fiddling = [tasks.create_task(self._fidget(person)) for person in self.friends.people]
            acting = [tasks.create_task(self._act(person)) for person in self.friends.people]
            await self.friends.double.until(self._is_over, timeout=PATIENCE)
            for task in (watching, *acting, *fiddling):
                task.cancel()
        await self.friends.settled()
        return await self.friends.table()

    async def _watch(self) -> None:
        """Wake everybody whenever a screen has changed: one that looks for all costs less than all looking."""
        journal, looked = self.friends.double.world.journal, 0
        while True:
            fresh = [call for call in journal.calls if call.n > looked and call.method in SCREEN_CALLS]
            if any(call.status == 200 for call in fresh):
                looked = journal.calls[-1].n if all(call.status for call in fresh) else looked
                screens, self._screens = self._screens, asyncio.Event()
                screens.set()
            await journal.changed.wait()

    def _is_over(self) -> bool:
        return any("wins!" in message.text for message in self.friends.people[0].hears(self.friends.group))

    async def _act(self, person: Person) -> None:
        """Do what the game wants of this person as soon as the button for it is on a screen."""
        puppeteer = Puppeteer(self.friends.bot.service.store, random.Random(self.dice.random()))
        while True:
            screens = self._screens
            wish = await puppeteer.choose(person.id, self._buttons(person))
            if wish is None:
                await screens.wait()
                continue
            found = decode(wish.data or "")
            if found is not None and found[1].verb in (Verb.APPROVE, Verb.REJECT):
                await self._waver(person, found[1])
            answer = await self._press(person, wish.data or "")
            if answer is None or not self._was_heard(answer):
                await self._rest(REFUSED_PAUSE)

    async def _waver(self, person: Person, vote: Tap) -> None:
        """Half of the people tap the other answer first, without waiting for what is said to it."""
        if self.dice.random() < 0.5:
            other = Verb.REJECT if vote.verb is Verb.APPROVE else Verb.APPROVE
            table = await self.friends.table()
            await self._press(person, f"{table.id}:{other}:{vote.number}:{vote.value}")

    def _was_heard(self, answer: Answer) -> bool:
        return not self.taps or self.taps[-1].answer is not answer or self.taps[-1].counted

    async def _fidget(self, person: Person) -> None:
        """Tap whatever is idle, and buttons that are no longer there, for ever."""
        while True:
            choice = self._idle_button(person)
            if choice is not None:
                await (self._press if choice[1] else self._forge)(person, choice[0])
            await self._rest(self.fidgets(person) * self.dice.uniform(0.5, 1.5))

    def _idle_button(self, person: Person) -> tuple[str, bool] | None:
        """The data of a button that the game does not ask for, and whether it is still on a screen."""
        there = {button.data for button in self._buttons(person) if button.data}
        idle = [data for data in there if (found := decode(data)) is not None and found[1].verb in FIDDLED_WITH]
        old = self.seen - there
        options = [(data, True) for data in sorted(idle)] + [(data, False) for data in sorted(old)[-20:]]
        return self.dice.choice(options) if options else None

    def _buttons(self, person: Person) -> list[VisibleButton]:
        found = visible_buttons(self.friends.double.world, person.id)
        group = self.friends.group.id
        self.seen |= {button.data for button in found if button.data and button.chat == group}
        return found

    async def _press(self, person: Person, data: str) -> Answer | None:
        """Press a button that was on the screen a moment ago; None if it is no more."""
        at = self.friends.double.world.clock.now()
        for place in (self.friends.group, None):
            try:
                query = person.tap(place, data)
            except (NoButton, Nonsense):
                continue
            answer = await self.friends.double.world.presses[query].answer
            self._note(at, person, data, answer)
            if answer.url:
                person.open(answer.url)
            return answer
        return None

    async def _forge(self, person: Person, data: str) -> None:
        """Press a button that was on a screen once: the tap was on its way while the keyboard changed."""
        at = self.friends.double.world.clock.now()
        self._note(at, person, data, await self.friends.forged(person, data).answer)

    def _note(self, at: float, person: Person, data: str, answer: Answer) -> None:
        found = decode(data)
        assert found is not None
        self.taps.append(Tapped(at, person.id, found[1], answer))

    async def _rest(self, seconds: float) -> None:
        await self.friends.double.world.clock.sleep(seconds)

    def expected_moves(self, table: Table) -> list[dict[str, Any]]:
        """The moves that the answers have promised, as a record writes them."""
        assert table.game is not None
        seats = {sitter.user: seat for seat, sitter in enumerate(table.sitters)}
        in_order = sorted(self.taps, key=lambda one: one.answer.n)
        counted = [(seats[one.user], one.tap) for one in in_order if one.counted]
        ballots: defaultdict[int, dict[int, bool]] = defaultdict(dict)
        cards: defaultdict[int, dict[int, str]] = defaultdict(dict)
        teams: dict[int, int] = {}
        target = -1
        for seat, tap in counted:
            match tap.verb:
                case Verb.APPROVE | Verb.REJECT:
                    ballots[tap.number][seat] = tap.verb is Verb.APPROVE
                case Verb.SUCCESS | Verb.FAIL_SURELY:
                    cards[tap.number][seat] = "success" if tap.verb is Verb.SUCCESS else "fail"
                case Verb.PROPOSE:
                    teams[tap.number] = tap.value
                case Verb.SHOOT:
                    target = tap.value
        moves: list[dict[str, Any]] = []
        for proposal in table.game.proposals:
            number = proposal.number
            moves.append({"propose": {"team": _seats(teams[number]), "quest": proposal.quest}})
            moves.append({"vote": [ballots[number][seat] for seat in range(table.game.seats)]})
            if proposal.approved:
                played = cards[proposal.quest]
                moves.append({"quest": {str(seat): played[seat] for seat in sorted(played)}})
        return [*moves, {"assassinate": target}] if target >= 0 else moves

    def silent(self, history: Sequence[Saved]) -> list[Tapped]:
        """Taps that were answered without a word and had no effect either."""
        return [one for one in self.taps if not (one.answer.text or one.answer.url) and not _took_effect(one, history)]


def _took_effect(tapped: Tapped, history: Sequence[Saved]) -> bool:
    tap = tapped.tap
    before = [saved.table for saved in history if saved.at < tapped.at][-1:]
    meanwhile = [saved.table for saved in history if tapped.at <= saved.at <= tapped.answer.at]
    for table in (*before, *meanwhile):
        game = table.game
        if any(armed.user == tapped.user and armed.tap == tap for armed in table.armed):
            return True
        if game is None or not isinstance(game.phase, Proposing) or game.phase.proposal != tap.number:
            continue
        if tap.verb in (Verb.PICK, Verb.UNPICK) and (tap.value in game.phase.draft) == (tap.verb is Verb.PICK):
            return True
    return False


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
