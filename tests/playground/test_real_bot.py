"""The real python-telegram-bot against the double: what it sends is understood, what it gets is what it expects."""

import io
from datetime import timedelta

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    Message,
    Update,
)
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, NetworkError, RetryAfter

from tests.playground.pictures import png
from tests.telegram_users import Double
from tgavalon.playground.limits import CHAT_BURST

JOIN = InlineKeyboardMarkup([[InlineKeyboardButton("Join", callback_data="1:join", style="success")]])


async def confirmed(bot: Bot) -> tuple[Update, ...]:
    """Everything that waits, confirmed with the next offset as a poller does."""
    updates = await bot.get_updates()
    if updates:
        await bot.get_updates(offset=updates[-1].update_id + 1)
    return updates


async def test_get_me(bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.username, me.can_read_all_group_messages) == (42, "avalon_bot", False)


async def test_updates_stay_until_they_are_confirmed(double: Double, bot: Bot) -> None:
    ana = double.person("Ana")
    ana.start("table7")
    first = await bot.get_updates()
    again = await bot.get_updates()
    assert [update.update_id for update in first] == [update.update_id for update in again]
    assert first[0].message is not None
    assert first[0].message.text == "/start table7"
    assert await bot.get_updates(offset=first[-1].update_id + 1, timeout=0) == ()
    assert double.world.updates.pending() == []


