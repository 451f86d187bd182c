"""Telegram asks one chat to wait: that chat alone waits, nobody's press does, and the last state is shown after."""

from __future__ import annotations

from tests.e2e.conftest import SPEED, QuickClock, worker
from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.bot.commands import COMMANDS_AT_ONCE
from tgavalon.playground.journal import Call
from tgavalon.table.ports import Store
from tgavalon.ui.catalogue import translator
from tgavalon.ui.refusals import Refusal, sentence
from tgavalon.ui.taps import Verb

RETRY_AFTER = 300
"""Seconds of the bot's clock."""
LONG = 2 * RETRY_AFTER / SPEED
"""Seconds of real time after which it has surely passed."""
TOO_FAST = sentence(translator("en"), Refusal.TOO_FAST)
SCREENS = ("sendMessage", "editMessageText", "editMessageReplyMarkup", "deleteMessage")


def calls_to(double: Double, friends: Friends) -> list[Call]:
    return [call for call in double.calls(*SCREENS) if call.params["chat_id"] == str(friends.group.id)]


async def test_one_group_waits_and_another_plays(double: Double, bot: AvalonBot, clock: QuickClock) -> None:
    waiting = Friends.gather(double, bot)
    playing = Friends.named(double, bot, ("Kim", "Lou", "Max", "Nia", "Oda"))
    await waiting.begin()
    await playing.begin()
    leader = await waiting.leader()
    for seat in await waiting.team():
        await waiting.tap(leader, waiting.group, Verb.PICK, 1, seat)
    await waiting.until(lambda: leader.shows(waiting.group, "✅ Propose this team"))
    await waiting.settled()
    double.fault("sendMessage", code=429, parameters={"retry_after": RETRY_AFTER}, chat=waiting.group.id)
    await waiting.press(leader, waiting.group, "✅ Propose this team")
    await waiting.until(lambda: any(call.status == 429 for call in calls_to(double, waiting)))
    closed, calls = clock.now(), len(calls_to(double, waiting))
    answer = await waiting.press(waiting.people[1], waiting.group, "🎭 My role")
    assert answer.text.startswith("You are")
    await playing.propose(await playing.team())
    await playing.until(lambda: playing.people[0].shows(playing.group, "👍 Approve"))
    assert clock.now() < closed + RETRY_AFTER, "this machine is too slow for the test to say anything"
    assert calls_to(double, waiting)[calls:] == [], "the group was not left alone"
    await double.until(lambda: waiting.people[0].shows(waiting.group, "👍 Approve"), timeout=LONG)
    assert clock.now() >= closed + RETRY_AFTER - 1
    for friends in (waiting, playing):
        await friends.vote()
        await friends.play()
        await friends.finish()


async def test_what_happened_meanwhile_is_shown_once(double: Double, bot: AvalonBot) -> None:
    """A whole quest is played while the group must wait: one new message comes of it, and the vote's result."""
    friends = Friends.gather(double, bot)
    await friends.begin()
    await friends.propose(await friends.team())
    voters = await friends.by_seat()
    await friends.until(lambda: all(person.shows(friends.group, "👍 Approve") for person in voters))
    await friends.settled()
    double.fault("*", code=429, parameters={"retry_after": RETRY_AFTER}, chat=friends.group.id)
    await friends.vote()
    await friends.play()
    before = len(friends.people[0].hears(friends.group))
    await double.until(lambda: "🏆 Quest 1 succeeded" in friends.newest(), timeout=LONG)
    await friends.settled()
    assert len(friends.people[0].hears(friends.group)) == before + 1
    assert "✅ Approved, 5 to 0" in friends.text()
    assert "Everybody votes" not in friends.text()
    await friends.finish()


async def test_a_private_chat_that_must_wait_holds_up_no_other(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot)
    await friends.open_table()
    slow = friends.people[3]
    double.fault("sendMessage", code=429, parameters={"retry_after": RETRY_AFTER}, chat=slow.id)
    await friends.press(friends.people[0], friends.group, "▶️ Start the game")
    others = [person for person in friends.people if person != slow]
    await friends.until(lambda: all(friends.reads(person, "🎭 Your role") for person in others))
    await friends.until_reads("choose 2 players for quest 1.")
    assert not friends.reads(slow, "🎭 Your role")
    assert (await friends.press(slow, friends.group, "🎭 My role")).text.startswith("You are")
    await double.until(lambda: friends.reads(slow, "🎭 Your role"), timeout=LONG)


async def test_an_answer_to_a_command_waits_for_its_turn(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot)
    await friends.begin()
    double.fault("sendMessage", code=429, parameters={"retry_after": 20}, chat=friends.group.id)
    friends.people[2].command(friends.group, "/help")
    await friends.until(lambda: "/endgame" in friends.text())


async def test_a_hundred_questions_do_not_hold_up_the_game(double: Double, bot: AvalonBot) -> None:
    """All ask for help as often as they can; what the game shows has the first choice."""
    friends = Friends.gather(double, bot)
    await friends.begin()
    for person in friends.people:
        for _ in range(20):
            person.command(friends.group, "/help")
    await friends.quest()
    await friends.finish()
    assert "Good wins!" in friends.text()


async def test_one_persons_flood_holds_up_nobody(double: Double, store: Store) -> None:
    """Somebody asks for help thirty times: they are told once that it is too much; another's table stands at once."""
    bot = worker(double, store, QuickClock(speed=10.0))  # so slow that the flood is over before its window is
    async with bot.running():
        friends = Friends.gather(double, bot)
        pest, other = friends.people[:2]
        for _ in range(30):
            pest.command(friends.group, "/help")
        other.command(friends.group, "/newgame")
        await friends.until(lambda: other.shows(friends.group, "🪑 Join"))
        assert friends.text().count("/endgame") < COMMANDS_AT_ONCE, "the table waited for all the answers"
        await friends.heard()
        answers = [message.text for message in other.hears(friends.group)]
        assert sum("/endgame" in text for text in answers) == COMMANDS_AT_ONCE
        assert answers.count(TOO_FAST) == 1


async def test_an_answer_to_a_press_that_is_refused_for_now_is_given_again(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot)
    await friends.begin()
    double.fault("answerCallbackQuery", code=429, parameters={"retry_after": 1})
    assert (await friends.press(friends.people[0], friends.group, "🎭 My role")).text.startswith("You are")
