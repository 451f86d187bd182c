"""The Lady of the Lake: when she comes, whom she may see, where she goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.story import FIVE, SEVEN, TEN, Story
from tgavalon.core.actions import Examine
from tgavalon.core.game import Assassinating, Check, Examining, Over, Proposing, Questing
from tgavalon.core.play import examinable
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Side
from tgavalon.core.views import seat_view


def free(table: Story) -> str:
    """Who may be examined now, in seat order."""
    return " ".join(table.name(seat) for seat in sorted(examinable(table.game)))


@pytest.mark.parametrize(("leader", "holder"), [("Ana", "Eli"), ("Ben", "Ana"), ("Eli", "Dee")])
def test_the_token_starts_on_the_first_leaders_right(leader: str, holder: str) -> None:
    assert Story(FIVE, leader=leader, lady=True).lady == holder


def test_there_is_no_token_without_her() -> None:
    table = Story(FIVE).good_quest().bad_quest()
    assert table.lady == ""
    assert table.phase == Proposing(proposal=3, quest=3)
    with table.refused(Reason.NO_LADY_NOW):
        table.does(Examine(4, 2, 0))


def test_she_comes_after_the_second_third_and_fourth_quest() -> None:
    table = Story(FIVE, lady=True).good_quest()
    assert isinstance(table.phase, Proposing)
    assert table.bad_quest().phase == Examining(2, table.seat("Eli"))
    assert isinstance(table.checks("Eli", "Ana").phase, Proposing)
    assert table.good_quest().phase == Examining(3, table.seat("Ana"))
    assert table.checks("Ana", "Ben").bad_quest().phase == Examining(4, table.seat("Ben"))
    table.checks("Ben", "Cho")
    assert table.phase == Proposing(proposal=5, quest=5)
    assert isinstance(table.bad_quest().phase, Over)


@pytest.mark.parametrize("order", ["targeting", "last_locked"])
def test_she_counts_completed_quests_in_whatever_order_they_were_played(order: str) -> None:
    table = Story(FIVE, lady=True, quest_order=order).quest("Ana", "Ana Ben Cho", quest=4)
    assert isinstance(table.phase, Proposing)
    assert table.quest("Ben", "Ana Ben", quest=1).phase == Examining(2, table.seat("Eli"))


def test_a_quest_that_evil_won_by_rejections_counts_as_completed() -> None:
    table = Story(FIVE, lady=True, fifth_rejection="evil_wins_quest").rejections(5).rejections(5)
    assert table.phase == Examining(2, table.seat("Eli"))


def test_she_does_not_come_once_the_game_is_over() -> None:
    table = Story(FIVE, lady=True).bad_quest().bad_quest().bad_quest()
    assert isinstance(table.phase, Over)
    assert len(table.game.checks) == 1


def test_after_three_successes_comes_the_shot_and_not_the_lady() -> None:
    table = Story(FIVE, lady=True).three_successes()
    assert isinstance(table.phase, Assassinating)
    assert len(table.game.checks) == 1


def test_without_merlin_three_successes_leave_her_nothing_to_do() -> None:
    table = Story("Ana:servant Ben:servant Cho:servant Dee:minion Eli:minion", lady=True).three_successes()
    assert table.winner is Side.GOOD


def test_the_token_passes_to_whom_she_examined() -> None:
    table = Story(FIVE, lady=True).good_quest().good_quest().checks("Eli", "Ben")
    assert table.lady == "Ben"
    assert table.game.checks == (Check(2, table.seat("Eli"), table.seat("Ben")),)


def test_only_the_holder_learns_the_side_and_the_truth() -> None:
    table = Story(FIVE, lady=True).good_quest().bad_quest().checks("Eli", "Ana")
    table.good_quest().checks("Ana", "Dee")
    learned = [seat_view(table.game, seat).checked for seat in range(5)]
    assert learned == [((3, 3, Side.EVIL),), (), (), (), ((2, 0, Side.GOOD),)]


def test_only_the_holder_uses_her_and_only_on_somebody_else() -> None:
    table = Story(FIVE, lady=True).good_quest().good_quest()
    with table.refused(Reason.NOT_LADY):
        table.checks("Ana", "Ben")
    with table.refused(Reason.LADY_SELF):
        table.checks("Eli", "Eli")
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Examine(4, 2, 5))
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Examine(4, 2, -1))
    with table.refused(Reason.NO_LADY_NOW):
        table.does(Examine(4, 1, 0))
    with table.refused(Reason.NOT_PROPOSING):
        table.team("Cho", "Ana Ben")


def test_nobody_who_ever_held_the_token_can_be_examined() -> None:
    table = Story(SEVEN, lady=True, lady_immunity="past_holders").good_quest().bad_quest()
    assert free(table) == "Ana Ben Cho Dee Eli Fay"
    table.checks("Gus", "Ana").good_quest()
    assert free(table) == "Ben Cho Dee Eli Fay"
    with table.refused(Reason.LADY_IMMUNE):
        table.checks("Ana", "Gus")
    table.checks("Ana", "Ben").bad_quest()
    assert free(table) == "Cho Dee Eli Fay"
    with table.refused(Reason.LADY_IMMUNE):
        table.checks("Ben", "Gus")


def test_only_the_last_holder_cannot_be_examined() -> None:
    table = Story(SEVEN, lady=True, lady_immunity="last_holder").good_quest().bad_quest()
    table.checks("Gus", "Ana").good_quest()
    with table.refused(Reason.LADY_IMMUNE):
        table.checks("Ana", "Gus")
    table.checks("Ana", "Ben").bad_quest()
    assert free(table) == "Cho Dee Eli Fay Gus"
    with table.refused(Reason.LADY_IMMUNE):
        table.checks("Ben", "Ana")
    assert table.checks("Ben", "Gus").lady == "Gus"


def test_only_the_holder_cannot_be_examined() -> None:
    table = Story(SEVEN, lady=True, lady_immunity="holder").good_quest().bad_quest().checks("Gus", "Ana").good_quest()
    assert free(table) == "Ben Cho Dee Eli Fay Gus"
    assert table.checks("Ana", "Gus").lady == "Gus"
    with table.bad_quest().refused(Reason.LADY_SELF):
        table.checks("Gus", "Gus")


def test_the_holder_may_pass_where_the_rules_let_her() -> None:
    table = Story(SEVEN, lady=True, lady_optional=True).good_quest().bad_quest().passes("Gus")
    assert table.lady == "Gus"
    assert table.game.checks == (Check(2, table.seat("Gus"), None),)
    assert table.good_quest().phase == Examining(3, table.seat("Gus"))


def test_passing_makes_nobody_immune() -> None:
    table = Story(SEVEN, lady=True, lady_optional=True, lady_immunity="last_holder").good_quest().bad_quest()
    table.checks("Gus", "Ana").good_quest().passes("Ana").bad_quest()
    assert free(table) == "Ben Cho Dee Eli Fay", "Gus is still the one who last passed the token on"


def test_the_holder_must_examine_where_the_rules_say_so() -> None:
    table = Story(SEVEN, lady=True).good_quest().bad_quest()
    with table.refused(Reason.LADY_MUST_EXAMINE):
        table.passes("Gus")


def test_she_is_skipped_when_nobody_can_be_examined() -> None:
    """Three checks leave somebody free at every table, so this history is made by hand: everybody has held her."""
    table = Story(FIVE, lady=True).good_quest().team("Ben", "Ana Ben Cho").all_approve()
    past = tuple(Check(2, seat, (seat + 1) % 5) for seat in (0, 1, 2, 3))
    table.game = replace(table.game, checks=past)
    assert isinstance(table.phase, Questing)
    assert table.cards().phase == Proposing(proposal=3, quest=3)


def test_with_ten_players_she_goes_round_three_times() -> None:
    table = Story(TEN, lady=True).good_quest().bad_quest().good_quest().bad_quest().checks_anybody()
    assert [(table.name(check.holder), table.name(check.examined)) for check in table.game.checks] == [
        ("Jon", "Ana"),
        ("Ana", "Ben"),
        ("Ben", "Cho"),
    ]
    assert table.lady == "Cho"
