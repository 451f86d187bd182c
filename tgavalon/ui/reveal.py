"""The reveal in the group: a short scene that fits the roles in play, and what comes before the first team."""

from __future__ import annotations

from markupsafe import Markup

from tgavalon.core.roles import Role
from tgavalon.core.views import PublicView
from tgavalon.ui import words
from tgavalon.ui.board import crown_line
from tgavalon.ui.catalogue import LEFT_TO_RIGHT_MARK, Translator
from tgavalon.ui.frame import role_button
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Screen


def deal_screen(t: Translator, view: PublicView, cast: Cast, seal: str) -> Screen:
    """The reveal, told for the roles in play, and everything the table needs to know before the first team.

    `seal` is the deal's commitment, empty where there is none.
    """
    lines = [
        t("🌙 <b>Night falls on Camelot.</b>"),
        *_night(t, view.roles),
        t("☀️ Everybody wakes. Your role is in your private chat with me; the button below shows it too."),
        "",
        t("🎭 In play: {roles}", roles=words.roles_in_play(t, view.roles)),
        t("👑 Crown: {way}", way=crown_line(t, view, cast, view.first_leader)),
        _sizes(t, view),
    ]
    first = view.checks[0].holder if view.checks else view.lady
    if first is not None:
        lines.append(t("🌊 {name} holds the Lady of the Lake at first.", name=cast.name(t, first)))
    if seal:
        lines.append(t("🔏 Seal of the deal, so that anybody can check it after the game: {seal}", seal=_code(seal)))
    return Screen(t.page(*lines), ((role_button(t),),))


def _night(t: Translator, roles: tuple[Role, ...]) -> list[str]:
    evil_unseen = Role.OBERON in roles
    lines: list[str] = [
        t("Evil opens its eyes and knows its own, all but Oberon.")
        if evil_unseen
        else t("Evil opens its eyes and knows its own.")
    ]
    if Role.MERLIN in roles:
        hidden = Role.MORDRED in roles
        lines.append(t("Merlin sees evil, all but Mordred.") if hidden else t("Merlin sees all evil."))
    if Role.PERCIVAL in roles and Role.MERLIN in roles:
        two = Role.MORGANA in roles
        lines.append(
            t("Percival sees Merlin and Morgana, and cannot tell who is who.") if two else t("Percival sees Merlin.")
        )
    return lines


def _sizes(t: Translator, view: PublicView) -> Markup:
    sizes = t.listing(
        Markup("{}{}").format(t.number(space.size), "*" if space.fails_needed > 1 else "") for space in view.board
    )
    if any(space.fails_needed > 1 for space in view.board):
        return t("⚔️ Players on quests 1 to 5: {sizes} (* two Fails needed)", sizes=sizes)
    return t("⚔️ Players on quests 1 to 5: {sizes}", sizes=sizes)


def _code(text: str) -> Markup:
    return Markup("<code>{}{}</code>").format(LEFT_TO_RIGHT_MARK, text)
