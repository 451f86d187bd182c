"""What happens at a table outside the rules of the game: sitting down and leaving, the host, settings, start and end.

Pure functions from a table to a table; each refuses with a reason and then changes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tgavalon.core.deal import new_game
from tgavalon.core.reasons import Illegal, Reason, require
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import MAX_PLAYERS, MIN_PLAYERS
from tgavalon.table.model import NOBODY, Closing, Place, Sitter, Stage, Table
from tgavalon.table.options import change, planned_roles, problem
from tgavalon.table.ports import Person
from tgavalon.ui.catalogue import negotiate
from tgavalon.ui.refusals import Refusal, Refused


def open_table(table: str, place: Place, title: str, language: str, host: Person, now: float) -> Table:
    """A new table with its host on the first seat. `language` is the group's."""
    seated = (_sitter(host),)
    return Table(table, 1, place, title, language, host.user, now, now, seated)


def again(table: str, old: Table, host: Person, now: float) -> Table:
    """A new table with the seats and options of one whose game is over, opened by somebody who sat there."""
    deny(old.is_open, Refusal.NOT_OVER)
    deny(old.seat_of(host.user) is None, Refusal.NOT_SEATED)
    sitters = tuple(sitter for sitter in old.sitters if not sitter.away)
    return Table(table, 1, old.place, old.title, old.language, host.user, now, now, sitters, old.options)


def join(table: Table, person: Person) -> Table:
    """Sit down on the next free seat; joining twice is harmless."""
    _expect_lobby(table)
    if (seat := table.seat_of(person.user)) is not None:
        return _replace_sitter(table, seat, replace(table.sitters[seat], ready=person.ready, name=person.name))
    deny(len(table.sitters) >= MAX_PLAYERS, Refusal.TABLE_FULL)
    host = person.user if table.host == NOBODY else table.host
    return replace(table, host=host, sitters=(*table.sitters, _sitter(person)), settings_open=False)


def leave(table: Table, user: int) -> Table:
    """Get up: in the lobby the seats close ranks, in a game the seat is put on offer. The host's task moves on."""
    deny(not table.is_open, Refusal.TABLE_GONE)
    seat = table.seat_of(user)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED)
    if table.stage is Stage.LOBBY:
        table = replace(table, sitters=table.sitters[:seat] + table.sitters[seat + 1 :])
    else:
        table = _replace_sitter(table, seat, replace(table.sitters[seat], away=True))
        table = replace(table, past_users=table.past_users | {user}, end_votes=table.end_votes - {user})
        table = _counted(table)
    return _rehosted(table, user, seat) if table.is_open else table


def kick(table: Table, seat: int) -> Table:
    """Take somebody off the lobby."""
    _expect_lobby(table)
    require(0 <= seat < len(table.sitters), Reason.NO_SUCH_SEAT)
    return leave(table, table.sitters[seat].user)


def take_seat(table: Table, person: Person, seat: int) -> Table:
    """Take over the seat of somebody who left, with its private knowledge."""
    deny(table.game is None or not table.is_open, Refusal.TABLE_GONE)
    require(0 <= seat < len(table.sitters), Reason.NO_SUCH_SEAT)
    if table.sitters[seat].user == person.user and table.sitters[seat].away:
        return _replace_sitter(table, seat, replace(table.sitters[seat], away=False))
    deny(table.seat_of(person.user) is not None, Refusal.ALREADY_SEATED)
    deny(person.user in table.past_users, Refusal.SEEN_A_CARD)
    deny(not table.sitters[seat].away, Refusal.SEAT_TAKEN)
    return _replace_sitter(table, seat, _sitter(person))


def set_option(table: Table, number: int, index: int) -> Table:
    """Change one setting of the lobby."""
    _expect_lobby(table)
    return replace(table, options=change(table.options, number, index), settings_open=True)


def show_settings(table: Table, shown: bool) -> Table:
    """Open or close the settings on the lobby's message."""
    _expect_lobby(table)
    return replace(table, settings_open=shown)


def check_start(table: Table) -> tuple[Role, ...]:
    """The role set to be dealt, once every rule of the lobby is met; else a refusal."""
    _expect_lobby(table)
    require(len(table.sitters) >= MIN_PLAYERS, Reason.TOO_FEW_PLAYERS)
    deny(any(not sitter.ready for sitter in table.sitters), Refusal.NOT_READY)
    if (reason := problem(table.options, len(table.sitters))) is not None:
        raise Illegal(reason)
    return planned_roles(table.options, len(table.sitters))


def deal(table: Table, roles: tuple[Role, ...], leader: int, salt: str) -> Table:
    """The table with its game dealt: `roles` by seat must be a permutation of the role set, drawn by the caller."""
    require(Counter(roles) == Counter(check_start(table)), Reason.ROLES_DO_NOT_FIT)
    game = new_game(table.options.ruleset, roles, leader)
    return replace(table, game=game, salt=salt, settings_open=False)


def vote_to_end(table: Table, user: int) -> Table:
    """A player's wish to end the game; more than half of those at the table end it. Only the count is ever shown."""
    deny(not table.is_open, Refusal.TABLE_GONE)
    deny(table.game is None, Refusal.NOT_STARTED)
    deny(table.seat_of(user) is None, Refusal.NOT_SEATED)
    return _counted(replace(table, end_votes=table.end_votes | {user}))


def _counted(table: Table) -> Table:
    return close(table, Closing.VOTE) if len(table.end_votes) >= votes_to_end(table) else table


def votes_to_end(table: Table) -> int:
    """How many players must want to end a game."""
    return sum(not sitter.away for sitter in table.sitters) // 2 + 1


def close(table: Table, why: Closing) -> Table:
    """End the table without a winner."""
    deny(not table.is_open, Refusal.TABLE_GONE)
    return replace(table, closing=why, settings_open=False)


def reachable(table: Table, user: int, ready: bool) -> Table:
    """Note whether the bot can write to somebody in private."""
    sitters = tuple(replace(s, ready=ready) if s.user == user else s for s in table.sitters)
    return replace(table, sitters=sitters)


def renamed(table: Table, user: int, name: str, language: str) -> Table:
    """Note a person's present name and language."""
    sitters = tuple(replace(s, name=name, language=language) if s.user == user else s for s in table.sitters)
    return replace(table, sitters=sitters)


def deny(condition: bool, why: Refusal) -> None:
    """Raise `Refused(why)` if `condition` holds."""
    if condition:
        raise Refused(why)


def _expect_lobby(table: Table) -> None:
    deny(table.closing is not None, Refusal.TABLE_GONE)
    deny(table.game is not None, Refusal.ALREADY_STARTED)


def _sitter(person: Person) -> Sitter:
    language = negotiate(person.language, person.hint)
    return Sitter(person.user, person.name, language, person.ready)


def _replace_sitter(table: Table, seat: int, sitter: Sitter) -> Table:
    return replace(table, sitters=(*table.sitters[:seat], sitter, *table.sitters[seat + 1 :]))


def _rehosted(table: Table, user: int, seat: int) -> Table:
    staying = [sitter.user for sitter in (*table.sitters[seat:], *table.sitters[:seat]) if not sitter.away]
    if not staying:
        return close(table, Closing.LEFT)
    return replace(table, host=staying[0]) if table.host == user else table
