"""Three honours at the end of a game: small, kind, and read off the open cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from markupsafe import Markup

from tgavalon.core.roles import Side
from tgavalon.core.views import Ended, PublicView
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.names import Cast

Counted = Mapping[int, tuple[int, ...]]
Score = Callable[[PublicView, Ended, int], int | None]


def honours(t: Translator, view: PublicView, ended: Ended, cast: Cast, counted: Counted) -> list[Markup]:
    """Up to three honours; one that nobody has earned is left out. Votes that were `counted` for the absent are not
    theirs."""
    found = []
    if winner := _best(view, ended, _unfailed):
        found.append(
            t("Lucky charm: {names} – on the most quests, and none of them failed.", names=cast.names_of(t, winner))
        )
    if winner := _best(view, ended, partial(_sharp_votes, counted)):
        found.append(t("Sharp eye: {names} – voted right most often.", names=cast.names_of(t, winner)))
    if winner := _best(view, ended, _trusted_evil):
        found.append(t("Wolf in the fold: {names} – of all evil, on the most quests.", names=cast.names_of(t, winner)))
    return found


def _best(view: PublicView, ended: Ended, score: Score) -> tuple[int, ...]:
    scores = {seat: value for seat in range(view.seats) if (value := score(view, ended, seat)) is not None}
    top = max(scores.values(), default=0)
    best = tuple(seat for seat, value in scores.items() if value == top and top > 0)
    return best if len(best) <= 2 else ()


def _unfailed(view: PublicView, ended: Ended, seat: int) -> int | None:
    mine = [quest for quest in view.quests if seat in quest.team and not quest.forfeited]
    if ended.roles[seat].side is Side.EVIL or not all(quest.success for quest in mine):
        return None
    return len(mine)


def _sharp_votes(counted: Counted, view: PublicView, ended: Ended, seat: int) -> int | None:
    if ended.roles[seat].side is Side.EVIL:
        return None
    voted = [
        proposal
        for proposal in view.proposals
        if proposal.ballots is not None and seat not in counted.get(proposal.number, ())
    ]
    right = [
        proposal
        for proposal in voted
        if proposal.ballots is not None
        and proposal.ballots[seat] == all(ended.roles[member].side is Side.GOOD for member in proposal.team)
    ]
    return 2 * len(right) - len(voted)


def _trusted_evil(view: PublicView, ended: Ended, seat: int) -> int | None:
    if ended.roles[seat].side is Side.GOOD:
        return None
    return sum(seat in quest.team for quest in view.quests)
