"""The lobby and its settings: who sits where, what is missing, what will be played."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from tgavalon.core.deal import Caution
from tgavalon.core.presets import PresetName
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import MAX_PLAYERS, MIN_PLAYERS
from tgavalon.ui import words
from tgavalon.ui.catalogue import Translator, mark, plain
from tgavalon.ui.names import Cast
from tgavalon.ui.refusals import SENTENCES
from tgavalon.ui.screen import Button, Rows, Screen, Style
from tgavalon.ui.taps import Tap, Verb


@dataclass(frozen=True, slots=True)
class LobbyView:
    """What a lobby shows. `waiting` are the seats that the bot cannot write to yet; `roles` is None where the chosen
    set is impossible, and `problem` says why."""

    cast: Cast
    host: int | None
    waiting: tuple[int, ...]
    preset: PresetName
    roles: tuple[Role, ...] | None
    problem: Reason | None
    cautions: tuple[Caution, ...]
    started: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting: its place among the settings, its name and value in words, and the value the next tap sets."""

    number: int
    name: str
    value: str
    next_value: int | None


def lobby_screen(t: Translator, view: LobbyView) -> Screen:
    """The open lobby, or its last look once the game has begun."""
    if view.started:
        return Screen(t.page(t("🏰 <b>Avalon</b>: the game has begun."), *_seats(t, view)))
    is_full = len(view.cast.names) == MAX_PLAYERS
    lines = [
        t("🏰 <b>Avalon</b>: all ten seats are taken.")
        if is_full
        else t("🏰 <b>Avalon</b>: the table is open. Tap Join to sit down!"),
        *_played(t, view),
        "",
        *_seats(t, view),
        "",
        missing_line(t, view),
    ]
    if view.waiting and len(view.cast.names) < MIN_PLAYERS:
        lines.append(_waiting_line(t, view.cast.names_of(t, view.waiting)))
    return Screen(t.page(*lines), _lobby_rows(t, view))


def settings_screen(t: Translator, view: LobbyView, choices: tuple[Choice, ...]) -> Screen:
    """The settings, open for everybody to read; only the host and admins can change them."""
    lines = [t("⚙️ <b>Settings</b>"), *_played(t, view), ""]
    lines += [t("{option}: <b>{value}</b>", option=t(c.name), value=t(c.value)) for c in choices]
    lines += ["", t("The host and group admins tap to change a setting.")]
    buttons = [_choice_button(t, choice) for choice in choices if choice.next_value is not None]
    done = Button(t("↩️ Back to the table"), Tap(Verb.LOBBY), style=Style.PRIMARY)
    return Screen(t.page(*lines), (*((button,) for button in buttons), (done,)))


def closed_screen(t: Translator, reason: str) -> Screen:
    """The last word of a table that closed without a winner."""
    return Screen(t.page(t(reason), t("Open a new table with /newgame.")))


CLOSED_IDLE = mark("💤 Nobody touched this table for an hour, so I have closed it.")
CLOSED_BY_HOST = mark("🛑 The table has been closed.")
CLOSED_BY_VOTE = mark("🛑 Enough players have voted to end this game. Nobody wins.")
ENDED_BY_HOST = mark("🛑 The host or a group admin has ended this game. Nobody wins.")
CLOSED_ABANDONED = mark("💤 Nothing has happened in this game for two days, so I have ended it.")
CLOSED_LEFT = mark("🛑 Everybody has left the table.")


def _choice_button(t: Translator, choice: Choice) -> Button:
    label = plain(t("{option}: {value}", option=t(choice.name), value=t(choice.value)))
    return Button(label, Tap(Verb.SET, choice.number, choice.next_value or 0))


def _played(t: Translator, view: LobbyView) -> list[str]:
    lines: list[str] = [Markup("📖 {}").format(t(words.PRESETS[view.preset]))]
    if view.roles is not None:
        lines.append(t("🎭 In play: {roles}", roles=words.roles_in_play(t, view.roles)))
    if view.problem is not None:
        lines.append(Markup("🚫 {}").format(t(SENTENCES[view.problem])))
    lines += [Markup("⚠️ {}").format(t(words.CAUTIONS[caution])) for caution in view.cautions]
    return lines


def _seats(t: Translator, view: LobbyView) -> list[str]:
    return [_seat(t, view, seat) for seat in range(len(view.cast.names))]


def _seat(t: Translator, view: LobbyView, seat: int) -> Markup:
    line = t("{seat}. {name}", seat=seat + 1, name=view.cast.bare(t, seat))
    if seat == view.host:
        # Translators: {line} is a seat number and a name.
        line = t("{line} – host", line=line)
    if seat in view.waiting and not view.started:
        line = Markup("{} ⏳").format(line)
    return line


def missing_line(t: Translator, view: LobbyView) -> Markup:
    """What the lobby is waiting for."""
    short = MIN_PLAYERS - len(view.cast.names)
    if short > 0:
        return t.plural("{count} more player needed.", "{count} more players needed.", short)
    if view.waiting:
        return _waiting_line(t, view.cast.names_of(t, view.waiting))
    if view.problem is not None:
        return t("The host has to change the settings first.")
    return t("✅ Everybody is ready. The host can start.")


def _waiting_line(t: Translator, names: Markup) -> Markup:
    return t("⏳ Waiting for a press of Start in a private chat with me: {names}.", names=names)


def _lobby_rows(t: Translator, view: LobbyView) -> Rows:
    rows: list[tuple[Button, ...]] = []
    if len(view.cast.names) < MAX_PLAYERS or view.waiting:
        rows.append((Button(t("🪑 Join"), Tap(Verb.JOIN), style=Style.PRIMARY),))
    rows.append((Button(t("⚙️ Settings"), Tap(Verb.SETTINGS)), Button(t("🚪 Leave"), Tap(Verb.LEAVE))))
    if len(view.cast.names) >= MIN_PLAYERS:
        rows.append((Button(t("▶️ Start the game"), Tap(Verb.START), style=Style.SUCCESS),))
    rows.append((Button("🌐", Tap(Verb.GLANCE)),))
    return tuple(rows)


def start_wanted(t: Translator, view: LobbyView, user: int, link: str) -> Screen:
    """What somebody who sat down by typing reads while the bot cannot write to them; `link` opens the private chat."""
    seat = view.cast.users.index(user)
    line = _waiting_line(t, view.cast.mention(t, seat))
    return Screen(t.page(line), ((Button(t("🪑 Join"), url=link, style=Style.PRIMARY),),))
