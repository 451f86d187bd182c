"""Teams, votes, quests and the crown: the part of the game that every rule text shares."""

from __future__ import annotations

import pytest

from tests.core.story import FIVE, SEVEN, TEN, Story
from tgavalon.core.actions import Action, CastVotes, Pick, PlayCard, PlayCards, Propose, TimeUp, Vote
from tgavalon.core.game import Card, Outcome, Over, Proposing, Questing, Voting
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Side

SIX = "Ana:merlin Ben:percival Cho:servant Dee:servant Eli:morgana Fay:assassin"
MANY = [FIVE, SIX, SEVEN, TEN]


def test_the_first_leader_opens_the_first_quest() -> None:
    table = Story(FIVE, leader="Cho")
    assert table.leader == "Cho"
    assert table.phase == Proposing(proposal=1, quest=1)


def test_an_approved_team_goes_on_the_quest() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").votes(approve="Ana Ben Cho")
    assert table.phase == Questing(1, table.seats("Ana Eli"), (None, None))
    assert table.leader == "Ana"


def test_the_leader_may_stay_at_home() -> None:
    assert Story(FIVE).quest("Ana", "Ben Cho").results == {1: True}


def test_a_rejected_team_passes_the_crown_clockwise() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").votes(reject="Ana Ben Cho")
    assert table.leader == "Ben"
    assert table.game.rejections == 1
    assert table.phase == Proposing(proposal=2, quest=1)


def test_a_quest_passes_the_crown_clockwise_and_past_the_last_seat() -> None:
    table = Story(FIVE, leader="Eli").quest("Eli", "Ana Ben")
    assert table.leader == "Ana"
    assert table.phase == Proposing(proposal=2, quest=2)


def test_rejections_are_counted_anew_on_every_quest() -> None:
    table = Story(FIVE).rejections(4).quest("Eli", "Ana Ben")
    assert table.game.rejections == 0
    assert table.rejections(4).game.rejections == 4
    assert table.quest("Eli", "Ana Ben Cho").results == {1: True, 2: True}


