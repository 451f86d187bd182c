"""How tests read a screen: its words without HTML, its buttons as intentions."""

from __future__ import annotations

from tests.core.story import Story
from tests.ui.catalogues import translator_of
from tests.ui.gallery import cast_of
from tgavalon.core.views import PublicView, public_view
from tgavalon.ui.catalogue import plain
from tgavalon.ui.frame import Around
from tgavalon.ui.names import Cast
from tgavalon.ui.screen import Button, Screen
from tgavalon.ui.taps import Tap, Verb

t = translator_of("en")
ALONE = Around()
ALWAYS = {Verb.ROLE, Verb.GLANCE, Verb.HURRY}


def names(story: Story) -> Cast:
    return cast_of(tuple(story.names_by_seat), story.game.seats)


def view(story: Story) -> PublicView:
    return public_view(story.game)


def read(screen: Screen) -> str:
    """The text without HTML and isolates."""
    return plain(screen.text).replace("\u2068", "").replace("\u2069", "")


def taps(screen: Screen) -> list[Tap]:
    """What the buttons intend, but for those that are always there."""
    found = [button.tap for row in screen.rows for button in row if button.tap is not None]
    return [tap for tap in found if tap.verb not in ALWAYS]


def button(screen: Screen, verb: Verb) -> Button:
    """The first button that intends this."""
    return next(b for row in screen.rows for b in row if b.tap is not None and b.tap.verb is verb)
