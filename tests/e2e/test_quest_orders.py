"""Who chooses the quest, and which are open: one after another, targeting, and quest 5 last."""

from __future__ import annotations

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.game import Proposing
from tgavalon.ui.taps import Tap, Verb, encode


async def begun(double: Double, bot: AvalonBot, rules: str, order: str) -> Friends:
    friends = Friends.gather(double, bot)
    await friends.open_table()
    await friends.set("Rules", rules)
    await friends.set("Order of quests", order)
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.settled()
    return friends


async def quests_offered(friends: Friends) -> list[int]:
    """The numbers on the buttons for quests."""
    await friends.settled()
    labels = friends.people[0].labels(friends.group)
    return [int(label.split()[-1]) for label in labels if "Quest " in label]


async def told(friends: Friends, tap: Tap) -> str:
    """What the leader is told for a button that cannot be pressed now."""
    table = (await friends.table()).id
    async with friends.nothing_changes():
        return (await friends.forge(await friends.leader(), encode(table, tap))).text


async def test_the_leader_chooses_the_quest_first(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Rulebook", "leader's choice, 5 after two successes")
    assert ", choose a quest." in friends.newest()
    assert await quests_offered(friends) == [1, 2, 3, 4]
    assert await told(friends, Tap(Verb.PICK, 1, 0)) == "Choose the quest first."
    assert await told(friends, Tap(Verb.PROPOSE, 1, 0b11)) == "Choose the quest first."
    assert await told(friends, Tap(Verb.QUEST, 1, 5)) == "Quest 5 is not open yet."
    other = (await friends.others_than(await friends.leader()))[0]
    async with friends.nothing_changes():
        answer = await friends.tap(other, friends.group, Verb.QUEST, 1, 2)
    assert answer.text == "Only the leader chooses the quest and the team."


async def test_the_leader_changes_the_quest_while_choosing(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Rulebook", "leader's choice, 5 after two successes")
    leader = await friends.leader()
    await friends.tap(leader, friends.group, Verb.QUEST, 1, 2)
    for seat in (0, 1, 2):
        await friends.tap(leader, friends.group, Verb.PICK, 1, seat)
    await friends.until(lambda: leader.shows(friends.group, "✅ Propose this team"))
    await friends.tap(leader, friends.group, Verb.QUEST, 1, 1)
    await friends.until_reads("choose 2 players for quest 1")
    phase = (await friends.game()).phase
    assert isinstance(phase, Proposing)
    assert phase.draft == frozenset()


async def test_targeting_opens_the_fifth_quest_after_two_successes(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Rulebook", "leader's choice, 5 after two successes")
    await friends.quest(quest=4)
    assert await quests_offered(friends) == [1, 2, 3]
    assert await told(friends, Tap(Verb.QUEST, 2, 4)) == "That quest has been played."
    await friends.quest(good_wins=False, quest=2)
    assert await quests_offered(friends) == [1, 3]
    await friends.quest(quest=1)
    assert await quests_offered(friends) == [3, 5]
    await friends.quest(quest=5)
    await friends.until_reads("Evil has one last chance.")
    assert [quest.number for quest in (await friends.game()).quests] == [4, 2, 1, 5]
    await friends.shoot(merlin=False)
    await friends.until_reads("Good wins!")


async def test_a_rejected_team_frees_the_quest(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Rulebook", "leader's choice, 5 after two successes")
    await friends.propose((0, 1), quest=3)
    await friends.vote(approve=False)
    assert await quests_offered(friends) == [1, 2, 3, 4]
    assert ", choose a quest." in friends.newest()


async def test_the_fifth_quest_comes_last(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Spanish rules", "leader's choice, 5 last")
    for quest, good_wins in ((3, True), (1, False), (4, True), (2, False)):
        offered = await quests_offered(friends)
        assert 5 not in offered
        assert await told(friends, Tap(Verb.QUEST, len((await friends.game()).proposals) + 1, 5)) == (
            "Quest 5 is not open yet."
        )
        await friends.quest(good_wins, quest if len(offered) > 1 else None)
    assert await quests_offered(friends) == []
    await friends.until_reads("for quest 5.")
    await friends.quest(good_wins=False)
    await friends.until_reads("Evil wins!")
    assert [quest.number for quest in (await friends.game()).quests] == [3, 1, 4, 2, 5]


async def test_one_after_another(double: Double, bot: AvalonBot) -> None:
    friends = await begun(double, bot, "Rulebook", "one after another")
    assert await quests_offered(friends) == []
    assert await told(friends, Tap(Verb.QUEST, 1, 2)) == "The quests are played in order."
    assert await told(friends, Tap(Verb.QUEST, 1, 5)) == "The quests are played in order."
