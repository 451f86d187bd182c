"""What each kind of button asks of the service, and what the one who tapped is told."""

from __future__ import annotations

from telegram import Bot
from telegram.constants import ChatType
from telegram.helpers import create_deep_linked_url

from tgavalon.bot.conversation import Reaction, Tapping
from tgavalon.bot.delivery import RecordDelivery
from tgavalon.bot.people import ANONYMOUS_ADMIN
from tgavalon.core.views import public_view, seat_view
from tgavalon.table import seating
from tgavalon.table.feed import cast, lobby_view
from tgavalon.table.model import Stage, Table
from tgavalon.table.playing import hurry, play, running
from tgavalon.table.repeats import Decide, once
from tgavalon.table.service import Changed, Service
from tgavalon.ui import secrets, toasts
from tgavalon.ui.lobby import missing_line
from tgavalon.ui.refusals import Refusal, Refused
from tgavalon.ui.taps import IN_GROUP, Tap, Verb

JOIN_PAYLOAD = "join_"
_ANSWERS_ITSELF = frozenset({Verb.HURRY, Verb.FAIL, Verb.BET})


class Taps:
    """The callbacks of the group conversation."""

    def __init__(self, service: Service, bot: Bot, delivery: RecordDelivery) -> None:
        self._service = service
        self._bot = bot
        self._delivery = delivery

    async def join(self, tapping: Tapping) -> Reaction:
        """Seat whoever taps; somebody the bot cannot write to is sent to the private chat as well."""
        changed = await self._service.join(
            tapping.table, tapping.person, inside=_is_inside(tapping), update=tapping.update
        )
        if tapping.person.ready and changed.before.seat_of(tapping.person.user) is not None:
            raise Refused(Refusal.ALREADY_SEATED)
        return self._seated(tapping, changed.after)

    async def take_seat(self, tapping: Tapping) -> Reaction:
        """Give a left seat to whoever taps."""
        seat, inside = tapping.tap.value, _is_inside(tapping)
        changed = await self._service.take_seat(
            tapping.table, tapping.person, seat, inside=inside, update=tapping.update
        )
        return self._seated(tapping, changed.after)

    async def leave(self, tapping: Tapping) -> Reaction:
        """Let whoever taps get up."""
        await self._service.leave(tapping.table, tapping.person.user, update=tapping.update)
        return _accepted(tapping)

    async def start(self, tapping: Tapping) -> Reaction:
        """Deal."""
        await self._service.start(tapping.table, tapping.person.user)
        return _accepted(tapping)

    async def settings(self, tapping: Tapping) -> Reaction:
        """Open or close the settings, or change one."""
        tap = tapping.tap

        def decide(table: Table) -> Table:
            if tap.verb is Verb.SET:
                return seating.set_option(table, tap.number, tap.value)
            return seating.show_settings(table, tap.verb is Verb.SETTINGS)

        await self._service.as_host(tapping.table, tapping.person.user, decide)
        return _accepted(tapping)

    async def play(self, tapping: Tapping) -> Reaction:
        """Do what the tap says in the game."""
        person, now = tapping.person, self._service.clock.now()
        decide = _once_if_asked(tapping, lambda table: play(table, person.user, person.name, tapping.tap, now))
        changed = await self._service.change(tapping.table, decide, known=tapping.loaded)
        return _played(tapping, changed)

    async def bet(self, tapping: Tapping) -> Reaction:
        """Bet on whom the dagger will hit, as everybody in the group may."""
        person, now, inside = tapping.person, self._service.clock.now(), _is_inside(tapping)
        decide = _once_if_asked(tapping, lambda table: play(table, person.user, person.name, tapping.tap, now))
        changed = await self._service.as_member(tapping.table, person, decide, inside=inside)
        return _played(tapping, changed)

    async def hurry(self, tapping: Tapping) -> Reaction:
        """The host does not want to wait."""
        now, user = self._service.clock.now(), tapping.person.user
        decide = _once_if_asked(tapping, lambda table: hurry(table, user, now))
        changed = await self._service.as_host(tapping.table, user, decide)
        if changed.after.game == changed.before.game:
            game = running(changed.after)
            return Reaction(toasts.sure_hurry(tapping.t, public_view(game).now), alert=True)
        return Reaction()

    async def role(self, tapping: Tapping) -> Reaction:
        """Show whoever taps their own card."""
        table = await self._service.table(tapping.table)
        seat = table.seat_of(tapping.person.user)
        if table.game is None:
            raise Refused(Refusal.NOT_STARTED)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        view = seat_view(table.game, seat)
        return Reaction(secrets.role_alert(tapping.t, view, cast(table)), alert=True)

    async def glance(self, tapping: Tapping) -> Reaction:
        """Tell whoever taps what is going on, in their own language."""
        table = await self._service.table(tapping.table)
        seating.deny(table.closing is not None, Refusal.TABLE_GONE)
        if table.game is None:
            return Reaction(secrets.fitting(missing_line(tapping.t, lobby_view(table))), alert=True)
        seat = table.seat_of(tapping.person.user)
        view = seat_view(table.game, seat) if seat is not None else None
        by_buttons = seat is not None and not table.sitters[seat].ready
        text = secrets.glance(tapping.t, public_view(table.game), view, cast(table), by_buttons=by_buttons)
        return Reaction(text, alert=True)

    async def again(self, tapping: Tapping) -> Reaction:
        """Open the next lobby with the same seats; where somebody was faster, sit down at theirs."""
        try:
            await self._service.play_again(tapping.table, tapping.person, update=tapping.update)
        except Refused as refused:
            if refused.why is not Refusal.TABLE_EXISTS:
                raise
            old = await self._service.table(tapping.table)
            there = await self._service.table_at(old.place)
            changed = await self._service.join(there.id, tapping.person, update=tapping.update)
            return self._seated(tapping, changed.after)
        return _accepted(tapping)

    async def record(self, tapping: Tapping) -> Reaction:
        """Send the record of a finished game to the chat it was asked for in."""
        table = await self._service.table(tapping.table)
        self._delivery.send(table)
        return _accepted(tapping)

    async def stale(self, tapping: Tapping) -> Reaction:
        """Any button that belongs to another moment."""
        table = await self._service.table(tapping.table)
        raise Refused(Refusal.OLD_BUTTON if table.is_open else Refusal.TABLE_GONE)

    def _seated(self, tapping: Tapping, table: Table) -> Reaction:
        seat = table.seat_of(tapping.person.user)
        if tapping.person.user == ANONYMOUS_ADMIN:
            raise Refused(Refusal.ANONYMOUS)
        if seat is None:  # a tap that has come twice, of somebody who has left since
            raise Refused(Refusal.NOT_SEATED)
        if not table.sitters[seat].ready:
            return Reaction(url=create_deep_linked_url(self._bot.username, JOIN_PAYLOAD + table.id))
        return Reaction(toasts.seated(tapping.t, seat if table.game is not None else None))


