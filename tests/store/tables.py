"""Tables to store: lobbies, and tables in the middle of random legal games."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tgavalon.core.actions import Action, Assassinate, ChooseQuest, Examine, Pick, PlayCard, Propose, Vote
from tgavalon.core.deal import RoleChoice, new_game, role_set
from tgavalon.core.game import (
    Assassinating,
    Card,
    Examining,
    Game,
    Over,
    Proposing,
    Questing,
    Voting,
    open_quests,
)
from tgavalon.core.play import apply, examinable
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import FifthRejection, QuestOrder, Ruleset
from tgavalon.table.model import Bet, Options, Place, Sitter, Table

HERE = Place(-1001234567890)
NAMES = ("Ana", "Бен", "陳大文", "دانيال", "Tom <3", "É" * 20, "Zoë", "x", "Ян", "Ω")


def lobby(name: str = "A", place: Place = HERE, users: Iterable[int] = (1, 2), **more: Any) -> Table:
    """A lobby at version 1 with these people."""
    sitters = tuple(Sitter(user, NAMES[user % 10], "en", ready=True) for user in users)
    told: dict[str, Any] = {"title": "Group", "language": "en", "host": 1, "created": 1e9, "touched": 1e9} | more
    return Table(id=name.rjust(10, "0"), version=1, place=place, sitters=sitters, **told)


def changed(table: Table, **changes: Any) -> Table:
    """The next version of a table."""
    return replace(table, version=table.version + 1, **changes)


def game_at(table: Table, seed: int, players: int = 5) -> Iterator[Table]:
    """Every version of a table from the deal to the end of a random game."""
    rng = random.Random(seed)
    sitters = (*table.sitters, *(Sitter(90 + seat, NAMES[seat], "ru") for seat in range(players)))[:players]
    game = _deal(rng, players)
    table = changed(table, sitters=sitters, game=game, salt=f"{seed:032x}", options=Options(ruleset=game.ruleset))
    yield table
    while not isinstance(game.phase, Over):
        game = apply(game, _legal(rng, game))
        bets = (Bet(7, "Zoë", rng.randrange(players)),) if isinstance(game.phase, Assassinating | Over) else ()
        table = changed(table, game=game, bets=bets, deadline=table.created + rng.random() * 1e6)
        yield table


def _deal(rng: random.Random, players: int) -> Game:
    optional = frozenset({Role.PERCIVAL, Role.MORGANA})
    roles = list(role_set(players, RoleChoice(optional)))
    rng.shuffle(roles)
    ruleset = Ruleset(
        lady=rng.random() < 0.5,
        quest_order=rng.choice(list(QuestOrder)),
        fifth_rejection=rng.choice(list(FifthRejection)),
    )
    return new_game(ruleset, tuple(roles), rng.randrange(players))


def _legal(rng: random.Random, game: Game) -> Action:
    match game.phase:
        case Proposing() as phase:
            return _leaders_step(rng, game, phase)
        case Voting() as phase:
            missing = [seat for seat, ballot in enumerate(phase.ballots) if ballot is None]
            return Vote(rng.choice(missing), phase.proposal, rng.random() < 0.4)
        case Questing() as phase:
            seat = phase.team[rng.choice([place for place, card in enumerate(phase.cards) if card is None])]
            fails = game.roles[seat].side is Side.EVIL and rng.random() < 0.4
            return PlayCard(seat, phase.quest, Card.FAIL if fails else Card.SUCCESS)
        case Examining() as phase:
            return Examine(phase.holder, phase.after, rng.choice(sorted(examinable(game))))
        case Assassinating() | Over():
            assert game.dagger is not None
            return Assassinate(game.dagger, rng.choice([seat for seat in range(game.seats) if seat != game.dagger]))


def _leaders_step(rng: random.Random, game: Game, phase: Proposing) -> Action:
    if phase.quest is None:
        return ChooseQuest(game.leader, phase.proposal, rng.choice(open_quests(game)))
    size = game.team_size(phase.quest)
    if len(phase.draft) < size and rng.random() < 0.7:
        free = [seat for seat in range(game.seats) if seat not in phase.draft]
        return Pick(game.leader, phase.proposal, rng.choice(free), chosen=True)
    return Propose(game.leader, phase.proposal, tuple(rng.sample(range(game.seats), size)))
