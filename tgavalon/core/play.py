"""The rulebook: `apply(game, action)` is the only way a game changes.

Guards come first, each with its reason; the happy path below them reads like the rules. An illegal step raises and
leaves the game as it was. Chance is not drawn here: it comes in with the deal (see deal.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

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
from tgavalon.core.game import (
    Assassinating,
    Card,
    Check,
    Examining,
    Game,
    Outcome,
    Over,
    Phase,
    Proposal,
    Proposing,
    Quest,
    Questing,
    Voting,
    changed,
    goes_without_vote,
    open_quests,
)
from tgavalon.core.reasons import Illegal, Reason, require
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import (
    LADY_AFTER_QUESTS,
    QUESTS,
    QUESTS_TO_WIN,
    REJECTIONS_ALLOWED,
    FifthRejection,
    LadyImmunity,
    QuestOrder,
    is_approved,
)

P = TypeVar("P", bound=Phase)


def apply(game: Game, action: Action) -> Game:
    """The game after `action`.

    Raises `Illegal` with a `Reason` when the rules, the phase or the actor forbid it. Doing an accepted action again
    changes nothing: it gives an equal game or is refused.
    """
    return _STEPS[type(action)](game, action)


def expect(game: Game, phase: type[P], otherwise: Reason) -> P:
    """The game's phase, if it is the one that an action belongs to; else `Illegal`."""
    if not isinstance(game.phase, phase):
        raise Illegal(Reason.GAME_OVER if isinstance(game.phase, Over) else otherwise)
    return game.phase


def choose_quest(game: Game, action: ChooseQuest) -> Game:
    """The leader names the quest; a draft that is too large for it starts afresh."""
    phase = _leaders_turn(game, action.by, action.proposal)
    _check_quest(game, action.quest)
    draft = phase.draft if len(phase.draft) <= game.team_size(action.quest) else frozenset()
    return changed(game, phase=Proposing(phase.proposal, action.quest, draft))


def pick(game: Game, action: Pick) -> Game:
    """The leader puts a seat on the draft or takes it off."""
    phase = _leaders_turn(game, action.by, action.proposal)
    require(0 <= action.seat < game.seats, Reason.NO_SUCH_SEAT)
    if phase.quest is None:
        raise Illegal(Reason.QUEST_NOT_CHOSEN)
    draft = phase.draft | {action.seat} if action.chosen else phase.draft - {action.seat}
    require(len(draft) <= game.team_size(phase.quest), Reason.TEAM_IS_FULL)
    return changed(game, phase=replace(phase, draft=draft))


def propose(game: Game, action: Propose) -> Game:
    """The leader names the team, and the vote on it opens; the fifth team may go without a vote."""
    phase = _leaders_turn(game, action.by, action.proposal)
    quest = action.quest if action.quest is not None else phase.quest
    if quest is None:
        raise Illegal(Reason.QUEST_NOT_CHOSEN)
    _check_quest(game, quest)
    team = _check_team(game, quest, action.team)
    if goes_without_vote(game):
        forced = Proposal(phase.proposal, quest, game.leader, team, None, approved=True)
        return changed(game, phase=_on_quest(quest, team), proposals=(*game.proposals, forced))
    return changed(game, phase=Voting(phase.proposal, quest, team, (None,) * game.seats))


def vote(game: Game, action: Vote) -> Game:
    """One ballot; the last one in makes all of them public."""
    phase = expect(game, Voting, Reason.NO_VOTE_NOW)
    require(action.proposal == phase.proposal, Reason.VOTE_IS_OVER)
    require(0 <= action.by < game.seats, Reason.NO_SUCH_SEAT)
    ballots = _with(phase.ballots, action.by, action.approve)
    known = tuple(ballot for ballot in ballots if ballot is not None)
    if len(known) == game.seats:
        return _count(game, phase, known)
    return changed(game, phase=replace(phase, ballots=ballots))


def cast_votes(game: Game, action: CastVotes) -> Game:
    """All ballots at once, as a record tells them."""
    phase = expect(game, Voting, Reason.NO_VOTE_NOW)
    require(action.proposal == phase.proposal, Reason.VOTE_IS_OVER)
    require(len(action.ballots) == game.seats, Reason.VOTES_MISSING)
    return _count(game, phase, action.ballots)


