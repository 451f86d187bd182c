"""What the group's screens of a whole game say and offer, moment by moment, drawn from views alone."""

from __future__ import annotations

import pytest

from tests.core.story import FIVE, SEVEN, TEN, Story
from tests.ui.gallery import SALT, SEAL
from tests.ui.reading import ALONE, button, names, read, t, taps, view
from tgavalon.core.actions import Vote
from tgavalon.ui import reveal, rounds
from tgavalon.ui.ending import BETS_SHOWN, end_screen
from tgavalon.ui.frame import Around
from tgavalon.ui.screen import Style
from tgavalon.ui.taps import IN_GROUP, Tap, Verb

# Deal.


def test_the_reveal_fits_the_roles_in_play() -> None:
    story = Story(FIVE)
    text = read(reveal.deal_screen(t, view(story), names(story), SEAL))
    assert "Percival sees Merlin and Morgana" in text
    assert "Oberon" not in text
    assert "Mordred" not in text
    assert "Ana (1) → Ben (2) → Cho (3) → Dee (4) → Eli (5)" in text
    assert f"after the game: \u200e{SEAL}" in text


def test_the_reveal_names_those_who_stay_hidden() -> None:
    story = Story(TEN, lady=True)
    text = read(reveal.deal_screen(t, view(story), names(story), ""))
    assert "all but Oberon" in text
    assert "all but Mordred" in text
    assert "Jon (10) holds the Lady of the Lake" in text
    assert "two Fails needed" in text
    assert "Seal" not in text


# Team.


def test_the_leader_is_mentioned_and_every_seat_has_a_button() -> None:
    story = Story(SEVEN, leader="Cho")
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert '<a href="tg://user?id=1000000002">' in screen.text
    assert "choose 2 players for quest 1" in read(screen)
    assert taps(screen) == [Tap(Verb.PICK, 1, seat) for seat in range(7)]


def test_a_picked_seat_can_be_taken_off_and_a_full_team_proposed() -> None:
    story = Story(FIVE).picks("Ana", "Ana")
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert Tap(Verb.UNPICK, 1, 0) in taps(screen)
    assert not [tap for tap in taps(screen) if tap.verb is Verb.PROPOSE]
    story.picks("Ana", "Cho")
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert taps(screen)[-1] == Tap(Verb.PROPOSE, 1, 0b00101)
    assert "On the team: Ana (1) and Cho (3)" in read(screen)


def test_with_targeting_the_quest_comes_first() -> None:
    story = Story(FIVE, quest_order="targeting")
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert taps(screen) == [Tap(Verb.QUEST, 1, quest) for quest in (1, 2, 3, 4)]
    story.chooses("Ana", 3)
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert [tap.verb for tap in taps(screen)] == [Verb.QUEST] * 4 + [Verb.PICK] * 5


def test_the_board_shows_what_has_been_and_what_is_at_stake() -> None:
    story = Story(SEVEN).good_quest().bad_quest().rejected("Cho", "Ana Ben Cho").rejected("Dee", "Ana Ben Cho")
    text = read(rounds.team_screen(t, view(story), names(story), ALONE, 5))
    assert "✅2" in text
    assert "❌3" in text
    assert "4*" in text
    assert "two Fails needed" in text
    assert "Rejected teams in a row: 2 of 5" in text
    assert "The team was rejected; the crown passes on." in text


def test_the_fifth_team_without_a_vote_is_announced() -> None:
    story = Story(FIVE, fifth_rejection="no_vote").rejections(4)
    text = read(rounds.team_screen(t, view(story), names(story), ALONE, 5))
    assert "This team goes without a vote!" in text
    story.team(story.leader, "Ana Ben")
    assert "The fifth team goes without a vote." in read(rounds.vote_screen(t, view(story), names(story), ALONE, 5))


def test_the_vote_history_can_be_hidden() -> None:
    story = Story(FIVE).rejected("Ana", "Ana Ben")
    shown = rounds.team_screen(t, view(story), names(story), Around(show_votes=True), 2)
    hidden = rounds.team_screen(t, view(story), names(story), Around(show_votes=False), 2)
    assert "<pre>" in shown.text
    assert "<pre>" not in hidden.text


def test_the_vote_table_tells_team_and_votes_apart() -> None:
    story = Story(FIVE)
    story.team("Ana", "Ana Ben").votes(approve="Ana Cho")
    story.team("Ben", "Ana Ben").votes(approve="Ana Cho Dee").cards()
    text = read(rounds.team_screen(t, view(story), names(story), ALONE, 3))
    rows = [line.split()[-1] for line in text.split("\n") if line.startswith("\u200e")]
    assert rows == ["●●", "■■", "○○", "□○", "□□"]


# Vote.


