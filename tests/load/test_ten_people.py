"""Ten people who tap as fast as they can through a whole game, with Telegram's limits."""

from __future__ import annotations

import random
import time

import pytest

from tests.chaos.kills import recorded_moves
from tests.e2e.players import Friends
from tests.load.crowd import Crowd
from tests.load.lag import WatchedStore, lags
from tests.telegram_users import Double
from tgavalon.bot.app import AvalonBot


async def test_ten(double: Double, bot: AvalonBot, watched: WatchedStore, capsys: pytest.CaptureFixture[str]) -> None:
    seed = random.randrange(10**6)
    friends = Friends.gather(double, bot, 10)
    hammers = {person.id for person in friends.people[:2]}
    crowd = Crowd(friends, random.Random(seed), lambda person: 0.05 if person.id in hammers else 1.0)
    began, cpu = double.world.clock.now(), time.process_time()
    table = await crowd.play()
    took = double.world.clock.now() - began
    calls = [call for call in double.calls() if call.params.get("chat_id") == str(friends.group.id)]
    found = lags(watched.history(table.id), calls)
    with capsys.disabled():
        from collections import Counter
        print(f"\nseed {seed}: {took:.0f} s, cpu {time.process_time()-cpu:.1f}, {len(crowd.taps)} taps, {len([c for c in calls if c.status == 200])} calls {Counter((c.method, c.status) for c in calls)}; {found}; never {found.never}")
        print(len(table.game.proposals), Counter(one.answer.text or one.answer.url[:10] for one in crowd.taps).most_common(12))
        print(sorted(round(x,1) for x in found.acted), sorted(round(x,1) for x in found.counted))
    import sys; sys.path.insert(0,"/tmp"); import dbg
    dbg.timeline(double, friends, crowd, watched.history(table.id), calls, began)
    assert not [call for call in double.calls() if call.status == 429]
    assert not [one for one in crowd.taps if one.answer.unanswered]
    assert crowd.silent(watched.history(table.id)) == []
    assert recorded_moves(table) == crowd.expected_moves(table)
