"""Random legal games: every step that the rules allow has a chance, and a seed gives the same game again.

Legal steps are listed here from the rules and not from the core's guards, so that the two check each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tgavalon.core.actions import (
    Action,
    Assassinate,
    CastVotes,
    ChooseQuest,
    Examine,
    Pick,
    PlayCard,
    PlayCards,
    Propose,
    TimeUp,
    Vote,
    moment_of,
)
from tgavalon.core.deal import new_game
from tgavalon.core.game import Assassinating, Card, Examining, Game, Over, Proposing, Questing, Voting
from tgavalon.core.play import apply
from tgavalon.core.roles import UNIQUE_ROLES, Role, Side
from tgavalon.core.ruleset import (
    Approval,
    FifthRejection,
    LadyImmunity,
    QuestOrder,
    Ruleset,
    evil_players,
    team_size,
)


def random_ruleset(dice: Random) -> Ruleset:
    """Any combination of all options; the dagger is left with the Assassin."""
    return Ruleset(
        approval=dice.choice(list(Approval)),
        fifth_rejection=dice.choice(list(FifthRejection)),
        quest_order=dice.choice(list(QuestOrder)),
        lady=dice.random() < 0.7,
        lady_optional=dice.random() < 0.5,
        lady_immunity=dice.choice(list(LadyImmunity)),
        evil_shown_before_assassination=dice.random() < 0.5,
    )


def random_deal(dice: Random, players: int) -> tuple[Role, ...]:
    """Any legal mixture of roles; one game in five is without Merlin."""
    good = [Role.PERCIVAL] * (dice.random() < 0.6) + [Role.MERLIN] * (dice.random() < 0.8)
    evil = [role for role in UNIQUE_ROLES if role.side is Side.EVIL and dice.random() < 0.5]
    evil = sorted(evil)[: evil_players(players)]
    evil += [Role.MINION] * (evil_players(players) - len(evil))
    roles = [*good, *[Role.SERVANT] * (players - len(evil) - len(good)), *evil]
    dice.shuffle(roles)
    return tuple(roles)


def random_opening(dice: Random, players: int) -> Game:
    """A dealt game; the dagger lies with any evil seat."""
    roles = random_deal(dice, players)
    evil = [seat for seat, role in enumerate(roles) if role.side is Side.EVIL]
    return new_game(random_ruleset(dice), roles, dice.randrange(players), dice.choice(evil))


def random_step(dice: Random, game: Game) -> Action:
    """One legal step."""
    match game.phase:
        case Proposing() as phase:
            return _team(dice, game, phase)
        case Voting() as phase:
            return _vote(dice, game, phase)
        case Questing() as phase:
            return _card(dice, game, phase)
        case Examining() as phase:
            return Examine(phase.holder, phase.after, dice.choice(_may_be_examined(game, phase)))
        case Assassinating():
            assert game.dagger is not None
            others = [seat for seat in range(game.seats) if seat != game.dagger]
            return Assassinate(game.dagger, dice.choice(others))
        case Over():
            raise AssertionError("nothing can be done after the end")


def play_out(dice: Random, game: Game, *, time_up: float = 0.02) -> Iterator[tuple[Action, Game]]:
    """Every step to the end, with the game after it; `time_up` is how often somebody does not come in time."""
    while not isinstance(game.phase, Over):
        action = TimeUp(moment_of(game.phase)) if dice.random() < time_up else random_step(dice, game)
        game = apply(game, action)
        yield action, game


def random_game(dice: Random, players: int) -> Game:
    """A game that has been played to its end."""
    *_, (_, last) = play_out(dice, random_opening(dice, players))
    return last


def _open(game: Game) -> list[int]:
    played = [quest.number for quest in game.quests]
    left = [number for number in (1, 2, 3, 4, 5) if number not in played]
    if game.ruleset.quest_order is QuestOrder.FIXED:
        return left[:1]
    needed = 2 if game.ruleset.quest_order is QuestOrder.TARGETING else 4
    done = game.successes if game.ruleset.quest_order is QuestOrder.TARGETING else len(played)
    return left if done >= needed else [number for number in left if number != 5]


def _team(dice: Random, game: Game, phase: Proposing) -> Action:
    quest = dice.choice(_open(game))
    if dice.random() < 0.1:
        return ChooseQuest(game.leader, phase.proposal, quest)
    if dice.random() < 0.1 and phase.quest is not None:
        seat = dice.randrange(game.seats)
        full = len(phase.draft | {seat}) > team_size(game.seats, phase.quest)
        return Pick(game.leader, phase.proposal, seat, chosen=not full and dice.random() < 0.8)
    team = dice.sample(range(game.seats), team_size(game.seats, quest))
    return Propose(game.leader, phase.proposal, tuple(team), quest)


def _vote(dice: Random, game: Game, phase: Voting) -> Action:
    mood = dice.choice([0.2, 0.5, 0.8])
    if dice.random() < 0.5:
        return CastVotes(phase.proposal, tuple(dice.random() < mood for _ in range(game.seats)))
    return Vote(dice.randrange(game.seats), phase.proposal, approve=dice.random() < mood)


def _card(dice: Random, game: Game, phase: Questing) -> Action:
    def any_card(seat: int) -> Card:
        return Card.FAIL if game.roles[seat].side is Side.EVIL and dice.random() < 0.5 else Card.SUCCESS

    missing = [seat for seat, card in zip(phase.team, phase.cards, strict=True) if card is None]
    if dice.random() < 0.5 and len(missing) == len(phase.team):
        return PlayCards(phase.quest, {seat: any_card(seat) for seat in dice.sample(phase.team, len(phase.team))})
    seat = dice.choice(missing)
    return PlayCard(seat, phase.quest, any_card(seat))


def _may_be_examined(game: Game, phase: Examining) -> list[int | None]:
    past = [check.holder for check in game.checks if check.examined is not None]
    immune = {
        LadyImmunity.PAST_HOLDERS: past,
        LadyImmunity.LAST_HOLDER: past[-1:],
        LadyImmunity.HOLDER: [],
    }[game.ruleset.lady_immunity]
    seats = [seat for seat in range(game.seats) if seat != phase.holder and seat not in immune]
    return [*seats, None] if game.ruleset.lady_optional else [*seats]
