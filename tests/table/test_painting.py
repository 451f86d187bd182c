"""The plan for one chat: what is on Telegram becomes what should be, in an order that survives every interruption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from tgavalon.table.feed import Feed
from tgavalon.table.model import Place
from tgavalon.table.painting import Kind, Step, choose, is_urgent, plan
from tgavalon.table.ports import Shown
from tgavalon.ui.screen import Button, Post, Screen
from tgavalon.ui.taps import Tap, Verb

HERE, THERE = Place(-1), Place(-2)
BUTTON = ((Button("x", Tap(Verb.ROLE)),),)
OLD, NEW, DEAD = Screen("old", BUTTON), Screen("new", BUTTON), Screen("old")


def feed(*epochs: str, screen: Screen = NEW, fleeting: str = "") -> Feed:
    return Feed(HERE, tuple(Post(epoch, screen, epoch == fleeting) for epoch in epochs))


def shown(screen: Screen = NEW, *, place: Place = HERE, message: int = 1, fleeting: bool = False) -> Shown:
    return Shown(place, message, screen.digest, bool(screen.rows), fleeting)


def brief(steps: list[Step]) -> list[str]:
    return [f"{step.kind} {step.epoch}" for step in steps]


def done(steps: list[Step], canvas: dict[str, Shown]) -> dict[str, Shown]:
    """What is shown after the steps."""
    after = dict(canvas)
    for step in steps:
        if step.kind is Kind.SEND:
            assert step.post is not None
            after[step.epoch] = replace(shown(step.post.screen), fleeting=step.post.fleeting)
        elif step.kind is Kind.EDIT:
            assert step.post is not None
            after[step.epoch] = replace(after[step.epoch], digest=step.post.screen.digest)
        else:
            del after[step.epoch]
    return after


@pytest.mark.parametrize(
    ("wanted", "canvas", "steps"),
    [
        (feed(), {}, []),
        (feed("a"), {}, ["send a"]),
        (feed("a", "b"), {}, ["send a", "send b"]),
        (feed("a"), {"a": shown()}, []),
        (feed("a"), {"a": shown(OLD)}, ["edit a"]),
        (feed("a", "b"), {"a": shown(OLD)}, ["edit a", "send b"]),
        (feed("b"), {"a": shown(OLD)}, ["strip a", "send b"]),
        (feed("b"), {"a": shown(DEAD)}, ["forget a", "send b"]),
        (feed("b"), {"a": shown(fleeting=True)}, ["delete a", "send b"]),
        (feed("b", "c"), {"a": shown(), "b": shown(OLD)}, ["strip a", "edit b", "send c"]),
        (None, {"a": shown(), "b": shown(DEAD)}, ["forget b", "strip a"]),
        (None, {"a": shown(fleeting=True)}, ["delete a"]),
    ],
)
def test_some_plans(wanted: Feed | None, canvas: dict[str, Shown], steps: list[str]) -> None:
    assert brief(plan(wanted, canvas)) == steps


def test_a_post_that_was_skipped_is_never_sent_late() -> None:
    assert brief(plan(feed("a", "b", "c"), {"b": shown()})) == ["send c"]


def test_a_group_that_has_moved_gets_everything_anew() -> None:
    """Nothing can be edited in the old chat."""
    canvas = {"a": shown(place=THERE), "b": shown(place=THERE)}
    assert brief(plan(feed("a", "b"), canvas)) == ["forget a", "forget b", "send a", "send b"]


def test_a_topic_does_not_move_a_message() -> None:
    wanted = replace(feed("a"), place=Place(HERE.chat, 7))
    assert plan(wanted, {"a": shown()}) == []


# A screen that was brought down as a new message.


def test_a_screen_that_is_brought_down_is_a_new_message() -> None:
    assert brief(plan(feed("deal", "team:1+1"), {"deal": shown(), "team:1": shown()})) == [
        "strip team:1",
        "send team:1+1",
    ]
    assert brief(plan(feed("team:1+2"), {"team:1+1": shown()})) == ["strip team:1+1", "send team:1+2"]


def test_a_moment_that_has_passed_keeps_the_message_it_had() -> None:
    """It is not sent once more under its first name."""
    canvas = {"deal": shown(), "team:1+1": shown(OLD)}
    assert brief(plan(feed("deal", "team:1", "vote:1+1"), canvas)) == ["edit team:1+1", "send vote:1+1"]


def test_nothing_is_sent_before_a_moment_that_was_brought_down() -> None:
    canvas = {"lobby+2": shown(), "team:1+2": shown()}
    assert plan(feed("lobby", "deal", "team:1+2"), canvas) == []


# Every small world.


def worlds() -> Iterator[tuple[Feed | None, dict[str, Shown]]]:
    """Up to three epochs, each wanted or not, and shown or not: as wanted, out of date, plain, fleeting, elsewhere."""
    states: tuple[Shown | None, ...] = (
        None,
        shown(NEW),
        shown(OLD),
        shown(DEAD),
        shown(OLD, fleeting=True),
        shown(NEW, place=THERE),
    )
    for there in product(states, repeat=3):
        canvas = {epoch: state for epoch, state in zip("abc", there, strict=True) if state is not None}
        for wanted in product((False, True), repeat=3):
            epochs = [epoch for epoch, is_wanted in zip("abc", wanted, strict=True) if is_wanted]
            yield feed(*epochs, fleeting="c"), canvas
        yield None, canvas


def test_in_every_world_the_plan_leads_to_what_is_wanted() -> None:
    for wanted, canvas in worlds():
        after = done(plan(wanted, canvas), canvas)
        posts = {post.epoch: post for post in wanted.posts} if wanted is not None else {}
        assert set(after) <= set(posts)
        for epoch, left in after.items():
            assert left.digest == posts[epoch].screen.digest
            assert left.place.chat == HERE.chat
        if wanted is not None and wanted.posts:
            assert wanted.posts[-1].epoch in after


def test_in_every_world_nothing_is_left_to_do_afterwards() -> None:
    for wanted, canvas in worlds():
        assert plan(wanted, done(plan(wanted, canvas), canvas)) == []


def test_in_every_world_an_interrupted_plan_goes_on_where_it_was() -> None:
    for wanted, canvas in worlds():
        steps = plan(wanted, canvas)
        for count in range(len(steps)):
            assert plan(wanted, done(steps[:count], canvas)) == steps[count:]


def test_in_every_world_old_keyboards_go_first_and_new_messages_come_last() -> None:
    order = list(Kind)
    for wanted, canvas in worlds():
        kinds = [order.index(step.kind) for step in plan(wanted, canvas)]
        assert kinds == sorted(kinds)


def test_in_every_world_messages_come_in_the_order_of_the_feed() -> None:
    for wanted, canvas in worlds():
        if wanted is None:
            continue
        index = {post.epoch: number for number, post in enumerate(wanted.posts)}
        steps = plan(wanted, canvas)
        sent = [index[step.epoch] for step in steps if step.kind is Kind.SEND]
        kept = [index[epoch] for epoch, old in canvas.items() if epoch in index and old.place == HERE]
        assert sent == sorted(sent)
        assert not sent or sent[0] > max(kept, default=-1)


def test_in_every_world_only_what_acts_is_stripped() -> None:
    for wanted, canvas in worlds():
        for step in plan(wanted, canvas):
            if step.kind is Kind.STRIP:
                assert canvas[step.epoch].buttons
                assert not canvas[step.epoch].fleeting


# What people wait for.

SEND = Step(Kind.SEND, "b", None, Post("b", NEW))
NEW_BUTTONS = Step(Kind.EDIT, "a", shown(DEAD), Post("a", NEW))
COUNT = Step(Kind.EDIT, "a", shown(OLD), Post("a", NEW))
NO_BUTTONS = Step(Kind.EDIT, "a", shown(OLD), Post("a", DEAD))
STRIP = Step(Kind.STRIP, "a", shown())


@pytest.mark.parametrize("step", [SEND, NEW_BUTTONS])
def test_people_wait_for_new_messages_and_new_buttons(step: Step) -> None:
    assert is_urgent(step)


@pytest.mark.parametrize("step", [COUNT, NO_BUTTONS, STRIP, Step(Kind.DELETE, "a", shown())])
def test_nobody_waits_for_a_count_or_for_old_buttons_to_go(step: Step) -> None:
    assert not is_urgent(step)


def test_steps_are_done_in_their_order() -> None:
    assert choose([STRIP, NO_BUTTONS, SEND], tight=False) is STRIP


def test_when_calls_are_few_what_matters_most_goes_first() -> None:
    """What people wait for, then counts, then what is only history, and last the old buttons, which do nothing."""
    steps = [STRIP, NO_BUTTONS, COUNT, SEND]
    in_turn = []
    while steps:
        in_turn.append(choose(steps, tight=True))
        steps = [step for step in steps if step is not in_turn[-1]]
    assert in_turn == [SEND, COUNT, NO_BUTTONS, STRIP]
