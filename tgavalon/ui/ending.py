"""The end of a game: who won and how, every role, the votes, the quests, the bets and three honours."""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.game import Card
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import Ended, PublicView
from tgavalon.ui import words
from tgavalon.ui.board import quest_line, vote_log
from tgavalon.ui.catalogue import LEFT_TO_RIGHT_MARK, Translator
from tgavalon.ui.frame import Around
from tgavalon.ui.honours import honours
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Button, Screen, Style
from tgavalon.ui.taps import Tap, Verb

Bets = tuple[tuple[str, int], ...]

BETS_SHOWN = 12
"""How many bets are told one by one: any number of spectators may bet, and a message has an end."""


def end_screen(t: Translator, view: PublicView, cast: Cast, around: Around, bets: Bets, salt: str) -> Screen:
    """The result with every card open.

    `bets` are (name, seat bet on) of those who bet on the dagger; `salt` opens the seal of the deal.
    """
    ended = view.now
    if not isinstance(ended, Ended):
        raise TypeError("the game is not over")
    won = t("🔵 <b>Good wins!</b>") if ended.winner is Side.GOOD else t("🔴 <b>Evil wins!</b>")
    lines = [won, t(words.OUTCOMES[ended.outcome]), *_shot(t, ended, cast), ""]
    lines += [_role_line(t, ended, cast, seat) for seat in range(view.seats)]
    lines += ["", *(_quest(t, view, cast, number) for number in range(len(view.quests)))]
    if view.proposals:
        lines.append(vote_log(t, view))
    lines += _bets(t, cast, ended, bets)
    lines += [Markup("🏅 {}").format(honour) for honour in honours(t, view, ended, cast, around.votes_counted)]
    if around.seal:
        code = Markup("<code>{}{}</code>").format(LEFT_TO_RIGHT_MARK, salt)
        lines.append(t("🔓 Key to the seal of the deal, to check it: {salt}", salt=code))
    again = Button(t("🔁 Play again"), Tap(Verb.AGAIN), style=Style.SUCCESS)
    return Screen(t.page(*lines), ((again,), (record_button(t),)))


def record_button(t: Translator) -> Button:
    """The button that brings the record of a game."""
    return Button(t("📄 Record"), Tap(Verb.RECORD))


def _shot(t: Translator, ended: Ended, cast: Cast) -> list[str]:
    if ended.dagger is None or ended.outcome not in ("merlin_assassinated", "merlin_survived"):
        return []
    killer = cast.name(t, ended.dagger)
    if ended.target is None:
        return [t("🗡 {killer} did not strike.", killer=killer)]
    target = cast.name(t, ended.target)
    if ended.roles[ended.target] is Role.MERLIN:
        return [t("🗡 {killer} named {target}: Merlin!", killer=killer, target=target)]
    return [t("🗡 {killer} named {target}, who is not Merlin.", killer=killer, target=target)]


def _role_line(t: Translator, ended: Ended, cast: Cast, seat: int) -> Markup:
    role = ended.roles[seat]
    sign = words.SIDE_SIGNS[role.side]
    line = t("{seat}. {name}: {role}", seat=seat + 1, name=cast.bare(t, seat), role=words.role(t, role))
    return Markup("{} {}").format(sign, line)


def _quest(t: Translator, view: PublicView, cast: Cast, index: int) -> Markup:
    quest = view.quests[index]
    if quest.forfeited:
        return quest_line(t, quest)
    ended = view.now
    cards = dict(ended.cards).get(quest.number) if isinstance(ended, Ended) else None
    line = t("{result} Team: {team}.", result=quest_line(t, quest), team=cast.names_of(t, quest.team))
    failed = tuple(seat for seat, card in zip(quest.team, cards or (), strict=False) if card is Card.FAIL)
    if failed:
        return t("{line} Fail from {names}.", line=line, names=cast.names_of(t, failed))
    return line


def _bets(t: Translator, cast: Cast, ended: Ended, bets: Bets) -> list[str]:
    if not bets:
        return []
    arrow = "←" if t.is_rtl else "→"
    lines: list[str] = [t("🎲 Bets on whom the dagger would hit:")]
    lines += [
        Markup("{} {} {}").format(t("{name}", name=name or t("Player")), arrow, cast.name(t, seat))
        for name, seat in bets[:BETS_SHOWN]
    ]
    if len(bets) > BETS_SHOWN:
        lines.append("…")
    right = sum(seat == ended.target for _, seat in bets)
    if ended.target is not None:
        lines.append(
            t.plural("{count} bet was right.", "{count} bets were right.", right) if right else t("No bet was right.")
        )
    return lines
