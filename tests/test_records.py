"""The command `replay`: what it prints, where, and how it exits."""

from __future__ import annotations

import gzip
import json
import os
import pty
import subprocess
import sys
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.core.random_games import random_game
from tests.core.story import SEVEN, Story
from tests.record_files import Json, illegal, lines_of, results, unfinished, won, written
from tgavalon import records
from tgavalon.records.source import LONGEST_RECORD

Output = pytest.CaptureFixture[str]

COMMAND = [sys.executable, "-m", "tgavalon"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that the test fills."""
    return tmp_path / "games.jsonl"


def test_one_json_line_a_game(file: Path, capsys: Output) -> None:
    file.write_bytes(lines_of(won(), unfinished()))
    assert records.replay([str(file)]) == 0
    out, err = capsys.readouterr()
    assert out == (
        '{"game": 1, "ok": true, "winner": "good", "reason": "merlin_survived", "moves": 10}\n'
        '{"game": 2, "ok": true, "winner": null, "phase": "vote", "moves": 1}\n'
    )
    assert err.startswith("2 games, 11 moves: 2 in order, 0 not (")


def test_an_illegal_game_is_told_and_the_others_go_on(file: Path, capsys: Output) -> None:
    file.write_bytes(lines_of(won(), illegal(), won()))
    assert records.replay([str(file)]) == 1
    out, err = capsys.readouterr()
    first, second, third = results(out)
    assert first["ok"]
    assert third == {**first, "game": 3}
    assert second == {
        "game": 2,
        "ok": False,
        "move": 3,
        "error": "wrong_team_size",
        "message": "The team does not have the size this quest needs.",
    }
    assert err.startswith("3 games, 30 moves: 2 in order, 1 not (")


@pytest.mark.parametrize(
    ("change", "move", "error"),
    [
        ({"result": {"winner": "evil", "reason": "merlin_assassinated"}}, None, "result_mismatch"),
        ({"roles": ["merlin", "servant", "servant", "servant", "assassin"]}, None, "roles_do_not_fit"),
        ({"ruleset": {"coin": True}}, None, "unknown_option"),
        ({"moves": [*won()["moves"], {"vote": [True] * 5}]}, 10, "game_over"),
        ({"moves": [{"propose": {"team": [0, 9], "quest": 1}}]}, 0, "no_such_seat"),
        ({"moves": [{"propose": 1}]}, 0, "malformed_move"),
    ],
)
def test_what_is_wrong_has_a_code_and_a_place(
    file: Path, capsys: Output, change: Json, move: int | None, error: str
) -> None:
    file.write_bytes(lines_of({**won(), **change}))
    assert records.replay([str(file)]) == 1
    [line] = results(capsys.readouterr().out)
    assert (line["ok"], line["move"], line["error"]) == (False, move, error)
    assert line["message"]


@pytest.mark.parametrize(
    ("story", "phase"),
    [
        (Story(SEVEN), "propose"),
        (Story(SEVEN).team("Ana", "Ana Ben"), "vote"),
        (Story(SEVEN).team("Ana", "Ana Ben").all_approve(), "quest"),
        (Story(SEVEN, lady=True).good_quest().good_quest(), "lady"),
        (Story(SEVEN).three_successes(), "assassinate"),
    ],
)
def test_an_unfinished_game_tells_what_it_waits_for(file: Path, capsys: Output, story: Story, phase: str) -> None:
    file.write_bytes(lines_of(written(story.game)))
    assert records.replay([str(file)]) == 0
    assert results(capsys.readouterr().out)[0]["phase"] == phase


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.json.gz", "records"])
def test_files_are_read_whatever_they_are_called(tmp_path: Path, capsys: Output, name: str) -> None:
    file = tmp_path / name
    content = lines_of(won(), unfinished())
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert records.replay([str(file)]) == 0
    assert [line["game"] for line in results(capsys.readouterr().out)] == [1, 2]


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "record"])
def test_one_record_may_take_many_lines(tmp_path: Path, capsys: Output, name: str) -> None:
    file = tmp_path / name
    content = b"\n" + json.dumps(won(), indent=2).encode()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert records.replay([str(file)]) == 0
    assert results(capsys.readouterr().out)[0]["winner"] == "good"


def test_blank_lines_a_byte_order_mark_and_windows_line_ends_do_no_harm(file: Path, capsys: Output) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + lines_of(won()).replace(b"\n", b"\r\n") + b"\r\n  \n" + lines_of(won())[:-1])
    assert records.replay([str(file)]) == 0
    assert len(results(capsys.readouterr().out)) == 2


def test_several_files_are_counted_on_and_named(tmp_path: Path, capsys: Output) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.jsonl"
    first.write_bytes(lines_of(won()))
    second.write_bytes(lines_of(illegal(), won()))
    assert records.replay([str(first), str(second)]) == 1
    lines = results(capsys.readouterr().out)
    assert [(line["game"], line["file"], line["ok"]) for line in lines] == [
        (1, str(first), True),
        (2, str(second), False),
        (3, str(second), True),
    ]


@pytest.mark.parametrize(
    ("content", "remark"),
    [
        (b"", "there is no record in it"),
        (b"\n \n", "there is no record in it"),
        (b"nonsense\n", "line 1, column 1: not JSON: Expecting value"),
        (lines_of(won()) + b"\n{\n", "line 3, column 2: not JSON: Expecting property name enclosed in double quotes"),
        (b"42\n", "line 1: A record is a JSON object."),
        (b"[]\n", "line 1: A record is a JSON object."),
        (b'{"Event": "a chess game"}\n', 'line 1: A record says "format": "avalon-record/1".'),
        (lines_of(won(), {**won(), "format": "avalon-record/2"}), 'line 2: A record says "format": "avalon-record/1".'),
        (b'{"format": "\xff"}\n', "line 1: not text in UTF-8"),
        (b"[" * 100_000 + b"\n", "line 1: not JSON that a record could be: "),
        (b"9" * 5000 + b"\n", "line 1: not JSON that a record could be: "),
        (b" " * (LONGEST_RECORD + 1), f"line 1: longer than any record ({LONGEST_RECORD} bytes)"),
        (gzip.compress(lines_of(won()) * 50)[:-20], "after line 4"),
        (b"\x1f\x8bnot gzip at all", "after line 0: "),
        (b"\x1f\x8b\x08\x00" + b"\x07" * 50, "after line 0: "),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(file: Path, capsys: Output, content: bytes, remark: str) -> None:
    file.write_bytes(content)
    assert records.replay([str(file)]) == 2
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith(f"tgavalon: {file}: ")
    assert remark in first


def test_one_record_that_is_broken_over_many_lines_says_where(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(won(), indent=1).replace('"leader"', "leader"))
    assert records.replay([str(file)]) == 2
    place = 1 + json.dumps(won(), indent=1).splitlines().index(' "leader": 0,')
    assert f"line {place}, column 2: not JSON" in capsys.readouterr().err


def test_a_missing_file_and_a_folder_are_one_line_and_the_rest_is_read(
    tmp_path: Path, file: Path, capsys: Output
) -> None:
    file.write_bytes(lines_of(won()))
    assert records.replay([str(tmp_path / "none"), str(tmp_path), "a\0b", str(file)]) == 2
    out, err = capsys.readouterr()
    assert len(results(out)) == 1
    missing, folder, impossible, summary = err.splitlines()
    assert missing == f"tgavalon: {tmp_path / 'none'}: No such file or directory"
    assert folder == f"tgavalon: {tmp_path}: Is a directory"
    assert impossible.startswith("tgavalon: a\N{REPLACEMENT CHARACTER}b: ")
    assert summary.startswith("1 games, 10 moves")


def test_what_was_read_before_the_fault_is_printed(file: Path, capsys: Output) -> None:
    file.write_bytes(lines_of(won(), illegal()) + b"nonsense\n" + lines_of(won()))
    assert records.replay([str(file)]) == 2
    assert [line["ok"] for line in results(capsys.readouterr().out)] == [True, False]


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four megabytes of records are read, gzipped, in less than a tenth of that."""
    file = tmp_path / "many.jsonl.gz"
    line = lines_of(written(random_game(Random(1), 10)))
    with gzip.open(file, "wb", compresslevel=1) as stream:
        for _ in range(4_000_000 // len(line)):
            stream.write(line)
    with Path(os.devnull).open("w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        tracemalloc.start()
        assert records.replay([str(file)]) == 0
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 400_000


def test_standard_input_is_read_as_it_comes() -> None:
    """The first result is there before the second record has been sent."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "replay", "-"], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines_of(won()))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ok"]
        out, err = process.communicate(lines_of(illegal()), timeout=60)
    assert [line["ok"] for line in results(out.decode())] == [False]
    assert err.decode().startswith("2 games, 20 moves: 1 in order, 1 not")
    assert process.returncode == 1


@pytest.mark.parametrize("pack", [lines_of, lambda value: gzip.compress(lines_of(value))])
def test_standard_input_may_be_gzipped_and_one_object(pack: Any) -> None:
    done = subprocess.run([*COMMAND, "replay", "-"], input=pack(won()), capture_output=True, timeout=60, check=False)
    assert (done.returncode, results(done.stdout.decode())[0]["ok"]) == (0, True)
    shown = subprocess.run(
        [*COMMAND, "show", "-"],
        input=json.dumps(won(), indent=2).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (shown.returncode, b"Good wins" in shown.stdout) == (0, True)


def test_a_reader_that_goes_away_ends_it_quietly(file: Path) -> None:
    file.write_bytes(lines_of(won()) * 3000)
    with subprocess.Popen([*COMMAND, "replay", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_a_terminal_gets_a_progress_bar_and_the_summary(file: Path) -> None:
    file.write_bytes(lines_of(won()) * 500)
    leader, follower = pty.openpty()
    with subprocess.Popen([*COMMAND, "replay", str(file)], stdout=subprocess.DEVNULL, stderr=follower) as process:
        os.close(follower)
        drawn = b"".join(iter(lambda: _read(leader), b""))
        assert process.wait(timeout=60) == 0
    os.close(leader)
    text = drawn.decode()
    assert "% " in text
    assert " games\r\x1b[K" in text, "the bar is taken away before anything else is written"
    assert "500 games, 5000 moves: 500 in order, 0 not" in text


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says EIO where the other side of a terminal has been closed
        return b""


def test_no_bar_without_a_terminal(file: Path, capsys: Output) -> None:
    file.write_bytes(lines_of(won()) * 20)
    assert records.replay([str(file)]) == 0
    assert "\x1b" not in capsys.readouterr().err


def test_the_command_line_asks_for_a_file() -> None:
    done = subprocess.run([*COMMAND, "replay"], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert b"FILE" in done.stderr
