"""Three honours at the end of a game: small, kind, and read off the open cards."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from tgavalon.core.roles import Side
from tgavalon.core.views import Ended, PublicView
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.names import Cast

Score = Callable[[PublicView, Ended, int], int | None]


def honours(t: Translator, view: PublicView, ended: Ended, cast: Cast) -> list[Markup]:
    """Up to three honours; one that nobody has earned is left out."""
    found = []
    if winner := _best(view, ended, _unfailed):
        found.append(t("Lucky charm: {names} – never on a failed quest.", names=cast.names_of(t, winner)))
    if winner := _best(view, ended, _sharp_votes):
        found.append(t("Sharp eye: {names} – voted best on clean and dirty teams.", names=cast.names_of(t, winner)))
    if winner := _best(view, ended, _trusted_evil):
        found.append(t("Wolf in the fold: {names} – evil on the most quests.", names=cast.names_of(t, winner)))
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


def _sharp_votes(view: PublicView, ended: Ended, seat: int) -> int | None:
    if ended.roles[seat].side is Side.EVIL:
        return None
    voted = [proposal for proposal in view.proposals if proposal.ballots is not None]
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
