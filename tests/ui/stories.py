"""Games that together say everything the game can say, told with the core's own test kit, with all their moments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Self

from tests.core.story import FIVE, SEVEN, TEN, Story
from tgavalon.core.actions import Action, moment_of
from tgavalon.core.game import Game

LONGEST = 30


class Told(Story):
    """A story that remembers every moment, with its first and second state."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # passed on as they are
        self.games: list[Game] = [self.game]

    def does(self, action: Action) -> Self:
        super().does(action)
        if [moment_of(game.phase) for game in self.games[-2:]] != [moment_of(self.game.phase)] * 2:
            self.games.append(self.game)
        return self


def _good_wins() -> Told:
    story = Told(FIVE)
    story.picks("Ana", "Ana").picks("Ana", "Cho")
    story.games.append(story.game)
    story.rejected("Ana", "Ana Cho")
    story.team(story.leader, "Ana Ben").votes(reject="Dee Eli").cards()
    story.team(story.leader, "Ana Ben Dee").votes(reject="Ana Cho").cards()
    return story.three_successes().names("Eli", "Cho")


def _merlin_falls() -> Told:
    story = Told(TEN, lady=True, lady_optional=True, evil_shown_before_assassination=True)
    story.bad_quest().good_quest().passes(story.lady)
    story.bad_quest().checks(story.lady, "Gus")
    story.good_quest().checks(story.lady, "Cho")
    return story.good_quest().names("Jon", "Ana")


def _in_spite_of_a_fail() -> Told:
    story = Told(SEVEN, lady=True)
    story.good_quest().bad_quest().good_quest()
    story.checks_anybody()
    story.quest(story.leader, "Ana Ben Cho Eli", fails="Eli")
    story.time_is_up()
    return story


def _three_fails() -> Told:
    return Told(TEN, lady=True, lady_immunity="last_holder").bad_quest().good_quest().bad_quest().bad_quest()


def _five_rejections() -> Told:
    return Told(FIVE).good_quest().rejections(5)


def _forfeited() -> Told:
    deal = "Ana:servant Ben:servant Cho:servant Dee:minion Eli:oberon"
    story = Told(deal, fifth_rejection="evil_wins_quest", lady_immunity="holder", lady=True)
    return story.rejections(5).three_successes()


def _without_a_vote() -> Told:
    deal = "Ana:merlin Ben:percival Cho:servant Dee:mordred Eli:minion Fay:servant"
    story = Told(deal, dagger="Dee", fifth_rejection="no_vote", quest_order="targeting")
    story.chooses("Ana", 2).picks("Ana", "Fay").rejections(4, quest=2)
    story.chooses(story.leader, 2)
    return story.quest(story.leader, "Ana Ben Cho", quest=2)


def _many_proposals() -> Told:
    story = Told(TEN, lady=True)
    for good in (True, False, True, False, True):
        if moment_of(story.phase)[0] == "examining":
            story.checks_anybody()
        story.rejections(4)
        if good:
            story.good_quest()
        else:
            story.bad_quest()
    return story.names("Jon", "Cho")


STORIES: dict[str, Callable[[], Told]] = {
    "good wins": _good_wins,
    "merlin falls": _merlin_falls,
    "in spite of a fail": _in_spite_of_a_fail,
    "three fails": _three_fails,
    "five rejections": _five_rejections,
    "forfeited": _forfeited,
    "without a vote": _without_a_vote,
    "many proposals": _many_proposals,
}


@cache
def games(name: str) -> tuple[Game, ...]:
    """The first states of every moment of one story; of a very long one, the deal and the last ones."""
    told = STORIES[name]().games
    return (told[0], *told[1:][-LONGEST:])
