"""From a game to its record: `write`.

The moves are told in the order they were made, which the history of a game determines. What is still secret and
incomplete (a draft, single ballots, single cards) has no place in a record and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tgavalon.core.game import Check, Game, Outcome, Over, Phase, Proposal, Quest, Voting
from tgavalon.core.record import FORMAT, Record
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import REJECTIONS_ALLOWED, Ruleset

Json = dict[str, Any]


def write(record: Record) -> Json:
    """The record as a JSON object of plain lists, strings and numbers, in the order of the published format."""
    game = record.game
    header: Json = {
        "format": FORMAT,
        "players": list(record.players),
        "ruleset": _ruleset(game.ruleset),
        "roles": [role.value for role in game.roles],
        "leader": game.first_leader,
    }
    if game.dagger is not None and game.roles[game.dagger] is not Role.ASSASSIN:
        header["assassin"] = game.dagger
    if record.deal is not None:
        header["deal"] = {"salt": record.deal.salt, "commitment": record.deal.commitment}
    return {**header, "moves": list(_moves(game)), "result": _result(game.phase)}


def _ruleset(ruleset: Ruleset) -> Json:
    options: Json = {
        "approval": ruleset.approval.value,
        "fifth_rejection": ruleset.fifth_rejection.value,
        "quest_order": ruleset.quest_order.value,
        "lady": ruleset.lady,
        "lady_optional": ruleset.lady_optional,
        "lady_immunity": ruleset.lady_immunity.value,
    }
    if ruleset.evil_shown_before_assassination:
        options["evil_shown_before_assassination"] = True
    return options


def _result(phase: Phase) -> Json | None:
    if not isinstance(phase, Over):
        return None
    return {"winner": phase.winner.value, "reason": phase.outcome.value}


def _moves(game: Game) -> Iterator[Json]:
    quests = iter(game.quests)
    checks = {check.after: check for check in game.checks}
    completed = rejections = 0
    for proposal in game.proposals:
        yield from _proposal(proposal)
        rejections = 0 if proposal.approved else rejections + 1
        if proposal.approved or rejections == REJECTIONS_ALLOWED:
            rejections = 0
            completed += 1
            yield from _quest(next(quests, None))
            yield from _check(checks.get(completed))
    yield from _pending(game.phase)


def _proposal(proposal: Proposal) -> Iterator[Json]:
    yield _propose(proposal.team, proposal.quest)
    if proposal.ballots is not None:
        yield {"vote": list(proposal.ballots)}


def _propose(team: tuple[int, ...], quest: int) -> Json:
    return {"propose": {"team": list(team), "quest": quest}}


def _quest(quest: Quest | None) -> Iterator[Json]:
    if quest is not None and quest.cards is not None:
        cards = zip(quest.team, quest.cards, strict=True)
        yield {"quest": {str(seat): card.value for seat, card in cards}}


def _check(check: Check | None) -> Iterator[Json]:
    if check is not None:
        timed_out = {"timed_out": True} if check.timed_out else {}
        yield {"lady": check.examined, **timed_out}


def _pending(phase: Phase) -> Iterator[Json]:
    """The moves that no finished proposal, quest or check stands for: an open vote's team, and the shot."""
    if isinstance(phase, Voting):
        yield _propose(phase.team, phase.quest)
    if isinstance(phase, Over) and phase.outcome in (Outcome.MERLIN_ASSASSINATED, Outcome.MERLIN_SURVIVED):
        timed_out = {"timed_out": True} if phase.target is None else {}
        yield {"assassinate": phase.target, **timed_out}
