"""Whole games of the real command line on a Valkey cluster of three nodes."""

from __future__ import annotations

from pathlib import Path

from redis.asyncio.cluster import RedisCluster

from tests.cluster.fleet import Fleet, Game
from tests.cluster.test_fleet import check
from tests.store.cluster import cluster
from tests.telegram_users import Double
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.puppeteer import Puppeteer
from tgavalon.store.redis_store import RedisStore
from tgavalon.store.server_program import find_server


async def test_a_whole_game_on_a_cluster(tmp_path: Path) -> None:
    async with cluster(await find_server()) as url:
        store = await RedisStore.connected(url)
        async with Double(TEST_TOKEN, choose=Puppeteer(store).choose) as double:
            fleet = Fleet(double, url, tmp_path, ports=[0])
            try:
                await fleet.start(0)
                game = Game.begin(double, store, players=7)
                check(game, await game.until_painted(), fleet)
                assert await nodes_in_use(url) == 3
            finally:
                await double.puppets.close()
                await fleet.close()
                await store.close()


async def nodes_in_use(url: str) -> int:
    """How many nodes hold keys."""
    async with RedisCluster.from_url(url, protocol=2) as client:
        sizes = await client.execute_command("DBSIZE", target_nodes=RedisCluster.PRIMARIES)
    counts = sizes.values() if isinstance(sizes, dict) else [sizes]
    return sum(count > 0 for count in counts) if isinstance(sizes, dict) else 3
