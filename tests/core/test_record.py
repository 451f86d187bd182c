"""Records: what is written of a game, and that it reads back as the same game."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.random_games import play_out, random_game, random_opening
from tests.core.story import FIVE, SEVEN, Story, rules
from tgavalon.core.actions import PlayCard, Vote
from tgavalon.core.commitment import commit
from tgavalon.core.game import Assassinating, Card, Examining, Game, Outcome, Over, Proposing, Questing, Voting, changed
from tgavalon.core.record import FairDeal, Record, Refusal
from tgavalon.core.record_reading import read
from tgavalon.core.record_writing import write
from tgavalon.core.roles import Role

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")

EXAMPLE = """
{"format": "avalon-record/1",
 "players": ["Ana", "Ben", "Cho", "Dee", "Eli"],
 "ruleset": {"approval": "majority", "fifth_rejection": "evil_wins_game", "quest_order": "fixed",
             "lady": true, "lady_optional": false, "lady_immunity": "past_holders"},
 "roles": ["merlin", "servant", "assassin", "servant", "minion"],
 "leader": 0,
 "moves": [{"propose": {"team": [0, 2], "quest": 1}},
           {"vote": [true, true, true, false, false]},
           {"quest": {"0": "success", "2": "fail"}},
           {"propose": {"team": [0, 1, 3], "quest": 2}},
           {"vote": [true, true, false, true, false]},
           {"quest": {"3": "success", "0": "success", "1": "success"}},
           {"lady": 3},
           {"propose": {"team": [0, 1], "quest": 3}},
           {"vote": [false, false, false, false, false]},
           {"propose": {"team": [1, 3], "quest": 3}},
           {"vote": [true, true, false, true, false]},
           {"quest": {"1": "success", "3": "success"}},
           {"lady": 0},
           {"propose": {"team": [1, 3, 0], "quest": 4}},
           {"vote": [true, true, false, true, true]},
           {"quest": {"0": "success", "1": "success", "3": "success"}},
           {"assassinate": 0}],
 "result": {"winner": "evil", "reason": "merlin_assassinated"}}
