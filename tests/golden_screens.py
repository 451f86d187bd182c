"""Every screen of one scripted game in every language, as text that anybody can review.

`python -m tests.golden_screens` writes `tests/golden/<language>.txt` anew; `git diff tests/golden` then shows what has
changed. `python -m tests.golden_screens fa` prints one language.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Role
from tgavalon.core.views import Ended, Now, public_view, seat_view
from tgavalon.table import seating
from tgavalon.table.feed import CLOSINGS, ENDINGS, cast, feeds
from tgavalon.table.model import Options, Pace, Place, Table
from tgavalon.table.playing import play, time_up
from tgavalon.table.ports import Person
from tgavalon.table.timers import timed
from tgavalon.ui import help as pages
from tgavalon.ui import lobby, secrets, toasts
from tgavalon.ui.catalogue import Translator, languages, plain, translator
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.screen import Screen
from tgavalon.ui.taps import Tap, Verb

FOLDER = Path(__file__).parent / "golden"
NAMES = ("Ana", "سارا", "Linh", "Вера", "Tom <3", "Benito", "Nguyễn Thị Minh Khai", "علی‌رضا", "Иван", "Zoë")
ROLES = (
    Role.MERLIN,
    Role.PERCIVAL,
    Role.SERVANT,
    Role.ASSASSIN,
    Role.MORDRED,
    Role.MORGANA,
    Role.OBERON,
    Role.SERVANT,
    Role.SERVANT,
    Role.SERVANT,
)
NOW = 1_800_000_000.0


class Script:
    """Plays the scripted game and tells what comes on screen, chat by chat."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.t = translator(language)
        self.seen: dict[tuple[str, str], str] = {}
        self.glances: tuple[str, ...] = ()
        self.moments: dict[type[Now], Now] = {}
        host = self.person(0)
        self.table = seating.open_table("GoldenGame", Place(-1001234567890), "Friends", language, host, NOW)

    def person(self, seat: int, *, ready: bool = True) -> Person:
        return Person(100 + seat, NAMES[seat], self.language, None, ready)

    def does(self, heading: str, table: Table) -> Iterator[str]:
        """The screens that have changed since the last step."""
        self.table = timed(self.table, table, NOW)
        yield f"######## {heading}"
        for slot, feed in feeds(self.table).items():
            where = "group" if slot == "group" else f"private: {self.name_of(int(slot))}"
            for post in feed.posts:
                if self.seen.get((slot, post.epoch)) != post.screen.digest:
                    self.seen[slot, post.epoch] = post.screen.digest
                    yield f"---- {where}"
                    yield from shown(post.screen)
        yield from self.at_a_glance()

    def at_a_glance(self) -> Iterator[str]:
        """The alert that tells what is going on, for somebody who only watches and for the last seat."""
        if self.table.game is not None:
            view, public = seat_view(self.table.game, 9), public_view(self.table.game)
            self.moments[type(public.now)] = public.now
            alerts = tuple(secrets.glance(self.t, public, seat, cast(self.table)) for seat in (None, view))
            if alerts != self.glances:
                self.glances = alerts
                yield "---- alert: what is going on"
                yield from dict.fromkeys(alerts)

    def name_of(self, user: int) -> str:
        seat = self.table.seat_of(user)
        assert seat is not None
        assert self.table.game is not None
        return self.table.game.roles[seat]

    def taps(self, seat: int, verb: Verb, number: int = 0, value: int = 0) -> Table:
        """The table after somebody has tapped."""
        return play(self.table, 100 + seat, NAMES[seat], Tap(verb, number, value), NOW)

    def run(self) -> Iterator[str]:
        """The whole script."""
        yield from self.in_lobby()
        yield from self.first_quest()
        yield from self.second_quest()
        yield from self.to_the_end()

    def in_lobby(self) -> Iterator[str]:
        yield from self.does("a table is opened", self.table)
        table = self.table
        for seat in range(1, 10):
            table = seating.join(table, self.person(seat, ready=seat != 4))
        yield from self.does("ten sit, one has not pressed Start", table)
        choice = replace(Options().choice, optional=frozenset({Role.MORGANA}))
        yield from self.does("an impossible choice", replace(table, options=Options(choice=choice), settings_open=True))
        ruleset = replace(PRESETS[PresetName.VIETNAMESE].ruleset, lady=True, lady_optional=True)
        optional = frozenset({Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON})
        options = Options(PresetName.VIETNAMESE, ruleset, replace(choice, optional=optional), Pace.NORMAL)
        yield from self.does("settings", replace(table, options=options, settings_open=True))
        table = seating.reachable(replace(self.table, settings_open=False), 104, True)
        yield from self.does("everybody is ready", table)
        yield from self.does("the deal", seating.deal(self.table, ROLES, 9, "00ff" * 8))

    def first_quest(self) -> Iterator[str]:
        for number, team in ((1, (0, 1, 6)), (2, (0, 3, 9))):
            yield from self.proposes(number, team)
            yield from self.votes(number, approving=3 if number == 1 else 7)
        yield from self.does("the timer's half time", replace(self.table, reminded=True))
        yield from self.does("a Success", self.taps(0, Verb.SUCCESS, 1))
        yield from self.does("asking for a Fail", self.taps(3, Verb.FAIL, 1))
        yield from self.does("a Fail", self.taps(3, Verb.FAIL_SURELY, 1))
        yield from self.does("the last card", self.taps(9, Verb.SUCCESS, 1))

    def second_quest(self) -> Iterator[str]:
        yield from self.quest(3, 2, (0, 1, 2, 7))
        yield from self.does("the Lady is asked", self.taps(8, Verb.EXAMINE, 2, 6))
        yield from self.quest(4, 3, (0, 1, 2, 7))
        yield from self.does("the Lady is kept", self.taps(6, Verb.PASS, 3))
        gone = seating.leave(seating.reachable(self.table, 101, False), 105)
        yield from self.does("somebody leaves, somebody cannot be reached", gone)
        yield from self.does("somebody wants to end it", seating.vote_to_end(self.table, 102))

    def to_the_end(self) -> Iterator[str]:
        yield from self.does("everybody is back", seating.take_seat(self.table, self.person(5), 5))
        yield from self.does("reachable again", seating.reachable(self.table, 101, True))
        yield from self.does("the leader is not waited for", time_up(self.table))
        for seat in range(9):
            self.table = self.taps(seat, Verb.APPROVE, 5)
        yield from self.does("nor is the last vote", time_up(self.table))
        yield from self.does("nor are the cards", time_up(self.table))
        yield from self.does("a bet", self.taps(2, Verb.BET, 0, 1))
        yield from self.does("the dagger aims", self.taps(3, Verb.AIM, 0, 0))
        yield from self.does("Merlin is named", self.taps(3, Verb.SHOOT, 0, 0))

    def proposes(self, number: int, team: tuple[int, ...]) -> Iterator[str]:
        game = self.table.game
        assert game is not None
        for seat in team:
            yield from self.does(
                f"the leader picks for proposal {number}", self.taps(game.leader, Verb.PICK, number, seat)
            )
            game = self.table.game or game
        mask = sum(1 << seat for seat in team)
        yield from self.does("the team is proposed", self.taps(game.leader, Verb.PROPOSE, number, mask))

    def votes(self, number: int, approving: int) -> Iterator[str]:
        for seat in range(10):
            verb = Verb.APPROVE if seat < approving else Verb.REJECT
            table = self.taps(seat, verb, number)
            if seat in (3, 9):
                yield from self.does(f"votes on proposal {number}", table)
            else:
                self.table = table

    def quest(self, number: int, quest: int, team: tuple[int, ...]) -> Iterator[str]:
        game = self.table.game
        assert game is not None
        mask = sum(1 << seat for seat in team)
        yield from self.does("the team is proposed", self.taps(game.leader, Verb.PROPOSE, number, mask))
        yield from self.votes(number, approving=10)
        for seat in team[:-1]:
            self.table = self.taps(seat, Verb.SUCCESS, quest)
        yield from self.does(f"quest {quest} is played", self.taps(team[-1], Verb.SUCCESS, quest))


