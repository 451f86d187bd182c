"""How often one chat is written to: bursts, a minute's allowance, what is kept back for urgent calls, and closing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tgavalon.table.budget import BURST, EDIT_EVERY, GROUP_CALLS, GROUP_WINDOW, KEPT_BACK, PER_SECOND, Budget

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


def test_a_group_has_an_allowance_a_minute() -> None:
    times = [2.0 * number for number in range(GROUP_CALLS)]
    budget = spend(Budget(), GROUP, times)
    assert budget.wait(GROUP, 45.0, urgent=True) == 15.0
    assert budget.wait(GROUP, 60.0, urgent=True) == 0.0


def test_a_private_chat_has_none() -> None:
    budget = spend(Budget(), PERSON, [2.0 * number for number in range(GROUP_CALLS)])
    assert budget.wait(PERSON, 45.0, urgent=True) == 0.0


def test_some_of_it_is_kept_back_from_quiet_edits() -> None:
    times = [3.0 * number for number in range(GROUP_CALLS - KEPT_BACK)]
    budget = spend(Budget(), GROUP, times)
    assert budget.wait(GROUP, 40.0, urgent=True) == 0.0
    assert budget.wait(GROUP, 40.0, urgent=False) == 20.0


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
        within = [other for other in made if time <= other < time + GROUP_WINDOW - 1e-3]
        assert chat > 0 or len(within) <= GROUP_CALLS
        assert len([other for other in made if time <= other < time + BURST / PER_SECOND - 1e-3]) <= BURST


@given(CALLS)
def test_an_urgent_call_never_waits_longer_than_a_quiet_one(calls: list[tuple[bool, float]]) -> None:
    budget, now = Budget(), 0.0
    for urgent, pause in calls:
        now += pause
        assert budget.wait(GROUP, now, urgent=True) <= budget.wait(GROUP, now, urgent=False)
        budget.spend(GROUP, now, edit=not urgent)