def play_card(game: Game, action: PlayCard) -> Game:
    """One card; a played card stays. The last one in completes the quest."""
    phase = expect(game, Questing, Reason.NO_QUEST_NOW)
    require(action.quest == phase.quest, Reason.QUEST_IS_OVER)
    require(action.by in phase.team, Reason.NOT_ON_TEAM)
    _check_card(game, action.by, action.card)
    place = phase.team.index(action.by)
    require(phase.cards[place] in (None, action.card), Reason.CARD_ALREADY_PLAYED)
    cards = _with(phase.cards, place, action.card)
    known = tuple(card for card in cards if card is not None)
    if len(known) == len(phase.team):
        return _complete(game, phase, known)
    return changed(game, phase=replace(phase, cards=cards))


def play_cards(game: Game, action: PlayCards) -> Game:
    """All cards at once, as a record tells them."""
    phase = expect(game, Questing, Reason.NO_QUEST_NOW)
    require(action.quest == phase.quest, Reason.QUEST_IS_OVER)
    require(action.cards.keys() <= set(phase.team), Reason.NOT_ON_TEAM)
    require(len(action.cards) == len(phase.team), Reason.CARDS_MISSING)
    cards = tuple([action.cards[seat] for seat in phase.team])
    for seat, card in zip(phase.team, cards, strict=True):
        if card is not Card.SUCCESS:
            _check_card(game, seat, card)
    return _complete(game, phase, cards)


def examine(game: Game, action: Examine) -> Game:
    """The holder examines somebody and the token passes to them, or she passes and keeps it where that is allowed."""
    phase = expect(game, Examining, Reason.NO_LADY_NOW)
    require(action.after == phase.after, Reason.NO_LADY_NOW)
    require(action.by == phase.holder, Reason.NOT_LADY)
    if action.seat is None:
        require(game.ruleset.lady_optional, Reason.LADY_MUST_EXAMINE)
        return _checked(game, Check(phase.after, phase.holder, None))
    require(0 <= action.seat < game.seats, Reason.NO_SUCH_SEAT)
    require(action.seat != phase.holder, Reason.LADY_SELF)
    require(action.seat in examinable(game), Reason.LADY_IMMUNE)
    return _checked(game, Check(phase.after, phase.holder, action.seat))


def assassinate(game: Game, action: Assassinate) -> Game:
    """The dagger names somebody as Merlin, anybody but its owner."""
    expect(game, Assassinating, Reason.NO_SHOT_NOW)
    require(action.by == game.dagger, Reason.NOT_ASSASSIN)
    require(0 <= action.seat < game.seats, Reason.NO_SUCH_SEAT)
    require(action.seat != action.by, Reason.SHOT_SELF)
    if game.roles[action.seat] is Role.MERLIN:
        return _over(game, Side.EVIL, Outcome.MERLIN_ASSASSINATED, action.seat)
    return _over(game, Side.GOOD, Outcome.MERLIN_SURVIVED, action.seat)


def time_up(game: Game, action: TimeUp) -> Game:
    """What is missing is done for the absent: the team filled clockwise from the leader, the ordinary vote, Success,
    no check, no hit."""
    require(moment_of(game.phase) == action.moment, Reason.MOMENT_IS_OVER)
    match game.phase:
        case Proposing() as phase:
            return _propose_for(game, phase)
        case Voting() as phase:
            kept = zip(range(game.seats), phase.ballots, strict=True)
            return _count(game, phase, tuple(seat in phase.team if b is None else b for seat, b in kept))
        case Questing() as phase:
            return _complete(game, phase, tuple(card or Card.SUCCESS for card in phase.cards))
        case Examining() as phase:
            optional = game.ruleset.lady_optional
            return _checked(game, Check(phase.after, phase.holder, None, timed_out=not optional))
        case Assassinating():
            return _over(game, Side.GOOD, Outcome.MERLIN_SURVIVED, None)
        case Over():
            raise Illegal(Reason.GAME_OVER)


def examinable(game: Game) -> frozenset[int]:
    """The seats the holder of the Lady may examine now (rules, option `lady_immunity`)."""
    everybody = frozenset(range(game.seats))
    if game.lady is None:
        return frozenset()
    immune = {game.lady}
    passed_on = [check.holder for check in game.checks if check.examined is not None]
    if game.ruleset.lady_immunity is LadyImmunity.PAST_HOLDERS:
        immune.update(passed_on)
    if game.ruleset.lady_immunity is LadyImmunity.LAST_HOLDER:
        immune.update(passed_on[-1:])
    return everybody - immune


def opening(game: Game) -> Proposing:
    """The phase in which the leader starts on a new team."""
    quests = open_quests(game)
    return Proposing(len(game.proposals) + 1, quests[0] if len(quests) == 1 else None)


def _leaders_turn(game: Game, by: int, proposal: int) -> Proposing:
    phase = expect(game, Proposing, Reason.NOT_PROPOSING)
    require(proposal == phase.proposal, Reason.PROPOSAL_IS_OVER)
    require(by == game.leader, Reason.NOT_LEADER)
    return phase


