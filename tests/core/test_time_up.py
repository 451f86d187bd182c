"""What is done for those who do not come: the team filled clockwise, the ordinary vote, Success, no check, no hit."""

from __future__ import annotations

import pytest

from tests.core.story import FIVE, SEVEN, Story
from tgavalon.core.actions import PlayCard, TimeUp, Vote, moment_of
from tgavalon.core.game import Assassinating, Card, Check, Examining, Outcome, Over, Proposing, Questing, Voting
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Side


def team_on_the_table(table: Story) -> str:
    assert isinstance(table.phase, Voting | Questing)
    return " ".join(table.name(seat) for seat in table.phase.team)


def test_an_absent_leaders_team_is_filled_clockwise_from_the_leader() -> None:
    assert team_on_the_table(Story(FIVE, leader="Dee").time_is_up()) == "Dee Eli"
    assert team_on_the_table(Story(FIVE, leader="Eli").time_is_up()) == "Ana Eli"


def test_the_leaders_draft_is_kept() -> None:
    table = Story(SEVEN, leader="Cho").good_quest().picks("Dee", "Ana").time_is_up()
    assert team_on_the_table(table) == "Ana Dee Eli"


@pytest.mark.parametrize("order", ["targeting", "last_locked"])
def test_an_absent_leader_who_has_not_chosen_gets_the_first_open_quest(order: str) -> None:
    table = Story(FIVE, quest_order=order).quest("Ana", "Ana Ben", quest=1).time_is_up()
    assert isinstance(table.phase, Voting)
    assert (table.phase.quest, team_on_the_table(table)) == (2, "Ben Cho Dee")


def test_a_quest_that_was_chosen_stays() -> None:
    table = Story(FIVE, quest_order="targeting").chooses("Ana", 4).picks("Ana", "Eli").time_is_up()
    assert isinstance(table.phase, Voting)
    assert (table.phase.quest, team_on_the_table(table)) == (4, "Ana Ben Eli")


def test_the_fifth_team_is_filled_and_goes_without_a_vote() -> None:
    table = Story(FIVE, fifth_rejection="no_vote").rejections(4).time_is_up()
    assert isinstance(table.phase, Questing)
    assert team_on_the_table(table) == "Ana Eli"


def test_a_missing_vote_approves_on_the_team_and_rejects_off_it() -> None:
    table = Story(FIVE).team("Ana", "Ana Ben").time_is_up()
    assert table.game.proposals[0].ballots == (True, True, False, False, False)
    assert table.leader == "Ben"


def test_votes_that_are_in_count_as_they_were_cast() -> None:
    table = Story(FIVE).team("Ana", "Ana Ben").does(Vote(1, 1, approve=False)).does(Vote(4, 1, approve=True))
    assert table.time_is_up().game.proposals[0].ballots == (True, False, False, False, True)


def test_a_missing_card_is_success() -> None:
    table = Story(FIVE).team("Ana", "Dee Eli").all_approve().does(PlayCard(3, 1, Card.FAIL)).time_is_up()
    assert table.game.quests[0].cards == (Card.FAIL, Card.SUCCESS)
    assert Story(FIVE).team("Ana", "Dee Eli").all_approve().time_is_up().results == {1: True}


def test_a_missing_check_is_skipped_and_the_token_stays() -> None:
    table = Story(FIVE, lady=True).good_quest().good_quest().time_is_up()
    assert table.game.checks == (Check(2, table.seat("Eli"), None, timed_out=True),)
    assert table.lady == "Eli"
    assert isinstance(table.phase, Proposing)
    assert table.bad_quest().phase == Examining(3, table.seat("Eli"))


def test_where_she_is_optional_a_missing_check_is_a_pass() -> None:
    table = Story(SEVEN, lady=True, lady_optional=True).good_quest().good_quest().time_is_up()
    assert table.game.checks == (Check(2, table.seat("Gus"), None),)


def test_a_missing_shot_hits_nobody() -> None:
    table = Story(FIVE).three_successes()
    assert isinstance(table.phase, Assassinating)
    assert table.time_is_up().phase == Over(Side.GOOD, Outcome.MERLIN_SURVIVED, target=None)


def test_time_runs_out_on_one_moment_only() -> None:
    table = Story(FIVE)
    moment = moment_of(table.phase)
    table.team("Ana", "Ana Ben")
    with table.refused(Reason.MOMENT_IS_OVER):
        table.does(TimeUp(moment))
    moment = moment_of(table.phase)
    table.all_reject()
    with table.refused(Reason.MOMENT_IS_OVER):
        table.does(TimeUp(moment))
    with table.refused(Reason.MOMENT_IS_OVER):
        table.does(TimeUp(("proposing", 3)))


def test_moments_are_told_apart_through_a_whole_game() -> None:
    table = Story(SEVEN, lady=True, fifth_rejection="evil_wins_quest", quest_order="targeting")
    moments = [moment_of(table.phase)]
    while not isinstance(table.phase, Over):
        moments.append(moment_of(table.time_is_up().phase))
    assert len(moments) == len(set(moments))
    assert table.outcome is Outcome.THREE_FAILED_QUESTS, "nobody came, so every team was rejected"


def test_a_moment_lasts_while_drafts_ballots_and_cards_come_in() -> None:
    table = Story(FIVE)
    moment = moment_of(table.phase)
    assert moment_of(table.picks("Ana", "Eli").phase) == moment
    moment = moment_of(table.team("Ana", "Dee Eli").phase)
    assert moment_of(table.does(Vote(0, 1, approve=True)).phase) == moment
    moment = moment_of(table.all_approve().phase)
    assert moment_of(table.does(PlayCard(4, 1, Card.FAIL)).phase) == moment
