"""Three real workers behind nginx: a whole game goes on when one is killed, restarted, or replaced in order."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.cluster.fleet import Fleet, Game, free_port, nginx, nginx_program
from tests.telegram_users import Double
from tgavalon.core.game import Over
from tgavalon.playground.double import TEST_TOKEN
from tgavalon.puppeteer import Puppeteer
from tgavalon.store.embedded import EmbeddedServer
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Stage, Table


@contextlib.asynccontextmanager
async def behind_nginx(folder: Path, workers: int) -> AsyncIterator[tuple[Fleet, RedisStore]]:
    """So many workers, started, with a store of their own and the double before them."""
    program = nginx_program()
    async with contextlib.AsyncExitStack() as stack:
        url = (await stack.enter_async_context(EmbeddedServer(None))).url
        store = RedisStore(url)
        stack.push_async_callback(store.close)
        double = await stack.enter_async_context(Double(TEST_TOKEN, choose=Puppeteer(store).choose))
        ports = [free_port() for _ in range(workers)]
        port = await stack.enter_async_context(nginx(program, folder, ports))
        fleet = Fleet(double, url, folder, ports, f"http://127.0.0.1:{port}/telegram")
        stack.push_async_callback(fleet.close)
        for number in range(workers):
            await fleet.start(number)
        yield fleet, store
        double.assert_well_behaved()


def check(game: Game, table: Table, fleet: Fleet) -> None:
    """The whole game was played and can be read, nobody was left without an answer, nothing came too often."""
    assert table.game is not None
    assert isinstance(table.game.phase, Over)
    assert "wins" in game.posts()[-1].text
    assert game.unanswered() == []
    assert game.duplicates(fleet.kills) == []
    assert fleet.errors() == []


async def test_a_game_on_three_workers(tmp_path: Path) -> None:
    async with behind_nginx(tmp_path, 3) as (fleet, store):
        game = Game.begin(fleet.double, store)
        check(game, await game.until_painted(), fleet)


async def test_one_of_three_is_killed_in_mid_game_and_comes_back(tmp_path: Path) -> None:
    async with behind_nginx(tmp_path, 3) as (fleet, store):
        game = Game.begin(fleet.double, store)
        await game.until(lambda table: table.stage is Stage.VOTE)
        await fleet.kill(0)
        await game.until(lambda table: table.game is not None and len(table.game.quests) >= 2)
        await fleet.start(0)
        check(game, await game.until_painted(), fleet)


async def test_whichever_worker_paints_is_killed(tmp_path: Path) -> None:
    async with behind_nginx(tmp_path, 3) as (fleet, store):
        game = Game.begin(fleet.double, store)
        for number, stage in enumerate((Stage.TEAM, Stage.QUEST)):
            await game.until(lambda table, stage=stage: table.stage is stage)  # type: ignore[misc]
            await fleet.kill(number)
        check(game, await game.until_painted(), fleet)


async def test_a_rolling_restart(tmp_path: Path) -> None:
    async with behind_nginx(tmp_path, 3) as (fleet, store):
        game = Game.begin(fleet.double, store)
        await game.until(lambda table: table.stage is Stage.TEAM)
        for number in range(3):
            assert await fleet.stop(number) == 0
            await fleet.start(number)
        check(game, await game.until_painted(), fleet)


@pytest.mark.parametrize("workers", [1, 2])
async def test_many_games_at_once(tmp_path: Path, workers: int) -> None:
    async with behind_nginx(tmp_path, workers) as (fleet, store):
        games = [Game.begin(fleet.double, store, pace=0.2) for _ in range(5)]
        for table, game in zip(await asyncio.gather(*(game.until_painted() for game in games)), games, strict=True):
            check(game, table, fleet)