def shown(screen: Screen) -> Iterator[str]:
    """A screen as text: its words, then its buttons row by row."""
    yield plain(screen.text)
    for row in screen.rows:
        yield "  " + " ".join(f"[ {button.label} ]" for button in row)


def loose_words(t: Translator, table: Table, moments: Iterable[Now]) -> Iterator[str]:
    """What is said outside the feed: alerts, toasts, pages and refusals."""
    game = table.game
    assert game is not None
    who = cast(table)
    yield "######## alerts: my role"
    yield from (secrets.role_alert(t, seat_view(game, seat), who) for seat in range(game.seats))
    yield "######## toasts"
    yield from (text for verb in Verb if (text := toasts.accepted(t, Tap(verb))) is not None)
    yield from (toasts.seated(t, None), toasts.seated(t, 2), toasts.sure_fail(t), toasts.sure_shot(t))
    yield from (toasts.voted_last(t, approve) for approve in (True, False))
    yield from (toasts.sure_hurry(t, now) for now in moments if not isinstance(now, Ended))
    yield "######## pages"
    for screen in _pages(t):
        yield "----"
        yield from shown(screen)
    yield "######## refusals"
    yield from (f"{why}: {sentence(t, why)}" for why in (*Refusal, *Reason))


def _pages(t: Translator) -> Iterator[Screen]:
    yield pages.start_screen(t, "avalon_bot")
    yield pages.hello_screen(t)
    yield pages.help_screen(t)
    yield pages.language_screen(t, of_group=True)
    yield pages.language_screen(t, of_group=False)
    yield pages.notice(t, pages.language_chosen(t))
    yield pages.welcome_seated(t, "Friends")
    yield pages.kicked(t, "Friends")
    for name, preset in PRESETS.items():
        numbers = range(len(pages.TOPICS)) if name is PresetName.RULEBOOK else (2, 4)
        yield from (pages.rules_screen(t, name, preset.ruleset, None, page) for page in numbers)
    yield from (lobby.closed_screen(t, reason) for reason in (*CLOSINGS.values(), *ENDINGS.values()))


def golden(language: str) -> str:
    """The whole text of one language."""
    script = Script(language)
    lines = list(script.run())
    lines += loose_words(script.t, script.table, script.moments.values())
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Print one language, or write all files."""
    if arguments:
        sys.stdout.write(golden(arguments[0]))
        return
    FOLDER.mkdir(exist_ok=True)
    for language in languages():
        (FOLDER / f"{language}.txt").write_text(golden(language), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
