"""How often one chat is written to: bursts, a minute's allowance, what is kept back for urgent calls, and closing."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tgavalon.table.budget import BURST, EDIT_EVERY, GROUP_CALLS, OVERALL, PACE, PER_SECOND, Budget

GROUP, PERSON = -100, 100


def spend(budget: Budget, chat: int, times: list[float], *, edit: bool = False) -> Budget:
    for time in times:
        budget.spend(chat, time, edit=edit)
    return budget


def test_the_first_call_is_free() -> None:
    assert Budget().wait(GROUP, 0.0, urgent=False) == 0.0
    assert Budget().wait(PERSON, 0.0, urgent=True) == 0.0


def test_after_a_burst_a_call_a_second() -> None:
    for chat in (GROUP, PERSON):
        budget = spend(Budget(), chat, [0.0] * BURST)
        assert budget.wait(chat, 0.0, urgent=True) == BURST / PER_SECOND
        assert budget.wait(chat, BURST / PER_SECOND, urgent=True) == 0.0


def demand(budget: Budget, chat: int, seconds: float, *, urgent: bool) -> list[float]:
    """The calls of somebody who always has something to say."""
    made, now = list[float](), 0.0
    while (now := now + budget.wait(chat, now, urgent=urgent)) < seconds:
        budget.spend(chat, now, edit=not urgent)
        made.append(now)
    return made


def test_a_group_has_an_allowance_a_minute() -> None:
    made = demand(Budget(), GROUP, 600, urgent=True)
    assert all(len([at for at in made if start <= at < start + 60]) <= GROUP_CALLS for start in made)
    assert len(made) >= 0.7 * 10 * GROUP_CALLS, "nearly all of it is used"


def test_a_busy_group_waits_for_seconds_and_never_for_the_rest_of_a_minute() -> None:
    made = demand(Budget(), GROUP, 600, urgent=True)
    assert max(later - earlier for earlier, later in pairwise(made)) <= max(PACE, BURST / PER_SECOND) + 1e-6


def test_a_private_chat_has_no_such_allowance() -> None:
    assert len(demand(Budget(), PERSON, 60, urgent=True)) > 2 * GROUP_CALLS


def test_quiet_edits_leave_room_for_what_people_wait_for() -> None:
    """However many of them there are, a new message goes out within a burst."""
    budget = Budget()
    for now in (quarter / 4 for quarter in range(4 * 600)):
        if budget.wait(GROUP, now, urgent=False) == 0:
            budget.spend(GROUP, now, edit=True)
        assert budget.wait(GROUP, now, urgent=True) <= BURST / PER_SECOND


def test_a_chat_with_few_calls_left_is_tight() -> None:
    budget = Budget()
    assert not budget.is_tight(GROUP, 0.0)
    demand(budget, GROUP, 40, urgent=True)
    assert budget.is_tight(GROUP, 40.0)
    assert not budget.is_tight(GROUP, 200.0)
    demand(budget, PERSON, 40, urgent=True)
    assert not budget.is_tight(PERSON, 40.0)


def test_quiet_edits_keep_a_distance() -> None:
    budget = spend(Budget(), GROUP, [0.0], edit=True)
    assert budget.wait(GROUP, 1.0, urgent=False) == EDIT_EVERY - 1.0
    assert budget.wait(GROUP, 1.0, urgent=True) == 0.0
    assert spend(Budget(), GROUP, [0.0]).wait(GROUP, 1.0, urgent=False) == 0.0


def test_a_closed_chat_is_left_alone_and_no_other() -> None:
    budget = Budget()
    budget.close(GROUP, 30.0)
    assert budget.wait(GROUP, 10.0, urgent=True) == 20.0
    assert budget.wait(GROUP - 1, 10.0, urgent=True) == 0.0
    assert budget.wait(GROUP, 30.0, urgent=True) == 0.0


def test_all_chats_together_are_not_written_to_faster_than_telegram_allows() -> None:
    budget = Budget()
    for chat in range(OVERALL):
        assert budget.wait(chat, 0.0, urgent=True) == 0.0
        budget.spend(chat, 0.0, edit=False)
    assert budget.wait(OVERALL, 0.0, urgent=True) == 1.0
    assert budget.wait(GROUP, 0.5, urgent=False) == 0.5
    assert budget.wait(OVERALL, 1.0, urgent=True) == 0.0


def test_what_another_worker_has_spent_counts() -> None:
    ours = spend(Budget(), GROUP, [0.0, 1.0])
    theirs = spend(Budget(), GROUP, [1.0, 2.0])
    ours.learn(GROUP, theirs.recent(GROUP))
    assert ours.recent(GROUP) == (0.0, 1.0, 2.0)
    assert ours.wait(GROUP, 2.0, urgent=True) == 1.0
    ours.learn(PERSON, ())
    assert ours.wait(PERSON, 2.0, urgent=True) == 0.0


def test_many_chats_do_not_pile_up() -> None:
    budget = Budget()
    budget.close(1, 1e9)
    for chat in range(2, 10_010):
        budget.spend(chat, 0.0, edit=False)
    budget.spend(20_000, 100.0, edit=False)
    assert budget.wait(1, 100.0, urgent=True) > 0
    assert budget.recent(2) == ()


CALLS = st.lists(st.tuples(st.booleans(), st.floats(0, 20)), max_size=60)


@given(CALLS, st.sampled_from((GROUP, PERSON)))
def test_whoever_asks_first_keeps_within_the_limits(calls: list[tuple[bool, float]], chat: int) -> None:
    """However the calls come, no minute has too many and no three seconds either."""
    budget, now, made = Budget(), 0.0, list[float]()
    for urgent, pause in calls:
        now += pause
        while (wait := budget.wait(chat, now, urgent=urgent)) > 0:
            now += max(wait, 1e-6)
        budget.spend(chat, now, edit=not urgent)
        made.append(now)
    for time in made:
        within = [other for other in made if time <= other < time + 60]
        assert chat > 0 or len(within) <= GROUP_CALLS
        assert len([other for other in made if time <= other < time + BURST / PER_SECOND - 1e-3]) <= BURST


@given(CALLS)
def test_an_urgent_call_never_waits_longer_than_a_quiet_one(calls: list[tuple[bool, float]]) -> None:
    budget, now = Budget(), 0.0
    for urgent, pause in calls:
        now += pause
        assert budget.wait(GROUP, now, urgent=True) <= budget.wait(GROUP, now, urgent=False)
        budget.spend(GROUP, now, edit=not urgent)
