"""The option `quest_order`: who names the quest, and when quest 5 is open."""

from __future__ import annotations

import pytest

from tests.core.story import FIVE, SEVEN, Story
from tgavalon.core.game import Over, Proposing, Questing, open_quests
from tgavalon.core.reasons import Reason

FREE = ["targeting", "last_locked"]


@pytest.mark.parametrize("order", FREE)
def test_the_leader_names_the_quest_first(order: str) -> None:
    table = Story(FIVE, quest_order=order)
    assert table.phase == Proposing(proposal=1, quest=None)
    with table.refused(Reason.QUEST_NOT_CHOSEN):
        table.picks("Ana", "Ben")
    with table.refused(Reason.QUEST_NOT_CHOSEN):
        table.team("Ana", "Ana Ben")
    with table.refused(Reason.NOT_LEADER):
        table.chooses("Ben", 2)
    table.chooses("Ana", 4).team("Ana", "Ana Ben Cho").all_approve()
    assert table.cards().results == {4: True}


@pytest.mark.parametrize("order", FREE)
def test_the_leader_may_name_quest_and_team_in_one_step(order: str) -> None:
    assert Story(FIVE, quest_order=order).quest("Ana", "Ana Ben Cho", quest=2).results == {2: True}


@pytest.mark.parametrize("order", FREE)
def test_the_leader_may_change_their_mind(order: str) -> None:
    table = Story(FIVE, quest_order=order).chooses("Ana", 1).picks("Ana", "Ben").picks("Ana", "Cho")
    table.chooses("Ana", 3)
    assert table.phase == Proposing(1, 3, frozenset({1, 2})), "a draft that fits stays"
    table.chooses("Ana", 2).picks("Ana", "Dee").chooses("Ana", 1)
    assert table.phase == Proposing(1, 1), "a draft that has become too large starts afresh"
    table.team("Ana", "Ana Ben Cho", quest=4)
    assert isinstance(table.all_approve().phase, Questing)


@pytest.mark.parametrize("order", FREE)
def test_a_rejected_team_leaves_the_quest_open_to_the_next_leader(order: str) -> None:
    table = Story(FIVE, quest_order=order).rejected("Ana", "Ana Ben", quest=1)
    assert table.phase == Proposing(proposal=2, quest=None)
    assert table.rejected("Ben", "Ana Ben Cho", quest=2).game.rejections == 2


@pytest.mark.parametrize("order", FREE)
def test_a_quest_that_was_played_cannot_be_named_again(order: str) -> None:
    table = Story(FIVE, quest_order=order).quest("Ana", "Ana Ben", quest=3)
    assert open_quests(table.game) == (1, 2, 4)
    with table.refused(Reason.QUEST_ALREADY_PLAYED):
        table.chooses("Ben", 3)
    with table.refused(Reason.QUEST_ALREADY_PLAYED):
        table.team("Ben", "Ana Ben", quest=3)
    with table.refused(Reason.NO_SUCH_QUEST):
        table.chooses("Ben", 6)


def test_targeting_opens_quest_five_after_two_successes() -> None:
    table = Story(FIVE, quest_order="targeting").quest("Ana", "Ana Ben", quest=1)
    with table.refused(Reason.QUEST_LOCKED):
        table.chooses("Ben", 5)
    table.quest("Ben", "Ben Cho Eli", quest=4, fails="Eli")
    with table.refused(Reason.QUEST_LOCKED):
        table.team("Cho", "Ana Ben Cho", quest=5)
    table.quest("Cho", "Ana Ben", quest=3)
    assert open_quests(table.game) == (2, 5)
    assert table.quest("Dee", "Ana Ben Cho", quest=5).results == {1: True, 4: False, 3: True, 5: True}
    assert table.game.successes == 3


def test_last_locked_opens_quest_five_after_the_other_four() -> None:
    table = Story(FIVE, quest_order="last_locked").quest("Ana", "Ana Ben", quest=1).quest("Ben", "Ana Ben", quest=3)
    with table.refused(Reason.QUEST_LOCKED):
        table.chooses("Cho", 5)
    table.quest("Cho", "Ana Ben Eli", quest=4, fails="Eli")
    assert table.phase == Proposing(proposal=4, quest=2), "a single open quest needs no naming"
    with table.refused(Reason.QUEST_LOCKED):
        table.chooses("Dee", 5)
    table.quest("Dee", "Ana Ben Dee", quest=2, fails="Dee")
    assert table.phase == Proposing(proposal=5, quest=5)
    assert table.quest("Eli", "Ana Ben Cho").results[5]


@pytest.mark.parametrize("order", FREE)
def test_the_last_quest_names_itself(order: str) -> None:
    table = Story(FIVE, quest_order=order).good_quest().bad_quest().good_quest().bad_quest()
    assert table.phase == Proposing(proposal=5, quest=5)
    with table.refused(Reason.QUEST_ALREADY_PLAYED):
        table.chooses(table.leader, 4)


@pytest.mark.parametrize("order", FREE)
def test_two_fails_belong_to_quest_four_whenever_it_is_played(order: str) -> None:
    table = Story(SEVEN, quest_order=order).quest("Ana", "Ana Ben Cho Gus", quest=4, fails="Gus")
    assert table.results == {4: True}
    assert table.quest("Ben", "Ana Ben Gus", quest=3, fails="Gus").results == {4: True, 3: False}
    other = Story(SEVEN, quest_order=order).quest("Ana", "Ana Ben Fay Gus", quest=4, fails="Fay Gus")
    assert other.results == {4: False}


@pytest.mark.parametrize("order", FREE)
def test_the_quest_proposed_last_is_the_one_that_evil_wins(order: str) -> None:
    table = Story(FIVE, quest_order=order, fifth_rejection="evil_wins_quest").rejections(4, quest=1)
    table.rejected("Eli", "Ana Ben Cho", quest=4)
    assert table.results == {4: False}
    assert table.leader == "Ana"
    assert open_quests(table.game) == (1, 2, 3)


@pytest.mark.parametrize("order", FREE)
def test_the_fifth_team_goes_without_a_vote_on_the_quest_its_leader_names(order: str) -> None:
    table = Story(FIVE, quest_order=order, fifth_rejection="no_vote").rejections(4, quest=1)
    assert table.quest("Eli", "Ana Ben Cho", quest=2).results == {2: True}


@pytest.mark.parametrize("order", FREE)
def test_five_rejections_on_any_quests_end_the_game(order: str) -> None:
    table = Story(FIVE, quest_order=order).rejections(2, quest=1).rejections(3, quest=3)
    assert isinstance(table.phase, Over)


def test_in_fixed_order_nothing_is_chosen() -> None:
    table = Story(FIVE)
    with table.refused(Reason.QUEST_OUT_OF_ORDER):
        table.chooses("Ana", 2)
    assert table.chooses("Ana", 1).phase == Proposing(proposal=1, quest=1)
