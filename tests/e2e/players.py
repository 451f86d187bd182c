"""Friends who play a whole game by tapping what they see, the way people do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields

from tests.e2e.conftest import QuickClock
from tests.telegram_users import Answer, Double, Group, NoButton, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Game, Questing, Voting
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import LadyNow, TeamNow, public_view
from tgavalon.playground.model import Message, Press
from tgavalon.table.model import Place, Table
from tgavalon.table.playing import SURE_AFTER
from tgavalon.ui.taps import Tap, Verb, encode

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")


@dataclass
class Friends:
    """A group of people with the bot, and what they do together. The game is looked up in the store only to decide."""

    double: Double
    bot: AvalonBot
    group: Group
    people: list[Person]
    topic: int | None = None
    answers: list[Answer] = field(default_factory=list)

    @classmethod
    def gather(cls, double: Double, bot: AvalonBot, count: int = 5, **group: object) -> Friends:
        """`count` people who have never spoken to the bot, and a group of theirs with the bot in it."""
        return cls.named(double, bot, NAMES[:count], **group)

    @classmethod
    def named(cls, double: Double, bot: AvalonBot, names: Iterable[str], **group: object) -> Friends:
        """People with these names, who need not differ, and a group of theirs with the bot in it."""
        people = [double.person(name, language_code="en") for name in names]
        return cls(double, bot, double.group("Friends", people, **group), people)  # type: ignore[arg-type]

    @property
    def place(self) -> Place:
        """Where the table stands."""
        return Place(self.group.id, self.topic)

    async def table(self) -> Table:
        """The newest open or finished table in the group."""
        store = self.bot.service.store
        found = await store.at(self.place) or await store.last_at(self.place)
        assert found is not None
        table = await store.load(found)
        assert table is not None
        return table

    async def game(self) -> Game:
        """The game at the table."""
        game = (await self.table()).game
        assert game is not None
        return game

    @asynccontextmanager
    async def nothing_changes(self) -> AsyncIterator[None]:
        """Whatever happens in the block, the stored table is the same afterwards, but for its clock."""
        before = await self.table()
        yield
        after = await self.bot.service.store.load(before.id)
        assert after is not None
        changed = [one.name for one in fields(Table) if getattr(before, one.name) != getattr(after, one.name)]
        assert set(changed) <= {"version", "deadline", "reminder"}, f"these have changed: {changed}"

    async def press(self, person: Person, place: Group | None, label: str) -> Answer:
        """Press a button, by its label or data, as soon as it is there."""
        try:
            await self.double.until(lambda: person.shows(place, label))
        except TimeoutError:
            raise NoButton(f"{person.name} sees no button {label!r}, only {person.labels(place)}") from None
        answer = await person.press(place, label)
        self.answers.append(answer)
        return answer

    async def tap(self, person: Person, place: Group | None, verb: Verb, number: int = 0, value: int = 0) -> Answer:
        """Press the button with this intention as soon as it is there."""
        return await self.press(person, place, encode((await self.table()).id, Tap(verb, number, value)))

    def a_moment_later(self) -> None:
        """Long enough for a second tap to count as the answer to the question that the first one asked."""
        clock = self.bot.clock
        assert isinstance(clock, QuickClock)
        clock.turn(2 * SURE_AFTER)

    async def forge(self, person: Person, data: str, message: Message | None = None) -> Answer:
        """A press with data that is not, or no longer, on the keyboard: in flight while it changed, or made up."""
        return await self.answer_to(self.forged(person, data, message))

    def forged(self, person: Person, data: str, message: Message | None = None) -> Press:
        """The same, without waiting for the answer. The message is the newest of the group unless another is given."""
        world, on = self.double.world, message or person.last(self.group)
        now = world.clock.now()
        answer = asyncio.get_running_loop().create_future()
        query, end = world.new_query_id(), now + world.answer_window
        press = Press(query, person.id, on.chat_id, on.message_id, data, now, end, answer)
        world.presses[query] = press
        world.tell_press(press)
        return press

    async def answer_to(self, press: Press) -> Answer:
        """What the presser is told."""
        await self.double.until(press.answer.done)
        self.answers.append(press.answer.result())
        return press.answer.result()

    async def command(self, person: Person, text: str, *, anonymous: bool = False) -> None:
        """Send a command to the group and wait until the bot has dealt with it."""
        person.command(self.group, text, topic=self.topic, anonymous=anonymous)
        await self.heard()

    async def heard(self) -> None:
        """The bot has taken every update and painted everything."""
        await self.double.until(lambda: not self.double.world.updates.pending())
        await self.settled()

    async def open_table(self) -> None:
        """The first opens a table, everybody joins and presses Start in private."""
        self.people[0].command(self.group, "/newgame", topic=self.topic)
        for person in self.people:
            answer = await self.press(person, self.group, "🪑 Join")
            if answer.url:
                person.open(answer.url)
            await self.double.until(lambda person=person: bool(person.hears()))  # type: ignore[misc]
        await self.until_reads("Everybody is ready")

    async def set(self, name: str, value: str) -> None:
        """Tap a setting until it has this value, and leave the settings open."""
        host = self.people[0]
        await self.settled()
        if not host.shows(self.group, "↩️ Back to the table"):
            await self.press(host, self.group, "⚙️ Settings")
        wanted = f"{name}: {value}"
        await self.double.until(lambda: host.shows(self.group, "↩️ Back to the table"))
        for _ in range(10):
            label = next(label for label in host.labels(self.group) if label.startswith(f"{name}: "))
            if label == wanted:
                return
            await self.press(host, self.group, label)
            await self.double.until(lambda label=label: not host.shows(self.group, label))  # type: ignore[misc]
        raise NoButton(f"no {wanted!r} among {host.labels(self.group)}")

    async def examine(self, seat: int) -> Answer:
        """The holder of the Lady of the Lake examines a seat."""
        game, seats = await self.game(), await self.by_seat()
        assert game.lady is not None
        return await self.tap(seats[game.lady], self.group, Verb.EXAMINE, len(game.quests), seat)

    async def holder(self) -> Person:
        """Who holds the Lady of the Lake."""
        game, seats = await self.game(), await self.by_seat()
        assert game.lady is not None
        return seats[game.lady]

    async def deal(self) -> None:
        """The host starts, and everybody gets a card."""
        await self.press(self.people[0], self.group, "▶️ Start the game")
        await self.double.until(lambda: all(self.reads(person, "🎭 Your role") for person in self.people))

    async def begin(self) -> None:
        """From nothing to the first team."""
        await self.open_table()
        await self.deal()
        await self.settled()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something can be seen."""
        await self.double.until(condition)

    async def until_reads(self, text: str) -> None:
        """Wait until the group says this."""
        await self.double.until(lambda: text in self.text())

    def text(self) -> str:
        """Everything that can be read in the group."""
        return "\n".join(message.text or "" for message in self.people[0].hears(self.group))

    def newest(self) -> str:
        """What the newest message of the bot in the group says."""
        return self.people[0].last(self.group).text

    def reads(self, person: Person, text: str) -> bool:
        """Whether somebody's private chat says this."""
        return any(text in (message.text or "") for message in person.hears())

    async def by_seat(self) -> list[Person]:
        """The people in the order of their seats."""
        return [self.person(sitter.user) for sitter in (await self.table()).sitters]

    def person(self, user: int) -> Person:
        """The person with this user id."""
        return Person(self.double, self.double.world.users[user])

    async def leader(self) -> Person:
        """Who holds the crown."""
        return (await self.by_seat())[(await self.game()).leader]

    async def others_than(self, person: Person) -> list[Person]:
        """The players but for one, by seat."""
        return [other for other in await self.by_seat() if other != person]

    async def with_role(self, role: Role) -> Person:
        """Who has been dealt this role; the first of several."""
        return (await self.by_seat())[(await self.game()).roles.index(role)]

    async def on_side(self, side: Side) -> list[int]:
        """The seats of one side."""
        return [seat for seat, role in enumerate((await self.game()).roles) if role.side is side]

    async def propose(self, team: Sequence[int], quest: int | None = None) -> None:
        """The leader picks a team, for this quest where there is a choice, and proposes it."""
        leader, now = await self.leader(), await self._team_now()
        if quest is not None:
            await self.tap(leader, self.group, Verb.QUEST, now.proposal, quest)
        for seat in team:
            await self.tap(leader, self.group, Verb.PICK, now.proposal, seat)
        await self.tap(leader, self.group, Verb.PROPOSE, now.proposal, sum(1 << seat for seat in team))

    async def vote(self, approve: bool = True) -> None:
        """Everybody votes alike."""
        for person in await self.by_seat():
            await self.ballot(person, approve)

    async def ballot(self, person: Person, approve: bool) -> Answer:
        """One vote. Buttons are found by what they mean: an old message may keep its own for a while."""
        phase = (await self.game()).phase
        assert isinstance(phase, Voting)
        return await self.tap(person, self.group, Verb.APPROVE if approve else Verb.REJECT, phase.proposal)

    async def play(self, fail: Iterable[int] = ()) -> None:
        """The team plays its cards; seats in `fail` play Fail."""
        seats, fails = await self.by_seat(), set(fail)
        phase = (await self.game()).phase
        assert isinstance(phase, Questing)
        for seat in phase.team:
            await self.card(seats[seat], seat not in fails)

    async def card(self, person: Person, success: bool) -> Answer:
        """One card, with the question that a Fail asks."""
        phase = (await self.game()).phase
        assert isinstance(phase, Questing)
        if success:
            return await self.tap(person, None, Verb.SUCCESS, phase.quest)
        await self.tap(person, None, Verb.FAIL, phase.quest)
        return await self.tap(person, None, Verb.FAIL_SURELY, phase.quest)

    async def team(self, good_wins: bool = True, quest: int | None = None) -> tuple[int, ...]:
        """Seats for a team of the right size: good players first, or evil ones."""
        now = await self._team_now()
        size = now.size if quest is None else (await self.game()).team_size(quest)
        good, evil = await self.on_side(Side.GOOD), await self.on_side(Side.EVIL)
        return tuple(sorted(([*good, *evil] if good_wins else [*evil, *good])[:size]))

    async def quest(self, good_wins: bool = True, quest: int | None = None) -> None:
        """One whole quest that nobody disputes; where evil wins, every evil player on it plays Fail."""
        team = await self.team(good_wins, quest)
        await self.propose(team, quest)
        await self.vote()
        await self.play(set() if good_wins else set(await self.on_side(Side.EVIL)) & set(team))

    async def shoot(self, merlin: bool) -> None:
        """The dagger names Merlin, or somebody else."""
        game = await self.game()
        seats = await self.by_seat()
        assert game.dagger is not None
        target = next(s for s, r in enumerate(game.roles) if r.side is Side.GOOD and (r is Role.MERLIN) == merlin)
        await self.tap(seats[game.dagger], None, Verb.AIM, 0, target)
        await self.press(seats[game.dagger], None, "Yes, this is Merlin")

    async def finish(self, merlin: bool = False) -> None:
        """From a team to the end: three quests succeed, and the dagger strikes; the Lady examines whom she may."""
        while (await self.game()).successes < 3:
            now = public_view(await self.game()).now
            if isinstance(now, LadyNow):
                await self.examine(now.choices[0])
            else:
                await self.quest()
        await self.shoot(merlin)
        await self.until_reads("wins!")
        await self.settled()

    async def settled(self) -> None:
        """Everything that should be on screen is."""
        await self.bot.idle()

    async def _team_now(self) -> TeamNow:
        now = public_view(await self.game()).now
        assert isinstance(now, TeamNow), now
        return now
