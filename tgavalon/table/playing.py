"""What a tap of somebody at the table does to the game: from an intention and its actor to an action of the core.

Pure functions from a table to a table. The actor is always the one who tapped; the tap only says what is wanted and for
which moment. Taps that cannot be taken back ask once more first: they arm themselves and wait for their answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tgavalon.core.actions import (
    Action,
    Assassinate,
    ChooseQuest,
    Examine,
    Pick,
    PlayCard,
    Propose,
    TimeUp,
    Vote,
    moment_of,
)
from tgavalon.core.game import Assassinating, Card, Game, Over, Proposing, Questing, Voting
from tgavalon.core.play import apply
from tgavalon.core.reasons import Reason, require
from tgavalon.core.roles import Side
from tgavalon.table.model import Armed, Bet, Stage, StandIn, Table
from tgavalon.table.seating import deny
from tgavalon.ui.refusals import Refusal, Refused
from tgavalon.ui.taps import IN_GROUP, Tap, Verb

SURE_AFTER = 1.0
"""Seconds between a tap in the group and the same tap that confirms it: redelivered taps come faster."""

_ACTIONS: dict[Verb, Callable[[int, Tap], Action]] = {
    Verb.QUEST: lambda by, tap: ChooseQuest(by, tap.number, tap.value),
    Verb.PICK: lambda by, tap: Pick(by, tap.number, tap.value, chosen=True),
    Verb.UNPICK: lambda by, tap: Pick(by, tap.number, tap.value, chosen=False),
    Verb.PROPOSE: lambda by, tap: Propose(by, tap.number, _team(tap.value)),
    Verb.APPROVE: lambda by, tap: Vote(by, tap.number, approve=True),
    Verb.REJECT: lambda by, tap: Vote(by, tap.number, approve=False),
    Verb.SUCCESS: lambda by, tap: PlayCard(by, tap.number, Card.SUCCESS),
    Verb.FAIL_SURELY: lambda by, tap: PlayCard(by, tap.number, Card.FAIL),
    Verb.EXAMINE: lambda by, tap: Examine(by, tap.number, tap.value),
    Verb.PASS: lambda by, tap: Examine(by, tap.number, None),
    Verb.SHOOT: lambda by, tap: Assassinate(by, tap.value),
}
GAME_VERBS = frozenset({*_ACTIONS, Verb.FAIL, Verb.AIM, Verb.BACK, Verb.BET})


def play(table: Table, user: int, name: str, tap: Tap, now: float) -> Table:
    """The table after `user` has tapped one of the game's buttons.

    Raises `Illegal` or `Refused`. `name` is shown with a bet of somebody who has no seat.
    """
    game = running(table)
    seat = table.seat_of(user)
    if tap.verb is Verb.BET:
        return _bet(table, game, user, name, tap, now)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED)
    if tap.verb in _ACTIONS:
        return after(table, apply(game, _ACTIONS[tap.verb](seat, tap)))
    if tap.verb is Verb.FAIL:
        return _fail(table, game, seat, tap, now)
    if tap.verb is Verb.AIM:
        apply(game, Assassinate(seat, tap.value))
        return _arm(table, user, tap, now)
    return _disarmed(table, user)


def time_up(table: Table) -> Table:
    """The table after its phase has run out of time: what is missing is done for the absent."""
    game = running(table)
    later = after(table, apply(game, TimeUp(moment_of(game.phase))))
    done = _stand_in(game)
    return later if done is None else replace(later, stand_ins=(*table.stand_ins, done))


def _stand_in(game: Game) -> StandIn | None:
    """What is about to be done for the absent, as far as anybody could take it for their own doing."""
    match game.phase:
        case Proposing(proposal=number):
            return StandIn(Stage.TEAM, number, (game.leader,))
        case Voting(proposal=number, ballots=ballots):
            return StandIn(Stage.VOTE, number, tuple(seat for seat, ballot in enumerate(ballots) if ballot is None))
        case Questing(quest=number, team=team, cards=cards):
            absent = tuple(seat for seat, card in zip(team, cards, strict=True) if card is None)
            return StandIn(Stage.QUEST, number, absent)
        case _:
            return None


def hurry(table: Table, user: int, now: float) -> Table:
    """The host's wish not to wait any longer, which counts when it is repeated."""
    game = running(table)
    tap = Tap(Verb.HURRY, len(game.proposals), len(game.quests))
    if _is_armed(table, user, tap, now):
        return time_up(table)
    return _arm(table, user, tap, now)


def running(table: Table) -> Game:
    """The table's game, if it is being played; else a refusal."""
    deny(table.closing is not None, Refusal.TABLE_GONE)
    if table.game is None:
        raise Refused(Refusal.NOT_STARTED)
    require(not isinstance(table.game.phase, Over), Reason.GAME_OVER)
    return table.game


def after(table: Table, game: Game) -> Table:
    """The table with its game moved on; questions of an earlier moment are dropped."""
    if table.game is not None and moment_of(game.phase) == moment_of(table.game.phase):
        return replace(table, game=game)
    return replace(table, game=game, armed=())


def _fail(table: Table, game: Game, seat: int, tap: Tap, now: float) -> Table:
    played = apply(game, PlayCard(seat, tap.number, Card.FAIL))
    user = table.sitters[seat].user
    if tap.value == IN_GROUP and _is_armed(table, user, tap, now):
        return after(_disarmed(table, user), played)
    return table if played == game else _arm(table, user, tap, now)


def _bet(table: Table, game: Game, user: int, name: str, tap: Tap, now: float) -> Table:
    require(isinstance(game.phase, Assassinating), Reason.NO_SHOT_NOW)
    require(0 <= tap.value < game.seats, Reason.NO_SUCH_SEAT)
    seat = table.seat_of(user)
    if seat is not None and seat == game.dagger and not table.sitters[seat].ready:
        return _shoot_from_group(table, game, seat, tap, now)
    deny(seat is not None and game.roles[seat].side is Side.EVIL, Refusal.BET_NOT_FOR_EVIL)
    kept = tuple(bet for bet in table.bets if bet.user != user)
    return replace(table, bets=(*kept, Bet(user, name, tap.value)))


def _shoot_from_group(table: Table, game: Game, seat: int, tap: Tap, now: float) -> Table:
    shot = apply(game, Assassinate(seat, tap.value))
    user = table.sitters[seat].user
    return after(table, shot) if _is_armed(table, user, tap, now) else _arm(table, user, tap, now)


def _arm(table: Table, user: int, tap: Tap, now: float) -> Table:
    if any(armed.user == user and armed.tap == tap for armed in table.armed):
        return table
    kept = tuple(armed for armed in table.armed if armed.user != user)
    return replace(table, armed=(*kept, Armed(user, tap, now)))


def _disarmed(table: Table, user: int) -> Table:
    return replace(table, armed=tuple(armed for armed in table.armed if armed.user != user))


def _is_armed(table: Table, user: int, tap: Tap, now: float) -> bool:
    return any(a.user == user and a.tap == tap and now - a.at >= SURE_AFTER for a in table.armed)


def _team(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)