async def test_a_press_reaches_the_bot_and_its_answer_the_presser(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana", "Ben"])
    await bot.send_message(group.id, "Who plays?", reply_markup=JOIN)
    await confirmed(bot)
    double["Ben"].tap(group, "Join")
    (update,) = await bot.get_updates()
    query = update.callback_query
    assert query is not None
    assert (query.data, query.from_user.id, query.chat_instance) == (
        "1:join",
        double["Ben"].id,
        group.chat.instance,
    )
    assert query.message is not None
    assert query.message.is_accessible
    await bot.answer_callback_query(query.id, "You are in.", show_alert=True)
    assert [(answer.text, answer.alert) for answer in double["Ben"].answers] == [("You are in.", True)]


async def test_editing_changes_the_message_and_strips_the_keyboard(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    message = await bot.send_message(group.id, "<b>One</b>", parse_mode="HTML", reply_markup=JOIN)
    assert message.reply_markup == JOIN
    edited = await bot.edit_message_text("Two", group.id, message.message_id)
    assert isinstance(edited, Message)
    assert (edited.text, edited.reply_markup, edited.edit_date is not None) == ("Two", None, True)
    assert double["Ana"].labels(group) == []
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_text("Two", group.id, message.message_id)


async def test_a_photograph_travels_by_multipart_and_back_by_get_file(double: Double, bot: Bot) -> None:
    ana = double.person("Ana", started=True)
    message = await bot.send_photo(ana.id, png(30, 20), caption="<i>Board</i>", parse_mode="HTML", reply_markup=JOIN)
    assert (message.photo[0].width, message.photo[0].height, message.caption) == (30, 20, "Board")
    file = await bot.get_file(message.photo[0].file_id)
    assert bytes(await file.download_as_bytearray()) == png(30, 20)
    again = await bot.send_photo(ana.id, message.photo[0].file_id)
    assert again.photo[0].file_id == message.photo[0].file_id
    changed = await bot.edit_message_media(
        InputMediaPhoto(png(50, 40), caption="New"), ana.id, message.message_id, reply_markup=JOIN
    )
    assert isinstance(changed, Message)
    assert (changed.photo[0].width, changed.caption) == (50, "New")


async def test_a_record_travels_as_a_document(double: Double, bot: Bot) -> None:
    ana = double.person("Ana", started=True)
    message = await bot.send_document(ana.id, io.BytesIO(b"1. Ana"), filename="game 1.txt", caption="The game")
    assert message.document is not None
    assert (message.document.file_name, message.document.file_size) == ("game 1.txt", 6)
    assert double.world.files[message.document.file_id].content == b"1. Ana"


async def test_commands_are_kept_per_language_and_scope(bot: Bot) -> None:
    german = [BotCommand("newgame", "Neues Spiel")]
    await bot.set_my_commands(german, scope=BotCommandScopeAllGroupChats(), language_code="de")
    assert await bot.get_my_commands(scope=BotCommandScopeAllGroupChats(), language_code="de") == tuple(german)
    assert await bot.get_my_commands() == ()
    await bot.set_my_description("Avalon in a group", language_code="de")
    assert (await bot.get_my_description("de")).description == "Avalon in a group"
    with pytest.raises(BadRequest, match="Invalid language code specified"):
        await bot.set_my_commands(german, language_code="pt-br")


async def test_members_as_the_library_reads_them(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana", "Ben"], kind="supergroup")
    group.promote_bot(double["Ana"])
    double["Ben"].promoted_in(group)
    statuses = {member.user.first_name: member.status for member in await bot.get_chat_administrators(group.id)}
    assert statuses == {"Ana": "creator", "Ben": "administrator", "Avalon": "administrator"}
    assert (await bot.get_chat_member(group.id, double["Ben"].id)).status == "administrator"
    assert await bot.get_chat_member_count(group.id) == 3
    chat = await bot.get_chat(group.id)
    assert (chat.title, chat.type) == ("Friends", "supergroup")
    group.restrict_bot(can_send=False)
    double["Ben"].demoted_in(group)
    assert (await bot.get_chat_member(group.id, double["Ben"].id)).status == "member"


async def test_a_restricted_bot_reads_its_own_membership(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"], kind="supergroup")
    group.restrict_bot(can_send=False)
    member = await bot.get_chat_member(group.id, 42)
    assert member.status == "restricted"


async def test_pinning_comes_back_as_an_update(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    group.promote_bot(double["Ana"])
    message = await bot.send_message(group.id, "Board")
    await confirmed(bot)
    await bot.pin_chat_message(group.id, message.message_id)
    (update,) = await bot.get_updates()
    assert update.message is not None
    assert update.message.pinned_message is not None
    assert update.message.pinned_message.message_id == message.message_id
    assert group.chat.pinned == [message.message_id]
    await bot.unpin_all_chat_messages(group.id)
    assert group.chat.pinned == []


async def test_a_migrated_group_raises_chat_migrated(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana"])
    old = group.id
    await confirmed(bot)
    new = group.migrate()
    with pytest.raises(ChatMigrated) as raised:
        await bot.send_message(old, "hello?")
    assert raised.value.new_chat_id == new
    updates = await bot.get_updates()
    told = [(update.message.chat.id, update.message.migrate_to_chat_id) for update in updates if update.message]
    assert told == [(old, new), (new, None)]
    assert updates[0].my_chat_member is not None
    assert updates[0].my_chat_member.chat.id == new


async def test_the_three_ways_of_not_reaching_somebody(double: Double, bot: Bot) -> None:
    group = double.group("Friends", ["Ana", "Ben"])
    ana, ben = double["Ana"], double["Ben"]
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(ben.id, "psst")
    await bot.send_message(group.id, "Who plays?", reply_markup=JOIN)
    ben.tap(group, "Join")
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(ben.id, "psst")
    ana.start()
    await bot.send_message(ana.id, "psst")
    ana.block()
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(ana.id, "psst")


async def test_flood_becomes_retry_after_and_the_wait_is_honest(
    double: Double, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the library warns of the older form
    group = double.group("Friends", ["Ana"])
    double.world.limits.on = True
    for _ in range(CHAT_BURST):
        await bot.send_message(group.id, "one")
    with pytest.raises(RetryAfter) as raised:
        await bot.send_message(group.id, "one too many")
    wait = raised.value.retry_after
    assert isinstance(wait, timedelta)
    assert wait.total_seconds() >= 1
    double.advance(wait.total_seconds())
    await bot.send_message(group.id, "again")


async def test_an_error_that_was_ordered(double: Double, bot: Bot) -> None:
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", code=502)
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(ana.id, "one")
    await bot.send_message(ana.id, "two")
    assert [message.text for message in ana.sees()] == ["two"]


async def test_an_answer_lost_after_the_effect(double: Double, bot: Bot) -> None:
    ana = double.person("Ana", started=True)
    double.fault("sendMessage", drop="after")
    with pytest.raises(NetworkError):
        await bot.send_message(ana.id, "arrived")
    assert [message.text for message in ana.sees()] == ["arrived"]
    double.fault("sendMessage", drop="before")
    with pytest.raises(NetworkError):
        await bot.send_message(ana.id, "lost")
    assert len(ana.sees()) == 1


async def test_polling_under_a_webhook_is_a_conflict(bot: Bot) -> None:
    await bot.set_webhook("https://example.org/hook", secret_token="s3cret")
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await bot.get_updates()
    assert (await bot.get_webhook_info()).url == "https://example.org/hook"
    await bot.delete_webhook()
    assert await bot.get_updates() == ()


async def test_the_library_calls_nothing_that_telegram_does_not_have(double: Double, bot: Bot) -> None:
    ana = double.person("Ana", started=True)
    message = await bot.send_message(ana.id, "x", protect_content=True, disable_notification=True)
    assert ana.last().protected
    await bot.set_message_reaction(ana.id, message.message_id, "👍")
    await bot.send_chat_action(ana.id, "typing")
    await bot.delete_messages(ana.id, [message.message_id, 999])
    double.assert_well_behaved()
