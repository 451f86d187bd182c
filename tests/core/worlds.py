"""Worlds for the secrecy tests: all deals and all secret choices that fit one story told in public.

A script is what the whole table sees: teams, votes, how many Fails, whom the Lady examined. A world is everything that
can lie behind it. What an onlooker may know of a world is written here from the rules, without the core's `knowledge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from tgavalon.core.actions import Action, Assassinate, CastVotes, Examine, PlayCard, PlayCards, Propose, Vote
from tgavalon.core.deal import new_game
from tgavalon.core.game import Assassinating, Card, Examining, Game, Over, Proposing, Questing, Voting
from tgavalon.core.play import apply
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import Ruleset

GOOD = {"merlin", "percival", "servant"}


@dataclass(frozen=True)
class Team:
    """A leader proposes `members` for `quest`."""

    members: tuple[int, ...]
    quest: int


@dataclass(frozen=True)
class Ballots:
    """Everybody's vote, one sign a seat: + or -."""

    signs: str


@dataclass(frozen=True)
class Fails:
    """How many Fail cards lay among those of the team."""

    count: int


@dataclass(frozen=True)
class Examined:
    """Whom the holder of the Lady examined."""

    seat: int


@dataclass(frozen=True)
class Shot:
    """Whom the dagger named."""

    seat: int


Event = Team | Ballots | Fails | Examined | Shot


@dataclass(frozen=True)
class State:
    """One state of one world. `moment` is how the table would describe it; the rest is secret.

    `cards` has one mapping for each quest that has been played, `ballots` and `card` what lies on the table now.
    """

    moment: tuple[object, ...]
    game: Game
    cards: tuple[tuple[tuple[int, Card], ...], ...] = ()
    ballots: tuple[tuple[int, bool], ...] = ()
    card: tuple[tuple[int, Card], ...] = ()


def states(ruleset: Ruleset, deals: Iterable[tuple[Role, ...]], leader: int, script: list[Event]) -> Iterator[State]:
    """Every state of every world in which the table sees `script`."""
    for roles in deals:
        yield from _follow(State((0,), new_game(ruleset, roles, leader)), script)


def may_know(state: State, seat: int) -> tuple[object, ...]:
    """All that the player at `seat` may know of the state, by the rules: two states that agree on it look the same."""
    game = state.game
    roles = [role.value for role in game.roles]
    mine = [dict(cards).get(seat) for cards in state.cards]
    seen = [
        (check.after, check.examined, roles[check.examined] in GOOD)
        for check in game.checks
        if check.holder == seat and check.examined is not None
    ]
    return (
        *everybody_may_know(state),
        roles[seat],
        roles[seat] == game.ruleset.dagger.value,
        frozenset(reveal(roles, seat)),
        tuple(mine),
        tuple(seen),
        dict(state.ballots).get(seat),
        dict(state.card).get(seat),
    )


def everybody_may_know(state: State) -> tuple[object, ...]:
    """All that the group may know: what it saw, evil before the shot where the rules show it, everything at the end."""
    roles = [role.value for role in state.game.roles]
    if isinstance(state.game.phase, Over):
        return (*state.moment, tuple(roles), state.cards)
    if isinstance(state.game.phase, Assassinating) and state.game.ruleset.evil_shown_before_assassination:
        return (*state.moment, tuple((seat, role) for seat, role in enumerate(roles) if role not in GOOD))
    return state.moment


def reveal(roles: list[str], seat: int) -> set[tuple[int, str]]:
    """What the reveal tells the player at `seat`, row by row of the rules' table."""
    others = [(other, role) for other, role in enumerate(roles) if other != seat]
    match roles[seat]:
        case "merlin":
            return {(other, "evil") for other, role in others if role in {"assassin", "morgana", "oberon", "minion"}}
        case "percival" if "merlin" in roles:
            return {(other, "merlin?") for other, role in others if role in {"merlin", "morgana"}}
        case "assassin" | "mordred" | "morgana" | "minion":
            return {(other, "evil") for other, role in others if role in {"assassin", "mordred", "morgana", "minion"}}
        case _:
            return set()


def _follow(state: State, script: list[Event]) -> Iterator[State]:
    yield state
    yield from _on_the_way(state)
    if script:
        for after in _after(state, script[0]):
            yield from _follow(after, script[1:])


def _after(state: State, event: Event) -> Iterator[State]:
    """The states that `event` leads to: one, or one for each way to play so many Fails."""
    moment, game = (*state.moment, event), state.game
    match event:
        case Team(members, quest):
            assert isinstance(game.phase, Proposing)
            yield _next(state, moment, Propose(game.leader, game.phase.proposal, members, quest))
        case Ballots(signs):
            assert isinstance(game.phase, Voting)
            yield _next(state, moment, CastVotes(game.phase.proposal, tuple(sign == "+" for sign in signs)))
        case Fails(count):
            assert isinstance(game.phase, Questing)
            for cards in _hands(game, game.phase.team, count):
                played = replace(state, cards=(*state.cards, tuple(sorted(cards.items()))))
                yield _next(played, moment, PlayCards(game.phase.quest, cards))
        case Examined(seat):
            assert isinstance(game.phase, Examining)
            yield _next(state, moment, Examine(game.phase.holder, game.phase.after, seat))
        case Shot(seat):
            if game.dagger is not None and game.dagger != seat:
                yield _next(state, moment, Assassinate(game.dagger, seat))


def _next(state: State, moment: tuple[object, ...], action: Action) -> State:
    return replace(state, moment=moment, game=apply(state.game, action))


def _hands(game: Game, team: tuple[int, ...], fails: int) -> Iterator[dict[int, Card]]:
    evil = [seat for seat in team if game.roles[seat].value not in GOOD]
    for failing in combinations(evil, fails):
        yield {seat: Card.FAIL if seat in failing else Card.SUCCESS for seat in team}


def _on_the_way(state: State) -> Iterator[State]:
    """States in which only some are in: two ballots of known voters (in the first vote), or one card of somebody."""
    game = state.game
    if isinstance(game.phase, Voting) and not game.proposals:
        voters = (0, game.seats - 1)
        for ballots in product((True, False), repeat=2):
            after = game
            for seat, ballot in zip(voters, ballots, strict=True):
                after = apply(after, Vote(seat, game.phase.proposal, ballot))
            moment = (*state.moment, "ballots of", voters)
            yield replace(state, moment=moment, game=after, ballots=tuple(zip(voters, ballots, strict=True)))
    if isinstance(game.phase, Questing):
        for seat, card in product(game.phase.team, Card):
            if card is Card.SUCCESS or game.roles[seat].value not in GOOD:
                after = apply(game, PlayCard(seat, game.phase.quest, card))
                yield replace(state, moment=(*state.moment, "one card"), game=after, card=((seat, card),))
