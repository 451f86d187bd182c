"""Places and signs when something goes wrong halfway: crashes at every command, and groups that move."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.store.tables import HERE, changed, game_at, lobby
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Closing, Place, Table

Handles = Callable[[], RedisStore]
THERE = Place(-1009999999999)
MOST_COMMANDS = 8
CLAIMED = 3
"""How many commands of `create` come before its claim."""


class Crash(BaseException):
    """The process dies here."""


def dying(store: RedisStore, commands: int) -> RedisStore:
    """The same store, in a process that dies before its next command after that many."""
    left, send = commands, store._link._answer

    async def answer(ask: Callable[[Any], Awaitable[Any]]) -> Any:
        nonlocal left
        if left == 0:
            raise Crash
        left -= 1
        return await send(ask)

    store._link._answer = answer  # type: ignore[method-assign]
    return store


def interrupted(store: RedisStore, commands: int, by: Callable[[], Awaitable[Any]]) -> RedisStore:
    """The same store, in a process that is so slow that something else happens before its next command after that."""
    left, send = commands, store._link._answer

    async def answer(ask: Callable[[Any], Awaitable[Any]]) -> Any:
        nonlocal left
        if left == 0:
            await by()
        left -= 1
        return await send(ask)

    store._link._answer = answer  # type: ignore[method-assign]
    return store


async def survives(work: Awaitable[bool]) -> bool:
    """Whether the process came to the end of its work."""
    try:
        assert await work
    except Crash:
        return False
    return True


async def is_nowhere(store: RedisStore, table: Table) -> bool:
    """Whether nobody can come upon this table."""
    return (
        await store.at(table.place) != table.id
        and table.id not in await store.in_chat(table.place.chat)
        and not any([table.id in await store.of_user(sitter.user) for sitter in table.sitters])
        and table.id not in await store.unpainted()
        and table.id not in await store.due(1e12)
    )


async def is_found(store: RedisStore, table: Table) -> bool:
    """Whether everybody who should comes upon this table."""
    return (
        await store.at(table.place) == table.id
        and table.id in await store.in_chat(table.place.chat)
        and all([table.id in await store.of_user(sitter.user) for sitter in table.sitters])
        and table.id in await store.unpainted()
        and (table.deadline is None or table.id in await store.due(1e12))
        and await store.load(table.id) == table
    )


@pytest.mark.parametrize("commands", range(MOST_COMMANDS))
async def test_a_crash_while_creating_leaves_a_whole_table_or_none(handles: Handles, commands: int) -> None:
    first, second, store = lobby("A", deadline=9.0), lobby("B", deadline=9.0), handles()
    done = await survives(dying(handles(), commands).create(first))
    created = await store.create(second)
    assert created is not await is_found(store, first)
    assert created is await is_found(store, second)
    assert created is await is_nowhere(store, first)
    assert not (done and created)
    if created:
        assert await store._link.call("PTTL", store._keys.table(first.id)) != -1
    assert done or commands < MOST_COMMANDS - 1


@pytest.mark.parametrize("commands", range(MOST_COMMANDS))
async def test_a_crash_while_somebody_joins_loses_nobody(handles: Handles, commands: int) -> None:
    table, store = lobby(users=(1,)), handles()
    await store.create(table)
    after = changed(table, sitters=lobby(users=(1, 2)).sitters)
    done = await survives(dying(handles(), commands).save(after, 1))
    saved = (await store.load(table.id)) == after
    assert saved or not done
    assert await is_found(store, after if saved else table)
    assert await store.of_user(2) == ((table.id,) if saved else ())
    assert done or commands < MOST_COMMANDS - 1


@pytest.mark.parametrize("commands", range(MOST_COMMANDS))
async def test_a_crash_while_a_group_moves_keeps_the_table_in_one_place(handles: Handles, commands: int) -> None:
    table, store = lobby(), handles()
    await store.create(table)
    after = changed(table, place=THERE)
    done = await survives(dying(handles(), commands).save(after, 1))
    saved = (await store.load(table.id)) == after
    assert saved or not done
    assert await is_found(store, after if saved else table)
    assert await store.at(HERE if saved else THERE) is None
    assert await store.in_chat((HERE if saved else THERE).chat) == ()
    assert await store.create(lobby("B", HERE if saved else THERE))
    assert await is_found(store, after if saved else table)
    assert done or commands < MOST_COMMANDS - 1


@pytest.mark.parametrize("commands", range(MOST_COMMANDS))
async def test_a_crash_at_the_end_of_a_game_frees_the_place(handles: Handles, commands: int) -> None:
    *_, before, last = game_at(lobby(), seed=1)
    store = handles()
    await store.create(before)
    done = await survives(dying(handles(), commands).save(last, before.version))
    saved = (await store.load(last.id)) == last
    assert saved or not done
    assert await store.last_at(HERE) == (last.id if saved else None)
    assert await store.at(HERE) == (None if saved else last.id)
    assert await store.create(lobby("B")) is saved
    if saved:
        assert await store.of_user(1) == (lobby("B").id,)
    assert done or commands < MOST_COMMANDS - 1


async def test_a_table_that_was_only_prepared_is_seen_by_nobody(handles: Handles) -> None:
    first, store = lobby("A", deadline=9.0), handles()
    assert not await survives(dying(handles(), 3).create(first))
    assert await store.load(first.id) == first
    assert await is_nowhere(store, first)
    assert await store.create(lobby("B"))


@pytest.mark.parametrize("commands", range(CLAIMED + 2))
async def test_a_group_that_moves_while_a_table_is_created_there_keeps_both(handles: Handles, commands: int) -> None:
    mover, newcomer, store, other = lobby("A"), lobby("B", THERE), handles(), handles()
    moved = changed(mover, place=THERE)
    await store.create(mover)

    async def move() -> None:
        assert await other.save(moved, 1)

    created = await interrupted(handles(), commands, move).create(newcomer)
    assert created is (commands > CLAIMED)
    assert await store.at(THERE) == (newcomer.id if created else moved.id)
    assert moved.id in await store.in_chat(THERE.chat)
    assert await store.at(HERE) is None


async def test_a_claim_without_a_table_does_not_block_the_chat(store: RedisStore) -> None:
    await store._link.call("SET", store._keys.place(HERE), "gone000000")
    assert await store.at(HERE) is None
    assert await store.create(lobby())
    assert await store.at(HERE) == lobby().id


async def test_a_claim_of_an_ended_table_does_not_block_the_chat(store: RedisStore) -> None:
    await store.create(lobby("A"))
    assert await store.save(changed(lobby("A"), closing=Closing.IDLE), 1)
    await store._link.call("SET", store._keys.place(HERE), lobby("A").id)
    assert await store.at(HERE) is None
    assert await store.create(lobby("B"))


@pytest.mark.parametrize("old", [HERE, Place(HERE.chat, 5)])
async def test_a_group_moves_with_its_table(store: RedisStore, old: Place) -> None:
    new = Place(THERE.chat, old.topic)
    table = lobby(place=old)
    await store.create(table)
    moved = changed(table, place=new)
    assert await store.save(moved, 1)
    assert await is_found(store, moved)
    assert await store.at(old) is None
    assert await store.in_chat(old.chat) == ()
    again = changed(moved, sitters=lobby(users=(1, 2, 3)).sitters)
    assert await store.save(again, 2)
    assert await is_found(store, again)


async def test_a_finished_game_moves_too(store: RedisStore) -> None:
    *_, before, last = game_at(lobby(), seed=1)
    await store.create(before)
    await store.save(last, before.version)
    assert await store.save(changed(last, place=THERE), last.version)
    assert await store.last_at(THERE) == last.id
    assert await store.last_at(HERE) is None


async def test_a_table_that_moves_where_another_is_open_is_found_once_that_one_ends(store: RedisStore) -> None:
    mover, holder = lobby("A", HERE), lobby("B", THERE)
    await store.create(mover)
    await store.create(holder)
    moved = changed(mover, place=THERE)
    assert await store.save(moved, 1)
    assert await store.at(THERE) == holder.id
    assert set(await store.in_chat(THERE.chat)) == {holder.id, mover.id}
    assert await store.at(HERE) is None
    assert await store.save(changed(holder, closing=Closing.HOST), 1)
    assert await is_found(store, moved)
    assert not await store.create(lobby("C", THERE))
