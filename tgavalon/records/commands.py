"""The commands `replay`, `show` and `verify`.

Results go to standard output, everything else to standard error. The exit code is 0 when every record is in order,
1 when one is not, 2 when a file cannot be read as records at all.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tgavalon.core.commitment import verify as is_kept
from tgavalon.core.game import Assassinating, Examining, Over, Phase, Proposing, Questing, Voting
from tgavalon.core.record import Fault, Record, Refusal
from tgavalon.core.record_reading import read
from tgavalon.records.board import told
from tgavalon.records.source import Source, Unreadable, opened
from tgavalon.records.terminal import Bar, remark, result

ALL_IN_ORDER, SOMETHING_WRONG, UNREADABLE, INTERRUPTED = 0, 1, 2, 130

_WAITING_FOR: dict[type[Phase], str] = {
    Proposing: "propose",
    Voting: "vote",
    Questing: "quest",
    Examining: "lady",
    Assassinating: "assassinate",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, read: `game` counts all records of a command from 1, `moves` those it holds."""

    path: str
    game: int
    record: Record | Refusal
    moves: int


@dataclass(slots=True)
class Tally:
    """What has been counted so far."""

    games: int = 0
    moves: int = 0
    wrong: int = 0
    unreadable: int = 0

    @property
    def summary(self) -> str:
        """The count in words."""
        return f"{self.games} games, {self.moves} moves: {self.games - self.wrong} in order, {self.wrong} not"

    @property
    def code(self) -> int:
        """The exit code that this comes to."""
        if self.unreadable:
            return UNREADABLE
        return SOMETHING_WRONG if self.wrong else ALL_IN_ORDER


Judge = Callable[[Entry], bool]
"""Prints what a command has to say about one record; whether it is in order."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the three commands to a command line; `options.run(options)` runs the one that was chosen."""
    for run, summary in _COMMANDS.items():
        parser = commands.add_parser(run.__name__, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help=".json, .jsonl, either one gzipped, or - for stdin"
        )
        parser.set_defaults(run=lambda options, run=run: run(options.files))


def replay(paths: list[str]) -> int:
    """Play every record through the rules and print one JSON line for each; the exit code."""
    several = len(paths) > 1

    def judge(entry: Entry) -> bool:
        where = {"file": entry.path} if several else {}
        result(json.dumps({"game": entry.game, **where, **_verdict(entry)}))
        return isinstance(entry.record, Record)

    return _run(paths, judge)


def verify(paths: list[str]) -> int:
    """Check the fair deal of every record and print one JSON line for each; the exit code."""
    several = len(paths) > 1

    def judge(entry: Entry) -> bool:
        where = {"file": entry.path} if several else {}
        verdict = _refused(entry.record) if isinstance(entry.record, Refusal) else _kept(entry.record)
        result(json.dumps({"game": entry.game, **where, **verdict}))
        return verdict["ok"] is True

    return _run(paths, judge)


def show(paths: list[str]) -> int:
    """Print every record as people read it; the exit code."""

    def judge(entry: Entry) -> bool:
        if isinstance(entry.record, Refusal):
            at = "" if entry.record.move is None else f" at move {entry.record.move}"
            remark(f"tgavalon: {entry.path}: game {entry.game}{at}: {entry.record.code}: {entry.record.message}")
            return False
        result(f"Game {entry.game}\n\n{told(entry.record)}\n")
        return True

    return _run(paths, judge)


_COMMANDS: dict[Callable[[list[str]], int], str] = {
    replay: "play game records through the rules, one JSON line for each",
    show: "print game records as people read them",
    verify: "check that records were dealt as promised",
}


def _verdict(entry: Entry) -> dict[str, object]:
    if isinstance(entry.record, Refusal):
        return _refused(entry.record)
    phase = entry.record.game.phase
    if isinstance(phase, Over):
        return {"ok": True, "winner": phase.winner.value, "reason": phase.outcome.value, "moves": entry.moves}
    return {"ok": True, "winner": None, "phase": _WAITING_FOR[type(phase)], "moves": entry.moves}


def _refused(refusal: Refusal) -> dict[str, object]:
    return _wrong(refusal.move, refusal.code.value, refusal.message)


def _kept(record: Record) -> dict[str, object]:
    deal, game = record.deal, record.game
    if deal is None:
        return _wrong(None, "no_commitment", "The record holds no commitment to its deal.")
    if not is_kept(deal.commitment, deal.salt, game.roles, game.first_leader, game.dagger):
        return _wrong(None, "broken_commitment", "The deal is not the one that was promised.")
    return {"ok": True, "commitment": deal.commitment}


def _wrong(move: int | None, error: str, message: str) -> dict[str, object]:
    return {"ok": False, "move": move, "error": error, "message": message}


def _run(paths: list[str], judge: Judge) -> int:
    tally, bar, start = Tally(), Bar(sys.stderr), time.monotonic()
    try:
        for path in paths:
            _judge_file(path, judge, tally, bar)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever was reading has seen enough
        return tally.code
    except KeyboardInterrupt:
        bar.clear()
        return INTERRUPTED
    bar.clear()
    if tally.games:
        remark(f"{tally.summary} ({time.monotonic() - start:.1f} s)")
    return tally.code


def _judge_file(path: str, judge: Judge, tally: Tally, bar: Bar) -> None:
    try:
        with opened(path) as source:
            for entry in _entries(path, source, tally):
                bar.clear()
                tally.wrong += not judge(entry)
                if source.is_live:
                    sys.stdout.flush()
                bar.draw(tally.games, source.how_far)
    except Unreadable as error:
        tally.unreadable += 1
        bar.clear()
        remark(f"tgavalon: {path}: {error}")


def _entries(path: str, source: Source, tally: Tally) -> Iterator[Entry]:
    for line, value in source.values():
        record = read(value)
        if isinstance(record, Refusal) and record.code is Fault.WRONG_FORMAT:
            raise Unreadable(f"line {line}: {record.message}")
        moves = _moves(value)
        tally.games += 1
        tally.moves += moves
        yield Entry(path, tally.games, record, moves)


def _moves(value: object) -> int:
    moves = value.get("moves") if isinstance(value, dict) else None
    return len(moves) if isinstance(moves, list) else 0