def test_a_vote_shows_who_is_missing_and_not_who_voted_what() -> None:
    one, other = Story(FIVE).team("Ana", "Ana Ben"), Story(FIVE).team("Ana", "Ana Ben")
    one.does(Vote(0, 1, approve=True)).does(Vote(1, 1, approve=False))
    other.does(Vote(1, 1, approve=True)).does(Vote(0, 1, approve=False))
    screens = [rounds.vote_screen(t, view(story), names(story), ALONE, 1) for story in (one, other)]
    assert screens[0] == screens[1]
    assert "2 of 5 votes are in. Waiting for Cho (3), Dee (4), and Eli (5)." in read(screens[0])
    assert taps(screens[0]) == [Tap(Verb.APPROVE, 1), Tap(Verb.REJECT, 1)]


def test_approve_is_green_and_reject_is_red() -> None:
    story = Story(FIVE).team("Ana", "Ana Ben")
    screen = rounds.vote_screen(t, view(story), names(story), ALONE, 1)
    assert button(screen, Verb.APPROVE).style is Style.SUCCESS
    assert button(screen, Verb.REJECT).style is Style.DANGER


def test_a_vote_becomes_its_result_with_every_vote() -> None:
    story = Story(FIVE).team("Ana", "Ana Ben").votes(reject="Ben Dee Eli")
    screen = rounds.vote_screen(t, view(story), names(story), ALONE, 1)
    text = read(screen)
    assert "Rejected, 3 to 2" in text
    assert "👍 Ana (1) and Cho (3)" in text
    assert "👎 Ben (2), Dee (4), and Eli (5)" in text
    assert not screen.rows


def test_the_team_of_a_vote_stays_to_be_read() -> None:
    story = Story(FIVE).team("Ana", "Ana Ben")
    screen = rounds.team_screen(t, view(story), names(story), ALONE, 1)
    assert read(screen) == "👑 Ana (1) proposes for quest 1: Ana (1) and Ben (2)"
    assert not screen.rows


# Quest.


def test_a_quest_counts_the_cards_that_are_in() -> None:
    story = Story(FIVE).team("Ana", "Ana Ben").all_approve()
    assert "0 of 2 cards are in." in read(rounds.vote_screen(t, view(story), names(story), ALONE, 1))
    screen = rounds.vote_screen(t, view(story), names(story), ALONE, 1)
    assert taps(screen) == []


def test_cards_can_be_played_in_the_group_only_while_somebody_cannot_be_reached() -> None:
    """Everybody is offered the same two buttons, so that the offer tells nothing."""
    story = Story(FIVE).team("Ana", "Ana Ben").all_approve()
    screen = rounds.vote_screen(t, view(story), names(story), Around(unreachable=(1,)), 1)
    assert taps(screen) == [Tap(Verb.SUCCESS, 1), Tap(Verb.FAIL, 1, IN_GROUP)]
    assert "I cannot write to Ben (2)" in read(screen)


@pytest.mark.parametrize(
    ("fails", "quest", "says"),
    [
        ("", 1, "🏆 Quest 1 succeeded: no Fail."),
        ("Gus", 1, "💀 Quest 1 failed: 1 Fail."),
        ("Eli Gus", 1, "💀 Quest 1 failed: 2 Fails."),
    ],
)
def test_a_quest_is_told_with_its_fails(fails: str, quest: int, says: str) -> None:
    team = fails if len(fails.split()) == 2 else f"{fails} Ana" if fails else "Ana Ben"
    story = Story(SEVEN).quest("Ana", team, fails=fails)
    assert says in read(rounds.vote_screen(t, view(story), names(story), ALONE, quest))
    assert says in read(rounds.team_screen(t, view(story), names(story), ALONE, 2))


def test_a_quest_may_succeed_in_spite_of_a_fail() -> None:
    story = Story(SEVEN).good_quest().bad_quest().bad_quest()
    story.quest("Dee", "Ana Ben Cho Gus", fails="Gus")
    assert "succeeded in spite of 1 Fail." in read(rounds.vote_screen(t, view(story), names(story), ALONE, 4))
    assert "Good 2 · Evil 2" in read(rounds.team_screen(t, view(story), names(story), ALONE, 5))


def test_a_forfeited_quest_is_told_once() -> None:
    story = Story(FIVE, fifth_rejection="evil_wins_quest").rejections(5)
    results = [read(rounds.vote_screen(t, view(story), names(story), ALONE, number)) for number in range(1, 6)]
    assert ["goes to evil" in text for text in results] == [False] * 4 + [True]
    assert "goes to evil" in read(rounds.team_screen(t, view(story), names(story), ALONE, 6))


# The Lady of the Lake, the dagger, the end.


