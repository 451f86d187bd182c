"""What the bot may see and do in a group changes while people play, and who is in the group: the table stands."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.playground import groups


@pytest.fixture
async def friends(double: Double, bot: AvalonBot) -> Friends:
    return Friends.gather(double, bot, kind="supergroup")


@pytest.mark.parametrize("privacy", [True, False])
async def test_privacy_mode(double: Double, friends: Friends, privacy: bool) -> None:
    """Talk means nothing to it, a command with its name always does, and commands for other bots never do."""
    double.world.privacy = privacy
    await friends.open_table()
    for text in ("approve", "hello @avalon_bot", "/leave@other_bot", "/endgame@other_bot now", "/", "/nothing_of_ours"):
        async with friends.nothing_changes():
            friends.people[1].say(friends.group, text)
            await friends.heard()
    said = len(friends.people[0].hears(friends.group))
    friends.people[1].say(friends.group, "/table@Avalon_Bot")
    await friends.heard()
    assert len(friends.people[0].hears(friends.group)) == said + 1
    await friends.deal()
    await friends.finish()


async def test_it_becomes_an_admin_and_a_plain_member_again_in_mid_game(double: Double, friends: Friends) -> None:
    await friends.begin()
    await friends.quest()
    before = await friends.table()
    friends.group.promote_bot(friends.people[0])
    await friends.heard()
    await friends.propose(await friends.team())
    groups.demote_bot(double.world, friends.group.chat, friends.people[0].user)
    await friends.heard()
    await friends.vote()
    await friends.play()
    assert (await friends.table()).id == before.id
    assert "Shall we play" not in friends.newest()
    await friends.finish()
    assert friends.text().count("Night falls on Camelot.") == 1


async def test_a_group_that_was_founded_with_the_bot_in_it(double: Double, bot: AvalonBot) -> None:
    friends = Friends.gather(double, bot, kind="group")
    await friends.heard()
    assert len(friends.people[0].hears(friends.group)) == 1
    await friends.begin()


async def test_somebody_is_kicked_while_they_join(double: Double, friends: Friends) -> None:
    """The press was made inside the group and is dealt with after the kick: it seats nobody any more."""
    await friends.command(friends.people[0], "/newgame")
    zoe = double.person("Zoe", language_code="en", started=True)
    zoe.join(friends.group)
    await friends.heard()
    message, button = zoe.find(friends.group, "🪑 Join")
    zoe.kicked_from(friends.group)
    await friends.heard()
    async with friends.nothing_changes():
        answer = await friends.forge(zoe, button["callback_data"], message)
    assert answer.text == "Only members of the group can sit at its table."
    zoe.join(friends.group)
    await friends.heard()
    await friends.press(zoe, friends.group, "🪑 Join")
    assert [sitter.user for sitter in (await friends.table()).sitters] == [friends.people[0].id, zoe.id]


async def test_somebody_is_kicked_at_the_very_moment_of_joining(
    double: Double, friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The news of the kick comes while their seat is being saved."""
    await friends.command(friends.people[0], "/newgame")
    store, zoe = friends.bot.service.store, double.person("Zoe", language_code="en", started=True)
    zoe.join(friends.group)
    await friends.heard()
    save = store.save

    async def and_then_kicked(*args: object) -> bool:
        monkeypatch.undo()
        await friends.bot.service.left_group(friends.group.id, zoe.id)
        return await save(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "save", and_then_kicked)
    answer = await friends.press(zoe, friends.group, "🪑 Join")
    assert answer.text == "Only members of the group can sit at its table."
    assert [sitter.user for sitter in (await friends.table()).sitters] == [friends.people[0].id]
