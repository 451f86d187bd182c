"""Friends who play a whole game by tapping what they see, the way people do."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.telegram_users import Answer, Double, Group, NoButton, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Game
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import TeamNow, public_view
from tgavalon.table.model import Place, Table

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")


@dataclass
class Friends:
    """A group of people with the bot, and what they do together. The game is looked up in the store only to decide."""

    double: Double
    bot: AvalonBot
    group: Group
    people: list[Person]
    answers: list[Answer] = field(default_factory=list)

    @classmethod
    def gather(cls, double: Double, bot: AvalonBot, count: int, **group: object) -> Friends:
        """`count` people who have never spoken to the bot, and a group of theirs with the bot in it."""
        people = [double.person(name, language_code="en") for name in NAMES[:count]]
        return cls(double, bot, double.group("Friends", people, **group), people)  # type: ignore[arg-type]

    async def table(self) -> Table:
        """The newest open or finished table in the group."""
        place = Place(self.group.id)
        store = self.bot.service.store
        found = await store.at(place) or await store.last_at(place)
        assert found is not None
        table = await store.load(found)
        assert table is not None
        return table

    async def game(self) -> Game:
        """The game at the table."""
        game = (await self.table()).game
        assert game is not None
        return game

    async def press(self, person: Person, place: Group | None, label: str) -> Answer:
        """Press a button as soon as it is there."""
        await self.double.until(lambda: person.shows(place, label))
        answer = await person.press(place, label)
        self.answers.append(answer)
        return answer

    async def open_table(self) -> None:
        """The first opens a table, everybody joins and presses Start in private."""
        self.people[0].command(self.group, "/newgame")
        for person in self.people:
            answer = await self.press(person, self.group, "🪑 Join")
            if answer.url:
                person.open(answer.url)
            await self.double.until(lambda person=person: bool(person.hears()))  # type: ignore[misc]
        await self.double.until(lambda: "Everybody is ready" in self.text())

    async def deal(self) -> None:
        """The host starts, and everybody gets a card."""
        await self.press(self.people[0], self.group, "▶️ Start the game")
        await self.double.until(lambda: all(self.reads(person, "Your role") for person in self.people))

    def text(self) -> str:
        """Everything that can be read in the group."""
        return "\n".join(message.text or "" for message in self.people[0].hears(self.group))

    def reads(self, person: Person, text: str) -> bool:
        """Whether somebody's private chat says this."""
        return any(text in (message.text or "") for message in person.hears())

    async def by_seat(self) -> list[Person]:
        """The people in the order of their seats."""
        return [self.person(sitter.user) for sitter in (await self.table()).sitters]

    def person(self, user: int) -> Person:
        """The person with this user id."""
        return next(person for person in self.people if person.id == user)

    async def propose(self, team: tuple[int, ...]) -> None:
        """The leader picks a team and proposes it."""
        seats = await self.by_seat()
        game = await self.game()
        leader = seats[game.leader]
        for seat in team:
            await self.press(leader, self.group, f"{seat + 1}. \u2068{seats[seat].name}\u2069")
        await self.press(leader, self.group, "✅ Propose this team")

    async def vote(self, approve: bool = True) -> None:
        """Everybody votes alike."""
        for person in await self.by_seat():
            await self.press(person, self.group, "👍 Approve" if approve else "👎 Reject")

    async def play(self, fail: frozenset[int] = frozenset()) -> None:
        """The team plays its cards; seats in `fail` play Fail."""
        seats = await self.by_seat()
        before = await self.game()
        for seat in before.phase.team:  # type: ignore[union-attr]
            if seat in fail:
                await self.press(seats[seat], None, "❌ Fail")
                await self.press(seats[seat], None, "Yes, play Fail")
            else:
                await self.press(seats[seat], None, "✅ Success")

    async def quest(self, good_wins: bool = True) -> None:
        """One whole quest that nobody disputes."""
        game = await self.game()
        now = public_view(game).now
        assert isinstance(now, TeamNow)
        assert now.size is not None
        good = [seat for seat, role in enumerate(game.roles) if role.side is Side.GOOD]
        evil = [seat for seat, role in enumerate(game.roles) if role.side is Side.EVIL]
        team = tuple(sorted((good if good_wins else [*evil, *good])[: now.size]))
        await self.propose(team)
        await self.vote()
        await self.play(frozenset() if good_wins else frozenset(evil) & set(team))

    async def shoot(self, merlin: bool) -> None:
        """The dagger names Merlin, or somebody else."""
        game = await self.game()
        seats = await self.by_seat()
        assert game.dagger is not None
        target = next(s for s, r in enumerate(game.roles) if r.side is Side.GOOD and (r is Role.MERLIN) == merlin)
        killer = seats[game.dagger]
        await self.press(killer, None, f"{target + 1}. \u2068{seats[target].name}\u2069")
        await self.press(killer, None, "Yes, this is Merlin")

    async def settled(self) -> None:
        """Everything that should be on screen is."""
        await self.bot.painter.idle()


__all__ = ["Friends", "NoButton"]
