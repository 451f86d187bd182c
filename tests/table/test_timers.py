"""Time at a table: what is due when, what it does, and what puts it off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.table.fakes import START
from tests.table.kit import FIVE, SEVEN, TEN, Evening, dealt, lobby, options, person, user
from tgavalon.core.game import Card, Outcome, Over, Questing
from tgavalon.table import seating
from tgavalon.table.model import Closing, Options, Pace, Stage, Table
from tgavalon.table.timers import GAME_ABANDONED, LOBBY_IDLE, SECONDS, due, shifted, timed
from tgavalon.ui.taps import Verb

PACES = [pace for pace in Pace if pace is not Pace.OFF]


def at_pace(pace: Pace = Pace.NORMAL, **rules: object) -> Evening:
    wanted = options(FIVE, pace=pace)
    ruleset = replace(wanted.ruleset, **rules)  # type: ignore[arg-type]  # options by name
    return Evening(dealt(options=replace(wanted, ruleset=ruleset)))


def run_out(evening: Evening) -> Evening:
    """The table is left alone until its time is up, and swept as the service sweeps it."""
    deadline = evening.table.deadline
    assert deadline is not None
    assert due(evening.table, deadline - 0.001).stage is evening.stage
    evening.now = deadline
    evening.table = timed(evening.table, due(evening.table, deadline), deadline)
    return evening


def stages() -> dict[Stage, Evening]:
    """A table with timers in each stage of a game."""
    return {
        Stage.TEAM: at_pace(),
        Stage.VOTE: at_pace().proposes(0, 1),
        Stage.QUEST: at_pace().proposes(0, 1).all_approve(),
        Stage.LADY: at_pace(lady=True).quest(0, 1).quest(0, 1, 2),
        Stage.SHOT: at_pace().three_successes(),
    }


# When.


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("stage", [Stage.TEAM, Stage.VOTE, Stage.QUEST, Stage.LADY, Stage.SHOT])
def test_every_stage_has_its_time_and_a_reminder_at_half_of_it(pace: Pace, stage: Stage) -> None:
    evening = stages()[stage]
    assert evening.stage is stage
    table = replace(evening.table, options=replace(evening.table.options, pace=pace))
    table = timed(None, table, START)
    seconds = SECONDS[pace][stage]
    assert table.deadline == START + seconds
    assert table.reminder == START + seconds / 2
    assert not table.reminded


def test_a_faster_pace_is_faster_everywhere() -> None:
    for stage in SECONDS[Pace.NORMAL]:
        times = [SECONDS[pace][stage] for pace in (Pace.RELAXED, Pace.NORMAL, Pace.FAST)]
        assert times == sorted(times, reverse=True)
        assert len(set(times)) == 3


def test_a_tap_within_a_moment_does_not_put_off_its_end() -> None:
    evening = at_pace().proposes(0, 1)
    deadline, reminder = evening.table.deadline, evening.table.reminder
    evening.later(40).taps(0, Verb.APPROVE, 1)
    assert (evening.table.deadline, evening.table.reminder) == (deadline, reminder)


def test_each_moment_has_time_of_its_own() -> None:
    evening = at_pace().later(40).proposes(0, 1)
    assert evening.table.deadline == START + 40 + SECONDS[Pace.NORMAL][Stage.VOTE]


def test_the_next_team_has_time_of_its_own_though_the_stage_has_the_same_name() -> None:
    evening = at_pace(fifth_rejection="no_vote")
    evening.later(20).proposes(0, 1).later(20).all_reject()
    assert evening.stage is Stage.TEAM
    assert evening.table.deadline == evening.now + SECONDS[Pace.NORMAL][Stage.TEAM]


def test_without_timers_a_game_is_abandoned_after_two_days_without_a_tap() -> None:
    evening = Evening(dealt()).later(1000).proposes(0, 1)
    assert evening.table.deadline == START + 1000 + GAME_ABANDONED
    assert evening.table.reminder is None
    evening.later(1000).taps(0, Verb.APPROVE, 1)
    assert evening.table.deadline == START + 2000 + GAME_ABANDONED


def test_a_lobby_is_idle_after_an_hour_whatever_the_pace() -> None:
    table = lobby(options=Options(pace=Pace.FAST))
    assert table.deadline == START + LOBBY_IDLE
    evening = Evening(table).later(600)
    evening.becomes(seating.join(table, person(5)))
    assert evening.table.deadline == START + 600 + LOBBY_IDLE


def test_a_table_that_is_not_open_has_no_times() -> None:
    evening = at_pace().three_successes().taps(4, Verb.SHOOT, 0, 0)
    assert evening.stage is Stage.OVER
    for table in (evening.table, timed(None, seating.close(dealt(), Closing.HOST), START)):
        assert (table.deadline, table.reminder, table.reminded) == (None, None, False)
        assert due(table, START + 1e9) is table


# What.


def test_nothing_is_due_before_its_time() -> None:
    for evening in stages().values():
        table = evening.table
        assert table.reminder is not None
        assert due(table, table.reminder - 0.001) is table


def test_half_time_reminds_once() -> None:
    table = at_pace().table
    assert table.reminder is not None
    reminded = due(table, table.reminder)
    assert reminded == replace(table, reminded=True)
    assert due(reminded, table.reminder + 1) is reminded


def test_the_reminder_is_over_with_the_moment() -> None:
    evening = at_pace()
    evening.becomes(replace(evening.table, reminded=True)).later(100).proposes(0, 1)
    assert not evening.table.reminded


def test_a_leader_who_is_away_proposes_the_next_seats() -> None:
    evening = at_pace()
    evening.table = dealt(leader=3, options=evening.table.options)
    evening.taps(3, Verb.PICK, 1, 1)
    run_out(evening)
    assert evening.stage is Stage.VOTE
    assert getattr(evening.game.phase, "team", None) == (1, 3)


def test_missing_votes_approve_for_those_on_the_team_and_reject_for_others() -> None:
    evening = at_pace().proposes(0, 1).taps(0, Verb.REJECT, 1)
    run_out(evening)
    assert evening.game.proposals[0].ballots == (False, True, False, False, False)
    assert evening.stage is Stage.TEAM


def test_missing_cards_are_success_and_played_ones_stay() -> None:
    evening = at_pace().proposes(0, 4).all_approve().taps(4, Verb.FAIL_SURELY, 1)
    run_out(evening)
    assert evening.game.quests[0].cards == (Card.SUCCESS, Card.FAIL)


def test_a_missing_check_is_skipped() -> None:
    evening = stages()[Stage.LADY]
    run_out(evening)
    assert evening.stage is Stage.TEAM
    assert evening.game.checks[0].examined is None
    assert evening.game.checks[0].timed_out


def test_a_missing_shot_hits_nobody() -> None:
    evening = stages()[Stage.SHOT]
    run_out(evening)
    assert evening.game.phase == Over("good", Outcome.MERLIN_SURVIVED, None)  # type: ignore[arg-type]  # a StrEnum


def test_a_game_that_nobody_plays_ends_by_itself() -> None:
    evening = at_pace()
    for _ in range(200):
        if not evening.table.is_open:
            break
        run_out(evening)
    assert evening.stage is Stage.OVER
    assert not evening.table.closing


def test_an_idle_lobby_closes_and_says_why() -> None:
    evening = run_out(Evening(lobby()))
    assert evening.table.closing is Closing.IDLE


def test_an_abandoned_game_closes_and_says_why() -> None:
    evening = run_out(Evening(dealt()))
    assert evening.table.closing is Closing.ABANDONED
    assert evening.stage is Stage.CLOSED


def test_what_asked_for_an_answer_is_dropped_when_time_is_up() -> None:
    evening = at_pace().proposes(0, 4).all_approve().taps(4, Verb.FAIL, 1)
    assert evening.table.armed
    run_out(evening)
    assert not evening.table.armed


# The bot's own absence.


def test_times_are_moved_by_the_time_the_bot_was_away() -> None:
    for table in (at_pace().table, lobby()):
        moved = shifted(table, 60.0)
        assert moved.deadline == (table.deadline or 0) + 60
        assert moved.reminder == (None if table.reminder is None else table.reminder + 60)
        assert replace(moved, deadline=table.deadline, reminder=table.reminder) == table


def test_a_table_without_times_has_none_to_move() -> None:
    table = replace(lobby(), deadline=None)
    assert shifted(table, 60.0) == table


@pytest.mark.parametrize("roles", [FIVE, SEVEN, TEN])
def test_an_absent_table_of_any_size_finishes(roles: tuple[object, ...]) -> None:
    table: Table = dealt(roles, options=options(roles, pace=Pace.FAST))  # type: ignore[arg-type]  # roles of the kit
    evening = Evening(table)
    while evening.table.is_open:
        run_out(evening)
    assert evening.stage is Stage.OVER
    assert not isinstance(evening.game.phase, Questing)
    assert evening.table.seat_of(user(0)) == 0
