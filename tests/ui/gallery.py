"""Everything that can be shown: the screens and alerts of several whole games, drawn from views, and all other pages.

The games are told with the core's own test kit and chosen so that together they say everything the game can say; that
nothing is left out is a test of its own (test_no_word_bypasses_translation.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.ui.catalogues import translator_of
from tests.ui.stories import STORIES, games
from tgavalon.core.deal import Caution
from tgavalon.core.game import Game, Over
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Role
from tgavalon.core.ruleset import FifthRejection, LadyImmunity, QuestOrder, Ruleset
from tgavalon.core.views import Ended, LadyNow, PublicView, QuestNow, SeatView, ShotNow, TeamNow, public_view, seat_view
from tgavalon.table.model import Options, Pace
from tgavalon.table.options import choices
from tgavalon.ui import help as pages
from tgavalon.ui import lobby, reveal, rounds, secrets, toasts
from tgavalon.ui.catalogue import Translator, plain
from tgavalon.ui.ending import end_screen
from tgavalon.ui.frame import Around
from tgavalon.ui.names import Cast, clean_name
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import Tap, Verb

SEAL = "5eal" * 16
SALT = "5a17" * 8
LINK = "https://t.me/c/1234567890/17"
USERNAME = "avalon_bot"


# People who try everything: as long as names get, wide, from right to left, and full of markup.
CROWD = tuple(
    clean_name(start + filler * 30)
    for start, filler in (
        ("Tom <3 ", "W"),
        ("<b>Bob", "﷽"),
        ("</pre></b>", "陳"),
        ("&lt;&amp;&#39;", "😀"),
        ("a&b {name} %s ", "م"),
        ('"><a href="x">', "&"),
        ("{0} {seat} {{}} ", "<"),
        ("@everyone ", "'"),
        ("سارا ", "ﷺ"),
        ("123 ", "𒐫"),
    )
)
TITLE = clean_name("<i>Q&A</i> " + "﷽" * 30)


@dataclass(frozen=True)
class Shown:
    """One thing that people see: a screen, or the plain text of a toast or an alert."""

    name: str
    screen: Screen | None = None
    text: str | None = None


def cast_of(names: tuple[str, ...], seats: int) -> Cast:
    return Cast(names[:seats], tuple(range(1_000_000_000, 1_000_000_000 + seats)))


def everything(t: Translator, names: tuple[str, ...], title: str = "Friends") -> Iterator[Shown]:
    """All there is to see, to players with these names (ten of them) in a group with this title."""
    for story in STORIES:
        for number, game in enumerate(games(story)):
            for shown in (*of_the_table(t, game, names), *of_the_players(t, game, names, title)):
                yield Shown(f"{story} {number} {shown.name}", shown.screen, shown.text)
    yield from in_the_lobby(t, names)
    yield from on_pages(t, title)
    yield from said(t)


@cache
def gallery(language: str) -> tuple[Shown, ...]:
    """All there is to see in a language, with the crowd at the table."""
    return tuple(everything(translator_of(language), CROWD, TITLE))


# What the whole table sees of a game.


def of_the_table(t: Translator, game: Game, names: tuple[str, ...]) -> Iterator[Shown]:
    view, cast = public_view(game), cast_of(names, game.seats)
    for around in (Around(), busy(game.seats)):
        yield from _moments(t, view, cast, around)
    yield Shown("glance", text=secrets.glance(t, view, None, cast))
    yield Shown("sure hurry", text=toasts.sure_hurry(t, view.now))
    if isinstance(view.now, Ended):
        yield from _endings(t, view, cast)


def busy(seats: int) -> Around:
    """Everything that can surround a screen at once."""
    everybody, numbers = tuple(range(seats)), range(1, 26)
    return Around(
        (1, seats - 1),
        everybody,
        SEAL,
        show_votes=False,
        end_votes=2,
        end_needed=4,
        teams_chosen=frozenset(numbers),
        votes_counted=dict.fromkeys(numbers, everybody),
        cards_played=frozenset(numbers),
    )


def _moments(t: Translator, view: PublicView, cast: Cast, around: Around) -> Iterator[Shown]:
    yield Shown("deal", reveal.deal_screen(t, view, cast, SEAL))
    now = view.now
    decided = len(view.proposals)
    latest = decided if isinstance(now, QuestNow | Ended | ShotNow | LadyNow) else decided + 1
    for number in range(max(1, latest - 1), latest + 1):
        yield Shown(f"team {number}", rounds.team_screen(t, view, cast, around, number))
        if number <= decided or not isinstance(now, TeamNow):
            yield Shown(f"vote {number}", rounds.vote_screen(t, view, cast, around, number))
    yield Shown("team to come", rounds.team_screen(t, view, cast, around, latest + 1))
    for after in {*(check.after for check in view.checks), *((now.after,) if isinstance(now, LadyNow) else ())}:
        yield Shown(f"lady {after}", rounds.lady_screen(t, view, cast, around, after))
    if isinstance(now, ShotNow):
        yield Shown("shot", rounds.shot_screen(t, view, cast, around))
    left = t.duration(90)
    yield Shown("reminder", rounds.reminder_screen(t, cast, tuple(range(view.seats)), left))
    yield Shown("reminder, nobody named", rounds.waiting_screen(t, left))


def _endings(t: Translator, view: PublicView, cast: Cast) -> Iterator[Shown]:
    around = busy(view.seats)
    bets = tuple((cast.names[seat], (seat + 1) % view.seats) for seat in range(view.seats))
    yield Shown("end", end_screen(t, view, cast, around, bets, SALT))
    ended = view.now
    wrong = next(seat for seat in range(view.seats) if isinstance(ended, Ended) and seat != ended.target)
    yield Shown("end, wrong bets", end_screen(t, view, cast, around, ((cast.names[0], wrong),), SALT))
    yield Shown("end, no bets", end_screen(t, view, cast, Around(), (), ""))


# What one player sees.


def of_the_players(t: Translator, game: Game, names: tuple[str, ...], title: str) -> Iterator[Shown]:
    cast = cast_of(names, game.seats)
    for seat in range(game.seats):
        view = seat_view(game, seat)
        shown = [*_of_a_player(t, game, view, cast, title)]
        if not game.quests and not game.proposals:
            shown.append(Shown("role", secrets.role_card(t, view, cast, title, LINK if seat % 2 else None)))
        yield from (Shown(f"seat {seat} {each.name}", each.screen, each.text) for each in shown)


def _of_a_player(t: Translator, game: Game, view: SeatView, cast: Cast, title: str) -> Iterator[Shown]:
    yield Shown("role alert", text=secrets.role_alert(t, view, cast))
    for by_buttons in (False, True):
        text = secrets.glance(t, view.public, view, cast, by_buttons=by_buttons)
        yield Shown(f"glance, by buttons {by_buttons}", text=text)
    for after, examined, side in view.checked:
        yield Shown(f"loyalty {after}", secrets.loyalty_card(t, view, cast, title, after))
        yield Shown(f"loyalty alert {after}", text=secrets.loyalty_alert(t, cast, examined, side))
    quests = {quest for quest, _ in view.cards}
    if isinstance(view.public.now, QuestNow) and view.may_play:
        quests.add(view.public.now.quest)
        yield Shown("sure?", secrets.quest_card(t, view, cast, title, view.public.now.quest, asking=True))
    for quest in sorted(quests):
        yield Shown(f"card {quest}", secrets.quest_card(t, view, cast, title, quest, asking=False))
        yield Shown(f"card {quest}, absent", secrets.quest_card(t, view, cast, title, quest, False, absent=True))
    if view.targets:
        yield Shown("dagger", secrets.dagger_card(t, view, cast, title, None))
        yield Shown("dagger aims", secrets.dagger_card(t, view, cast, title, view.targets[0]))
    if view.holds_dagger and isinstance(game.phase, Over) and game.phase.target is not None:
        yield Shown("dagger struck", secrets.dagger_card(t, view, cast, title, None))


# What there is besides a game.


def in_the_lobby(t: Translator, names: tuple[str, ...]) -> Iterator[Shown]:
    for players in (0, 1, 4, 5, 10):
        for preset in PresetName:
            yield Shown(f"lobby {preset} {players}", lobby.lobby_screen(t, lobby_of(names, players, preset)))
    everybody = lobby_of(names, 10, waiting=tuple(range(10)))
    yield Shown("lobby, all missing", lobby.lobby_screen(t, everybody))
    yield Shown("lobby, glance", text=secrets.fitting(lobby.missing_line(t, everybody)))
    yield Shown("lobby, begun", lobby.lobby_screen(t, lobby_of(names, 10, started=True)))
    for problem in Reason:
        yield Shown(f"lobby, {problem}", lobby.lobby_screen(t, lobby_of(names, 7, problem=problem)))
    for options in all_options():
        view = lobby_of(names, 10, options.preset)
        yield Shown(f"settings {options}", lobby.settings_screen(t, view, choices(options)))
    for reason in CLOSINGS:
        yield Shown(reason, lobby.closed_screen(t, reason))


CLOSINGS = (
    lobby.CLOSED_IDLE,
    lobby.CLOSED_BY_HOST,
    lobby.CLOSED_BY_VOTE,
    lobby.CLOSED_ABANDONED,
    lobby.CLOSED_LEFT,
    lobby.ENDED_BY_HOST,
)


def lobby_of(
    names: tuple[str, ...],
    players: int,
    preset: PresetName = PresetName.RULEBOOK,
    *,
    waiting: tuple[int, ...] = (),
    problem: Reason | None = None,
    started: bool = False,
) -> lobby.LobbyView:
    return lobby.LobbyView(
        cast=cast_of(names, players),
        host=0 if players else None,
        waiting=waiting,
        preset=preset,
        roles=None if problem else (*Role, Role.SERVANT, Role.MINION),
        problem=problem,
        cautions=tuple(Caution),
        started=started,
    )


def all_options() -> Iterator[Options]:
    """Options in which every value of every setting occurs."""
    for preset in PresetName:
        yield Options(preset, PRESETS[preset].ruleset)
    for pace in Pace:
        yield Options(pace=pace, show_votes=False)
    for order in QuestOrder:
        yield Options(ruleset=Ruleset(quest_order=order, lady=True, dagger=Role.MORGANA))
    for fifth in FifthRejection:
        yield Options(ruleset=Ruleset(fifth_rejection=fifth, dagger=Role.MORDRED))


def on_pages(t: Translator, title: str) -> Iterator[Shown]:
    yield Shown("description", text=plain(t(pages.DESCRIPTION)))
    yield Shown("short description", text=plain(t(pages.SHORT_DESCRIPTION)))
    yield Shown("start", pages.start_screen(t, USERNAME))
    yield Shown("hello", pages.hello_screen(t))
    yield Shown("help", pages.help_screen(t))
    yield Shown("group language", pages.language_screen(t, of_group=True))
    yield Shown("language", pages.language_screen(t, of_group=False))
    yield Shown("language chosen", text=pages.language_chosen(t))
    yield Shown("welcome", pages.welcome_seated(t, title))
    yield Shown("kicked", pages.kicked(t, title))
    for preset in PresetName:
        for rules in (PRESETS[preset].ruleset, *_other_rules()):
            for players in (None, 5, 10):
                for page in range(len(pages.TOPICS)):
                    screen = pages.rules_screen(t, preset, rules, players, page)
                    yield Shown(f"rules {preset} {rules} {players} {page}", screen)


def _other_rules() -> Iterator[Ruleset]:
    """Rulesets in which every option has every value."""
    for immunity, order, fifth in zip(LadyImmunity, QuestOrder, FifthRejection, strict=True):
        yield Ruleset(lady_immunity=immunity, quest_order=order, fifth_rejection=fifth)


def said(t: Translator) -> Iterator[Shown]:
    for verb in Verb:
        toast = toasts.accepted(t, Tap(verb))
        if toast is not None:
            yield Shown(f"toast {verb}", text=toast)
    yield from (Shown("seated", text=toasts.seated(t, seat)) for seat in (None, 9))
    yield Shown("sure fail", text=toasts.sure_fail(t))
    yield Shown("sure shot", text=toasts.sure_shot(t))
    yield from (Shown(f"voted last {approve}", text=toasts.voted_last(t, approve)) for approve in (True, False))
    for why in (*Refusal, *Reason):
        yield Shown(f"refused {why}", text=sentence(t, why))
        yield Shown(f"notice {why}", pages.notice(t, sentence(t, why)))


def texts(shown: Shown) -> Iterator[str]:
    """Everything one can read of it, without HTML: the text and each button."""
    if shown.text is not None:
        yield shown.text
    if shown.screen is not None:
        yield plain(shown.screen.text)
        yield from (button.label for row in shown.screen.rows for button in row)