def test_the_lady_is_asked_in_public_and_answers_in_private() -> None:
    story = Story(TEN, lady=True).good_quest().bad_quest()
    screen = rounds.lady_screen(t, view(story), names(story), ALONE, 2)
    assert taps(screen) == [Tap(Verb.EXAMINE, 2, seat) for seat in range(9)]
    assert "Nobody who has ever held her" not in read(screen)  # she has not been passed on yet
    story.checks("Jon", "Gus")
    after = rounds.lady_screen(t, view(story), names(story), ALONE, 2)
    assert read(after) == "🌊 Jon (10) has seen the loyalty of Gus (7), who now holds the Lady of the Lake."
    assert not after.rows


def test_the_lady_may_be_kept_where_the_rules_say_so() -> None:
    story = Story(TEN, lady=True, lady_optional=True).good_quest().bad_quest()
    assert taps(rounds.lady_screen(t, view(story), names(story), ALONE, 2))[-1] == Tap(Verb.PASS, 2)
    story.passes("Jon")
    assert "keeps the Lady" in read(rounds.lady_screen(t, view(story), names(story), ALONE, 2))


def test_everybody_may_bet_on_everybody() -> None:
    """The list is the same whoever is evil, so it tells nobody anything."""
    story = Story(FIVE).three_successes()
    screen = rounds.shot_screen(t, view(story), names(story), ALONE)
    assert taps(screen) == [Tap(Verb.BET, 0, seat) for seat in range(5)]
    assert "Evil shows itself" not in read(screen)


def test_evil_shows_itself_where_the_rules_say_so() -> None:
    story = Story(FIVE, evil_shown_before_assassination=True).three_successes()
    screen = rounds.shot_screen(t, view(story), names(story), ALONE)
    assert "Evil shows itself:\nDee (4): Morgana\nEli (5): Assassin\n" in read(screen)


def test_the_end_opens_every_card() -> None:
    story = Story(FIVE).bad_quest().three_successes().names("Eli", "Ana")
    bets = (("Zoë", 0), ("", 1))
    text = read(end_screen(t, view(story), names(story), Around(seal=SEAL), bets, SALT))
    assert text.startswith("🔴 Evil wins!")
    assert "Eli (5) named Ana (1): Merlin!" in text
    assert "🔵 1. Ana: 🧙 Merlin" in text
    assert "🔴 4. Dee: 🔮 Morgana" in text
    assert "Fail from Dee (4)." in text
    assert "would hit:\nZoë → Ana (1)\nPlayer → Ben (2)\n1 bet was right." in text
    assert f"to check it: \u200e{SALT}" in text


def test_the_end_offers_another_game_and_the_record() -> None:
    story = Story(FIVE).rejections(5)
    screen = end_screen(t, view(story), names(story), ALONE, (), "")
    assert taps(screen) == [Tap(Verb.AGAIN), Tap(Verb.RECORD)]
    assert "Five teams in a row were rejected." in read(screen)
    assert "named" not in read(screen)
    assert "Seal" not in read(screen)


def test_a_dagger_that_did_not_strike_is_told() -> None:
    story = Story(FIVE).three_successes().time_is_up()
    text = read(end_screen(t, view(story), names(story), ALONE, (("Zoë", 0),), ""))
    assert "Eli (5) did not strike." in text
    assert "Zoë → Ana (1)" in text
    assert "right" not in text


def test_many_bets_are_cut_short_but_all_are_counted() -> None:
    story = Story(FIVE).three_successes().names("Eli", "Ana")
    bets = tuple((f"Fan{number}", number % 2) for number in range(40))
    text = read(end_screen(t, view(story), names(story), ALONE, bets, ""))
    assert text.count(" → ") == BETS_SHOWN
    assert "20 bets were right." in text


def test_the_honours_are_read_off_the_cards() -> None:
    story = Story(FIVE).quest("Ana", "Ana Ben").quest("Ben", "Ana Ben Dee").quest("Cho", "Ana Cho").names("Eli", "Cho")
    text = read(end_screen(t, view(story), names(story), ALONE, (), ""))
    assert "Lucky charm: Ana (1)" in text
    assert "Wolf in the fold: Dee (4)" in text
    assert "Sharp eye" not in text  # everybody voted alike


# What is around.


def test_seats_on_offer_and_votes_to_end_are_told_on_every_screen_of_the_moment() -> None:
    around = Around(offers=(2,), end_votes=1, end_needed=3)
    story = Story(FIVE)
    screens = [rounds.team_screen(t, view(story), names(story), around, 1)]
    story.team("Ana", "Ana Ben")
    screens.append(rounds.vote_screen(t, view(story), names(story), around, 1))
    story.all_approve()
    screens.append(rounds.vote_screen(t, view(story), names(story), around, 1))
    story.cards().three_successes()
    screens.append(rounds.shot_screen(t, view(story), names(story), around))
    for screen in screens:
        assert Tap(Verb.TAKE_SEAT, 0, 2) in taps(screen)
        assert "Cho (3) left." in read(screen)
        assert "1 of 3" in read(screen)
