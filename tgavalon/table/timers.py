"""Time at a table, as data: how long each phase may take, and what is due when.

Pure functions; a deadline is a number in the table, found by any worker through the store's index of due times.
"""

from __future__ import annotations

from dataclasses import replace

from tgavalon.core.actions import moment_of
from tgavalon.table.model import Closing, Pace, Stage, Table
from tgavalon.table.playing import time_up
from tgavalon.table.seating import close

LOBBY_IDLE = 3600.0
GAME_ABANDONED = 48 * 3600.0

SECONDS: dict[Pace, dict[Stage, float]] = {
    Pace.RELAXED: {Stage.TEAM: 300, Stage.VOTE: 180, Stage.QUEST: 120, Stage.LADY: 180, Stage.SHOT: 600},
    Pace.NORMAL: {Stage.TEAM: 150, Stage.VOTE: 90, Stage.QUEST: 60, Stage.LADY: 90, Stage.SHOT: 300},
    Pace.FAST: {Stage.TEAM: 75, Stage.VOTE: 45, Stage.QUEST: 30, Stage.LADY: 45, Stage.SHOT: 120},
}


def timed(before: Table | None, table: Table, now: float) -> Table:
    """The table with its deadline and reminder set for what it now waits for, after somebody did something."""
    if not table.is_open:
        return replace(table, deadline=None, reminder=None, reminded=False)
    seconds = SECONDS.get(table.options.pace, {}).get(table.stage)
    if seconds is None:
        idle = LOBBY_IDLE if table.stage is Stage.LOBBY else GAME_ABANDONED
        return replace(table, deadline=table.touched + idle, reminder=None, reminded=False)
    if before is not None and _moment(before) == _moment(table) and before.deadline is not None:
        return replace(table, deadline=before.deadline, reminder=before.reminder)
    return replace(table, deadline=now + seconds, reminder=now + seconds / 2, reminded=False)


def due(table: Table, now: float) -> Table:
    """The table after what is due at `now`: a reminder, time up, or the end of an idle table; itself if nothing is."""
    if not table.is_open:
        return table
    if table.deadline is not None and table.deadline <= now:
        return _run_out(table)
    if table.reminder is not None and table.reminder <= now and not table.reminded:
        return replace(table, reminded=True)
    return table


def shifted(table: Table, seconds: float) -> Table:
    """The table with its times moved by `seconds` that the bot itself was away."""
    deadline = None if table.deadline is None else table.deadline + seconds
    reminder = None if table.reminder is None else table.reminder + seconds
    return replace(table, deadline=deadline, reminder=reminder)


def _run_out(table: Table) -> Table:
    if table.stage is Stage.LOBBY:
        return close(table, Closing.IDLE)
    if table.options.pace is Pace.OFF:
        return close(table, Closing.ABANDONED)
    return time_up(table)


def _moment(table: Table) -> tuple[str, int] | None:
    return None if table.game is None else moment_of(table.game.phase)
