"""The host does not wait: what is done for the absent is asked for in its own words, and told as nobody's own doing."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Proposing, Questing, Voting
from tgavalon.ui.taps import Verb


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    friends = Friends.gather(double, bot)
    await friends.begin()
    return friends


async def goes_on(friends: Friends, question: str) -> None:
    """The host taps twice and is asked this question in between."""
    host = friends.people[0]
    answer = await friends.tap(host, friends.group, Verb.HURRY)
    assert (answer.text, answer.alert) == (question, True)
    friends.a_moment_later()
    await friends.tap(host, friends.group, Verb.HURRY)
    await friends.settled()


def isolated(person: Person, seats: list[Person]) -> str:
    return f"\u2068{person.name}\u2069 ({seats.index(person) + 1})"


async def test_nobody_is_said_to_have_done_what_was_done_for_them(friends: Friends) -> None:
    seats, leader = await friends.by_seat(), await friends.leader()
    await goes_on(friends, "Go on without the leader? Tap again, and I put the team together.")
    phase = (await friends.game()).phase
    assert isinstance(phase, Voting)
    assert f"⏩ Chosen in place of {isolated(leader, seats)} for quest 1: " in friends.text()
    assert f"chosen in place of {isolated(leader, seats)}" in friends.newest()
    assert "proposes" not in friends.text()

    for person in seats[:3]:
        await friends.ballot(person, approve=True)
    await goes_on(
        friends,
        "Go on without the missing votes? Tap again. Players on the team then count as approving, all others as"
        " rejecting.",
    )
    absent = " and ".join(isolated(person, seats) for person in seats[3:])
    assert f"⏩ Did not vote, so counted: {absent}" in friends.text()

    phase = (await friends.game()).phase
    assert isinstance(phase, Questing)
    present, missing = (seats[seat] for seat in phase.team)
    await friends.card(present, success=True)
    await goes_on(friends, "Go on without the missing cards? Tap again. They then count as Success.")
    assert isinstance((await friends.game()).phase, Proposing)
    assert "⏩ Cards that were missing have counted as Success." in friends.text()
    assert "The table went on without your card: it counts as Success." in missing.last().text
    assert "Your card is in" in present.last().text
    told = next(text for text in friends.text().split("\n") if "Cards that were missing" in text)
    assert missing.name not in told, "who had not played yet is nobody's business"


async def test_the_dagger_is_not_waited_for(friends: Friends) -> None:
    for _ in range(3):
        await friends.quest()
    await goes_on(friends, "Go on without the dagger? Tap again. Then nobody is hit, and good wins.")
    await friends.until_reads("Good wins!")
    assert "did not strike." in friends.newest()


async def test_the_last_to_vote_is_told_so(friends: Friends) -> None:
    await friends.propose(await friends.team())
    *others, last = await friends.by_seat()
    for person in others:
        answer = await friends.ballot(person, approve=True)
        assert answer.text == "Your vote: Approve. You can change it until the last one is in."
    assert (await friends.ballot(last, approve=False)).text == "Your vote: Reject. Everybody has voted."


async def test_the_deciding_vote_is_announced(friends: Friends) -> None:
    warning = "⚠️ If this team is rejected too, evil wins the game."
    for _ in range(4):
        assert warning not in friends.text()
        await friends.propose(await friends.team())
        await friends.vote(approve=False)
        await friends.settled()
    assert warning in friends.newest()
    await friends.propose(await friends.team())
    await friends.settled()
    assert warning in friends.newest()
