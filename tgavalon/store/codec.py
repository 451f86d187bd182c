"""Stored bytes and the values they stand for: JSON, with the number of its schema inside.

A schema is the shape of what a release has written, and it is frozen once released: whoever adds, renames or reorders
a stored field, or changes a default that is not written, raises `SCHEMA` and gives the old number a decoder that still
makes today's value of it. Here is no rule of the game: what is decoded has the right types, and that is all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, TypeVar

from cattrs import Converter
from cattrs.errors import ForbiddenExtraKeysError, StructureHandlerNotFoundError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

from tgavalon.core.game import (
    Assassinating,
    Card,
    Examining,
    Over,
    Phase,
    Proposing,
    Questing,
    Voting,
)
from tgavalon.table.model import Table
from tgavalon.table.ports import Canvas, Group, Person, Shown

T = TypeVar("T")

SCHEMA: Final = 1
"""The schema that this release writes."""

_PHASES: Final[dict[type, str]] = {
    Proposing: "proposing",
    Voting: "voting",
    Questing: "questing",
    Examining: "examining",
    Assassinating: "assassinating",
    Over: "over",
}
_BALLOTS: Final[dict[bool | None, str]] = {True: "y", False: "n", None: "-"}
_CARDS: Final[dict[Card | None, str]] = {Card.SUCCESS: "s", Card.FAIL: "f", None: "-"}
_DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    ForbiddenExtraKeysError,
    LookupError,
    RecursionError,
    StructureHandlerNotFoundError,
    TypeError,
    ValueError,
)


class Unreadable(Exception):
    """Stored bytes that no decoder of this release takes: damaged, foreign, or written by a newer one.

    The text says which, and nothing of what the bytes hold.
    """


def encode_table(table: Table) -> bytes:
    """The bytes that `decode_table` turns into an equal table; equal tables give equal bytes."""
    return _encode("table", _converter.unstructure(table, Table))


def decode_table(blob: bytes) -> Table:
    """The table in `blob`, which any released schema may have written. Raises `Unreadable`."""
    return _decode("table", Table, blob)


def encode_canvas(canvas: Canvas) -> bytes:
    """The bytes that `decode_canvas` turns into an equal canvas."""
    return _encode("canvas", _converter.unstructure(canvas, dict[str, Shown]))


def decode_canvas(blob: bytes) -> Canvas:
    """The canvas in `blob`. Raises `Unreadable`."""
    return _decode("canvas", dict[str, Shown], blob)


def encode_person(person: Person) -> bytes:
    """The bytes that `decode_person` turns into an equal person."""
    return _encode("person", _converter.unstructure(person, Person))


def decode_person(blob: bytes) -> Person:
    """The person in `blob`. Raises `Unreadable`."""
    return _decode("person", Person, blob)


def encode_group(group: Group) -> bytes:
    """The bytes that `decode_group` turns into an equal group."""
    return _encode("group", _converter.unstructure(group, Group))


def decode_group(blob: bytes) -> Group:
    """The group in `blob`. Raises `Unreadable`."""
    return _decode("group", Group, blob)


def _encode(kind: str, value: object) -> bytes:
    return _to_json({"schema": SCHEMA, kind: value}).encode("utf-8", "surrogatepass")


def _decode(name: str, kind: type[T], blob: bytes) -> T:
    """The value of one kind. The cause is not chained: its text could quote a role or a name."""
    schema: object = None
    try:
        document = _from_json(blob.decode("utf-8", "surrogatepass"))
        schema = document["schema"]
        if type(schema) is int and schema in _DECODERS:
            value: T = _DECODERS[schema](document[name], kind)
            return value
        fault = "of a schema this release does not know"
    except _DAMAGE as error:
        fault = f"damaged: {type(error).__name__}"
    if type(schema) is int and schema > SCHEMA:
        fault = f"of a newer schema than {SCHEMA}, the latest this release knows"
    raise Unreadable(f"stored {name} {fault}")


def _schema_1(document: Any, kind: type[T]) -> T:
    return _converter.structure(document, kind)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _exactly(kind: type[T]) -> Callable[[Any, Any], T]:
    """A hook that takes a value of this very type and converts nothing, so that a damaged blob is noticed."""

    def hook(value: Any, _: Any) -> T:
        if type(value) is kind:
            return value
        raise TypeError(kind.__name__)

    return hook


def _text(value: Any, wanted: Any) -> Any:
    """A string, or the member of an enum of strings: cattrs gives those to the hook for strings too."""
    if wanted is not str:
        return _members(wanted)[value]
    if type(value) is str:
        return value
    raise TypeError("str")


@cache
def _members(kind: type[StrEnum]) -> Mapping[str, StrEnum]:
    return {member.value: member for member in kind}


def _number(value: Any, _: Any) -> float:
    if type(value) in (int, float):
        return float(value)
    raise TypeError("float")


def _numbers(value: Any, _: Any) -> tuple[int, ...]:
    if type(value) is list and set(map(type, value)) <= {int}:
        return tuple(value)
    raise TypeError("integers")


def _letters(
    alphabet: Mapping[Any, str],
) -> tuple[Callable[[tuple[Any, ...]], str], Callable[[Any, Any], tuple[Any, ...]]]:
    """Both ways between a tuple of few values and a string of one letter each, as compact as it is readable."""
    letter = dict(alphabet).__getitem__
    value = {sign: value for value, sign in alphabet.items()}.__getitem__

    def read(text: Any, _: Any) -> tuple[Any, ...]:
        if type(text) is not str:
            raise TypeError("letters")
        return tuple(map(value, text))

    return lambda values: "".join(map(letter, values)), read


def _left_out(cls: Any) -> dict[str, Any]:
    """Only nothing is left out: None, False, 0 and what is empty. Any other default could change its meaning later."""
    return {
        field.name: override(omit_if_default=field.default is not MISSING and not field.default)
        for field in fields(cls)
    }


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=False, forbid_extra_keys=True)
    converter.register_structure_hook(int, _exactly(int))
    converter.register_structure_hook(bool, _exactly(bool))
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(str, _text)
    converter.register_unstructure_hook_func(_is_enum, lambda member: member)
    converter.register_structure_hook_factory(
        is_dataclass,
        lambda cls: make_dict_structure_fn(
            cls, converter, _cattrs_detailed_validation=False, _cattrs_forbid_extra_keys=True
        ),
    )
    converter.register_unstructure_hook_factory(
        is_dataclass, lambda cls: make_dict_unstructure_fn(cls, converter, **_left_out(cls))
    )
    _configure_collections(converter)
    configure_tagged_union(Phase, converter, tag_name="phase", tag_generator=_PHASES.__getitem__)
    return converter


def _configure_collections(converter: Converter) -> None:
    for alphabet, kinds in (
        (_BALLOTS, (tuple[bool, ...], tuple[bool | None, ...])),
        (_CARDS, (tuple[Card, ...], tuple[Card | None, ...])),
    ):
        write, read = _letters(alphabet)
        for kind in kinds:
            converter.register_unstructure_hook_func(_same(kind), write)
            converter.register_structure_hook_func(_same(kind), read)
    converter.register_unstructure_hook_func(_same(tuple[int, ...]), list)
    converter.register_structure_hook_func(_same(tuple[int, ...]), _numbers)
    converter.register_unstructure_hook_factory(_is_set, lambda _: sorted)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _is_set(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is frozenset


def _same(kind: Any) -> Callable[[Any], bool]:
    return lambda other: bool(other == kind)


_converter: Final = _make_converter()
_to_json: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":")
).encode
_from_json: Final = json.JSONDecoder(parse_constant=_refuse).decode
_DECODERS: Final[dict[int, Callable[[Any, Any], Any]]] = {1: _schema_1}
