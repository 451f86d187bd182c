"""From a JSON value to the game it records: `read`.

Trusts nothing: any JSON value whatever gives a `Record` or a `Refusal`, never an exception. The rules are not repeated
here: moves become actions and go through `apply`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tgavalon.core.actions import Action, Assassinate, CastVotes, Examine, PlayCards, Propose, TimeUp, moment_of
from tgavalon.core.game import Assassinating, Card, Examining, Game, Over, Proposing, Questing, Voting
from tgavalon.core.play import apply, expect
from tgavalon.core.reasons import Illegal, Reason
from tgavalon.core.record import Fault, Record, Refusal
from tgavalon.core.record_header import Flaw, Header, read_header
from tgavalon.core.ruleset import MAX_PLAYERS
from tgavalon.core.sentences import sentence

_SEATS = {str(seat): seat for seat in range(MAX_PLAYERS)}
_CARDS = {card.value: card for card in Card}
_INT = frozenset({int})
_BOOL = frozenset({bool})


def read(value: object) -> Record | Refusal:
    """The game that `value`, a parsed JSON text, records, played through the rules move by move.

    A finished game must carry its result and an unfinished one none. Unknown keys beside those of the format are
    ignored; unknown rule options are refused, since they would change the game.
    """
    try:
        header = read_header(value)
    except Illegal as illegal:
        return Refusal(illegal.reason, sentence(illegal.reason))
    except Flaw as flaw:
        return Refusal(flaw.code, flaw.message)
    return _play(header)


def _play(header: Header) -> Record | Refusal:
    game = header.game
    for index, move in enumerate(header.moves):
        try:
            game = apply(game, _action(game, move))
        except Illegal as illegal:
            return Refusal(illegal.reason, sentence(illegal.reason), index)
        except Flaw as flaw:
            return Refusal(flaw.code, flaw.message, index)
    return _settled(header, game)


def _settled(header: Header, game: Game) -> Record | Refusal:
    phase, result = game.phase, header.result
    if not isinstance(phase, Over):
        if result is not None:
            return Refusal(Fault.RESULT_MISMATCH, "The record gives a result, but its moves do not end the game.")
        return Record(header.players, game, header.deal)
    ended = f'"winner": "{phase.winner}", "reason": "{phase.outcome}"'
    told = (result.get("winner"), result.get("reason")) if isinstance(result, dict) else None
    if told != (phase.winner.value, phase.outcome.value):
        return Refusal(Fault.RESULT_MISMATCH, f"The result must be that of the moves: {ended}.")
    return Record(header.players, game, header.deal)


def _action(game: Game, move: object) -> Action:
    if isinstance(game.phase, Over):
        raise Illegal(Reason.GAME_OVER)
    if isinstance(move, dict) and len(move) == 1:
        for kind, argument in move.items():
            if kind in _MOVES:
                return _MOVES[kind](game, argument)
    if isinstance(move, dict) and "timed_out" in move:
        return _timed_out(game, move)
    raise _malformed(f"A move is an object with one of these keys: {', '.join(_MOVES)}.")


def _malformed(message: str) -> Flaw:
    return Flaw(Fault.MALFORMED_MOVE, message)


def _propose(game: Game, argument: object) -> Propose:
    if not isinstance(argument, dict) or len(argument) != 2:
        raise _malformed('"propose" is an object with "team" and "quest".')
    team, quest = argument.get("team"), argument.get("quest")
    if not isinstance(team, list) or not _INT.issuperset(map(type, team)):
        raise _malformed('"team" is a list of seat numbers.')
    if type(quest) is not int:
        raise _malformed('"quest" is the number of a quest.')
    phase = expect(game, Proposing, Reason.NOT_PROPOSING)
    return Propose(game.leader, phase.proposal, tuple(team), quest)


def _vote(game: Game, argument: object) -> CastVotes:
    if not isinstance(argument, list) or not _BOOL.issuperset(map(type, argument)):
        raise _malformed('"vote" is a list of true and false, by seat.')
    phase = expect(game, Voting, Reason.NO_VOTE_NOW)
    return CastVotes(phase.proposal, tuple(argument))


def _quest(game: Game, argument: object) -> PlayCards:
    if not isinstance(argument, dict):
        raise _malformed('"quest" is an object of cards by seat.')
    cards = {_seat(game, key): _card(card) for key, card in argument.items()}
    phase = expect(game, Questing, Reason.NO_QUEST_NOW)
    return PlayCards(phase.quest, cards)


def _seat(game: Game, key: object) -> int:
    seat = _SEATS.get(key) if isinstance(key, str) else None
    if seat is not None and seat < game.seats:
        return seat
    if isinstance(key, str) and key.isascii() and key.isdigit():
        raise Illegal(Reason.NO_SUCH_SEAT)
    raise _malformed("A card is played by a seat number, written as a string.")


def _card(card: object) -> Card:
    if not isinstance(card, str) or card not in _CARDS:
        raise _malformed(f"A card is one of these: {', '.join(_CARDS)}.")
    return _CARDS[card]


def _lady(game: Game, seat: object) -> Examine:
    if seat is not None and type(seat) is not int:
        raise _malformed('"lady" is a seat number, or null for a holder who passes.')
    phase = expect(game, Examining, Reason.NO_LADY_NOW)
    return Examine(phase.holder, phase.after, seat)


def _assassinate(game: Game, seat: object) -> Assassinate:
    if type(seat) is not int:
        raise _malformed('"assassinate" is a seat number.')
    expect(game, Assassinating, Reason.NO_SHOT_NOW)
    if game.dagger is None:
        raise Illegal(Reason.NO_DAGGER)
    return Assassinate(game.dagger, seat)


def _timed_out(game: Game, move: dict[str, Any]) -> TimeUp:
    if move == {"lady": None, "timed_out": True} and move["timed_out"] is True:
        expect(game, Examining, Reason.NO_LADY_NOW)
    elif move == {"assassinate": None, "timed_out": True} and move["timed_out"] is True:
        expect(game, Assassinating, Reason.NO_SHOT_NOW)
    else:
        raise _malformed('"timed_out" is true and goes with "lady": null or "assassinate": null.')
    return TimeUp(moment_of(game.phase))


_MOVES: dict[str, Callable[[Game, Any], Action]] = {
    "propose": _propose,
    "vote": _vote,
    "quest": _quest,
    "lady": _lady,
    "assassinate": _assassinate,
}
