"""No feed tells a secret: tables that an onlooker cannot tell apart look the same to them, over all deals of a set.

What a seat may know is the core's to say (tests/core/test_views.py); here nothing else may reach the chats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest

from tests.table.kit import FIVE, Evening, dealt, options, user
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import seat_view
from tgavalon.table import seating
from tgavalon.table.feed import GROUP, Feed, feeds
from tgavalon.table.model import Pace, Table
from tgavalon.ui.taps import IN_GROUP, Verb, encode

DEALS = sorted(set(permutations(FIVE)))
Script = Callable[[Evening], Evening]


def evil(evening: Evening) -> list[int]:
    return [seat for seat, role in enumerate(evening.game.roles) if role.side is Side.EVIL]


def just_dealt(evening: Evening) -> Evening:
    return evening


def voting(evening: Evening) -> Evening:
    return evening.proposes(0, 1).taps(2, Verb.APPROVE, 1).taps(4, Verb.REJECT, 1)


def questing(evening: Evening) -> Evening:
    return evening.proposes(0, 1).all_approve().taps(1, Verb.SUCCESS, 1)


def asking(evening: Evening) -> Evening:
    """Whoever is evil on the team thinks about a Fail."""
    evening.proposes(0, 1).all_approve()
    for seat in {0, 1} & set(evil(evening)):
        evening.taps(seat, Verb.FAIL, 1)
    return evening


def unreachable(evening: Evening) -> Evening:
    """Somebody cannot be written to, so that cards are also offered in the group."""
    evening.table = seating.reachable(asking(evening).table, user(1), False)
    return evening


def reminded(evening: Evening) -> Evening:
    evening = questing(evening)
    evening.table = replace(evening.table, reminded=True, deadline=evening.now + 60, reminder=evening.now)
    return evening


def hunting(evening: Evening) -> Evening:
    """Three quests without a Fail, and the dagger takes aim."""
    evening.three_successes()
    holder = evening.game.dagger
    assert holder is not None
    return evening.taps(holder, Verb.AIM, 0, (holder + 1) % 5)


def betting(evening: Evening) -> Evening:
    evening.three_successes()
    for seat in set(range(5)) - set(evil(evening)):
        evening.taps(seat, Verb.BET, 0, 0)
    return evening


SCRIPTS: list[Script] = [just_dealt, voting, questing, asking, unreachable, reminded, hunting, betting]


@cache
def tables(script: Script) -> list[tuple[Table, dict[str, Feed]]]:
    """The same evening in the eyes of the group, with every deal. Without a salt, whose seal differs by design."""
    paced = options(FIVE, pace=Pace.FAST)
    dealt_so = [replace(dealt(roles, options=paced), salt="") for roles in DEALS]
    told = [script(Evening(table)).table for table in dealt_so]
    return [(table, feeds(table)) for table in told]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_group_sees_the_same_whoever_holds_which_card(script: Script) -> None:
    assert len({feed[GROUP] for _, feed in tables(script)}) == 1


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_player_sees_no_more_than_their_own_view(script: Script) -> None:
    """Two tables with one view for a seat, and the same taps of its owner, give it one and the same feed."""
    seen: dict[object, Feed] = {}
    for table, found in tables(script):
        assert table.game is not None
        for seat in range(5):
            feed = found.get(str(user(seat)))
            if feed is not None:
                own = tuple(armed.tap for armed in table.armed if armed.user == user(seat))
                assert seen.setdefault((seat_view(table.game, seat), own), feed) == feed


@pytest.mark.parametrize("script", SCRIPTS)
def test_callback_data_names_no_role_and_no_person(script: Script) -> None:
    for table, found in tables(script):
        for feed in found.values():
            taps = [button.tap for post in feed.posts for row in post.screen.rows for button in row if button.tap]
            for data in (encode(table.id, tap) for tap in taps):
                assert not [role for role in Role if role.value in data]
                assert not [seat for seat in range(5) if str(user(seat)) in data.split(":")]


def test_how_somebody_votes_shows_nowhere_before_all_have() -> None:
    seen = set()
    for verbs in permutations((Verb.APPROVE, Verb.APPROVE, Verb.REJECT, Verb.REJECT)):
        evening = Evening(dealt()).proposes(0, 1)
        for seat, verb in enumerate(verbs):
            evening.taps(seat, verb, 1)
        seen.add(tuple(sorted(feeds(evening.table).items(), key=str)))
    assert len(seen) == 1


def test_which_card_somebody_plays_shows_to_them_alone() -> None:
    one, other = (
        feeds(Evening(dealt()).proposes(0, 3).all_approve().taps(3, verb, 1).table)
        for verb in (Verb.SUCCESS, Verb.FAIL_SURELY)
    )
    assert {slot for slot in one if one[slot] != other[slot]} == {str(user(3))}


def test_a_question_shows_to_the_one_who_is_asked_and_not_even_there_if_it_was_in_the_group() -> None:
    evening = Evening(dealt()).proposes(0, 3).all_approve()
    before = feeds(evening.table)
    private = feeds(Evening(evening.table).taps(3, Verb.FAIL, 1).table)
    assert {slot for slot in before if before[slot] != private[slot]} == {str(user(3))}
    assert feeds(Evening(evening.table).taps(3, Verb.FAIL, 1, IN_GROUP).table) == before


def test_a_bet_shows_nowhere_before_the_shot() -> None:
    evening = Evening(dealt()).three_successes()
    before = feeds(evening.table)
    assert feeds(evening.taps(0, Verb.BET, 0, 1).table) == before
