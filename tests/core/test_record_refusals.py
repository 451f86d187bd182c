"""Records that are not records of legal games: the code, the move and a sentence, and never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.story import FIVE, SEVEN, TEN, Story
from tgavalon.core.reasons import Reason
from tgavalon.core.record import Fault, Record, Refusal
from tgavalon.core.record_reading import read
from tgavalon.core.record_writing import write
from tgavalon.core.sentences import sentence

Json = dict[str, Any]

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
TEAM, VOTES, CARDS, SHOT = 0, 1, 2, 9
"""Where the moves of `finished()` are that tests spoil."""


def told(table: Story) -> Json:
    """The record of a story, as JSON that a test may change."""
    written: Json = json.loads(json.dumps(write(Record(NAMES[: table.game.seats], table.game))))
    return written


def finished() -> Json:
    return told(Story(FIVE).three_successes().names("Eli", "Ana"))


def refusal(value: object) -> tuple[str, int | None]:
    found = read(value)
    assert isinstance(found, Refusal), found
    assert found.message.endswith("."), "a sentence"
    assert "\n" not in found.message
    return found.code.value, found.move


def spoiled(index: int, move: object) -> Json:
    value = finished()
    value["moves"][index] = move
    return value


@pytest.mark.parametrize("value", [None, True, 3, 1.5, "record", [], [{}], {}, {"format": "avalon-record/2"}])
def test_what_is_not_a_record_of_this_format(value: object) -> None:
    assert refusal(value) == ("wrong_format", None)


@pytest.mark.parametrize("mark", [None, 1, "", "avalon-record/1 ", "Avalon-record/1", ["avalon-record/1"]])
def test_the_format_is_named_exactly(mark: object) -> None:
    assert refusal({**finished(), "format": mark}) == ("wrong_format", None)


@pytest.mark.parametrize("key", ["players", "roles", "leader", "moves"])
def test_a_key_that_is_missing(key: str) -> None:
    value = finished()
    del value[key]
    assert refusal(value) == ("bad_header", None)


HEADERS: list[tuple[str, object, str]] = [
    ("players", None, "bad_header"),
    ("players", "Ana Ben Cho Dee Eli", "bad_header"),
    ("players", ["Ana", "Ben", "Cho", "Dee", 5], "bad_header"),
    ("players", ["Ana", "Ben", "Cho", "Dee", "E" * 257], "bad_header"),
    ("players", ["Ana", "Ben", "Cho", "Dee"], "roles_do_not_fit"),
    ("players", [], "roles_do_not_fit"),
    ("roles", {}, "bad_header"),
    ("roles", ["merlin", "percival", "servant", "morgana", "wizard"], "bad_header"),
    ("roles", ["merlin", "percival", "servant", "morgana", None], "bad_header"),
    ("roles", ["merlin", "percival", "servant", "morgana", ["assassin"]], "bad_header"),
    ("roles", ["Merlin", "percival", "servant", "morgana", "assassin"], "bad_header"),
    ("roles", ["merlin", "percival", "servant", "servant", "assassin"], "roles_do_not_fit"),
    ("roles", ["merlin", "percival", "minion", "morgana", "assassin"], "roles_do_not_fit"),
    ("roles", ["merlin", "merlin", "servant", "morgana", "assassin"], "duplicate_role"),
    ("roles", ["merlin", "percival", "servant", "morgana", "minion"], "no_dagger"),
    ("leader", None, "bad_header"),
    ("leader", "0", "bad_header"),
    ("leader", True, "bad_header"),
    ("leader", 0.0, "bad_header"),
    ("leader", 5, "no_such_seat"),
    ("leader", -1, "no_such_seat"),
    ("leader", 10**30, "no_such_seat"),
    ("assassin", "4", "bad_header"),
    ("assassin", False, "bad_header"),
    ("assassin", 5, "no_such_seat"),
    ("assassin", -1, "no_such_seat"),
    ("assassin", 0, "dagger_not_evil"),
    ("moves", None, "bad_header"),
    ("moves", {}, "bad_header"),
    ("moves", "propose", "bad_header"),
    ("ruleset", None, "bad_header"),
    ("ruleset", [], "bad_header"),
    ("ruleset", {"ladies": True}, "unknown_option"),
    ("ruleset", {"dagger": "mordred"}, "unknown_option"),
    ("ruleset", {"": 1}, "unknown_option"),
    ("ruleset", {"approval": "unanimous"}, "unknown_option"),
    ("ruleset", {"approval": None}, "unknown_option"),
    ("ruleset", {"approval": ["majority"]}, "unknown_option"),
    ("ruleset", {"quest_order": "fixed "}, "unknown_option"),
    ("ruleset", {"fifth_rejection": "good_wins"}, "unknown_option"),
    ("ruleset", {"lady_immunity": "nobody"}, "unknown_option"),
    ("ruleset", {"lady": 1}, "unknown_option"),
    ("ruleset", {"lady_optional": "no"}, "unknown_option"),
    ("ruleset", {"evil_shown_before_assassination": None}, "unknown_option"),
    ("deal", [], "bad_header"),
    ("deal", {}, "bad_header"),
    ("deal", {"salt": "00"}, "bad_header"),
    ("deal", {"salt": "", "commitment": "0" * 64}, "bad_header"),
    ("deal", {"salt": "0" * 129, "commitment": "0" * 64}, "bad_header"),
    ("deal", {"salt": "0g", "commitment": "0" * 64}, "bad_header"),
    ("deal", {"salt": "00", "commitment": "0" * 63}, "bad_header"),
    ("deal", {"salt": "00", "commitment": "A" * 64}, "bad_header"),
    ("deal", {"salt": 7, "commitment": None}, "bad_header"),
]


@pytest.mark.parametrize(("key", "value", "code"), HEADERS)
def test_a_header_that_is_not_one_of_a_legal_game(key: str, value: object, code: str) -> None:
    assert refusal({**finished(), key: value}) == (code, None)


def test_tables_are_too_small_or_too_large() -> None:
    small = {**finished(), "players": ["A"] * 4, "roles": ["merlin", "servant", "servant", "assassin"]}
    large = {**finished(), "players": ["A"] * 11, "roles": ["servant"] * 11}
    assert refusal(small) == ("too_few_players", None)
    assert refusal(large) == ("too_many_players", None)


MALFORMED: list[tuple[int, object]] = [
    (TEAM, None),
    (TEAM, "propose"),
    (TEAM, []),
    (TEAM, {}),
    (TEAM, {"pass": 1}),
    (TEAM, {"propose": {"team": [0, 1], "quest": 1}, "vote": []}),
    (TEAM, {"propose": [0, 1]}),
    (TEAM, {"propose": {"team": [0, 1]}}),
    (TEAM, {"propose": {"quest": 1}}),
    (TEAM, {"propose": {"team": [0, 1], "quests": 1}}),
    (TEAM, {"propose": {"team": [0, 1], "quest": 1, "leader": 0}}),
    (TEAM, {"propose": {"team": [0, 1], "quest": None}}),
    (TEAM, {"propose": {"team": [0, 1], "quest": True}}),
    (TEAM, {"propose": {"team": [0, 1], "quest": 1.0}}),
    (TEAM, {"propose": {"team": "01", "quest": 1}}),
    (TEAM, {"propose": {"team": [0, "1"], "quest": 1}}),
    (TEAM, {"propose": {"team": [False, True], "quest": 1}}),
    (TEAM, {"propose": {"team": [0, [1]], "quest": 1}}),
    (VOTES, {"vote": None}),
    (VOTES, {"vote": {"0": True}}),
    (VOTES, {"vote": [1, 1, 1, 0, 0]}),
    (VOTES, {"vote": [True, True, True, False, None]}),
    (VOTES, {"vote": [True, True, True, False, False], "timed_out": True}),
    (CARDS, {"quest": None}),
    (CARDS, {"quest": ["success", "success"]}),
    (CARDS, {"quest": {"0": "success", "1": "Success"}}),
    (CARDS, {"quest": {"0": "success", "1": True}}),
    (CARDS, {"quest": {"0": "success", "1": ["success"]}}),
    (CARDS, {"quest": {"0": "success", "": "success"}}),
    (CARDS, {"quest": {"0": "success", "-1": "success"}}),
    (CARDS, {"quest": {"0": "success", "Ben": "success"}}),
    (CARDS, {"quest": {"0": "success", "١": "success"}}),
    (SHOT, {"assassinate": None}),
    (SHOT, {"assassinate": "0"}),
    (SHOT, {"assassinate": False}),
    (SHOT, {"assassinate": 0, "timed_out": True}),
    (SHOT, {"assassinate": None, "timed_out": False}),
    (SHOT, {"assassinate": None, "timed_out": 1}),
    (SHOT, {"assassinate": None, "timed_out": True, "by": 4}),
    (SHOT, {"timed_out": True}),
    (SHOT, {"lady": [1]}),
    (SHOT, {"lady": True}),
]


@pytest.mark.parametrize(("index", "move"), MALFORMED)
def test_a_malformed_move_is_that_moves_error(index: int, move: object) -> None:
    assert refusal(spoiled(index, move)) == ("malformed_move", index)


ILLEGAL: list[tuple[int, object, Reason]] = [
    (TEAM, {"propose": {"team": [0], "quest": 1}}, Reason.WRONG_TEAM_SIZE),
    (TEAM, {"propose": {"team": [], "quest": 1}}, Reason.WRONG_TEAM_SIZE),
    (TEAM, {"propose": {"team": [1, 1], "quest": 1}}, Reason.DUPLICATE_MEMBER),
    (TEAM, {"propose": {"team": [0, 5], "quest": 1}}, Reason.NO_SUCH_SEAT),
    (TEAM, {"propose": {"team": [-1, 0], "quest": 1}}, Reason.NO_SUCH_SEAT),
    (TEAM, {"propose": {"team": [0, 10**40], "quest": 1}}, Reason.NO_SUCH_SEAT),
    (TEAM, {"propose": {"team": [0, 1], "quest": 0}}, Reason.NO_SUCH_QUEST),
    (TEAM, {"propose": {"team": [0, 1], "quest": 3}}, Reason.QUEST_OUT_OF_ORDER),
    (TEAM, {"vote": [True] * 5}, Reason.NO_VOTE_NOW),
    (TEAM, {"quest": {"0": "success", "1": "success"}}, Reason.NO_QUEST_NOW),
    (TEAM, {"lady": 3}, Reason.NO_LADY_NOW),
    (TEAM, {"lady": None}, Reason.NO_LADY_NOW),
    (TEAM, {"lady": None, "timed_out": True}, Reason.NO_LADY_NOW),
    (TEAM, {"assassinate": 0}, Reason.NO_SHOT_NOW),
    (TEAM, {"assassinate": None, "timed_out": True}, Reason.NO_SHOT_NOW),
    (VOTES, {"vote": [True] * 4}, Reason.VOTES_MISSING),
    (VOTES, {"vote": [True] * 6}, Reason.VOTES_MISSING),
    (VOTES, {"vote": []}, Reason.VOTES_MISSING),
    (VOTES, {"propose": {"team": [0, 1], "quest": 1}}, Reason.NOT_PROPOSING),
    (CARDS, {"quest": {"0": "success"}}, Reason.CARDS_MISSING),
    (CARDS, {"quest": {}}, Reason.CARDS_MISSING),
    (CARDS, {"quest": {"0": "success", "2": "success"}}, Reason.NOT_ON_TEAM),
    (CARDS, {"quest": {"0": "success", "1": "success", "2": "success"}}, Reason.NOT_ON_TEAM),
    (CARDS, {"quest": {"0": "success", "5": "success"}}, Reason.NO_SUCH_SEAT),
    (CARDS, {"quest": {"0": "success", "17": "success"}}, Reason.NO_SUCH_SEAT),
    (CARDS, {"quest": {"0": "success", "1": "fail"}}, Reason.GOOD_CANNOT_FAIL),
    (SHOT, {"assassinate": 4}, Reason.SHOT_SELF),
    (SHOT, {"assassinate": 5}, Reason.NO_SUCH_SEAT),
    (SHOT, {"assassinate": -1}, Reason.NO_SUCH_SEAT),
    (SHOT, {"propose": {"team": [0, 1], "quest": 4}}, Reason.NOT_PROPOSING),
]


@pytest.mark.parametrize(("index", "move", "reason"), ILLEGAL)
def test_an_illegal_move_has_the_cores_own_reason(index: int, move: object, reason: Reason) -> None:
    found = read(spoiled(index, move))
    assert found == Refusal(reason, sentence(reason), index)


@pytest.mark.parametrize(
    "extra", [{"assassinate": 1}, {"propose": {"team": [0, 1], "quest": 4}}, {"nonsense": 1}, None]
)
def test_nothing_follows_the_end(extra: object) -> None:
    value = finished()
    value["moves"].append(extra)
    assert refusal(value) == ("game_over", 10)


def test_a_fifth_team_that_goes_without_a_vote_has_none() -> None:
    value = told(Story(FIVE, fifth_rejection="no_vote").rejections(4).quest("Eli", "Ana Ben"))
    value["moves"].insert(9, {"vote": [True] * 5})
    assert refusal(value) == ("no_vote_now", 9)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"lady": 6}, "lady_immune"),
        ({"lady": 0}, "lady_self"),
        ({"lady": 7}, "no_such_seat"),
        ({"lady": None}, "lady_must_examine"),
        ({"lady": 3, "timed_out": True}, "malformed_move"),
        ({"lady": "3"}, "malformed_move"),
    ],
)
def test_a_check_that_may_not_be(move: Json, code: str) -> None:
    value = told(Story(SEVEN, lady=True).good_quest().bad_quest().checks("Gus", "Ana").good_quest())
    value["moves"].append(move)
    assert refusal(value) == (code, 10)


def test_quest_five_may_be_locked() -> None:
    value = told(Story(FIVE, quest_order="targeting"))
    value["moves"].append({"propose": {"team": [0, 1, 2], "quest": 5}})
    assert refusal(value) == ("quest_locked", 0)


@pytest.mark.parametrize(
    "result",
    [
        None,
        {},
        [],
        "evil",
        {"winner": "evil"},
        {"winner": "good", "reason": "merlin_assassinated"},
        {"winner": "evil", "reason": "five_rejections"},
        {"winner": ["evil"], "reason": "merlin_assassinated"},
    ],
)
def test_the_result_is_that_of_the_moves(result: object) -> None:
    assert refusal({**finished(), "result": result}) == ("result_mismatch", None)


def test_a_finished_game_needs_its_result() -> None:
    value = finished()
    del value["result"]
    assert refusal(value) == ("result_mismatch", None)


def test_an_unfinished_game_has_no_result() -> None:
    value = finished()
    value["moves"].pop()
    assert refusal(value) == ("result_mismatch", None)
    assert isinstance(read({**value, "result": None}), Record)
    del value["result"]
    assert isinstance(read(value), Record)


def test_the_first_fault_counts() -> None:
    value = spoiled(CARDS, {"quest": {"0": "success", "1": "fail"}})
    value["moves"][7] = None
    value["result"] = None
    assert refusal(value) == ("good_cannot_fail", CARDS)


def test_every_reason_has_a_sentence() -> None:
    sentences = [sentence(reason) for reason in Reason]
    assert len(set(sentences)) == len(sentences)
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)


def test_codes_of_faults_and_reasons_are_told_apart() -> None:
    assert not {fault.value for fault in Fault} & {reason.value for reason in Reason}


def test_a_record_of_ten_with_everything_is_read() -> None:
    table = Story(TEN, lady=True, evil_shown_before_assassination=True).good_quest().bad_quest().good_quest()
    assert isinstance(read(told(table)), Record)