"""


def record(game: Game, deal: FairDeal | None = None) -> Record:
    return Record(NAMES[: game.seats], game, deal)


def read_back(written: Record) -> Record:
    """The record, written, turned to JSON text and read again."""
    found = read(json.loads(json.dumps(write(written))))
    assert isinstance(found, Record), found
    return found


def moves(table: Story) -> list[Any]:
    found: list[Any] = write(record(table.game))["moves"]
    return found


def without_drafts(game: Game) -> Game:
    """The game without what a record leaves out of the phase: a draft or a chosen quest, single ballots and cards."""
    match game.phase:
        case Proposing() as phase:
            chosen = phase.quest if game.ruleset.quest_order.value == "fixed" or _one_left(game) else None
            return changed(game, phase=Proposing(phase.proposal, chosen))
        case Voting() as phase:
            return changed(game, phase=Voting(phase.proposal, phase.quest, phase.team, (None,) * game.seats))
        case Questing() as phase:
            return changed(game, phase=Questing(phase.quest, phase.team, (None,) * len(phase.team)))
        case _:
            return game


def _one_left(game: Game) -> bool:
    left = {1, 2, 3, 4, 5} - {quest.number for quest in game.quests}
    five_is_shut = game.ruleset.quest_order.value == "last_locked" or game.successes < 2
    return len(left - {5} if five_is_shut and left != {5} else left) == 1


def test_the_published_example_reads_as_the_game_it_tells() -> None:
    found = read(json.loads(EXAMPLE))
    assert isinstance(found, Record)
    assert found.players == ("Ana", "Ben", "Cho", "Dee", "Eli")
    assert found.deal is None
    game = found.game
    assert [quest.success for quest in game.quests] == [False, True, True, True]
    assert game.quests[0].cards == (Card.SUCCESS, Card.FAIL)
    assert [(check.holder, check.examined) for check in game.checks] == [(4, 3), (3, 0)]
    assert game.phase == Over(Role.MINION.side, Outcome.MERLIN_ASSASSINATED, 0)


def test_a_game_is_written_as_the_published_format_has_it() -> None:
    found = read(json.loads(EXAMPLE))
    assert isinstance(found, Record)
    written, published = write(found), json.loads(EXAMPLE)
    assert list(written) == list(published)
    published["moves"][13]["propose"]["team"] = [0, 1, 3]
    assert written == published


def test_missing_rules_are_the_rulebooks() -> None:
    value = write(record(Story(FIVE).three_successes().names("Eli", "Ana").game))
    for ruleset in ({}, {"lady": False}, {"approval": "majority"}):
        found = read({**value, "ruleset": ruleset})
        assert isinstance(found, Record)
        assert found.game.ruleset == rules()
    del value["ruleset"]
    assert isinstance(read(value), Record)


@pytest.mark.parametrize("players", range(5, 11))
def test_random_games_survive_writing_and_reading(players: int) -> None:
    for number in range(40):
        game = random_game(Random(f"{players}/{number}"), players)
        assert without_dagger_role(read_back(record(game)).game) == without_dagger_role(game)


def without_dagger_role(game: Game) -> Game:
    """A record names the seat that holds the dagger; the rule that gives it to a role is not written."""
    return replace(game, ruleset=replace(game.ruleset, dagger=Role.ASSASSIN))


@pytest.mark.parametrize("players", [5, 7, 10])
def test_unfinished_games_survive_at_every_step(players: int) -> None:
    for number in range(6):
        dice = Random(f"{players}/{number}")
        for _, game in play_out(dice, random_opening(dice, players)):
            found = read_back(record(game)).game
            assert without_dagger_role(found) == without_dagger_role(without_drafts(game))
            assert (write(record(game))["result"] is None) is not isinstance(game.phase, Over)


def test_a_dealt_game_has_no_moves() -> None:
    game = Story(FIVE, leader="Cho").game
    value = write(record(game))
    assert (value["moves"], value["leader"], value["result"]) == ([], 2, None)
    assert read_back(record(game)).game == game


def test_moves_come_in_the_order_they_were_made() -> None:
    table = Story(FIVE, lady=True).rejected("Ana", "Ana Ben").quest("Ben", "Ana Eli", fails="Eli")
    table.good_quest().checks("Eli", "Ana").team("Dee", "Ana Dee")
    assert [next(iter(move)) for move in moves(table)] == [
        *("propose", "vote", "propose", "vote", "quest"),
        *("propose", "vote", "quest", "lady", "propose"),
    ]
    assert moves(table)[4] == {"quest": {"0": "success", "4": "fail"}}
    assert moves(table)[-2:] == [{"lady": 0}, {"propose": {"team": [0, 3], "quest": 3}}]


def test_single_ballots_and_cards_stay_out_of_a_record() -> None:
    table = Story(FIVE).team("Ana", "Ana Eli").does(Vote(0, 1, approve=True))
    assert moves(table) == [{"propose": {"team": [0, 4], "quest": 1}}]
    table.all_approve().does(PlayCard(4, 1, Card.FAIL))
    assert moves(table) == [{"propose": {"team": [0, 4], "quest": 1}}, {"vote": [True] * 5}]


def test_the_fifth_team_without_a_vote_has_no_vote_move() -> None:
    table = Story(FIVE, fifth_rejection="no_vote").rejections(4).quest("Eli", "Ana Ben")
    assert [next(iter(move)) for move in moves(table)][-4:] == ["propose", "vote", "propose", "quest"]
    assert read_back(record(table.game)).game == table.game


def test_a_quest_that_evil_won_has_no_cards() -> None:
    table = Story(FIVE, fifth_rejection="evil_wins_quest", lady=True).good_quest().rejections(5).checks("Eli", "Ben")
    assert [next(iter(move)) for move in moves(table)][-3:] == ["propose", "vote", "lady"]
    assert read_back(record(table.game)).game == table.game


def test_a_pass_and_a_missed_check_are_told_apart() -> None:
    passed = Story(SEVEN, lady=True, lady_optional=True).good_quest().good_quest().passes("Gus")
    missed = Story(SEVEN, lady=True).good_quest().good_quest().time_is_up()
    assert moves(passed)[-1] == {"lady": None}
    assert moves(missed)[-1] == {"lady": None, "timed_out": True}
    for table in (passed, missed):
        assert read_back(record(table.game)).game == table.game


def test_a_missed_shot_is_a_move_too() -> None:
    table = Story(FIVE).three_successes().time_is_up()
    assert moves(table)[-1] == {"assassinate": None, "timed_out": True}
    assert read_back(record(table.game)).game == table.game


def test_games_without_merlin_end_without_a_shot() -> None:
    table = Story("Ana:servant Ben:servant Cho:servant Dee:minion Eli:minion").three_successes()
    value = write(record(table.game))
    assert value["result"] == {"winner": "good", "reason": "three_successful_quests"}
    assert "quest" in value["moves"][-1]
    assert read_back(record(table.game)).game == table.game


def test_the_dagger_is_named_only_in_another_hand() -> None:
    assert "assassin" not in write(record(Story(SEVEN).game))
    given = Story(SEVEN, dagger="Fay").game
    assert write(record(given))["assassin"] == 5
    found = read_back(record(given)).game
    assert (found.dagger, found.ruleset.dagger) == (5, Role.MORGANA)
    by_rule = Story(SEVEN, ruleset=rules(dagger="mordred")).game
    assert read_back(record(by_rule)).game == by_rule


def test_evil_shown_first_is_written_only_where_it_is_so() -> None:
    assert "evil_shown_before_assassination" not in write(record(Story(FIVE).game))["ruleset"]
    shown = Story(FIVE, evil_shown_before_assassination=True).game
    assert write(record(shown))["ruleset"]["evil_shown_before_assassination"] is True
    assert read_back(record(shown)).game == shown


@pytest.mark.parametrize(
    ("story", "phase"),
    [
        (Story(SEVEN), Proposing),
        (Story(SEVEN).team("Ana", "Ana Ben"), Voting),
        (Story(SEVEN).team("Ana", "Ana Ben").all_approve(), Questing),
        (Story(SEVEN, lady=True).good_quest().good_quest(), Examining),
        (Story(SEVEN).three_successes(), Assassinating),
    ],
)
def test_a_game_may_stop_in_any_phase(story: Story, phase: type[object]) -> None:
    found = read_back(record(story.game)).game
    assert isinstance(found.phase, phase)
    assert found == story.game


def test_a_fair_deal_is_kept_in_the_record() -> None:
    game = Story(SEVEN).game
    deal = FairDeal("00ff" * 8, commit("00ff" * 8, game.roles, game.first_leader, game.dagger))
    assert write(record(game, deal))["deal"] == {"salt": deal.salt, "commitment": deal.commitment}
    assert read_back(record(game, deal)).deal == deal
    assert "deal" not in write(record(game))


@given(names=st.lists(st.text(max_size=256), min_size=5, max_size=5))
def test_any_names_survive(names: list[str]) -> None:
    written = Record(tuple(names), Story(FIVE).game)
    assert read_back(written) == written


def test_keys_that_the_format_does_not_know_are_ignored() -> None:
    value = write(record(Story(FIVE).game))
    assert not isinstance(read({**value, "event": "Friday round", "date": 2024}), Refusal)
