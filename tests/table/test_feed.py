"""Which change makes a new message and which a quiet edit, in the group and in each private chat."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.core.random_games import random_opening, random_step
from tests.table.fakes import START
from tests.table.kit import FIVE, GROUP_CHAT, SALT, TEN, Evening, dealt, lobby, options, person, sitters, user
from tests.table.wall import Wall
from tgavalon.core.game import Over
from tgavalon.core.play import apply
from tgavalon.table import seating
from tgavalon.table.feed import GROUP, feeds, lobby_view
from tgavalon.table.model import Closing, Options, Pace, Place
from tgavalon.table.playing import GAME_VERBS
from tgavalon.table.timers import due
from tgavalon.ui.taps import Verb

ME = str(user(0))


def lady_table() -> Evening:
    wanted = options(TEN)
    wanted = replace(wanted, ruleset=replace(wanted.ruleset, lady=True))
    return Evening(dealt(TEN, options=wanted))


# Lobby.


def test_a_lobby_is_one_message_that_is_edited() -> None:
    wall = Wall()
    assert wall.group(lobby(1)) == ["send lobby"]
    assert wall.group(lobby(2)) == ["edit lobby"]
    assert wall.group(replace(lobby(2), settings_open=True)) == ["edit lobby"]
    assert wall.group(replace(lobby(2), settings_open=True)) == []
    assert wall.group(seating.close(lobby(2), Closing.IDLE)) == ["edit lobby"]
    assert "/newgame" in wall.reads(GROUP, "lobby")


def test_nobody_is_written_to_before_the_deal() -> None:
    assert set(feeds(lobby(5))) == {GROUP}


def test_the_deal_sends_the_reveal_the_first_team_and_a_card_to_everybody() -> None:
    wall = Wall()
    wall.shows(lobby(5))
    steps = wall.shows(dealt())
    assert steps.pop(GROUP) == ["edit lobby", "send deal", "send team:1"]
    assert steps == {str(user(seat)): ["send role"] for seat in range(5)}


def test_nobody_who_cannot_be_reached_is_written_to() -> None:
    table = seating.leave(seating.reachable(dealt(), user(1), False), user(2))
    assert set(feeds(table)) == {GROUP, *(str(user(seat)) for seat in (0, 3, 4))}


# Rounds.


def test_a_round_is_a_message_for_the_team_and_one_for_the_vote() -> None:
    wall, evening = Wall(), Evening(dealt())
    wall.shows(evening.table)
    assert wall.group(evening.taps(0, Verb.PICK, 1, 0).table) == ["edit team:1"]
    assert wall.group(evening.taps(0, Verb.PICK, 1, 1).table) == ["edit team:1"]
    assert wall.group(evening.proposes(0, 1).table) == ["edit team:1", "send vote:1"]
    assert wall.group(evening.taps(2, Verb.APPROVE, 1).table) == ["edit vote:1"]
    assert wall.group(evening.taps(2, Verb.REJECT, 1).table) == [], "which way is not shown"
    assert wall.group(evening.all_reject().table) == ["edit vote:1", "send team:2"]


def test_a_quest_is_told_where_its_vote_was_and_asks_its_members_alone() -> None:
    wall, evening = Wall(), Evening(dealt())
    wall.shows(evening.proposes(0, 3).table)
    steps = wall.shows(evening.all_approve().table)
    assert steps.pop(GROUP)[-1] == "edit vote:1"
    assert steps == {ME: ["send card:1"], str(user(3)): ["send card:1"]}
    assert wall.shows(evening.taps(3, Verb.FAIL, 1).table) == {str(user(3)): ["edit card:1"]}
    steps = wall.shows(evening.taps(3, Verb.FAIL_SURELY, 1).table)
    assert steps == {GROUP: ["edit vote:1"], str(user(3)): ["edit card:1"]}
    steps = wall.shows(evening.taps(0, Verb.SUCCESS, 1).table)
    assert steps == {GROUP: ["forget team:1", "edit vote:1", "send team:2"], ME: ["edit card:1"]}
    assert "1 Fail" in wall.reads(GROUP, "vote:1")


def test_the_next_quest_takes_the_place_of_the_last_in_private() -> None:
    wall, evening = Wall(), Evening(dealt())
    wall.shows(evening.quest(0, 1).table)
    steps = wall.private(evening.proposes(0, 1, 2).all_approve().table)
    assert steps[ME] == ["forget card:1", "send card:2"]
    assert steps[str(user(2))] == ["send card:2"]
    assert wall.private(evening.plays(2, 0, 1, 2).table) == {str(user(seat)): ["edit card:2"] for seat in range(3)}


def test_the_end_of_a_game_is_a_message_and_everything_else_loses_its_buttons() -> None:
    wall, evening = Wall(), Evening(dealt()).three_successes()
    wall.shows(evening.table)
    assert wall.shows(evening.taps(4, Verb.AIM, 0, 0).table) == {str(user(4)): ["edit dagger"]}
    steps = wall.shows(evening.taps(4, Verb.SHOOT, 0, 0).table)
    assert steps == {GROUP: ["strip shot", "send end"], str(user(4)): ["edit dagger"]}
    still = {epoch for epoch, shown in wall.shown[GROUP].items() if shown.buttons}
    assert still == {"deal", "end"}, "My role works as long as the table is there"


def test_bets_change_nothing_to_be_seen() -> None:
    wall, evening = Wall(), Evening(dealt()).three_successes()
    wall.shows(evening.table)
    assert wall.shows(evening.taps(0, Verb.BET, 0, 1).table) == {}


# The Lady of the Lake.


def test_the_lady_answers_in_private_even_if_her_holder_was_on_the_quest() -> None:
    """The answer is a message of its own below the quest card, and it is there before the next team is."""
    wall, evening = Wall(), lady_table().quest(0, 1, 2).quest(0, 1, 2, 9)
    assert wall.group(evening.table)[-1] == "send lady:2"
    assert "card:2" in wall.shown[str(user(9))]
    steps = wall.shows(evening.taps(9, Verb.EXAMINE, 2, 6).table)
    assert steps.pop(GROUP) == ["edit lady:2", "send team:3"]
    assert steps == {str(user(9)): ["send lady:2"]}
    assert "is evil" in wall.reads(str(user(9)), "lady:2")


def test_her_check_is_not_told_again_when_the_next_team_is_rejected() -> None:
    wall, evening = Wall(), lady_table().quest(0, 1, 2).quest(0, 1, 2, 9).taps(9, Verb.EXAMINE, 2, 6)
    wall.shows(evening.table)
    wall.shows(evening.proposes(0, 1, 2, 9).table)
    assert wall.group(evening.all_reject().table) == ["edit vote:3", "send team:4"]


def test_her_answer_stays_above_the_card_of_the_next_quest() -> None:
    wall, evening = Wall(), lady_table().quest(0, 1, 2).quest(0, 1, 2, 9)
    wall.shows(evening.taps(9, Verb.EXAMINE, 2, 6).table)
    steps = wall.private(evening.proposes(0, 1, 2, 9).all_approve().table)
    assert steps[str(user(9))] == ["forget card:2", "send card:3"]
    assert "lady:2" in wall.shown[str(user(9))]


# Brought down as a new message.


def test_a_table_that_is_brought_down_leaves_no_buttons_behind() -> None:
    wall, evening = Wall(), Evening(dealt())
    wall.shows(evening.table)
    assert wall.group(replace(evening.table, reposts=1)) == ["strip team:1", "send team:1+1"]
    assert wall.group(replace(evening.table, reposts=2)) == ["strip team:1+1", "send team:1+2"]


def test_later_moments_cost_no_more_than_before() -> None:
    """A screen that was brought down once is edited where it is when its moment has passed, and not sent again."""
    wall, evening = Wall(), Evening(replace(dealt(), reposts=1))
    wall.shows(evening.table)
    assert wall.group(evening.proposes(0, 1).table) == ["edit team:1+1", "send vote:1+1"]
    assert wall.group(evening.all_reject().table) == ["edit vote:1+1", "send team:2+1"]


def test_a_lobby_that_was_brought_down_is_not_sent_again_at_the_deal() -> None:
    wall = Wall()
    wall.shows(replace(lobby(5), reposts=2))
    assert wall.group(replace(dealt(), reposts=2)) == ["edit lobby+2", "send deal", "send team:1+2"]


# Reminders.


def test_a_reminder_is_a_message_for_a_while() -> None:
    wall, evening = Wall(), Evening(dealt(options=options(FIVE, pace=Pace.FAST)))
    wall.shows(evening.table)
    table = due(evening.table, evening.table.reminder or 0)
    assert wall.group(table) == ["send remind:team:1"]
    assert f"tg://user?id={user(0)}" in wall.reads(GROUP, "remind:team:1")
    evening.table = table
    assert wall.group(evening.proposes(0, 1).table) == ["delete remind:team:1", "edit team:1", "send vote:1"]


def test_a_table_can_be_brought_down_below_its_reminder() -> None:
    """Else its buttons would be gone with the old message and come back with none."""
    wall, evening = Wall(), Evening(dealt(options=options(FIVE, pace=Pace.FAST)))
    table = replace(evening.table, reminded=True)
    wall.shows(table)
    steps = wall.group(replace(table, reposts=1))
    assert steps == ["delete remind:team:1", "strip team:1", "send team:1+1", "send remind:team:1+1"]


def test_a_reminder_names_nobody_whose_turn_is_a_secret() -> None:
    pace = options(FIVE, pace=Pace.FAST)
    quest = Evening(dealt(options=pace)).proposes(0, 1).all_approve().taps(0, Verb.SUCCESS, 1).table
    shot = Evening(dealt(options=pace)).three_successes().table
    for table in (quest, shot):
        post = feeds(replace(table, reminded=True))[GROUP].posts[-1]
        assert post.fleeting
        assert "tg://user" not in post.screen.text


def test_a_reminder_says_how_much_time_is_left() -> None:
    table = Evening(dealt(options=options(FIVE, pace=Pace.RELAXED))).proposes(0, 1).table
    assert "2 minutes" in feeds(replace(table, reminded=True))[GROUP].posts[-1].screen.text


# The end before the end.


@pytest.mark.parametrize("why", Closing)
def test_a_closed_game_says_why_and_takes_all_its_buttons_away(why: Closing) -> None:
    wall, evening = Wall(), Evening(dealt()).proposes(0, 3).all_approve()
    wall.shows(evening.table)
    steps = wall.shows(seating.close(evening.table, why))
    assert steps[GROUP][-1] == "send closed"
    assert "strip vote:1" in steps[GROUP]
    assert steps[ME] == ["forget role", "strip card:1"]
    assert not any(shown.buttons for slot in wall.shown if slot != GROUP for shown in wall.shown[slot].values())


def test_a_seat_that_changes_hands_is_written_to_its_new_owner() -> None:
    wall, evening = Wall(), Evening(dealt()).proposes(0, 3).all_approve()
    wall.shows(evening.table)
    left = seating.leave(evening.table, user(3))
    steps = wall.shows(left)
    assert steps[str(user(3))] == ["forget role", "strip card:1"]
    steps = wall.shows(seating.take_seat(left, person(8), 3))
    assert steps[str(user(8))] == ["send role", "send card:1"]


# Where from and where to.


@pytest.mark.parametrize(
    ("place", "anchor", "link"),
    [
        (Place(GROUP_CHAT), 17, "https://t.me/c/1234567890/17"),
        (Place(GROUP_CHAT, 5), 17, "https://t.me/c/1234567890/5/17"),
        (Place(-4711), 17, None),
        (Place(GROUP_CHAT), None, None),
    ],
)
def test_a_card_links_to_its_group_where_telegram_has_a_link(
    place: Place, anchor: int | None, link: str | None
) -> None:
    table = replace(dealt(), place=place, anchor=anchor)
    rows = feeds(table)[ME].posts[0].screen.rows
    assert [button.url for row in rows for button in row] == ([link] if link else [])
    assert feeds(table)[GROUP].place == place


def test_a_lobby_shows_what_would_be_played_and_why_it_cannot_be() -> None:
    view = lobby_view(replace(lobby(5), options=options((*FIVE[:1], *FIVE[2:]))))
    assert view.roles is None
    assert view.problem is not None
    assert lobby_view(lobby(3)).roles is not None
    assert lobby_view(replace(lobby(2), host=999)).host is None


# Any game.


@pytest.mark.parametrize("seed", range(12))
def test_in_any_game_each_step_costs_at_most_one_new_message_a_chat(seed: int) -> None:
    dice = Random(seed)
    players = dice.randint(5, 10)
    game = random_opening(dice, players)
    table = replace(lobby(players), sitters=sitters(players), options=Options(ruleset=game.ruleset), salt=SALT)
    wall = Wall()
    wall.shows(table)
    wall.shows(replace(table, game=game))
    while not isinstance(game.phase, Over):
        game = apply(game, random_step(dice, game))
        for slot, steps in wall.shows(replace(table, game=game, touched=START)).items():
            sent = [step for step in steps if step.startswith("send")]
            assert len(sent) <= 1, (slot, steps)
            assert not any(step.startswith("delete") for step in steps)
    acting = [epoch for epoch, shown in wall.shown[GROUP].items() if shown.buttons]
    assert acting == ["deal", "end"]
    assert all("vote" in epoch or epoch in {"lobby", "deal", "end"} for epoch in wall.shown[GROUP])


@pytest.mark.parametrize("seed", range(4))
def test_no_button_of_a_game_ends_it_or_gives_up_a_seat(seed: int) -> None:
    """What cannot be taken back is typed: no thumb on its way to a vote can hit it."""
    game = random_opening(Random(seed), 5 + seed)
    table = replace(lobby(5 + seed), sitters=sitters(5 + seed), options=Options(ruleset=game.ruleset), salt=SALT)
    table, dice, seen = replace(table, game=game), Random(seed), set()
    while not isinstance(game.phase, Over):
        for feed in feeds(replace(table, game=game)).values():
            rows = [row for post in feed.posts for row in post.screen.rows]
            seen |= {button.tap.verb for row in rows for button in row if button.tap is not None}
        game = apply(game, random_step(dice, game))
    assert Verb.APPROVE in seen
    assert seen <= GAME_VERBS | {Verb.ROLE, Verb.GLANCE, Verb.HURRY, Verb.TAKE_SEAT}
