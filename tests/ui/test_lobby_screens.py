"""The lobby and its settings: who sits where, what is missing, what can be tapped."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.gallery import cast_of
from tests.ui.reading import read, t, taps
from tgavalon.core.deal import Caution, RoleChoice, role_set
from tgavalon.core.presets import PresetName
from tgavalon.core.reasons import Reason
from tgavalon.ui.lobby import Choice, LobbyView, closed_screen, lobby_screen, missing_line, settings_screen
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import Tap, Verb

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")


def of(players: int) -> LobbyView:
    roles = role_set(max(players, 5), RoleChoice())
    return LobbyView(cast_of(NAMES, players), 0, (), PresetName.RULEBOOK, roles, None, ())


def verbs(screen: Screen) -> list[Verb]:
    return [tap.verb for tap in taps(screen)]


def test_a_lobby_numbers_its_seats_and_names_its_host() -> None:
    text = read(lobby_screen(t, of(3)))
    assert "1. Ana – host" in text
    assert "2. Ben\n" in text
    assert "2 more players needed." in text
    assert text.count("host") == 1


def test_it_can_start_with_five() -> None:
    assert Verb.START not in verbs(lobby_screen(t, of(4)))
    assert Verb.START in verbs(lobby_screen(t, of(5)))
    assert "Everybody is ready." in read(lobby_screen(t, of(5)))


def test_nobody_can_join_a_full_table() -> None:
    assert Verb.JOIN in verbs(lobby_screen(t, of(9)))
    assert Verb.JOIN not in verbs(lobby_screen(t, of(10)))


def test_whoever_still_has_to_press_start_is_named_and_can_tap_join_again() -> None:
    view = replace(of(10), waiting=(1, 9))
    screen = lobby_screen(t, view)
    assert "Ben (2) and Jon (10)" in read(screen)
    assert "2. Ben ⏳" in read(screen)
    assert Verb.JOIN in verbs(screen)


def test_what_cannot_be_played_says_why() -> None:
    view = replace(of(5), roles=None, problem=Reason.MORGANA_NEEDS_PERCIVAL)
    text = read(lobby_screen(t, view))
    assert "🚫 Morgana needs Percival" in text
    assert "The host has to change the settings first." in text


def test_what_is_unwise_is_warned_of() -> None:
    view = replace(of(5), cautions=(Caution.PERCIVAL_ALONE_WITH_FIVE, Caution.LADY_BELOW_ADVISED))
    assert read(lobby_screen(t, view)).count("⚠️") == 2
    assert "Everybody is ready." in missing_line(t, view)


def test_once_it_has_begun_nothing_can_be_tapped() -> None:
    screen = lobby_screen(t, replace(of(5), started=True, waiting=(1,)))
    assert not screen.rows
    assert "the game has begun" in read(screen)
    assert "⏳" not in read(screen)


def test_a_setting_shows_its_value_and_its_button_sets_the_next() -> None:
    choices = (Choice(0, "Lady of the Lake", "off", 1), Choice(7, "Order of quests", "one after another", None))
    screen = settings_screen(t, of(5), choices)
    assert taps(screen) == [Tap(Verb.SET, 0, 1), Tap(Verb.LOBBY)]
    assert "Lady of the Lake: off" in read(screen)
    assert "Order of quests: one after another" in read(screen)


def test_a_closed_table_has_no_buttons_and_says_how_to_go_on() -> None:
    screen = closed_screen(t, "why")
    assert not screen.rows
    assert "/newgame" in read(screen)
