"""What can be tapped in each stage of a table. What a tap does is written in `taps`, what is legal in the core."""

from __future__ import annotations

from collections.abc import Callable

from tgavalon.bot.conversation import GroupConversation, Handler
from tgavalon.bot.taps import Taps
from tgavalon.table.model import Stage
from tgavalon.table.playing import GAME_VERBS
from tgavalon.table.ports import Store
from tgavalon.ui.taps import Verb


def conversation(store: Store, taps: Taps, on: Callable[..., Handler]) -> GroupConversation:
    """The conversation of a group; `on(callback, *verbs)` makes a handler."""
    lobby = [
        on(taps.join, Verb.JOIN),
        on(taps.leave, Verb.LEAVE),
        on(taps.start, Verb.START),
        on(taps.settings, Verb.SETTINGS, Verb.LOBBY, Verb.SET),
    ]
    game = [on(taps.hurry, Verb.HURRY), on(taps.take_seat, Verb.TAKE_SEAT)]
    over = [on(taps.again, Verb.AGAIN)]
    team = on(taps.play, Verb.QUEST, Verb.PICK, Verb.UNPICK, Verb.PROPOSE)
    vote = on(taps.play, Verb.APPROVE, Verb.REJECT)
    quest = on(taps.play, Verb.SUCCESS, Verb.FAIL, Verb.FAIL_SURELY, Verb.BACK)
    lady = on(taps.play, Verb.EXAMINE, Verb.PASS)
    shot = on(taps.play, Verb.AIM, Verb.SHOOT, Verb.BACK)
    bet = on(taps.bet, Verb.BET)
    stale = on(taps.stale, *Verb)
    return GroupConversation(
        store,
        states={
            Stage.LOBBY: lobby,
            Stage.TEAM: [team, *game],
            Stage.VOTE: [vote, *game],
            Stage.QUEST: [quest, *game],
            Stage.LADY: [lady, *game],
            Stage.SHOT: [shot, bet, *game],
            Stage.OVER: over,
            Stage.CLOSED: over,
        },
        fallbacks=[
            on(taps.role, Verb.ROLE),
            on(taps.glance, Verb.GLANCE),
            on(taps.record, Verb.RECORD),
            bet,
            on(taps.play, *GAME_VERBS),
            stale,
        ],
        elsewhere=[stale],
    )
