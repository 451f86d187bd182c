"""Blobs: compact, exact, readable for ever, and never a surprise when they are damaged."""

import itertools
import json
import random
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import golden
from tests.store.tables import game_at, lobby
from tgavalon.store.codec import (
    SCHEMA,
    Unreadable,
    decode_canvas,
    decode_group,
    decode_person,
    decode_table,
    encode_canvas,
    encode_person,
    encode_table,
)
from tgavalon.store.forgetting import table_without
from tgavalon.store.signpost import named_at, parse_signpost, signpost_of
from tgavalon.table.ports import Person

DECODERS: dict[str, Callable[[bytes], object]] = {
    "table": decode_table,
    "canvas": decode_canvas,
    "person": decode_person,
    "group": decode_group,
}
VALUES = {**golden.TABLES, "canvas": golden.CANVAS, "person": golden.PERSON, "group": golden.GROUP}
FILES = sorted(golden.FOLDER.glob("schema-*.json"))

anything_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def typed(value: Any) -> Any:
    """A value with the types of all its parts, since an enum of strings and its string are equal."""
    if is_dataclass(value):
        return type(value), [typed(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, dict):
        return dict, {key: typed(inner) for key, inner in value.items()}
    if isinstance(value, tuple | frozenset):
        return type(value), [typed(inner) for inner in (sorted(value) if isinstance(value, frozenset) else value)]
    return type(value), value


def decode(path: Path) -> object:
    name = path.stem.split("-", 2)[2]
    return DECODERS.get(name, decode_table)(path.read_bytes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_released_blob_still_means_what_it_meant(path: Path) -> None:
    assert typed(decode(path)) == typed(VALUES[path.stem.split("-", 2)[2]])


def test_this_release_writes_its_schema_as_it_always_has() -> None:
    for name, blob in golden.blobs().items():
        released = json.loads((golden.FOLDER / name).read_bytes())
        assert json.loads(blob) == released, f"{name}: a changed shape needs a new schema number"


def test_every_stage_has_its_golden_blob() -> None:
    assert {table.stage.value for table in golden.TABLES.values()} == {
        *("lobby", "team", "vote", "quest", "lady", "shot", "over", "closed")
    }


@pytest.mark.parametrize("players", range(5, 11))
def test_whole_games_round_trip_and_stay_small(players: int) -> None:
    for seed in range(8):
        for table in game_at(lobby(), seed, players):
            blob = encode_table(table)
            assert typed(decode_table(blob)) == typed(table)
            assert encode_table(decode_table(blob)) == blob
            assert len(blob) < 6000


def test_equal_tables_give_equal_bytes_whatever_the_order_of_their_sets() -> None:
    orders = [frozenset(order) for order in itertools.permutations((0, 8, 16))]
    assert len({tuple(order) for order in orders}) > 1
    assert len({encode_table(replace(golden.PLAYING, past_users=order)) for order in orders}) == 1


@given(st.text(st.characters(exclude_categories=())))
def test_any_name_is_kept(name: str) -> None:
    assert decode_person(encode_person(Person(1, name))) == Person(1, name)
    table = replace(lobby(), title=name)
    assert decode_table(encode_table(table)) == table


def test_nothing_shown_is_kept_as_nothing() -> None:
    assert decode_canvas(encode_canvas({})) == {}


@pytest.mark.parametrize(
    ("blob", "told"),
    [
        (b'{"schema":2,"table":{}}', "stored table of a newer schema than 1, the latest this release knows"),
        (b'{"schema":0,"table":{}}', "stored table of a schema this release does not know"),
        (b'{"schema":true,"table":{}}', "stored table of a schema this release does not know"),
        (b'{"schema":"1","table":{}}', "stored table of a schema this release does not know"),
        (b'{"schema":1,"person":{"user":1}}', "stored table damaged: KeyError"),
        (b'{"schema":1,"table":[]}', "stored table damaged: "),
        (b'{"schema":1,"table":NaN}', "stored table damaged: ValueError"),
        (b"[" * 100_000, "stored table damaged: RecursionError"),
        (b"\xff\xfe", "stored table damaged: UnicodeDecodeError"),
        (b"", "stored table damaged: JSONDecodeError"),
        (b"null", "stored table damaged: TypeError"),
    ],
)
def test_what_is_no_table_is_unreadable_and_told_apart(blob: bytes, told: str) -> None:
    assert SCHEMA == 1
    with pytest.raises(Unreadable, match=f"^{told}") as caught:
        decode_table(blob)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'"version":31', b'"version":"31"'),
        (b'"version":31', b'"version":31.0'),
        (b'"version":31', b'"version":true'),
        (b'"ready":true', b'"ready":1'),
        (b'"title":"Round table"', b'"title":7'),
        (b'"team":[0,3]', b'"team":[0,"3"]'),
        (b'"team":[0,3]', b'"team":"03"'),
        (b'"ballots":"y-n--"', b'"ballots":["y","-","n","-","-"]'),
        (b'"touched":1764540001.0', b'"touched":"1764540001.0"'),
        (b'"touched":1764540001.0', b'"touched":1' + b"0" * 400),
        (b'"quest_order":"targeting"', b'"quest_order":"TARGETING"'),
        (b'"phase":"voting"', b'"phase":"Voting"'),
        (b'"host":', b'"hosts":'),
        (b'"salt":', b'"pepper":'),
    ],
)
def test_a_value_of_another_type_or_an_unknown_field_is_unreadable(right: bytes, wrong: bytes) -> None:
    blob = encode_table(golden.TABLES["vote"])
    assert right in blob
    with pytest.raises(Unreadable):
        decode_table(blob.replace(right, wrong))