def _check_quest(game: Game, quest: int) -> None:
    if quest in open_quests(game):
        return
    require(quest in QUESTS, Reason.NO_SUCH_QUEST)
    require(all(quest != played.number for played in game.quests), Reason.QUEST_ALREADY_PLAYED)
    fixed = game.ruleset.quest_order is QuestOrder.FIXED
    raise Illegal(Reason.QUEST_OUT_OF_ORDER if fixed else Reason.QUEST_LOCKED)


def _check_team(game: Game, quest: int, team: tuple[int, ...]) -> tuple[int, ...]:
    seated = tuple(sorted(team))
    require(not seated or (seated[0] >= 0 and seated[-1] < game.seats), Reason.NO_SUCH_SEAT)
    require(len(set(seated)) == len(seated), Reason.DUPLICATE_MEMBER)
    require(len(seated) == game.team_size(quest), Reason.WRONG_TEAM_SIZE)
    return seated


def _check_card(game: Game, seat: int, card: Card) -> None:
    require(card is Card.SUCCESS or game.roles[seat].side is Side.EVIL, Reason.GOOD_CANNOT_FAIL)


def _with(values: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _on_quest(quest: int, team: tuple[int, ...]) -> Questing:
    return Questing(quest, team, (None,) * len(team))


def _count(game: Game, phase: Voting, ballots: tuple[bool, ...]) -> Game:
    approved = is_approved(game.ruleset.approval, ballots.count(True), game.seats)
    decided = Proposal(phase.proposal, phase.quest, game.leader, phase.team, ballots, approved)
    proposals = (*game.proposals, decided)
    if approved:
        return changed(game, phase=_on_quest(phase.quest, phase.team), proposals=proposals)
    return _rejected(changed(game, proposals=proposals, rejections=game.rejections + 1), phase)


def _rejected(game: Game, phase: Voting) -> Game:
    if game.rejections < REJECTIONS_ALLOWED:
        return changed(game, phase=opening(game), leader=game.clockwise(game.leader))
    if game.ruleset.fifth_rejection is FifthRejection.EVIL_WINS_QUEST:
        return _after_quest(game, Quest(phase.quest, phase.team, success=False, fails=0, cards=None))
    return _over(game, Side.EVIL, Outcome.FIVE_REJECTIONS)


def _complete(game: Game, phase: Questing, cards: tuple[Card, ...]) -> Game:
    fails = cards.count(Card.FAIL)
    success = fails < game.fails_needed(phase.quest)
    return _after_quest(game, Quest(phase.quest, phase.team, success, fails, cards))


def _after_quest(game: Game, quest: Quest) -> Game:
    game = changed(game, leader=game.clockwise(game.leader), rejections=0, quests=(*game.quests, quest))
    successes, completed = game.successes, len(game.quests)
    if completed - successes == QUESTS_TO_WIN:
        return _over(game, Side.EVIL, Outcome.THREE_FAILED_QUESTS)
    if successes == QUESTS_TO_WIN:
        return _three_successes(game)
    if game.lady is not None and completed in LADY_AFTER_QUESTS and examinable(game):
        return changed(game, phase=Examining(completed, game.lady))
    return changed(game, phase=opening(game))


def _three_successes(game: Game) -> Game:
    if Role.MERLIN not in game.roles:
        return _over(game, Side.GOOD, Outcome.THREE_SUCCESSFUL_QUESTS)
    return changed(game, phase=Assassinating())


def _checked(game: Game, check: Check) -> Game:
    holder = check.holder if check.examined is None else check.examined
    game = changed(game, checks=(*game.checks, check), lady=holder)
    return changed(game, phase=opening(game))


def _over(game: Game, winner: Side, outcome: Outcome, target: int | None = None) -> Game:
    return changed(game, phase=Over(winner, outcome, target))


def _propose_for(game: Game, phase: Proposing) -> Game:
    quest = phase.quest or open_quests(game)[0]
    clockwise = [(game.leader + step) % game.seats for step in range(game.seats)]
    filled = [*sorted(phase.draft), *(seat for seat in clockwise if seat not in phase.draft)]
    team = tuple(filled[: game.team_size(quest)])
    return propose(game, Propose(game.leader, phase.proposal, team, quest))


_STEPS: dict[type[Action], Callable[[Game, Any], Game]] = {
    ChooseQuest: choose_quest,
    Pick: pick,
    Propose: propose,
    Vote: vote,
    CastVotes: cast_votes,
    PlayCard: play_card,
    PlayCards: play_cards,
    Examine: examine,
    Assassinate: assassinate,
    TimeUp: time_up,
}
