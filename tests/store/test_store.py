"""What the `Store` port promises, on every kind of server."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.store.tables import HERE, changed, game_at, lobby
from tgavalon.store.directory import KEPT_MS
from tgavalon.store.redis_store import RedisStore
from tgavalon.table.model import Closing, Place, Table
from tgavalon.table.ports import Group, Person, Shown, Store

Handles = Callable[[], RedisStore]


def a_store(store: Store) -> Store:
    """For the type checker: the class is a `Store`."""
    return store


async def saved(store: RedisStore, table: Table) -> Table:
    assert await store.save(table, table.version - 1)
    return table


async def play(store: RedisStore, table: Table, seed: int) -> Table:
    """Save a whole game, step by step."""
    for step in game_at(table, seed):
        table = await saved(store, step)
    return table


async def test_a_table_comes_back_as_it_was_saved(store: RedisStore) -> None:
    assert await a_store(store).create(lobby())
    for table in game_at(lobby(), seed=3, players=7):
        await saved(store, table)
        assert await store.load(table.id) == table


async def test_an_unknown_table_is_none(store: RedisStore) -> None:
    assert await store.load("nowhere000") is None
    assert await store.at(HERE) is None
    assert await store.last_at(HERE) is None
    assert await store.of_user(1) == ()
    assert await store.in_chat(HERE.chat) == ()
    assert await store.canvas("nowhere000") == {}
    assert not await store.save(changed(lobby()), 1)


async def test_a_save_from_an_old_version_changes_nothing(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    first = await saved(store, changed(table, title="first"))
    assert not await store.save(changed(table, title="second", deadline=5.0), table.version)
    assert not await store.save(changed(table, sitters=()), table.version)
    assert await store.load(table.id) == first
    assert await store.due(1e12) == ()
    assert await store.of_user(1) == (table.id,)


async def test_the_same_change_made_by_two_is_saved_once(handles: Handles) -> None:
    one, other = handles(), handles()
    table = lobby()
    await one.create(table)
    again = changed(table, reposts=1)
    assert [await one.save(again, 1), await other.save(again, 1)] == [True, False]


async def test_a_place_has_one_open_table(store: RedisStore) -> None:
    assert await store.create(lobby("A"))
    assert not await store.create(lobby("B"))
    assert await store.load(lobby("B").id) is None
    assert await store.at(HERE) == lobby("A").id
    assert tuple(await store.unpainted()) == (lobby("A").id,)
    assert await store.of_user(1) == (lobby("A").id,)


async def test_a_table_id_is_not_given_twice(store: RedisStore) -> None:
    assert await store.create(lobby("A", Place(-1)))
    assert not await store.create(lobby("A", Place(-2)))
    assert await store.at(Place(-2)) is None
    assert await store.at(Place(-1)) == lobby("A").id


async def test_topics_of_a_forum_are_places_of_their_own(store: RedisStore) -> None:
    general, topic = lobby("A", Place(-5)), lobby("B", Place(-5, 7), created=2e9)
    assert await store.create(topic)
    assert await store.create(general)
    assert await store.at(Place(-5)) == general.id
    assert await store.at(Place(-5, 7)) == topic.id
    assert await store.in_chat(-5) == (general.id, topic.id)


@pytest.mark.parametrize("end", ["closed", "finished"])
async def test_an_ended_table_frees_its_place_and_people_and_stays_for_30_days(store: RedisStore, end: str) -> None:
    table = lobby(deadline=5.0)
    await store.create(table)
    steps = [changed(table, closing=Closing.HOST)] if end == "closed" else list(game_at(table, seed=1))
    for table in steps:
        await saved(store, table)
    await store.paint(table.id, table.version, {}, done=True)
    assert await store.at(HERE) is None
    assert await store.of_user(1) == ()
    assert await store.in_chat(HERE.chat) == ()
    assert await store.due(1e12) == ()
    assert await store.load(table.id) == table
    assert await store.last_at(HERE) == (table.id if end == "finished" else None)
    for key in (store._keys.table(table.id), store._keys.canvas(table.id)):
        assert KEPT_MS - 60_000 < await store._link.call("PTTL", key) <= KEPT_MS
    assert await store.create(lobby("B"))


async def test_an_open_table_never_expires(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    await store.paint(table.id, 1, {}, done=True)
    await saved(store, changed(table))
    for key in (store._keys.table(table.id), store._keys.canvas(table.id), store._keys.place(HERE)):
        assert await store._link.call("PTTL", key) == -1


async def test_the_last_finished_game_is_the_one_found(store: RedisStore) -> None:
    for number, name in enumerate("AB"):
        opened = lobby(name, touched=1e9 + number)
        await store.create(opened)
        await play(store, opened, seed=number)
    idle = lobby("C")
    await store.create(idle)
    assert await store.last_at(HERE) == lobby("B").id
    await saved(store, changed(idle, closing=Closing.IDLE))
    assert await store.last_at(HERE) == lobby("B").id


async def test_who_joins_and_leaves_is_found_accordingly(store: RedisStore) -> None:
    young, old = lobby("A", Place(-1), users=(1,), created=20.0), lobby("B", Place(-2), users=(1,), created=10.0)
    await store.create(young)
    await store.create(old)
    assert await store.of_user(1) == (old.id, young.id)
    young = await saved(store, changed(young, sitters=lobby(users=(1, 2)).sitters))
    assert await store.of_user(2) == (young.id,)
    young = await saved(store, changed(young, sitters=lobby(users=(2,)).sitters))
    assert await store.of_user(1) == (old.id,)
    away = tuple(replace(sitter, away=True) for sitter in young.sitters)
    await saved(store, changed(young, sitters=away))
    assert await store.of_user(2) == ()


async def test_due_tables_come_most_overdue_first(store: RedisStore) -> None:
    times: dict[str, dict[str, Any]] = {
        "A": {"deadline": 300.5},
        "B": {"deadline": 400.0, "reminder": 100.25},
        "C": {"deadline": 200.0, "reminder": 50.0, "reminded": True},
        "D": {},
        "E": {"reminder": 250.0},
    }
    for number, (name, time) in enumerate(times.items()):
        await store.create(lobby(name, Place(-number - 1), **time))
    assert [name.strip("0") for name in await store.due(300.5)] == ["B", "C", "E", "A"]
    assert [name.strip("0") for name in await store.due(200.0)] == ["B", "C"]
    assert await store.due(100.0) == ()
    await saved(store, changed(lobby("B", Place(-2)), deadline=None, reminder=None))
    assert [name.strip("0") for name in await store.due(200.0)] == ["C"]


async def test_at_most_a_hundred_are_due_at_once(store: RedisStore) -> None:
    tables = [lobby(f"T{number}", Place(-number - 1), deadline=float(number)) for number in range(105)]
    for table in tables:
        await store.create(table)
    assert list(await store.due(1e9)) == [table.id for table in tables[:100]]


async def test_a_vanished_table_is_struck_off_when_it_is_looked_for(store: RedisStore) -> None:
    table = lobby(deadline=5.0)
    await store.create(table)
    await store._link.call("DEL", store._keys.table(table.id))
    assert await store.due(9.0) == (table.id,)
    assert await store.load(table.id) is None
    assert await store.due(9.0) == ()
    assert tuple(await store.unpainted()) == ()
    assert await store.at(HERE) is None
    assert await store.of_user(1) == ()


async def test_the_outbox_holds_what_is_not_painted_yet(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    assert tuple(await store.unpainted()) == (table.id,)
    canvas = {"group/1": Shown(HERE, 5, "abc", buttons=True), "7/1": Shown(Place(7, 1), 6, "", False, fleeting=True)}
    await store.paint(table.id, 1, canvas, done=False)
    assert await store.canvas(table.id) == canvas
    assert tuple(await store.unpainted()) == (table.id,)
    await store.paint(table.id, 1, {}, done=True)
    assert await store.canvas(table.id) == {}
    assert tuple(await store.unpainted()) == ()


async def test_painting_an_old_version_does_not_clear_a_newer_mark(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    for _ in range(10):
        table = await saved(store, changed(table))
    await store.paint(table.id, table.version - 1, {}, done=True)
    assert tuple(await store.unpainted()) == (table.id,)
    await store.paint(table.id, table.version, {}, done=True)
    assert tuple(await store.unpainted()) == ()


async def test_painting_a_vanished_table_leaves_nothing_behind(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    await store._link.call("DEL", store._keys.table(table.id))
    await store.paint(table.id, 1, {"group/1": Shown(HERE, 5, "abc", buttons=True)}, done=False)
    assert await store.canvas(table.id) == {}
    assert tuple(await store.unpainted()) == ()


async def test_people_and_groups_are_remembered(store: RedisStore) -> None:
    person = Person(7, "Zoë \ud83d", language="pt-br", hint="pt", ready=True)
    group = Group(-7, language="ru", migrated_to=-1007)
    assert await store.person(7) is None
    assert await store.group(-7) is None
    await store.save_person(person)
    await store.save_group(group)
    assert await store.person(7) == person
    assert await store.group(-7) == group
    await store.save_person(Person(7))
    assert await store.person(7) == Person(7)


async def test_a_forgotten_person_is_nowhere_but_in_running_games(store: RedisStore) -> None:
    past, running = lobby("A", Place(-1), host=2), lobby("B", Place(-2))
    await store.create(past)
    await store.create(running)
    past = await play(store, past, seed=1)
    canvas = {"group/1": Shown(Place(-1), 5, "abc", buttons=True), "2/1": Shown(Place(2), 6, "d", buttons=False)}
    await store.paint(past.id, past.version, canvas, done=True)
    await store.save_person(Person(2, "Ben"))
    await store.forget(2)
    kept = await store.load(past.id)
    assert kept is not None
    assert kept.game == past.game
    assert [sitter.user for sitter in kept.sitters] == [1, 0, *(sitter.user for sitter in past.sitters[2:])]
    assert (kept.host, kept.sitters[1].name) == (0, "")
    assert set(await store.canvas(past.id)) == {"group/1"}
    assert await store.person(2) is None
    assert await store.last_at(Place(-1)) == past.id
    assert tuple(await store.unpainted()) == (running.id,)
    assert await store.of_user(2) == (running.id,)
    assert await store.load(running.id) == running


async def test_a_finished_game_can_still_change(store: RedisStore) -> None:
    table = lobby()
    await store.create(table)
    table = await play(store, table, seed=2)
    await store.forget(1)
    kept = await store.load(table.id)
    assert kept is not None
    await saved(store, changed(kept, reposts=3))
    assert await store.last_at(HERE) == table.id


async def test_ping_and_persistence(store: RedisStore) -> None:
    await store.ping()
    assert await store.persistence() is False
