"""What a player sees alone: cards and questions in private, and the same within an alert."""

from __future__ import annotations

from tests.core.story import FIVE, TEN, Story
from tests.ui.gallery import LINK
from tests.ui.reading import names, read, t, taps
from tgavalon.core.actions import PlayCard, Vote
from tgavalon.core.game import Card
from tgavalon.core.views import SeatView, public_view, seat_view
from tgavalon.ui import secrets
from tgavalon.ui.taps import Tap, Verb


def seen_by(story: Story, name: str) -> SeatView:
    return seat_view(story.game, story.seat(name))


def test_a_role_card_tells_what_its_owner_knows() -> None:
    story = Story(TEN)
    told = {
        name: read(secrets.role_card(t, seat_view(story.game, seat), names(story), "Friends", LINK))
        for seat, name in enumerate(story.names_by_seat)
    }
    assert "Evil you see (Mordred hides): Hal (8), Ida (9), and Jon (10)." in told["Ana"]
    assert "One of these is Merlin, the other Morgana: Ana (1) and Hal (8)." in told["Ben"]
    assert "Evil with you, but for Oberon: Gus (7) and Hal (8)." in told["Jon"]
    assert all("(" not in told[name].partition("Loyal servant")[2] for name in ("Cho", "Dee", "Eli", "Fay"))
    assert "(" not in told["Ida"].partition("Oberon")[2]
    assert all("Seat " in card and "Friends" in card for card in told.values())


def test_a_role_card_links_back_where_there_is_a_link() -> None:
    story = Story(FIVE)
    card = secrets.role_card(t, seat_view(story.game, 0), names(story), "Friends", LINK)
    assert [button.url for row in card.rows for button in row] == [LINK]
    assert not secrets.role_card(t, seat_view(story.game, 0), names(story), "Friends", None).rows


def test_whoever_holds_the_dagger_besides_the_assassin_is_told() -> None:
    story = Story("Ana:merlin Ben:percival Cho:servant Dee:mordred Eli:minion", dagger="Dee")
    for seat, holds in ((3, True), (4, False)):
        for text in (
            read(secrets.role_card(t, seat_view(story.game, seat), names(story), "x", None)),
            secrets.role_alert(t, seat_view(story.game, seat), names(story)),
        ):
            assert ("You hold the dagger" in text) is holds


def test_the_alert_says_what_the_card_says() -> None:
    story = Story(TEN)
    alerts = {name: secrets.role_alert(t, seen_by(story, name), names(story)) for name in story.names_by_seat}
    bare = {name: text.replace("\u2068", "").replace("\u2069", "") for name, text in alerts.items()}
    assert "Hal (8), Ida (9), and Jon (10)" in bare["Ana"]
    assert "Ana (1) and Hal (8)" in bare["Ben"]
    assert "(" not in bare["Cho"]


def test_where_names_are_too_long_an_alert_names_seats() -> None:
    story = Story(TEN)
    cast = names(story)
    long = type(cast)(tuple(name * 20 for name in cast.names), cast.users)
    assert secrets.role_alert(t, seen_by(story, "Ana"), long).endswith("good. Evil: seats 8, 9, and 10.")
    assert secrets.role_alert(t, seen_by(story, "Ben"), long).endswith("good. Merlin or Morgana: seats 1 and 8.")


def test_good_is_offered_success_and_evil_both() -> None:
    story = Story(FIVE).team("Ana", "Ana Dee").all_approve()
    good = secrets.quest_card(t, seen_by(story, "Ana"), names(story), "x", 1, asking=False)
    evil = secrets.quest_card(t, seen_by(story, "Dee"), names(story), "x", 1, asking=False)
    assert taps(good) == [Tap(Verb.SUCCESS, 1)]
    assert taps(evil) == [Tap(Verb.SUCCESS, 1), Tap(Verb.FAIL, 1)]
    assert good.text == evil.text


