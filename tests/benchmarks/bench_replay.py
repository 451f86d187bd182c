"""How fast games are replayed, beside a bare loop that only parses the same file.

`python -m tests.benchmarks.bench_replay` prints one JSON object: games and moves a second of one core's time, for
parsing alone, for replaying, and for the whole command. It takes the real games beside the project where they are there
(TGAVALON_HUMAN_GAMES names their folder), else random ones. Each loop runs in turn and its best round counts, so that
a busy machine disturbs all three alike.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.core.random_games import random_game
from tests.test_human_games import GAMES
from tgavalon import records
from tgavalon.core.record import Record
from tgavalon.core.record_reading import read
from tgavalon.core.record_writing import write

RANDOM_GAMES = 2000


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="How fast games are replayed.")
    options.add_argument("--rounds", type=int, default=5, help="rounds of each loop, of which the best counts")
    rounds = options.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        file = GAMES if GAMES.is_file() else random_games(Path(folder) / "random.jsonl.gz")
        sys.stdout.write(json.dumps({"games_of": file.name, **measured(file, rounds)}, indent=2) + "\n")


def measured(file: Path, rounds: int) -> dict[str, object]:
    """The figures for one file, each from the best of `rounds`."""
    games, moves = parse(file)
    best: dict[Callable[[Path], object], float] = {}
    for _ in range(rounds):
        for loop in (parse, replay, command):
            start = time.process_time()
            loop(file)
            seconds = time.process_time() - start
            best[loop] = min(seconds, best.get(loop, seconds))
    return {
        "games": games,
        "moves": moves,
        **{f"{loop.__name__}_games_per_second": round(games / best[loop]) for loop in best},
        "replay_moves_per_second": round(moves / best[replay]),
        "replay_takes_times_parse": round(best[replay] / best[parse], 1),
        "rounds": rounds,
        "python": platform.python_version(),
    }


def parse(file: Path) -> tuple[int, int]:
    """The bare loop: read and parse, nothing else; how many games and moves there are."""
    games = moves = 0
    with gzip.open(file) as stream:
        for line in stream:
            games += 1
            moves += len(json.loads(line)["moves"])
    return games, moves


def replay(file: Path) -> None:
    """The same, and every game through the rules."""
    with gzip.open(file) as stream:
        for line in stream:
            if not isinstance(read(json.loads(line)), Record):
                raise SystemExit(f"a game of {file} does not replay")


def command(file: Path) -> None:
    """All that `tgavalon replay` does, results included."""
    with (
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        if records.replay([str(file)]):
            raise SystemExit(f"a game of {file} does not replay")


def random_games(file: Path) -> Path:
    """Random games of five to ten players under random rules, as a file of records."""
    dice = Random(5)
    with gzip.open(file, "wt", compresslevel=1) as stream:
        for _ in range(RANDOM_GAMES):
            players = dice.randint(5, 10)
            names = tuple(f"P{seat + 1}" for seat in range(players))
            stream.write(json.dumps(write(Record(names, random_game(dice, players)))) + "\n")
    return file


if __name__ == "__main__":
    main()
