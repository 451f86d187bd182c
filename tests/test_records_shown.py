"""The commands `show` and `verify`: a record as people read it, and the fair deal."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.core.story import FIVE, SEVEN, Story
from tests.record_files import illegal, lines_of, promised, results, won, written
from tgavalon import records

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that the test fills."""
    return tmp_path / "games.jsonl"


SHOWN = """\
Game 1

  1  Ana: merlin, good
  2  Ben: percival, good
  3  Cho: servant, good
  4  Dee: servant, good
  5  Eli: mordred, evil, holds the dagger
  6  Fay: morgana, evil
  7  Gus: assassin, evil
Rules: lady on, dagger mordred

Quest 1: Ana proposes Ana, Gus
  votes 1+ 2+ 3+ 4- 5- 6- 7-: rejected, 3 to 4

Quest 1: Ben proposes Ana, Gus
  votes 1+ 2+ 3+ 4+ 5+ 6+ 7+: approved, 7 to 0
  cards Ana success, Gus fail
  quest 1 fails with 1 Fail

Quest 2: Cho proposes Ana, Ben, Cho
  votes 1+ 2+ 3+ 4+ 5+ 6+ 7+: approved, 7 to 0
  cards Ana success, Ben success, Cho success
  quest 2 succeeds with 0 Fails
  Lady of the Lake: Gus examines Ana, who is good

Quest 3: Dee proposes Ana, Ben, Cho
  votes 1+ 2+ 3+ 4+ 5+ 6+ 7+: approved, 7 to 0
  cards Ana success, Ben success, Cho success
  quest 3 succeeds with 0 Fails
  Lady of the Lake: Ana examines Fay, who is evil

Quest 4: Eli proposes Ana, Ben, Cho, Gus
  votes 1+ 2+ 3+ 4+ 5+ 6+ 7+: approved, 7 to 0
  cards Ana success, Ben success, Cho success, Gus fail
  quest 4 succeeds with 1 Fail

Eli names Ben (percival) as Merlin.
Good wins: Merlin was not found.

"""


def test_a_record_is_shown_as_people_read_it(file: Path, capsys: Output) -> None:
    table = Story(SEVEN, lady=True, dagger="Eli").team("Ana", "Ana Gus").votes(approve="Ana Ben Cho")
    table.quest("Ben", "Ana Gus", fails="Gus").good_quest().checks("Gus", "Ana").good_quest().checks("Ana", "Fay")
    table.quest("Eli", "Ana Ben Cho Gus", fails="Gus").names("Eli", "Ben")
    file.write_bytes(lines_of(written(table.game)))
    assert records.show([str(file)]) == 0
    assert capsys.readouterr().out == SHOWN


@pytest.mark.parametrize(
    ("story", "line"),
    [
        (Story(FIVE), "Unfinished: Ana leads the next team."),
        (Story(FIVE).team("Ana", "Ana Ben"), "Unfinished: the vote on quest 1 with Ana, Ben is open."),
        (Story(FIVE).team("Ana", "Ana Ben").all_approve(), "Unfinished: Ana, Ben are on quest 1."),
        (Story(FIVE, lady=True).good_quest().good_quest(), "Unfinished: Eli holds the Lady of the Lake."),
        (Story(FIVE).three_successes(), "Unfinished: the dagger has not been used."),
        (Story(FIVE).three_successes().time_is_up(), "Eli names nobody in time as Merlin."),
        (Story(FIVE).rejections(5), "Evil wins: five teams in a row were rejected."),
        (Story(FIVE).bad_quest().bad_quest().bad_quest(), "Evil wins: three quests have failed."),
        (Story(FIVE, fifth_rejection="no_vote").rejections(4).team("Eli", "Ana Ben"), "  goes without a vote"),
        (Story(FIVE, fifth_rejection="evil_wins_quest").rejections(5), "  five rejections: quest 1 fails"),
        (
            Story(FIVE, lady=True).good_quest().good_quest().time_is_up(),
            "  Lady of the Lake: Eli does not come in time",
        ),
        (
            Story(FIVE, lady=True, lady_optional=True).good_quest().good_quest().passes("Eli"),
            "  Lady of the Lake: Eli passes",
        ),
        (Story(FIVE, lady=True, approval="half"), "Rules: approval half, lady on"),
        (Story(FIVE), "Rules: the rulebook's"),
    ],
)
def test_every_turn_of_a_game_can_be_shown(file: Path, capsys: Output, story: Story, line: str) -> None:
    file.write_bytes(lines_of(written(story.game)))
    assert records.show([str(file)]) == 0
    assert line in capsys.readouterr().out.splitlines()


def test_an_illegal_record_is_not_shown(file: Path, capsys: Output) -> None:
    file.write_bytes(lines_of(illegal(), won()))
    assert records.show([str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("Game 2\n")
    assert err.splitlines()[0] == (
        f"tgavalon: {file}: game 1 at move 3: wrong_team_size: The team does not have the size this quest needs."
    )


def test_names_cannot_steer_the_terminal(file: Path, capsys: Output) -> None:
    names = ("\x1b[2J", "a\nb", "\u202eevil", "سارا\u200cی", "\ud800")
    file.write_bytes(lines_of(written(Story(FIVE).game, names)))
    assert records.show([str(file)]) == 0
    out = capsys.readouterr().out
    assert "  1  \N{REPLACEMENT CHARACTER}[2J: merlin, good\n" in out
    assert "  2  a\N{REPLACEMENT CHARACTER}b: percival, good\n" in out
    assert "  3  \N{REPLACEMENT CHARACTER}evil: servant, good\n" in out
    assert "  4  سارا\u200cی: morgana, evil\n" in out
    assert "  5  \N{REPLACEMENT CHARACTER}: assassin, evil\n" in out


def test_a_poor_terminal_gets_question_marks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(lines_of(written(Story(FIVE).game, ("Ана", "Ben", "Cho", "Dee", "Eli"))))
    poor = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", poor)
    assert records.show([str(file)]) == 0
    assert isinstance(poor.buffer, io.BytesIO)
    assert b"  1  ???: merlin, good\n" in poor.buffer.getvalue()


def test_a_kept_promise_is_verified(file: Path, capsys: Output) -> None:
    value = promised()
    file.write_bytes(lines_of(value))
    assert records.verify([str(file)]) == 0
    assert results(capsys.readouterr().out) == [
        {"game": 1, "ok": True, "commitment": value["deal"]["commitment"]},
    ]


def test_a_broken_promise_a_missing_one_and_an_illegal_record(file: Path, capsys: Output) -> None:
    swapped = promised()
    swapped["roles"][1:3] = swapped["roles"][2:0:-1]
    file.write_bytes(lines_of(promised("5b" * 16), swapped, won(), illegal(), promised()))
    assert records.verify([str(file)]) == 1
    lines = results(capsys.readouterr().out)
    assert [line.get("error") for line in lines] == [
        "broken_commitment",
        "broken_commitment",
        "no_commitment",
        "wrong_team_size",
        None,
    ]
    assert [line["ok"] for line in lines] == [False] * 4 + [True]
    assert all(line["message"] for line in lines[:4])
