"""Taps at a running game: who may do what when, what asks for a second tap, bets, and the host who will not wait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.table.kit import FIVE, TEN, Evening, dealt, lobby, options, user
from tests.table.test_seating import refused
from tgavalon.core.game import Assassinating, Card, Outcome, Over, Proposing, Questing, Voting
from tgavalon.core.reasons import Reason
from tgavalon.table import seating
from tgavalon.table.model import Bet, Closing, Stage
from tgavalon.table.playing import GAME_VERBS, SURE_AFTER, hurry
from tgavalon.ui.refusals import Refusal
from tgavalon.ui.taps import IN_GROUP, Verb

MERLIN, PERCIVAL, SERVANT, MORGANA, ASSASSIN = range(5)
OUTSIDER = 23


def on_quest(*team: int) -> Evening:
    return Evening(dealt()).proposes(*team).all_approve()


def cards_in(evening: Evening) -> tuple[Card | None, ...]:
    assert isinstance(evening.game.phase, Questing)
    return evening.game.phase.cards


def hunting(*, unreachable: int | None = None) -> Evening:
    """Five players after three successes; the bot cannot write to `unreachable`."""
    evening = Evening(dealt()).three_successes()
    if unreachable is not None:
        evening.table = seating.reachable(evening.table, user(unreachable), False)
    return evening


# From taps to actions.


def test_a_whole_game_in_taps() -> None:
    evening = Evening(dealt())
    evening.taps(0, Verb.PICK, 1, 0).taps(0, Verb.PICK, 1, 3).taps(0, Verb.UNPICK, 1, 3).taps(0, Verb.PICK, 1, 2)
    assert isinstance(evening.game.phase, Proposing)
    assert evening.game.phase.draft == {0, 2}
    evening.taps(0, Verb.PROPOSE, 1, 0b00101)
    assert isinstance(evening.game.phase, Voting)
    assert evening.game.phase.team == (0, 2)
    evening.all_approve().plays(1, 0, 2)
    evening.quest(0, 1, 2).quest(0, 1)
    evening.taps(ASSASSIN, Verb.AIM, 0, 1).taps(ASSASSIN, Verb.BACK).taps(ASSASSIN, Verb.AIM, 0, 0)
    evening.taps(ASSASSIN, Verb.SHOOT, 0, 0)
    assert isinstance(evening.game.phase, Over)
    assert evening.game.phase.outcome is Outcome.MERLIN_ASSASSINATED


def test_the_lady_by_taps() -> None:
    wanted = options(FIVE)
    wanted = replace(wanted, ruleset=replace(wanted.ruleset, lady=True, lady_optional=True))
    evening = Evening(dealt(options=wanted)).quest(0, 1).quest(0, 1, 2)
    assert evening.stage is Stage.LADY
    asked = evening.table
    evening.taps(4, Verb.EXAMINE, 2, 3)
    assert evening.game.checks[0].examined == 3
    passed = Evening(asked).taps(4, Verb.PASS, 2)
    assert passed.game.checks[0].examined is None


def test_a_quest_is_chosen_by_a_tap() -> None:
    wanted = options(FIVE)
    wanted = replace(wanted, ruleset=replace(wanted.ruleset, quest_order="targeting"))  # type: ignore[arg-type]
    evening = Evening(dealt(options=wanted)).taps(0, Verb.QUEST, 1, 3)
    assert isinstance(evening.game.phase, Proposing)
    assert evening.game.phase.quest == 3


def test_the_actor_is_whoever_taps() -> None:
    """The leader's button does nothing in another hand, and a vote counts for the one who tapped."""
    evening = Evening(dealt())
    with refused(Reason.NOT_LEADER):
        evening.taps(1, Verb.PICK, 1, 0)
    evening.proposes(0, 1).taps(3, Verb.APPROVE, 1)
    assert isinstance(evening.game.phase, Voting)
    assert evening.game.phase.ballots == (None, None, None, True, None)


@pytest.mark.parametrize("verb", sorted(GAME_VERBS - {Verb.BET}))
def test_an_outsider_plays_no_part(verb: Verb) -> None:
    with refused(Refusal.NOT_SEATED):
        Evening(dealt()).taps(OUTSIDER, verb, 1, 0)


@pytest.mark.parametrize("verb", sorted(GAME_VERBS))
def test_there_is_nothing_to_play_before_and_after_a_game(verb: Verb) -> None:
    with refused(Refusal.NOT_STARTED):
        Evening(lobby()).taps(0, verb, 1, 0)
    with refused(Refusal.TABLE_GONE):
        Evening(seating.close(dealt(), Closing.HOST)).taps(0, verb, 1, 0)
    with refused(Reason.GAME_OVER):
        hunting().taps(ASSASSIN, Verb.SHOOT, 0, 1).taps(0, verb, 1, 0)