@pytest.mark.parametrize("deal", MANY)
def test_a_majority_is_needed_and_a_tie_rejects(deal: str) -> None:
    table = Story(deal)
    half = " ".join(table.names_by_seat[: table.game.seats // 2])
    one_more = " ".join(table.names_by_seat[: table.game.seats // 2 + 1])
    assert isinstance(table.team("Ana", table.somebody(1)).votes(approve=half).phase, Proposing)
    assert isinstance(table.team("Ben", table.somebody(1)).votes(approve=one_more).phase, Questing)


@pytest.mark.parametrize("deal", [SIX, TEN])
def test_half_is_enough_where_the_rules_say_so(deal: str) -> None:
    table = Story(deal, approval="half")
    half = " ".join(table.names_by_seat[: table.game.seats // 2])
    less = " ".join(table.names_by_seat[: table.game.seats // 2 - 1])
    assert isinstance(table.team("Ana", table.somebody(1)).votes(approve=less).phase, Proposing)
    assert isinstance(table.team("Ben", table.somebody(1)).votes(approve=half).phase, Questing)


def test_with_five_players_half_means_three() -> None:
    table = Story(FIVE, approval="half").team("Ana", "Ana Ben").votes(approve="Ana Ben")
    assert isinstance(table.phase, Proposing)


def test_votes_stay_secret_until_the_last_one_is_in() -> None:
    table = Story(FIVE).team("Ana", "Ana Ben")
    for seat in range(4):
        table.does(Vote(seat, 1, approve=False))
        assert isinstance(table.phase, Voting)
        assert table.game.proposals == ()
    table.does(Vote(4, 1, approve=True))
    assert table.game.proposals[0].ballots == (False, False, False, False, True)


def test_a_vote_can_be_changed_until_the_last_one_is_in() -> None:
    table = Story(FIVE).team("Ana", "Ana Ben")
    table.does(Vote(0, 1, approve=False)).does(Vote(0, 1, approve=True))
    for seat in range(1, 5):
        table.does(Vote(seat, 1, approve=seat < 3))
    assert table.game.proposals[0].ballots == (True, True, True, False, False)
    assert isinstance(table.phase, Questing)


def test_one_fail_card_is_enough() -> None:
    table = Story(FIVE).quest("Ana", "Ana Eli", fails="Eli")
    assert table.results == {1: False}
    assert table.game.quests[0].fails == 1


def test_evil_may_play_success() -> None:
    assert Story(FIVE).quest("Ana", "Dee Eli").results == {1: True}


def test_a_good_player_can_only_play_success() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").all_approve()
    with table.refused(Reason.GOOD_CANNOT_FAIL):
        table.does(PlayCard(0, 1, Card.FAIL))
    with table.refused(Reason.GOOD_CANNOT_FAIL):
        table.does(PlayCards(1, {0: Card.FAIL, 4: Card.SUCCESS}))


@pytest.mark.parametrize(("fails", "success"), [("", True), ("Eli", True), ("Eli Fay", False), ("Eli Fay Gus", False)])
def test_quest_four_needs_two_fails_with_seven_players(fails: str, success: bool) -> None:
    table = Story(SEVEN).good_quest().bad_quest().good_quest()
    table.quest(table.leader, "Ana Eli Fay Gus", fails=fails)
    assert table.results[4] is success
    assert table.game.quests[-1].fails == len(fails.split())


def test_quest_four_needs_one_fail_with_six_players() -> None:
    table = Story(SIX).good_quest().bad_quest().good_quest().quest("Dee", "Ana Ben Fay", fails="Fay")
    assert table.results == {1: True, 2: False, 3: True, 4: False}


def test_five_needs_one_fail_with_ten_players() -> None:
    table = Story(TEN).good_quest().bad_quest().good_quest().bad_quest()
    table.quest(table.leader, "Ana Ben Cho Dee Jon", fails="Jon")
    assert table.outcome is Outcome.THREE_FAILED_QUESTS


@pytest.mark.parametrize("deal", MANY)
def test_three_failed_quests_win_for_evil_at_once(deal: str) -> None:
    table = Story(deal).bad_quest().bad_quest().bad_quest()
    assert table.phase == Over(Side.EVIL, Outcome.THREE_FAILED_QUESTS)


def test_five_rejections_win_for_evil() -> None:
    table = Story(FIVE).good_quest().rejections(5)
    assert table.phase == Over(Side.EVIL, Outcome.FIVE_REJECTIONS)
    assert len(table.game.proposals) == 6


def test_five_rejections_can_give_the_quest_to_evil() -> None:
    table = Story(FIVE, fifth_rejection="evil_wins_quest").rejections(5)
    quest = table.game.quests[0]
    assert (quest.number, quest.success, quest.fails, quest.cards) == (1, False, 0, None)
    assert quest.team == table.game.proposals[-1].team
    assert table.leader == "Ana", "the crown goes on past the fifth leader"
    assert table.phase == Proposing(proposal=6, quest=2)
    assert table.game.rejections == 0


def test_evil_wins_by_three_quests_that_nobody_went_on() -> None:
    table = Story(FIVE, fifth_rejection="evil_wins_quest").rejections(5).rejections(5).rejections(5)
    assert table.phase == Over(Side.EVIL, Outcome.THREE_FAILED_QUESTS)


def test_a_lost_quest_four_is_lost_whatever_it_needs() -> None:
    table = Story(SEVEN, fifth_rejection="evil_wins_quest").good_quest().bad_quest().good_quest().rejections(5)
    assert table.results == {1: True, 2: False, 3: True, 4: False}


def test_the_fifth_team_can_go_without_a_vote() -> None:
    table = Story(FIVE, fifth_rejection="no_vote").rejections(4).team("Eli", "Dee Eli")
    assert table.phase == Questing(1, table.seats("Dee Eli"), (None, None))
    assert table.game.proposals[-1].ballots is None
    assert table.game.proposals[-1].approved
    with table.refused(Reason.NO_VOTE_NOW):
        table.does(CastVotes(5, (False,) * 5))
    assert table.cards(fails="Eli").results == {1: False}
    assert table.leader == "Ana"
    table.team("Ana", "Ana Ben Cho")
    assert isinstance(table.phase, Voting), "the next quest starts with votes again"


def test_the_fourth_team_still_needs_a_vote() -> None:
    table = Story(FIVE, fifth_rejection="no_vote").rejections(3).team("Dee", "Dee Eli")
    assert isinstance(table.phase, Voting)


def test_a_quest_that_succeeds_does_not_end_the_game_before_the_third() -> None:
    table = Story(FIVE).good_quest().bad_quest().good_quest().bad_quest()
    assert table.phase == Proposing(proposal=5, quest=5)


def test_a_draft_is_filled_by_the_leader() -> None:
    table = Story(FIVE).picks("Ana", "Eli").picks("Ana", "Ben").picks("Ana", "Eli", chosen=False)
    assert isinstance(table.phase, Proposing)
    assert table.phase.draft == {1}
    table.picks("Ana", "Cho")
    with table.refused(Reason.TEAM_IS_FULL):
        table.picks("Ana", "Dee")
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Pick(0, 1, 5, chosen=True))
    with table.refused(Reason.NOT_LEADER):
        table.picks("Ben", "Dee")
    with table.refused(Reason.PROPOSAL_IS_OVER):
        table.does(Pick(0, 0, 3, chosen=True))


@pytest.mark.parametrize(
    ("team", "quest", "reason"),
    [
        ((0,), 1, Reason.WRONG_TEAM_SIZE),
        ((), 1, Reason.WRONG_TEAM_SIZE),
        ((0, 1, 2), 1, Reason.WRONG_TEAM_SIZE),
        ((1, 1), 1, Reason.DUPLICATE_MEMBER),
        ((0, 5), 1, Reason.NO_SUCH_SEAT),
        ((-1, 1), 1, Reason.NO_SUCH_SEAT),
        ((0, 1, 2), 2, Reason.QUEST_OUT_OF_ORDER),
        ((0, 1), 0, Reason.NO_SUCH_QUEST),
        ((0, 1), 6, Reason.NO_SUCH_QUEST),
        ((0, 1), -1, Reason.NO_SUCH_QUEST),
    ],
)
def test_a_team_that_is_not_one_is_refused(team: tuple[int, ...], quest: int, reason: Reason) -> None:
    table = Story(FIVE)
    with table.refused(reason):
        table.does(Propose(0, 1, team, quest))


def test_a_quest_is_played_once() -> None:
    table = Story(FIVE).good_quest()
    with table.refused(Reason.QUEST_ALREADY_PLAYED):
        table.team("Ben", "Ana Ben", quest=1)


def test_only_the_leader_proposes_and_only_once() -> None:
    table = Story(FIVE)
    with table.refused(Reason.NOT_LEADER):
        table.team("Ben", "Ana Ben")
    table.rejected("Ana", "Ana Ben")
    with table.refused(Reason.PROPOSAL_IS_OVER):
        table.does(Propose(1, 1, (0, 1), 1))
    table.team("Ben", "Ana Ben")
    with table.refused(Reason.NOT_PROPOSING):
        table.team("Ben", "Ana Ben")


def test_a_vote_belongs_to_its_proposal() -> None:
    table = Story(FIVE)
    with table.refused(Reason.NO_VOTE_NOW):
        table.does(Vote(0, 1, approve=True))
    table.rejected("Ana", "Ana Ben").team("Ben", "Ana Ben")
    with table.refused(Reason.VOTE_IS_OVER):
        table.does(Vote(0, 1, approve=True))
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Vote(5, 2, approve=True))
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Vote(-1, 2, approve=True))
    with table.refused(Reason.VOTES_MISSING):
        table.does(CastVotes(2, (True,) * 4))
    with table.refused(Reason.VOTES_MISSING):
        table.does(CastVotes(2, (True,) * 6))
    with table.refused(Reason.VOTE_IS_OVER):
        table.does(CastVotes(1, (True,) * 5))


def test_a_card_belongs_to_its_quest_and_to_the_team() -> None:
    table = Story(FIVE)
    with table.refused(Reason.NO_QUEST_NOW):
        table.does(PlayCard(0, 1, Card.SUCCESS))
    table.good_quest().team("Ben", "Ana Dee Eli").all_approve()
    with table.refused(Reason.QUEST_IS_OVER):
        table.does(PlayCard(0, 1, Card.SUCCESS))
    with table.refused(Reason.NOT_ON_TEAM):
        table.does(PlayCard(1, 2, Card.SUCCESS))
    with table.refused(Reason.NOT_ON_TEAM):
        table.does(PlayCards(2, dict.fromkeys((0, 1, 3), Card.SUCCESS)))
    with table.refused(Reason.CARDS_MISSING):
        table.does(PlayCards(2, dict.fromkeys((0, 3), Card.SUCCESS)))
    with table.refused(Reason.QUEST_IS_OVER):
        table.does(PlayCards(1, dict.fromkeys((0, 3, 4), Card.SUCCESS)))


def test_a_played_card_stays() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").all_approve().does(PlayCard(4, 1, Card.FAIL))
    with table.refused(Reason.CARD_ALREADY_PLAYED):
        table.does(PlayCard(4, 1, Card.SUCCESS))
    assert table.does(PlayCard(4, 1, Card.FAIL)).does(PlayCard(0, 1, Card.SUCCESS)).results == {1: False}


def test_nothing_can_be_done_once_the_game_is_over() -> None:
    table = Story(FIVE).rejections(5)
    steps: list[Action] = [
        Propose(0, 6, (0, 1), 1),
        Pick(0, 6, 1, chosen=True),
        Vote(0, 5, approve=True),
        CastVotes(5, (True,) * 5),
        PlayCard(0, 1, Card.SUCCESS),
        PlayCards(1, {0: Card.SUCCESS, 1: Card.SUCCESS}),
        TimeUp(("over", 0)),
    ]
    for step in steps:
        with table.refused(Reason.GAME_OVER):
            table.does(step)
