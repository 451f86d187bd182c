"""The last word: three successes, the dagger, and games without Merlin."""

from __future__ import annotations

import pytest

from tests.core.story import FIVE, SEVEN, TEN, Story, rules
from tgavalon.core.actions import Assassinate
from tgavalon.core.game import Assassinating, Outcome, Over
from tgavalon.core.reasons import Reason
from tgavalon.core.roles import Role, Side
from tgavalon.core.views import ShotNow, public_view, seat_view, targets


def test_merlin_is_named_after_three_good_quests() -> None:
    table = Story(FIVE)
    table.quest("Ana", "Ana Ben").quest("Ben", "Ana Ben Cho").quest("Cho", "Ana Ben")
    assert isinstance(table.phase, Assassinating)
    assert table.names("Eli", "Ana").phase == Over(Side.EVIL, Outcome.MERLIN_ASSASSINATED, table.seat("Ana"))


@pytest.mark.parametrize("target", ["Ben", "Cho", "Dee"])
def test_good_wins_when_anybody_else_is_named(target: str) -> None:
    table = Story(FIVE).three_successes().names("Eli", target)
    assert table.phase == Over(Side.GOOD, Outcome.MERLIN_SURVIVED, table.seat(target))


def test_three_good_quests_need_not_come_in_a_row() -> None:
    table = Story(FIVE).good_quest().bad_quest().good_quest().bad_quest().good_quest()
    assert table.names("Eli", "Ana").winner is Side.EVIL


def test_only_the_assassin_decides_and_never_on_himself() -> None:
    table = Story(FIVE).good_quest()
    with table.refused(Reason.NO_SHOT_NOW):
        table.names("Eli", "Ana")
    table.three_successes()
    with table.refused(Reason.NOT_ASSASSIN):
        table.names("Dee", "Ana")
    with table.refused(Reason.NOT_ASSASSIN):
        table.names("Ana", "Eli")
    with table.refused(Reason.SHOT_SELF):
        table.names("Eli", "Eli")
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Assassinate(4, 5))
    with table.refused(Reason.NO_SUCH_SEAT):
        table.does(Assassinate(4, -1))
    table.names("Eli", "Ben")
    with table.refused(Reason.GAME_OVER):
        table.names("Eli", "Ana")


def test_without_merlin_three_successes_win_at_once() -> None:
    table = Story("Ana:servant Ben:servant Cho:servant Dee:minion Eli:minion").three_successes()
    assert table.phase == Over(Side.GOOD, Outcome.THREE_SUCCESSFUL_QUESTS)
    assert table.game.dagger is None


def test_without_merlin_the_assassin_has_no_dagger() -> None:
    table = Story("Ana:servant Ben:percival Cho:servant Dee:morgana Eli:assassin").three_successes()
    assert table.outcome is Outcome.THREE_SUCCESSFUL_QUESTS
    assert table.game.dagger is None


@pytest.mark.parametrize(("role", "owner"), [("assassin", "Gus"), ("mordred", "Eli"), ("morgana", "Fay")])
def test_the_rules_may_give_the_dagger_to_another_evil_role(role: str, owner: str) -> None:
    table = Story(SEVEN, ruleset=rules(dagger=role)).three_successes()
    for other in {"Eli", "Fay", "Gus"} - {owner}:
        with table.refused(Reason.NOT_ASSASSIN):
            table.names(other, "Ana")
    assert table.names(owner, "Ana").winner is Side.EVIL


def test_a_record_may_give_the_dagger_to_any_evil_seat() -> None:
    table = Story(TEN, dagger="Ida").three_successes()
    with table.refused(Reason.NOT_ASSASSIN):
        table.names("Jon", "Ana")
    assert table.names("Ida", "Jon").winner is Side.GOOD


def test_the_list_of_targets_gives_oberon_away_to_nobody() -> None:
    table = Story(TEN).three_successes()
    offered = {table.name(seat) for seat in targets(table.game)}
    assert offered == {"Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Ida"}
    assert seat_view(table.game, table.seat("Jon")).targets == targets(table.game)
    assert seat_view(table.game, table.seat("Gus")).targets == ()


def test_oberon_with_the_dagger_is_offered_everybody_else() -> None:
    table = Story(TEN, dagger="Ida").three_successes()
    assert {table.name(seat) for seat in targets(table.game)} == set(table.names_by_seat) - {"Ida"}


def test_evil_is_shown_before_the_shot_where_the_rules_say_so() -> None:
    shown = Story(TEN, evil_shown_before_assassination=True).three_successes()
    now = public_view(shown.game).now
    assert now == ShotNow(((6, Role.MORDRED), (7, Role.MORGANA), (8, Role.OBERON), (9, Role.ASSASSIN)))
    assert {shown.name(seat) for seat in targets(shown.game)} == {"Ana", "Ben", "Cho", "Dee", "Eli", "Fay"}
    assert public_view(Story(TEN).three_successes().game).now == ShotNow(None)


def test_evil_is_not_shown_any_earlier() -> None:
    hidden = Story(TEN)
    shown = Story(TEN, evil_shown_before_assassination=True)
    for table in (hidden, shown):
        table.good_quest().good_quest().team("Cho", table.somebody(3)).all_approve()
    assert public_view(hidden.game).now == public_view(shown.game).now


def test_shown_evil_can_still_be_named() -> None:
    table = Story(TEN, evil_shown_before_assassination=True).three_successes()
    assert table.names("Jon", "Gus").winner is Side.GOOD
