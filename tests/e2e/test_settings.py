"""The settings of a lobby, tapped: presets, refusals with their reasons, warnings, and who may change them."""

from __future__ import annotations

import pytest

from tests.e2e.players import Friends
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot
from tgavalon.core.presets import PRESETS, PresetName
from tgavalon.ui.taps import Tap, Verb, encode

HOSTS_TURN = "The host has to change the settings first."


async def seated(double: Double, bot: AvalonBot, players: int) -> Friends:
    friends = Friends.gather(double, bot, players)
    await friends.open_table()
    return friends


async def cannot_start(friends: Friends, reason: str) -> None:
    """The table says why it cannot be played, and so does Start."""
    await friends.until_reads(f"🚫 {reason}")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.until_reads(HOSTS_TURN)
    assert f"🚫 {reason}" in friends.newest()
    async with friends.nothing_changes():
        assert (await friends.press(friends.people[0], friends.group, "▶️ Start the game")).text == reason


@pytest.mark.parametrize(
    ("preset", "name", "gone"),
    [
        (PresetName.RULEBOOK, "Rulebook", ()),
        (PresetName.VIETNAMESE, "Vietnamese rules", ()),
        (PresetName.RUSSIAN_ONLINE, "Russian online rules", ("Percival", "Merlin", "The dagger belongs to")),
        (PresetName.SPANISH, "Spanish rules", ()),
    ],
)
async def test_a_preset(double: Double, bot: AvalonBot, preset: PresetName, name: str, gone: tuple[str, ...]) -> None:
    friends = await seated(double, bot, 7)
    await friends.set("Rules", name)
    text = friends.newest()
    assert f"Rules: {name}" in text
    for setting in ("Percival", "Merlin", "The dagger belongs to", "Lady of the Lake", "Fifth team in a row", "Timers"):
        assert (f"\n{setting}: " in text) == (setting not in gone), setting
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.until_reads(f"📖 {name}\n")
    await friends.deal()
    game = await friends.game()
    assert game.ruleset == PRESETS[preset].ruleset
    await friends.settled()
    roles = {"Merlin", "Percival", "Mordred", "Morgana"} if gone else {"Merlin", "Assassin"}
    deal = next(m.text for m in friends.people[0].hears(friends.group) if "Night falls" in m.text)
    assert all(role in deal for role in roles)


async def test_changing_the_preset_takes_its_rules_and_keeps_the_pace(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Timers", "fast")
    await friends.set("Fifth team in a row", "goes without a vote")
    await friends.set("Rules", "Spanish rules")
    options = (await friends.table()).options
    assert options.ruleset == PRESETS[PresetName.SPANISH].ruleset
    assert options.pace == "fast"


async def test_every_setting_goes_round(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Rules", "Rulebook")
    host, before = friends.people[0], (await friends.table()).options
    for name in {label.partition(":")[0] for label in host.labels(friends.group) if ": " in label}:
        first = label = next(label for label in host.labels(friends.group) if label.startswith(f"{name}: "))
        while True:
            await friends.press(host, friends.group, label)
            await friends.until(lambda label=label: not host.shows(friends.group, label))  # type: ignore[misc]
            label = next(label for label in host.labels(friends.group) if label.startswith(f"{name}: "))
            if label == first:
                break
    assert (await friends.table()).options == before


async def test_morgana_needs_percival(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Morgana", "on")
    await cannot_start(friends, "Morgana needs Percival: add him too.")
    await friends.set("Percival", "on")
    assert "🚫" not in friends.newest()


async def test_more_evil_roles_than_evil_seats(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Mordred", "on")
    await friends.set("Oberon", "on")
    await cannot_start(friends, "With the Assassin there are more evil roles than evil seats: switch some off.")


async def test_the_dagger_of_a_role_that_does_not_play(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("The dagger belongs to", "Mordred")
    await cannot_start(friends, "The role that holds the dagger is not in play: add it, or give the dagger to another.")


@pytest.mark.parametrize(("rules", "players"), [("Spanish rules", 6), ("Russian online rules", 9)])
async def test_the_lady_below_the_limit_of_a_preset(double: Double, bot: AvalonBot, rules: str, players: int) -> None:
    friends = await seated(double, bot, players)
    await friends.set("Rules", rules)
    await friends.set("Lady of the Lake", "on")
    await cannot_start(friends, "With so few players these rules have no Lady of the Lake: switch her off.")


async def test_the_lady_below_what_is_advised(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Lady of the Lake", "on")
    await friends.until_reads("⚠️ The Lady of the Lake is better with seven players or more.")
    await friends.press(friends.people[0], friends.group, "↩️ Back to the table")
    await friends.deal()
    await friends.until_reads("holds the Lady of the Lake.")


async def test_percival_alone_with_five(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Percival", "on")
    warning = "⚠️ With five players, Percival alone makes it too easy: add Mordred or Morgana."
    await friends.until_reads(warning)
    await friends.set("Mordred", "on")
    assert warning not in friends.newest()


async def test_special_roles_without_merlin(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Merlin", "off")
    await friends.set("Percival", "on")
    await friends.until_reads("⚠️ Without Merlin, the special roles have no power.")


async def test_a_guest_cannot_change_a_setting_but_an_admin_can(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Timers", "fast")
    guest = friends.people[1]
    for label in ("Merlin: on", "↩️ Back to the table"):
        async with friends.nothing_changes():
            answer = await friends.press(guest, friends.group, label)
        assert answer.text == "Only the host or a group admin can do that."
    guest.promoted_in(friends.group)
    await friends.press(guest, friends.group, "Merlin: on")
    await friends.until(lambda: guest.shows(friends.group, "Merlin: off"))


async def test_a_choice_that_the_preset_does_not_have(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    await friends.set("Rules", "Rulebook")
    host, table = friends.people[0], (await friends.table()).id
    last_locked = next(
        button["callback_data"]
        for button in host.last(friends.group).buttons()
        if button["text"].startswith("Order of quests")
    )
    number = int(last_locked.split(":")[2])
    async with friends.nothing_changes():
        answer = await friends.forge(host, encode(table, Tap(Verb.SET, number, 2)))
    assert answer.text == "These rules do not have that choice."


async def test_settings_by_command_come_down_as_a_new_message(double: Double, bot: AvalonBot) -> None:
    friends = await seated(double, bot, 5)
    before = friends.people[0].last(friends.group)
    await friends.command(friends.people[0], "/settings")
    after = friends.people[0].last(friends.group)
    assert after.message_id > before.message_id
    assert "⚙️ Settings" in after.text
    assert not friends.people[0].keyboard(before)
