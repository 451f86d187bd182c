"""A record as people read it: who sat where, every team with its votes and cards, and how it ended.

English, plain text, seats numbered from 1 as people count them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from tgavalon.core.game import (
    Assassinating,
    Check,
    Examining,
    Outcome,
    Over,
    Proposal,
    Proposing,
    Quest,
    Questing,
    Voting,
)
from tgavalon.core.record import Record
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import REJECTIONS_ALLOWED, Ruleset
from tgavalon.records.terminal import harmless

_ENDS = {
    Outcome.THREE_FAILED_QUESTS: "Evil wins: three quests have failed.",
    Outcome.FIVE_REJECTIONS: "Evil wins: five teams in a row were rejected.",
    Outcome.MERLIN_ASSASSINATED: "Evil wins: Merlin was found.",
    Outcome.MERLIN_SURVIVED: "Good wins: Merlin was not found.",
    Outcome.THREE_SUCCESSFUL_QUESTS: "Good wins: three quests have succeeded.",
}


def told(record: Record) -> str:
    """The whole record as lines of text, without a line end at the end."""
    return "\n".join(_Telling(record).lines())


class _Telling:
    """One record on its way to text; quests and checks are taken up where the proposals come to them."""

    def __init__(self, record: Record) -> None:
        self.game = record.game
        self.names = [harmless(name) for name in record.players]
        self.quests = iter(record.game.quests)
        self.checks = {check.after: check for check in record.game.checks}

    def lines(self) -> Iterator[str]:
        for seat, role in enumerate(self.game.roles):
            dagger = ", holds the dagger" if seat == self.game.dagger and role is not Role.ASSASSIN else ""
            yield f"{seat + 1:3}  {self.names[seat]}: {role.value}, {role.side.value}{dagger}"
        yield f"Rules: {_rules(self.game.ruleset)}"
        yield from self.history()
        yield from self.end()

    def history(self) -> Iterator[str]:
        completed = rejections = 0
        for proposal in self.game.proposals:
            yield ""
            yield from self.proposal(proposal)
            rejections = 0 if proposal.approved else rejections + 1
            if proposal.approved or rejections == REJECTIONS_ALLOWED:
                rejections = 0
                completed += 1
                yield from self.quest(next(self.quests, None))
                yield from self.check(self.checks.get(completed))

    def proposal(self, proposal: Proposal) -> Iterator[str]:
        yield f"Quest {proposal.quest}: {self.names[proposal.leader]} proposes {self.people(proposal.team)}"
        if proposal.ballots is None:
            yield "  goes without a vote"
            return
        signs = " ".join(f"{seat}{'+' if ballot else '-'}" for seat, ballot in enumerate(proposal.ballots, 1))
        approvals = proposal.ballots.count(True)
        verdict = "approved" if proposal.approved else "rejected"
        yield f"  votes {signs}: {verdict}, {approvals} to {self.game.seats - approvals}"

    def quest(self, quest: Quest | None) -> Iterator[str]:
        if quest is None:
            return
        if quest.cards is None:
            yield f"  five rejections: quest {quest.number} fails"
            return
        cards = [f"{self.names[seat]} {card.value}" for seat, card in zip(quest.team, quest.cards, strict=True)]
        fails = f"{quest.fails} {'Fail' if quest.fails == 1 else 'Fails'}"
        yield f"  cards {', '.join(cards)}"
        yield f"  quest {quest.number} {'succeeds' if quest.success else 'fails'} with {fails}"

    def check(self, check: Check | None) -> Iterator[str]:
        if check is None:
            return
        holder = self.names[check.holder]
        if check.examined is None:
            yield f"  Lady of the Lake: {holder} {'does not come in time' if check.timed_out else 'passes'}"
            return
        side = self.game.roles[check.examined].side
        yield f"  Lady of the Lake: {holder} examines {self.names[check.examined]}, who is {side.value}"

    def end(self) -> Iterator[str]:
        yield ""
        phase = self.game.phase
        if not isinstance(phase, Over):
            yield f"Unfinished: {self.waiting()}."
            return
        if self.game.dagger is not None and phase.outcome in (Outcome.MERLIN_ASSASSINATED, Outcome.MERLIN_SURVIVED):
            owner = self.names[self.game.dagger]
            named = "nobody in time" if phase.target is None else self.suspect(phase.target)
            yield f"{owner} names {named} as Merlin."
        yield _ENDS[phase.outcome]

    def suspect(self, seat: int) -> str:
        return f"{self.names[seat]} ({self.game.roles[seat].value})"

    def waiting(self) -> str:
        match self.game.phase:
            case Proposing():
                return f"{self.names[self.game.leader]} leads the next team"
            case Voting() as phase:
                return f"the vote on quest {phase.quest} with {self.people(phase.team)} is open"
            case Questing() as phase:
                return f"{self.people(phase.team)} are on quest {phase.quest}"
            case Examining() as phase:
                return f"{self.names[phase.holder]} holds the Lady of the Lake"
            case Assassinating():
                return "the dagger has not been used"
            case Over():
                return "it is over"

    def people(self, seats: tuple[int, ...]) -> str:
        return ", ".join(self.names[seat] for seat in seats)


def _rules(ruleset: Ruleset) -> str:
    """The options that differ from the rulebook's, as a record writes them."""
    usual = Ruleset()
    changed = [
        f"{field.name} {_value(getattr(ruleset, field.name))}"
        for field in fields(Ruleset)
        if getattr(ruleset, field.name) != getattr(usual, field.name)
    ]
    return ", ".join(changed) or "the rulebook's"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
