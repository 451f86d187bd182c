"""People who have no part in what they tap: each is told why in one answer, and nothing changes."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double, Person
from tgavalon.bot.app import AvalonBot
from tgavalon.ui.taps import Tap, Verb, encode

NOT_SEATED = "You are not at this table."
NOT_HOST = "Only the host or a group admin can do that."
NOT_MEMBER = "Only members of the group can sit at its table."


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot)


@pytest.fixture
def zoe(double: Double, friends: Friends) -> Person:
    """A member of the group who does not play."""
    zoe = double.person("Zoe", language_code="en")
    zoe.join(friends.group)
    return zoe


async def test_a_plain_member_presses_start_and_settings(friends: Friends, zoe: Person) -> None:
    await friends.open_table()
    for person, label in [(zoe, "▶️ Start the game"), (zoe, "⚙️ Settings"), (friends.people[1], "⚙️ Settings")]:
        async with friends.nothing_changes():
            assert (await friends.press(person, friends.group, label)).text == NOT_HOST
    async with friends.nothing_changes():
        assert (await friends.press(zoe, friends.group, "🚪 Leave")).text == NOT_SEATED


async def test_an_admin_who_does_not_play_may_set_up_but_not_start(friends: Friends, zoe: Person) -> None:
    zoe.promoted_in(friends.group)
    await friends.open_table()
    async with friends.nothing_changes():
        assert (await friends.press(zoe, friends.group, "▶️ Start the game")).text == NOT_SEATED
    await friends.press(zoe, friends.group, "⚙️ Settings")
    await friends.until_reads("The host and group admins tap to change a setting.")


async def test_an_onlooker_taps_every_button_of_a_game(friends: Friends, zoe: Person) -> None:
    await friends.begin()
    await _refused_everywhere(friends, zoe)
    await friends.propose(await friends.team())
    await _refused_everywhere(friends, zoe)
    await friends.vote()
    await _refused_everywhere(friends, zoe)
    for chat in (person.last() for person in friends.people):
        for button in chat.buttons():
            if "callback_data" in button:
                async with friends.nothing_changes():
                    assert (await friends.forge(zoe, button["callback_data"])).text == NOT_SEATED


async def _refused_everywhere(friends: Friends, zoe: Person) -> None:
    await friends.settled()
    for row in zoe.keyboard(zoe.last(friends.group)):
        for label in row:
            async with friends.nothing_changes():
                answer = await friends.press(zoe, friends.group, label)
            if label == "🌐":
                assert answer.alert
            elif label == "⏩ Don't wait":
                assert answer.text == NOT_HOST
            else:
                assert answer.text == NOT_SEATED


async def test_a_player_who_is_not_the_leader(friends: Friends) -> None:
    await friends.begin()
    leader = await friends.leader()
    other = next(person for person in friends.people if person != leader)
    async with friends.nothing_changes():
        assert (
            await friends.tap(other, friends.group, Verb.PICK, 1, 0)
        ).text == "Only the leader chooses the quest and the team."


async def test_a_player_who_is_not_on_the_team(friends: Friends) -> None:
    await friends.begin()
    team = await friends.team()
    await friends.propose(team)
    await friends.vote()
    seats = await friends.by_seat()
    other = next(seats[seat] for seat in range(5) if seat not in team)
    table = (await friends.table()).id
    async with friends.nothing_changes():
        answer = await friends.forge(other, encode(table, Tap(Verb.SUCCESS, 1)), other.last())
    assert answer.text == "You are not on this quest."


async def test_a_good_player_cannot_play_fail(friends: Friends) -> None:
    await friends.begin()
    team = await friends.team()
    await friends.propose(team)
    await friends.vote()
    member = (await friends.by_seat())[team[0]]
    await friends.until(lambda: member.shows(None, "✅ Success"))
    assert not member.shows(None, "❌ Fail")
    table = (await friends.table()).id
    for tap in (Tap(Verb.FAIL, 1), Tap(Verb.FAIL, 1, 1), Tap(Verb.FAIL_SURELY, 1)):
        async with friends.nothing_changes():
            answer = await friends.forge(member, encode(table, tap), member.last())
        assert answer.text == "Good players can only play Success."


async def test_somebody_who_is_not_a_member_follows_a_forwarded_link(double: Double, friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    answer = await friends.press(friends.people[1], friends.group, "🪑 Join")
    stranger = double.person("Stranger", language_code="en")
    async with friends.nothing_changes():
        stranger.open(answer.url)
        await double.until(lambda: bool(stranger.hears()))
        await friends.heard()
    assert [message.text for message in stranger.hears()] == [NOT_MEMBER]


async def test_somebody_looks_into_a_public_group(double: Double, bot: AvalonBot) -> None:
    """Its buttons can be tapped from outside; only its members sit at its table."""
    friends = Friends.gather(double, bot, kind="supergroup", username="friends_of_avalon")
    await friends.command(friends.people[0], "/newgame")
    stranger = double.person("Stranger", language_code="en")
    async with friends.nothing_changes():
        assert (await friends.press(stranger, friends.group, "🪑 Join")).text == NOT_MEMBER
    assert (await friends.press(friends.people[1], friends.group, "🪑 Join")).url


async def test_a_member_who_was_kicked_cannot_join(friends: Friends, zoe: Person) -> None:
    await friends.command(friends.people[0], "/newgame")
    link = (await friends.press(friends.people[1], friends.group, "🪑 Join")).url
    zoe.kicked_from(friends.group)
    await friends.heard()
    async with friends.nothing_changes():
        zoe.open(link)
        await friends.until(lambda: bool(zoe.hears()))
    assert [message.text for message in zoe.hears()] == [NOT_MEMBER]


async def test_join_forged_in_the_private_chat_of_an_outsider(double: Double, friends: Friends) -> None:
    await friends.command(friends.people[0], "/newgame")
    stranger, table = double.person("Stranger", language_code="en"), (await friends.table()).id
    stranger.start()
    await friends.heard()
    async with friends.nothing_changes():
        answer = await friends.forge(stranger, encode(table, Tap(Verb.JOIN)), stranger.last())
    assert answer.text == NOT_MEMBER


async def test_a_bet_from_outside_the_group_does_not_count(double: Double, friends: Friends) -> None:
    await friends.begin()
    for _ in range(3):
        await friends.quest()
    await friends.until_reads("whom will the dagger hit?")
    stranger, table = double.person("Stranger", language_code="en"), (await friends.table()).id
    other = double.group("Others", [stranger])
    await double.until(lambda: bool(stranger.hears(other)))
    async with friends.nothing_changes():
        answer = await friends.forge(stranger, encode(table, Tap(Verb.BET, 0, 1)), stranger.last(other))
    assert answer.text == "That button is from an earlier moment. Use those of my newest message."


async def test_a_button_that_is_refused_writes_nothing_into_the_group(double: Double, friends: Friends) -> None:
    """Somebody outside the table taps as often as they like: they alone hear of it, and the group stays as it was."""
    await friends.begin()
    zoe = double.person("Zed", language_code="en")
    zoe.join(friends.group)
    await friends.heard()
    before = [(message.message_id, message.text) for message in zoe.hears(friends.group)]
    label = zoe.labels(friends.group)[0]
    answers = [await zoe.press(friends.group, label) for _ in range(40)]
    await friends.settled()
    assert [(message.message_id, message.text) for message in zoe.hears(friends.group)] == before
    assert not any(answer.unanswered for answer in answers)
    assert all(answer.text for answer in answers)
