"""Thousands of games that people played, replayed to their recorded ends. They lie beside the project, not in it."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from tgavalon import records
from tgavalon.core.record import Record
from tgavalon.core.record_reading import read
from tgavalon.core.record_writing import write

FOLDER = Path(
    os.environ.get("TGAVALON_HUMAN_GAMES") or Path(__file__).resolve().parents[1].parent / "shared" / "human-games"
)
GAMES = FOLDER / "games.jsonl.gz"

pytestmark = [
    pytest.mark.human_games,
    pytest.mark.skipif(
        not GAMES.is_file(), reason=f"no real games at {GAMES} (TGAVALON_HUMAN_GAMES names their folder)"
    ),
]

ENDS = {
    ("good", "merlin_survived"): 4157,
    ("evil", "three_failed_quests"): 3285,
    ("evil", "merlin_assassinated"): 2402,
    ("good", "three_successful_quests"): 427,
    ("evil", "five_rejections"): 144,
}


def test_every_game_replays_to_its_recorded_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert records.replay([str(GAMES)]) == 0
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["game"] for line in lines] == list(range(1, 10_416))
    assert all(line["ok"] for line in lines)
    assert Counter((line["winner"], line["reason"]) for line in lines) == ENDS
    assert err.startswith("10415 games, 197077 moves: 10415 in order, 0 not")


def test_every_game_is_written_as_it_was_read() -> None:
    """Written again, each record has the same moves and result, but for the order of seats in a team and of cards."""
    with gzip.open(GAMES) as stream:
        for line in stream:
            value = json.loads(line)
            found = read(value)
            assert isinstance(found, Record)
            again = write(found)
            for move in value["moves"]:
                if "propose" in move:
                    move["propose"]["team"].sort()
            assert again["moves"] == value["moves"]
            assert again["result"] == value["result"]
            assert again.get("assassin") == value.get("assassin")
            assert read(again) == found