def _is_inside(tapping: Tapping) -> bool:
    """Whether the press shows that its author is in the group: only public ones can be seen from outside."""
    message = tapping.query.message
    return message is not None and message.chat.type != ChatType.PRIVATE and message.chat.username is None


def _once_if_asked(tapping: Tapping, decide: Decide) -> Decide:
    """`decide`, but never twice where a second tap is the answer to what the first has asked."""
    return once(tapping.person.user, tapping.update, decide) if tapping.tap.verb in _ANSWERS_ITSELF else decide


def _accepted(tapping: Tapping) -> Reaction:
    return Reaction(toasts.accepted(tapping.t, tapping.tap))


def _played(tapping: Tapping, changed: Changed) -> Reaction:
    tap, table = tapping.tap, changed.after
    if tap.verb is Verb.BET and not table.is_open:
        tap = Tap(Verb.SHOOT, 0, tap.value)
    armed = any(armed.user == tapping.person.user and armed.tap == tap for armed in table.armed)
    if tap.verb is Verb.FAIL and tap.value == IN_GROUP:
        done = Reaction(toasts.accepted(tapping.t, Tap(Verb.FAIL_SURELY, tap.number)))
        return Reaction(toasts.sure_fail(tapping.t), alert=True) if armed else done
    if tap.verb is Verb.BET and armed:
        return Reaction(toasts.sure_shot(tapping.t), alert=True)
    if tap.verb in (Verb.APPROVE, Verb.REJECT) and _was_last(changed):
        return Reaction(toasts.voted_last(tapping.t, tap.verb is Verb.APPROVE))
    if tap.verb is Verb.EXAMINE:
        return _loyalty(tapping, table)
    return Reaction(toasts.accepted(tapping.t, tap))


def _was_last(changed: Changed) -> bool:
    """Whether a vote has ended with this change."""
    return changed.before.stage is Stage.VOTE and changed.after.stage is not Stage.VOTE


def _loyalty(tapping: Tapping, table: Table) -> Reaction:
    seat = table.seat_of(tapping.person.user)
    if table.game is None or seat is None:
        return Reaction()
    _, examined, side = seat_view(table.game, seat).checked[-1]
    return Reaction(secrets.loyalty_alert(tapping.t, cast(table), examined, side), alert=True)
