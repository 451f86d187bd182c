"""The lines that several public screens share: the board of five quests, the crown's way, votes and quest results."""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.game import Proposal
from tgavalon.core.ruleset import REJECTIONS_ALLOWED
from tgavalon.core.views import PlayedQuest, PublicView, Space
from tgavalon.ui import words
from tgavalon.ui.catalogue import Translator
from tgavalon.ui.names import Cast


def board_lines(t: Translator, view: PublicView) -> list[str]:
    """The quests with sizes and results, and how close evil is by rejections."""
    lines = [str(Markup("  ").join(_space(t, view, space) for space in view.board))]
    if any(space.fails_needed > 1 for space in view.board):
        lines.append(t("* two Fails needed"))
    if view.rejections:
        lines.append(t("Rejected teams in a row: {count} of {limit}", count=view.rejections, limit=REJECTIONS_ALLOWED))
    return [*lines, *last_chance(t, view)]


def last_chance(t: Translator, view: PublicView) -> list[str]:
    """What another rejection costs, where it costs more than the crown."""
    rule = words.LAST_CHANCES.get(view.ruleset.fifth_rejection)
    return [t(rule)] if rule is not None and view.rejections == REJECTIONS_ALLOWED - 1 else []


def _space(t: Translator, view: PublicView, space: Space) -> Markup:
    two = "*" if space.fails_needed > 1 else ""
    if space.played is not None:
        sign = "✅" if space.played.success else "❌"
        return Markup("{}{}{}").format(sign, t.number(space.size), two)
    if getattr(view.now, "quest", None) == space.number:
        return Markup("🔸<b>{}{}</b>").format(t.number(space.size), two)
    return Markup("▫️{}{}").format(t.number(space.size), two)


def crown_line(t: Translator, view: PublicView, cast: Cast, leader: int) -> Markup:
    """The leaders in turn, from `leader` clockwise."""
    seats = [(leader + step) % view.seats for step in range(view.seats)]
    arrow = " ← " if t.is_rtl else " → "
    return Markup("{}").format(arrow).join(cast.name(t, seat) for seat in seats)


def vote_lines(t: Translator, cast: Cast, proposal: Proposal, counted: tuple[int, ...]) -> list[str]:
    """How everybody voted, by seat; `counted` are the seats whose vote was counted for them."""
    if proposal.ballots is None:
        return [t("The fifth team goes without a vote.")]
    approving = tuple(seat for seat, approves in enumerate(proposal.ballots) if approves)
    rejecting = tuple(seat for seat, approves in enumerate(proposal.ballots) if not approves)
    counts = {"yes": len(approving), "no": len(rejecting)}
    head = t("✅ Approved, {yes} to {no}", **counts) if proposal.approved else t("⛔ Rejected, {no} to {yes}", **counts)
    votes = [
        Markup("{} {}").format(sign, cast.names_of(t, seats))
        for sign, seats in (("👍", approving), ("👎", rejecting))
        if seats
    ]
    if counted:
        votes.append(t("⏩ Did not vote, so counted: {names}", names=cast.names_of(t, counted)))
    return [Markup("<b>{}</b>").format(head), *votes]


def quest_line(t: Translator, quest: PlayedQuest) -> Markup:
    """The result of a quest in one sentence."""
    number = quest.number
    if quest.forfeited:
        return t("💀 Quest {number} goes to evil: five teams were rejected.", number=number)
    if quest.success and not quest.fails:
        return t("🏆 Quest {number} succeeded: no Fail.", number=number)
    if quest.success:
        return t.plural(
            "🏆 Quest {number} succeeded in spite of {count} Fail.",
            "🏆 Quest {number} succeeded in spite of {count} Fails.",
            quest.fails,
            number=number,
        )
    return t.plural(
        "💀 Quest {number} failed: {count} Fail.",
        "💀 Quest {number} failed: {count} Fails.",
        quest.fails,
        number=number,
    )


def score_line(t: Translator, view: PublicView) -> Markup:
    """How many quests each side has."""
    good = sum(quest.success for quest in view.quests)
    return t("Good {good} · Evil {evil}", good=good, evil=len(view.quests) - good)


def vote_log(t: Translator, view: PublicView) -> Markup:
    """All votes so far as an aligned table: a row a seat, a column a proposal, quests apart.

    A filled sign is a player on the team; a circle approves, a square rejects; a team without a vote has signs of its
    own.
    """
    rows = [_log_row(t, view, seat) for seat in range(view.seats)]
    key = t("● approved, on the team · ○ approved · ■ rejected, on the team · □ rejected")
    head = t("Votes: a row for each seat, a bar before each new quest")
    return Markup("{}\n<pre>{}</pre>\n{}").format(head, Markup("\n").join(rows), key)


def _log_row(t: Translator, view: PublicView, seat: int) -> Markup:
    number = t.number(seat + 1).rjust(2, "\u2007")
    return Markup("{}{} {}").format(t.direction_mark, number, _votes_of(view, seat))


def _votes_of(view: PublicView, seat: int) -> str:
    signs, quest = "", 0
    for proposal in view.proposals:
        if quest and proposal.quest != quest:
            signs += "│"
        quest = proposal.quest
        signs += _sign(proposal, seat)
    return signs


def _sign(proposal: Proposal, seat: int) -> str:
    member = seat in proposal.team
    if proposal.ballots is None:
        return "+" if member else "·"
    if proposal.ballots[seat]:
        return "●" if member else "○"
    return "■" if member else "□"