def test_an_error_quotes_nothing_of_the_blob() -> None:
    blob = golden.blobs()["schema-1-vote.json"].replace(b'"merlin",', b'"merlin the traitor",')
    with pytest.raises(Unreadable) as caught:
        decode_table(blob)
    assert "traitor" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_blob_cut_anywhere_is_unreadable() -> None:
    blob = encode_table(golden.PLAYING)
    for length in range(len(blob)):
        with pytest.raises(Unreadable):
            decode_table(blob[:length])


@given(st.binary(max_size=200))
def test_foreign_bytes_are_unreadable(blob: bytes) -> None:
    for read in DECODERS.values():
        with pytest.raises(Unreadable):
            read(blob)


@given(anything_json)
def test_foreign_json_is_unreadable(value: object) -> None:
    for kind, read in DECODERS.items():
        if kind == "canvas" and value == {}:
            continue
        with pytest.raises(Unreadable):
            read(json.dumps({"schema": 1, kind: value}).encode())


@given(st.data())
def test_a_damaged_blob_is_unreadable_or_of_the_right_types(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(golden.blobs())))
    document = json.loads(golden.blobs()[name])
    spot = data.draw(st.sampled_from(list(spots(document))))
    parent, key = spot
    parent[key] = data.draw(anything_json)
    kind = next((kind for kind in DECODERS if kind in document), "table")
    try:
        value = DECODERS[kind](json.dumps(document).encode())
    except Unreadable:
        return
    assert repr(value)
    if kind == "table":
        assert decode_table(encode_table(value)) == value  # type: ignore[arg-type]  # as the kind says


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_flipped_byte_is_unreadable_or_of_the_right_types(position: int, byte: int) -> None:
    blob = bytearray(encode_table(golden.PLAYING))
    blob[position % len(blob)] = byte
    try:
        table = decode_table(bytes(blob))
    except Unreadable:
        return
    assert decode_table(encode_table(table)) == table


def spots(value: Any) -> Any:
    """Every place in a JSON document, as a container and a key or index of it."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield value, key
        yield from spots(inner)


@pytest.mark.parametrize("table", golden.TABLES.values(), ids=golden.TABLES.keys())
def test_a_signpost_survives_its_line(table: Any) -> None:
    sign = signpost_of(table)
    assert parse_signpost(sign.line()) == sign


@given(st.text() | st.from_regex(r"(open|closed) -?[0-9]* (-|[0-9]) [-0-9,]*", fullmatch=True))
def test_what_is_no_signpost_is_unreadable(line: str) -> None:
    try:
        sign = parse_signpost(line)
    except Unreadable:
        return
    assert parse_signpost(sign.line()) == sign


@pytest.mark.parametrize("name", ["over", "closed"])
def test_forgetting_everybody_leaves_no_person_in_a_table(name: str) -> None:
    table = golden.TABLES[name]
    people = named_at(table)
    assert people >= {sitter.user for sitter in table.sitters} | {5000000008, 5000000009}
    for user in random.Random(1).sample(sorted(people), len(people)):
        table = table_without(table, user)
    assert named_at(table) == frozenset()
    told = encode_table(table).decode()
    assert not any(word in told for word in ("5000000", "Ana", "Tom", "Zo"))
    assert table.game == golden.TABLES[name].game


def test_an_open_table_forgets_nobody() -> None:
    assert table_without(golden.TABLES["vote"], 5000000001) == golden.TABLES["vote"]