def test_a_fail_is_asked_about_once_more() -> None:
    story = Story(FIVE).team("Ana", "Ana Dee").all_approve()
    asking = secrets.quest_card(t, seen_by(story, "Dee"), names(story), "x", 1, asking=True)
    assert taps(asking) == [Tap(Verb.FAIL_SURELY, 1), Tap(Verb.BACK, 1)]


def test_a_played_card_is_shown_behind_a_spoiler_and_cannot_be_changed() -> None:
    story = Story(FIVE).team("Ana", "Ana Dee").all_approve().does(PlayCard(3, 1, Card.FAIL))
    screen = secrets.quest_card(t, seen_by(story, "Dee"), names(story), "x", 1, asking=False)
    assert "<tg-spoiler>Fail</tg-spoiler>" in screen.text
    assert not screen.rows
    assert secrets.quest_card(t, seen_by(story, "Dee"), names(story), "x", 1, asking=True) == screen
    story.does(PlayCard(0, 1, Card.SUCCESS))
    later = secrets.quest_card(t, seen_by(story, "Dee"), names(story), "x", 1, asking=False)
    assert later.text == screen.text


def test_the_lady_answers_the_one_who_asked() -> None:
    story = Story(TEN, lady=True).good_quest().bad_quest().checks("Jon", "Gus")
    card = secrets.loyalty_card(t, seen_by(story, "Jon"), names(story), "Friends", 2)
    assert "🔴 Gus (7) is evil." in read(card)
    assert "Friends" in read(card)
    assert "Gus" in secrets.role_alert(t, seen_by(story, "Jon"), names(story))
    assert not seen_by(story, "Gus").checked


def test_the_dagger_chooses_among_those_not_known_to_be_evil_and_is_asked_again() -> None:
    story = Story(TEN).three_successes()
    view = seen_by(story, "Jon")
    choose = secrets.dagger_card(t, view, names(story), "x", None)
    assert [tap.value for tap in taps(choose)] == [0, 1, 2, 3, 4, 5, 8]
    assert {tap.verb for tap in taps(choose)} == {Verb.AIM}
    asking = secrets.dagger_card(t, view, names(story), "x", 8)
    assert taps(asking) == [Tap(Verb.SHOOT, 0, 8), Tap(Verb.BACK, 0)]
    assert "Is Ida (9) Merlin?" in read(asking)
    story.names("Jon", "Ida")
    done = secrets.dagger_card(t, seen_by(story, "Jon"), names(story), "x", None)
    assert "You have named Ida (9)." in read(done)
    assert not done.rows


def test_a_glance_tells_what_is_going_on_and_what_is_missing_from_whoever_asks() -> None:
    story = Story(FIVE)
    assert "Ana" in glance(story, None)
    story.team("Ana", "Ana Dee").does(Vote(0, 1, approve=True))
    assert "Your vote is missing." not in glance(story, "Ana")
    assert "Your vote is missing." in glance(story, "Ben")
    assert "Your vote is missing." not in glance(story, None)
    for seat in range(1, 5):
        story.does(Vote(seat, 1, approve=True))
    assert "Yours is missing" in glance(story, "Dee")
    assert "Yours is missing" not in glance(story, "Ben")


def test_a_glance_with_long_names_counts_seats_and_still_asks_for_the_vote() -> None:
    story = Story(TEN).good_quest().bad_quest().good_quest().team("Dee", "Ana Ben Cho Dee Eli")
    cast = names(story)
    long = type(cast)(tuple(name * 8 for name in cast.names), cast.users)
    text = secrets.glance(t, public_view(story.game), seen_by(story, "Ana"), long)
    assert "1, 2, 3, 4, and 5." in text
    assert text.endswith("Your vote is missing.")


def glance(story: Story, name: str | None) -> str:
    view = None if name is None else seen_by(story, name)
    return secrets.glance(t, public_view(story.game), view, names(story))
