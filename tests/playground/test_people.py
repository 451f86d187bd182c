"""What people do and what the bot hears of it: privacy mode, deep links, presses, blocks, groups, topics, migration."""

from typing import Any

import pytest

from tests.playground.conftest import Api
from tests.telegram_users import Double, Group, NoButton, Nonsense, Person

JOIN = {"inline_keyboard": [[{"text": "Join", "callback_data": "7:join"}]]}


@pytest.fixture
def group(double: Double) -> Group:
    return double.group("Friends", ["Ana", "Ben"])


@pytest.fixture
def club(double: Double) -> Group:
    return double.group("Club", ["Ana", "Ben"], kind="supergroup")


def told(double: Double) -> list[dict[str, Any]]:
    """The payloads that wait for the bot, taken out of the queue."""
    waiting = double.world.updates.pending()
    double.world.updates.confirm([update.update_id for update in waiting])
    return [update.payload | {"kind": update.kind} for update in waiting]


def heard(double: Double) -> list[str]:
    return [payload["text"] for payload in told(double) if payload.get("text")]


async def test_privacy_mode(double: Double, group: Group, api: Api) -> None:
    ana = double["Ana"]
    ana.say(group, "hello")
    ana.say(group, "/newgame")  # the bot has not posted yet, so this one is not heard either
    ana.say(group, "/newgame@avalon_bot")
    ana.say(group, "/newgame@other_bot")
    assert heard(double) == ["/newgame@avalon_bot"]
    await api("sendMessage", chat_id=group.id, text="Who plays?")
    ana.say(group, "/join")
    ana.say(group, "not /join")
    ana.say(group, "me!", reply_to=ana.last(group))
    assert heard(double) == ["/join", "me!"]
    other = double.person("Rival", is_bot=True, username="rival_bot")
    other.join(group)
    other.say(group, "I am a bot too")
    ana.say(group, "/join")
    assert heard(double) == []


async def test_an_admin_bot_hears_everything_but_bots(double: Double, group: Group) -> None:
    group.promote_bot(double["Ana"])
    told(double)
    double["Ana"].say(group, "hello")
    other = double.person("Rival", is_bot=True)
    other.join(group)
    other.say(group, "beep")
    assert heard(double) == ["hello"]


async def test_without_privacy_mode_the_bot_hears_everything() -> None:
    async with Double(privacy=False) as double:
        group = double.group("Friends", ["Ana"])
        double["Ana"].say(group, "hello")
        assert heard(double) == ["hello"]


async def test_deep_links(double: Double) -> None:
    ana = double.person("Ana")
    ana.open("https://t.me/avalon_bot?start=table-7_x")
    ana.open("https://t.me/Avalon_Bot")
    assert heard(double) == ["/start table-7_x", "/start"]
    assert ana.user.started
    for url in ("https://t.me/other_bot?start=x", "https://example.org", f"https://t.me/avalon_bot?start={'x' * 65}"):
        assert ana.open(url) is None
    with pytest.raises(Nonsense, match="START_PARAM_INVALID"):
        ana.start("no spaces")


async def test_a_startgroup_link_adds_the_bot(double: Double) -> None:
    group = double.group("Friends", ["Ana"], with_bot=False)
    double["Ana"].open("https://t.me/avalon_bot?startgroup=hello", group)
    payloads = told(double)
    assert [payload["kind"] for payload in payloads] == ["my_chat_member", "message", "message"]
    assert payloads[-1]["text"] == "/start@avalon_bot hello"
    assert group.chat.bot_status == "member"


