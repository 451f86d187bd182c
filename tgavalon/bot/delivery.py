"""Records of finished games, delivered as files to the table's chat in the background, as soon as Telegram takes them.

The painter draws screens; a file is none, and nobody's game waits for it. What is under way when the bot stops is not
delivered later: whoever wants it asks again.
"""

from __future__ import annotations

import asyncio
import logging

from tgavalon.bot.messenger import TelegramMessenger
from tgavalon.table.history import record_of
from tgavalon.table.model import Place, Table
from tgavalon.table.ports import Answer, Clock, Verdict
from tgavalon.ui.catalogue import plain, translator
from tgavalon.ui.refusals import Refusal, Refused

log = logging.getLogger(__name__)

TRIES = 5
PAUSE = 2.0
"""Seconds after a lost connection; each further one is waited for twice as long."""


class RecordDelivery:
    """Sends records, each until it has arrived or Telegram will not have it."""

    def __init__(self, messenger: TelegramMessenger, clock: Clock) -> None:
        self._messenger = messenger
        self._clock = clock
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def send(self, table: Table) -> None:
        """Start on a record; one that is under way is not sent twice. `Refused` while there is none."""
        record = record_of(table)
        if record is None:
            raise Refused(Refusal.NOT_OVER)
        if table.id not in self._under_way:
            task = asyncio.create_task(self._deliver(table, record), name=f"record of {table.id}")
            self._under_way[table.id] = task
            task.add_done_callback(lambda _: self._under_way.pop(table.id))

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = [*self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _deliver(self, table: Table, record: bytes) -> None:
        t = translator(table.language)
        caption = plain(t("The record of this game. Anybody can replay and check it."))
        answer, place = Answer(Verdict.LOST), table.place
        for attempt in range(TRIES):
            answer = await self._messenger.send_file(place, f"avalon-{table.id}.json", record, caption)
            if answer.verdict is Verdict.MOVED and answer.chat is not None:
                place = Place(answer.chat)
            elif answer.verdict is Verdict.LATER:
                await self._clock.sleep(answer.seconds)
            elif answer.verdict is Verdict.LOST:
                await self._clock.sleep(PAUSE * 2**attempt)
            else:
                break
        if answer.verdict is not Verdict.DONE:
            log.warning("the record of table %s was not delivered: %s", table.id, answer.verdict)
