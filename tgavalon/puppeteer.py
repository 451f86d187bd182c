"""Plays for the puppets of the playground, so that a person alone can try a whole game.

A puppet decides from its own seat's view and taps only buttons that are on its screen; it is no strong player.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tgavalon.core.reasons import Illegal
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import REJECTIONS_ALLOWED
from tgavalon.core.views import LadyNow, QuestNow, SeatView, ShotNow, TeamNow, VoteNow, seat_view
from tgavalon.playground.puppets import VisibleButton
from tgavalon.table import seating
from tgavalon.table.model import Stage, Table
from tgavalon.table.ports import Store
from tgavalon.ui.refusals import Refused
from tgavalon.ui.taps import NO_TABLE, Tap, Verb, decode


class Puppeteer:
    """Chooses buttons for puppet users. `dice` decides what knowledge does not."""

    def __init__(self, store: Store, dice: random.Random | None = None) -> None:
        self._store = store
        self._dice = dice or random.Random()

    async def choose(self, user: int, buttons: Sequence[VisibleButton]) -> VisibleButton | None:
        """The button that the puppet `user` presses now, or None where there is nothing to do."""
        known = [(button, found) for button in buttons if (found := decode(button.data or "")) is not None]
        tables = [table_id for _, (table_id, _) in known if table_id != NO_TABLE]
        table = await self._store.load(tables[-1]) if tables else None
        wish = self._wish(table, user) if table is not None else None
        if table is None or wish is None:
            return None
        return next((button for button, found in reversed(known) if found == (table.id, wish)), None)

    def _wish(self, table: Table, user: int) -> Tap | None:
        if table.stage is Stage.LOBBY:
            return _in_lobby(table, user)
        seat = table.seat_of(user)
        if table.game is None or seat is None or not table.is_open:
            return None
        asked = next((armed.tap for armed in table.armed if armed.user == user), None)
        if asked is not None and asked.verb is Verb.FAIL:
            return Tap(Verb.FAIL_SURELY, asked.number)
        if asked is not None and asked.verb is Verb.AIM:
            return Tap(Verb.SHOOT, 0, asked.value)
        return self._in_game(seat_view(table.game, seat))

    def _in_game(self, view: SeatView) -> Tap | None:
        match view.public.now:
            case TeamNow() as now if view.public.leader == view.seat:
                return self._team(view, now)
            case VoteNow() as now if view.seat in now.missing:
                return Tap(Verb.APPROVE if self._likes(view, now.team) else Verb.REJECT, now.proposal)
            case QuestNow() as now if view.may_play and view.card is None:
                fails = view.role.side is Side.EVIL and self._dice.random() < 0.7
                return Tap(Verb.FAIL if fails else Verb.SUCCESS, now.quest)
            case LadyNow() as now if now.holder == view.seat:
                return Tap(Verb.EXAMINE, now.after, self._dice.choice(now.choices))
            case ShotNow() if view.targets:
                return Tap(Verb.AIM, 0, self._dice.choice(view.targets))
            case _:
                return None

    def _team(self, view: SeatView, now: TeamNow) -> Tap:
        if now.quest is None or now.size is None:
            return Tap(Verb.QUEST, now.proposal, self._dice.choice(now.open_quests))
        if len(now.draft) == now.size:
            return Tap(Verb.PROPOSE, now.proposal, sum(1 << seat for seat in now.draft))
        if view.seat not in now.draft:
            return Tap(Verb.PICK, now.proposal, view.seat)
        others = [seat for seat in range(view.public.seats) if seat not in now.draft]
        trusted = [seat for seat in others if seat not in view.knowledge.evil]
        return Tap(Verb.PICK, now.proposal, self._dice.choice(trusted or others))

    def _likes(self, view: SeatView, team: tuple[int, ...]) -> bool:
        if view.public.rejections == REJECTIONS_ALLOWED - 1 and view.role.side is Side.GOOD:
            return True
        with_evil = bool(view.knowledge.evil & set(team))
        if view.role is Role.MERLIN:
            return self._dice.random() < (0.2 if with_evil else 0.9)
        if view.role.side is Side.EVIL:
            return self._dice.random() < (0.9 if with_evil or view.seat in team else 0.4)
        return self._dice.random() < (0.9 if view.seat in team else 0.55)


def _in_lobby(table: Table, user: int) -> Tap | None:
    seat = table.seat_of(user)
    if seat is None or not table.sitters[seat].ready:
        return Tap(Verb.JOIN)
    if table.host != user:
        return None
    try:
        seating.check_start(table)
    except (Illegal, Refused):
        return None
    return Tap(Verb.START)