@pytest.mark.parametrize(
    ("verb", "number", "reason"),
    [
        (Verb.APPROVE, 1, Reason.NO_VOTE_NOW),
        (Verb.PICK, 1, Reason.PROPOSAL_IS_OVER),
        (Verb.PROPOSE, 1, Reason.PROPOSAL_IS_OVER),
        (Verb.SUCCESS, 1, Reason.NO_QUEST_NOW),
        (Verb.FAIL, 1, Reason.NO_QUEST_NOW),
        (Verb.EXAMINE, 2, Reason.NO_LADY_NOW),
        (Verb.AIM, 0, Reason.NO_SHOT_NOW),
        (Verb.SHOOT, 0, Reason.NO_SHOT_NOW),
        (Verb.BET, 0, Reason.NO_SHOT_NOW),
    ],
)
def test_an_old_button_says_so_and_does_nothing_else(verb: Verb, number: int, reason: Reason) -> None:
    """After a rejected team everything of the first moment is history."""
    evening = Evening(dealt()).proposes(0, 1).all_reject()
    before = evening.table
    with refused(reason):
        evening.taps(1, verb, number, 0)
    assert evening.table == before


def test_a_forged_team_is_refused() -> None:
    for mask, reason in (
        (0, Reason.WRONG_TEAM_SIZE),
        (1 << 9 | 1, Reason.NO_SUCH_SEAT),
        (0b11111, Reason.WRONG_TEAM_SIZE),
    ):
        with refused(reason):
            Evening(dealt()).taps(0, Verb.PROPOSE, 1, mask)


def test_a_tap_that_is_delivered_twice_counts_once() -> None:
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL_SURELY, 1)
    before = evening.game
    evening.taps(MORGANA, Verb.FAIL_SURELY, 1)
    assert evening.game == before


# Asking again.


def test_a_fail_in_private_waits_for_its_answer() -> None:
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1)
    assert cards_in(evening) == (None, None)
    assert [armed.tap.verb for armed in evening.table.armed] == [Verb.FAIL]
    evening.later(60).taps(MORGANA, Verb.FAIL, 1)
    assert cards_in(evening) == (None, None), "in private only the other button means yes"


def test_it_can_be_taken_back() -> None:
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1).taps(MORGANA, Verb.BACK, 1)
    assert evening.table.armed == ()
    evening.taps(MORGANA, Verb.SUCCESS, 1).taps(0, Verb.SUCCESS, 1)
    assert evening.game.quests[0].cards == (Card.SUCCESS, Card.SUCCESS)


def test_good_is_not_even_asked() -> None:
    with refused(Reason.GOOD_CANNOT_FAIL):
        on_quest(0, MORGANA).taps(0, Verb.FAIL, 1)
    with refused(Reason.NOT_ON_TEAM):
        on_quest(0, MORGANA).taps(ASSASSIN, Verb.FAIL, 1)


def test_in_the_group_the_same_tap_is_the_answer_once_it_can_be_meant() -> None:
    """A tap that Telegram delivers twice comes faster than anybody can answer."""
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    evening.later(SURE_AFTER - 0.01).taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    assert cards_in(evening) == (None, None)
    evening.later(0.01).taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    assert cards_in(evening) == (None, Card.FAIL)


def test_once_it_is_answered_nothing_is_asked_any_more() -> None:
    """Else the one who tapped would be asked again about a card that is already in."""
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    evening.later(SURE_AFTER).taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    assert evening.table.armed == ()
    before = replace(evening.table, version=0)
    evening.taps(MORGANA, Verb.FAIL, 1, IN_GROUP)
    assert replace(evening.table, version=0) == before


def test_one_question_a_person_at_a_time_and_each_their_own() -> None:
    evening = Evening(dealt(TEN)).proposes(6, 7, 8).all_approve()
    evening.taps(6, Verb.FAIL, 1).taps(7, Verb.FAIL, 1, IN_GROUP).taps(6, Verb.FAIL, 1, IN_GROUP)
    assert [(armed.user, armed.tap.value) for armed in evening.table.armed] == [(user(7), 1), (user(6), 1)]


def test_questions_end_with_their_moment() -> None:
    evening = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1)
    evening.plays(1, MORGANA, 0)
    assert evening.table.armed == ()