async def test_a_start_is_marked_as_a_command(double: Double) -> None:
    double.person("Ana").start("x")
    (payload,) = told(double)
    assert payload["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]


async def test_blocking_and_coming_back(double: Double) -> None:
    ana = double.person("Ana")
    ana.start()
    ana.block()
    ana.start("again")
    payloads = told(double)
    changes = [payload for payload in payloads if payload["kind"] == "my_chat_member"]
    assert [change["new_chat_member"]["status"] for change in changes] == ["kicked", "member"]
    assert [change["chat"]["id"] for change in changes] == [ana.id, ana.id]
    assert payloads[-1]["text"] == "/start again"


async def test_presses_need_the_current_keyboard(double: Double, group: Group, api: Api) -> None:
    await api("sendMessage", chat_id=group.id, text="Who plays?", reply_markup=JOIN)
    ben = double["Ben"]
    message = ben.last(group)
    await api("editMessageText", chat_id=group.id, message_id=message.message_id, text="Full")
    told(double)
    with pytest.raises(Nonsense, match="DATA_INVALID"):
        await ben.press_data(message, "7:join")
    with pytest.raises(NoButton, match=r"Ben sees no button 'Join', only \[\]"):
        ben.tap(group, "Join")
    assert told(double) == []
    outsider = double.person("Cho")
    with pytest.raises(Nonsense, match="USER_NOT_PARTICIPANT"):
        await outsider.press_data(message, "7:join")


async def test_a_press_carries_the_whole_message(double: Double, group: Group, api: Api) -> None:
    await api("sendMessage", chat_id=group.id, text="<b>Who?</b>", parse_mode="HTML", reply_markup=JOIN)
    told(double)
    double["Ben"].tap(group, "7:join")
    (payload,) = told(double)
    assert payload["message"]["reply_markup"] == JOIN
    assert payload["message"]["entities"] == [{"type": "bold", "offset": 0, "length": 4}]
    assert payload["id"].isdecimal()
    assert payload["from"]["id"] == double["Ben"].id > 2**32


async def test_press_waits_for_the_answer(double: Double, group: Group, api: Api) -> None:
    await api("sendMessage", chat_id=group.id, text="Who plays?", reply_markup=JOIN)
    ben = double["Ben"]
    query = ben.tap(group, "Join")
    assert [press.query for press in double.world.presses.values()] == [query]
    url = "https://t.me/avalon_bot?start=seat"
    await api("answerCallbackQuery", callback_query_id=query, text="Press Start", show_alert=True, url=url)
    answer = ben.answers[-1]
    assert (answer.text, answer.alert, answer.url, double.world.presses) == ("Press Start", True, url, {})


async def test_a_press_without_an_answer_is_given_up(double: Double, group: Group, api: Api) -> None:
    await api("sendMessage", chat_id=group.id, text="Who plays?", reply_markup=JOIN)
    ben = double["Ben"]
    query = ben.tap(group, "Join")
    double.advance(14)
    assert ben.answers == []
    double.advance(1)
    await double.until(lambda: bool(ben.answers))
    assert (ben.answers[0].text, ben.answers[0].unanswered) == ("Avalon is not responding", True)
    status, body = await api("answerCallbackQuery", callback_query_id=query, text="late")
    assert status == 400
    assert body["description"].endswith("response timeout expired or query ID is invalid")


async def test_the_answer_window_can_be_set() -> None:
    async with Double(answer_window=2) as double:
        ana = double.person("Ana", started=True)
        bot = double.world.bot.id
        double.world.post_text(double.world.private_chat(ana.id), bot, "x", keyboard=JOIN["inline_keyboard"])
        ana.tap(None, "Join")
        double.advance(2)
        await double.until(lambda: ana.answers[0].unanswered if ana.answers else False)


async def test_members_come_and_go(double: Double, group: Group) -> None:
    told(double)
    cho = double.person("Cho")
    cho.join(group)
    cho.leave(group)
    double["Ben"].kicked_from(group)
    first, second, third = told(double)
    assert [member["id"] for member in first["new_chat_members"]] == [cho.id]
    assert (second["left_chat_member"]["id"], second["from"]["id"]) == (cho.id, cho.id)
    assert (third["left_chat_member"]["first_name"], third["from"]["first_name"]) == ("Ben", "Ana")
    with pytest.raises(Nonsense, match="USER_NOT_PARTICIPANT"):
        cho.say(group, "still here?")


async def test_the_bot_comes_and_goes(double: Double) -> None:
    group = double.group("Friends", ["Ana"], with_bot=False)
    assert told(double) == []
    group.add_bot(double["Ana"])
    change, service = told(double)
    assert (change["old_chat_member"]["status"], change["new_chat_member"]["status"]) == ("left", "member")
    assert service["new_chat_members"][0]["id"] == 42
    group.remove_bot(double["Ana"])
    change, service = told(double)
    assert change["new_chat_member"]["status"] == "kicked"
    assert service["left_chat_member"]["id"] == 42
    double["Ana"].say(group, "/newgame@avalon_bot")
    assert told(double) == []


async def test_migration_changes_every_id(double: Double, group: Group, api: Api) -> None:
    await api("sendMessage", chat_id=group.id, text="Who plays?", reply_markup=JOIN)
    old, told_before = group.id, told(double)
    assert told_before
    new = group.migrate()
    assert new < -1_000_000_000_000 < old < 0
    joined, left, arrived = told(double)
    assert (joined["kind"], joined["chat"]["id"]) == ("my_chat_member", new)
    assert (left["chat"]["id"], left["migrate_to_chat_id"]) == (old, new)
    assert (arrived["chat"]["id"], arrived["migrate_from_chat_id"], arrived["message_id"]) == (new, old, 1)
    await api("sendMessage", chat_id=new, text="Here we are")
    assert [message.text for message in double["Ben"].hears(group)] == ["Here we are"]
    with pytest.raises(Nonsense, match="CHAT_ID_INVALID"):
        group.migrate()


async def test_message_ids_collide_between_chats(group: Group, club: Group, api: Api) -> None:
    first = (await api("sendMessage", chat_id=group.id, text="x"))[1]["result"]["message_id"]
    second = (await api("sendMessage", chat_id=club.id, text="x"))[1]["result"]["message_id"]
    assert first == second


async def test_anonymous_admins(double: Double, club: Group, api: Api) -> None:
    told(double)
    await api("sendMessage", chat_id=club.id, text="Who plays?", reply_markup=JOIN)
    ana = double["Ana"]
    ana.command(club, "/newgame", anonymous=True)
    (payload,) = told(double)
    assert payload["from"]["id"] == 1087968824
    assert payload["sender_chat"]["id"] == club.id
    ana.tap(club, "Join")
    (payload,) = told(double)
    assert payload["from"]["id"] == ana.id
    with pytest.raises(Nonsense, match="anonymous"):
        double["Ben"].say(club, "x", anonymous=True)


async def test_topics(double: Double, api: Api) -> None:
    forum = double.group("Forum", ["Ana"], kind="supergroup", forum=True)
    topic = forum.topic("Avalon")
    created = told(double)[-1]
    assert (created["forum_topic_created"]["name"], created["message_id"]) == ("Avalon", topic)
    ana = double["Ana"]
    ana.command(forum, "/newgame", topic=topic)
    ana.command(forum, "/newgame")
    inside, general = told(double)
    assert (inside["message_thread_id"], inside["is_topic_message"]) == (topic, True)
    assert "message_thread_id" not in general
    await api("sendMessage", chat_id=forum.id, text="x", reply_parameters={"message_id": inside["message_id"]})
    assert ana.last(forum).topic == topic


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(double: Double, club: Group, api: Api) -> None:
    await api("sendMessage", chat_id=club.id, text="Who plays?")
    told(double)
    ana = double["Ana"]
    root = ana.last(club)
    first = ana.say(club, "me", reply_to=root)
    ana.command(club, "/join")
    double["Ben"].say(club, "/join@avalon_bot", reply_to=first)
    payloads = told(double)
    assert [payload.get("message_thread_id") for payload in payloads] == [root.message_id, None, root.message_id]
    assert not any("is_topic_message" in payload for payload in payloads)


async def test_strange_names_pass_unharmed(double: Double) -> None:
    names = ["Tom <3", "<b>", "א" * 64, "\u202eneB", "\u2063"]
    for name in names:
        double.person(name).start()
    assert [payload["from"]["first_name"] for payload in told(double)] == names


async def test_mentions_by_id_need_somebody_the_bot_has_met(double: Double, group: Group, api: Api) -> None:
    ana, ben = double["Ana"], double["Ben"]
    text = f'<a href="tg://user?id={ana.id}">Ana</a> <a href="tg://user?id={ben.id}">Ben</a>'
    body = (await api("sendMessage", chat_id=group.id, text=text, parse_mode="HTML"))[1]["result"]
    assert [entity["user"]["first_name"] for entity in body["entities"]] == ["Ana"]


async def test_renaming_shows_at_once(double: Double) -> None:
    ana: Person = double.person("Ana")
    ana.rename("Anna", "B")
    ana.start()
    assert told(double)[0]["from"]["last_name"] == "B"
