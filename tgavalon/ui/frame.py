"""What surrounds the public screens of a running game: buttons that are always there, seats on offer, rows of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tgavalon.ui.catalogue import Translator
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Button, Rows, Style
from tgavalon.ui.taps import Tap, Verb


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds the game on its public screens.

    `offers`: seats whose players left and that somebody may take. `unreachable`: seats that the bot cannot write to in
    private; while there are any, secret choices are offered as buttons in the group, to everybody alike. `seal` is the
    deal's commitment, `show_votes` whether past votes stay visible. `end_votes` of `end_needed` want to end the game.
    What was done for players who were not waited for: `teams_chosen` and `votes_counted` by proposal (with the seats),
    `cards_played` by quest.
    """

    offers: tuple[int, ...] = ()
    unreachable: tuple[int, ...] = ()
    seal: str = ""
    show_votes: bool = True
    end_votes: int = 0
    end_needed: int = 0
    teams_chosen: frozenset[int] = frozenset()
    votes_counted: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    cards_played: frozenset[int] = frozenset()


def around_lines(t: Translator, cast: Cast, around: Around) -> list[str]:
    """What the whole table should know besides the game; nothing in the ordinary case."""
    lines: list[str] = []
    if around.unreachable:
        names = cast.names_of(t, around.unreachable)
        line = t(
            "✉️ I cannot write to {names}: press Start in a private chat with me, or play with the buttons here.",
            names=names,
        )
        lines.append(line)
    if around.offers:
        names = cast.names_of(t, around.offers)
        line = t(
            "🪑 {names} left. The seat waits for them, or for somebody who has had no role in this game.", names=names
        )
        lines.append(line)
    if around.end_votes:
        votes = {"done": around.end_votes, "all": around.end_needed}
        lines.append(t("🛑 {done} of {all} votes to end this game. Send /endgame to vote.", **votes))
    return lines


def around_rows(t: Translator, around: Around) -> Rows:
    """Seats on offer and the buttons that work for the whole game."""
    offers = tuple(
        (Button(t("🪑 Take seat {seat}", seat=seat + 1), Tap(Verb.TAKE_SEAT, 0, seat), style=Style.PRIMARY),)
        for seat in around.offers
    )
    always = (role_button(t), Button("🌐", Tap(Verb.GLANCE)), Button(t("⏩ Don't wait"), Tap(Verb.HURRY)))
    return (*offers, always)


def role_button(t: Translator) -> Button:
    """Shows the one who taps it their own card."""
    return Button(t("🎭 My role"), Tap(Verb.ROLE))


def in_pairs(buttons: list[Button]) -> Rows:
    """Buttons in rows of two."""
    return tuple(tuple(buttons[start : start + 2]) for start in range(0, len(buttons), 2))