def test_the_dagger_aims_before_it_strikes() -> None:
    evening = hunting().taps(ASSASSIN, Verb.AIM, 0, PERCIVAL)
    assert isinstance(evening.game.phase, Assassinating)
    evening.taps(ASSASSIN, Verb.AIM, 0, MERLIN)
    assert [armed.tap.value for armed in evening.table.armed] == [MERLIN]
    for seat, reason in ((ASSASSIN, Reason.SHOT_SELF), (7, Reason.NO_SUCH_SEAT)):
        with refused(reason):
            evening.taps(ASSASSIN, Verb.AIM, 0, seat)
    with refused(Reason.NOT_ASSASSIN):
        evening.taps(MORGANA, Verb.AIM, 0, MERLIN)


# Bets.


def test_good_players_and_spectators_bet_and_may_change_their_mind() -> None:
    evening = hunting().taps(MERLIN, Verb.BET, 0, PERCIVAL).taps(OUTSIDER, Verb.BET, 0, MERLIN)
    evening.taps(MERLIN, Verb.BET, 0, SERVANT)
    assert evening.table.bets == (Bet(user(OUTSIDER), "Fan23", MERLIN), Bet(user(MERLIN), "Ana", SERVANT))


def test_evil_does_not_bet() -> None:
    for seat in (MORGANA, ASSASSIN):
        with refused(Refusal.BET_NOT_FOR_EVIL):
            hunting().taps(seat, Verb.BET, 0, MERLIN)


def test_nobody_bets_on_a_seat_that_is_not_there() -> None:
    with refused(Reason.NO_SUCH_SEAT):
        hunting().taps(OUTSIDER, Verb.BET, 0, 5)


def test_a_dagger_that_cannot_be_written_to_strikes_where_others_bet() -> None:
    """The same buttons for everybody, so that nobody sees whose tap it was."""
    evening = hunting(unreachable=ASSASSIN).taps(ASSASSIN, Verb.BET, 0, MERLIN)
    assert evening.table.bets == ()
    assert isinstance(evening.game.phase, Assassinating)
    evening.later(SURE_AFTER).taps(ASSASSIN, Verb.BET, 0, MERLIN)
    assert evening.game.phase == Over("evil", Outcome.MERLIN_ASSASSINATED, MERLIN)  # type: ignore[arg-type]


def test_other_evil_players_do_not_bet_even_then() -> None:
    with refused(Refusal.BET_NOT_FOR_EVIL):
        hunting(unreachable=ASSASSIN).taps(MORGANA, Verb.BET, 0, MERLIN)


# The host who will not wait.


def test_do_not_wait_counts_when_it_is_repeated() -> None:
    evening = Evening(dealt()).proposes(0, 1).taps(0, Verb.APPROVE, 1)
    evening.becomes(hurry(evening.table, user(0), evening.now))
    assert evening.stage is Stage.VOTE
    evening.later(SURE_AFTER - 0.01)
    evening.becomes(hurry(evening.table, user(0), evening.now))
    assert evening.stage is Stage.VOTE
    evening.later(0.01)
    evening.becomes(hurry(evening.table, user(0), evening.now))
    assert evening.game.proposals[0].ballots == (True, True, False, False, False)


def test_it_is_for_the_moment_in_which_it_was_said() -> None:
    evening = Evening(dealt())
    evening.becomes(hurry(evening.table, user(0), evening.now)).later(10)
    evening.proposes(0, 1)
    evening.becomes(hurry(evening.table, user(0), evening.now))
    assert evening.stage is Stage.VOTE


def test_nobody_hurries_on_behalf_of_another() -> None:
    evening = Evening(dealt())
    evening.becomes(hurry(evening.table, user(0), evening.now)).later(10)
    evening.becomes(hurry(evening.table, user(1), evening.now))
    assert evening.stage is Stage.TEAM


def test_a_table_looks_the_same_in_a_log_whatever_its_secrets() -> None:
    """Two tables with other cards, votes, questions and bets in them have one and the same `repr`."""
    one = on_quest(0, MORGANA).taps(MORGANA, Verb.FAIL, 1).table
    other = Evening(dealt(FIVE[::-1])).proposes(0, MORGANA).all_approve().taps(0, Verb.SUCCESS, 1).table
    assert repr(one) == repr(replace(other, version=one.version))
    votes = [Evening(dealt()).proposes(0, 1).taps(2, verb, 1).table for verb in (Verb.APPROVE, Verb.REJECT)]
    assert repr(votes[0]) == repr(votes[1])
    bets = [hunting().taps(MERLIN, Verb.BET, 0, seat).table for seat in (PERCIVAL, SERVANT)]
    assert repr(bets[0]) == repr(bets[1])
