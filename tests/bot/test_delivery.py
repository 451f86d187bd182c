"""A record arrives once, however often Telegram asks to wait or the connection is lost before it."""

from __future__ import annotations

import json

import pytest
from telegram import Bot

from tests.e2e.conftest import QuickClock
from tests.golden_screens import Script
from tests.telegram_users import Double
from tgavalon.bot.delivery import RecordDelivery
from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.table.model import Place, Table
from tgavalon.table.ports import Answer, Verdict
from tgavalon.ui.refusals import Refused


class FakeMessenger(TelegramMessenger):
    """Answers as told, and keeps what it was given."""

    def __init__(self, *verdicts: Answer) -> None:
        self.verdicts = list(verdicts)
        self.sent: list[tuple[Place, str, bytes, str]] = []

    async def send_file(self, place: Place, name: str, content: bytes, caption: str) -> Answer:
        self.sent.append((place, name, content, caption))
        return self.verdicts.pop(0)


@pytest.fixture(scope="module")
def finished() -> Table:
    script = Script("en")
    list(script.run())
    return script.table


async def settled(delivery: RecordDelivery) -> None:
    for task in [*delivery._under_way.values()]:
        await task


async def test_it_waits_as_long_as_telegram_asks_and_then_arrives(finished: Table) -> None:
    later, lost = Answer(Verdict.LATER, seconds=7), Answer(Verdict.LOST)
    messenger = FakeMessenger(later, lost, later, Answer(Verdict.DONE, message=5))
    delivery = RecordDelivery(messenger, QuickClock())
    delivery.send(finished)
    delivery.send(finished)
    await settled(delivery)
    assert messenger.verdicts == []
    place, name, content, _ = messenger.sent[-1]
    assert (place, name) == (finished.place, "avalon-GoldenGame.json")
    assert json.loads(content)["result"] == {"winner": "evil", "reason": "merlin_assassinated"}


async def test_it_gives_up_on_a_chat_that_cannot_be_written_to(finished: Table) -> None:
    messenger = FakeMessenger(Answer(Verdict.UNREACHABLE))
    delivery = RecordDelivery(messenger, QuickClock())
    delivery.send(finished)
    await settled(delivery)
    assert len(messenger.sent) == 1


def test_there_is_no_record_of_a_running_game() -> None:
    script = Script("en")
    list(script.in_lobby())
    with pytest.raises(Refused, match="not_over"):
        RecordDelivery(FakeMessenger(), QuickClock()).send(script.table)


async def test_the_file_reaches_the_group() -> None:
    async with Double() as double, Bot("42:TEST", base_url=double.base_url) as bot:
        group = double.group("Friends", ["Ana"])
        answer = await TelegramMessenger(bot).send_file(Place(group.id), "a.json", b"{}\n", "A record.")
    assert answer.verdict is Verdict.DONE
    assert [call.method for call in double.calls("sendDocument")] == ["sendDocument"]
