"""Records as files for the tests of the commands: games in the game's own words, spoiled or not, as JSON lines."""

from __future__ import annotations

import json
from typing import Any

from tests.core.story import FIVE, Story
from tgavalon.core.commitment import commit
from tgavalon.core.game import Game
from tgavalon.core.record import FairDeal, Record
from tgavalon.core.record_writing import write

Json = dict[str, Any]

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
SALT = "5a" * 16


def written(game: Game, names: tuple[str, ...] = NAMES, deal: FairDeal | None = None) -> Json:
    value: Json = json.loads(json.dumps(write(Record(names[: game.seats], game, deal))))
    return value


def won() -> Json:
    return written(Story(FIVE).three_successes().names("Eli", "Cho").game)


def unfinished() -> Json:
    return written(Story(FIVE).team("Ana", "Ana Ben").game)


def illegal() -> Json:
    value = won()
    value["moves"][3]["propose"]["team"] = [0, 1]
    return value


def promised(salt: str = SALT) -> Json:
    game = Story(FIVE).three_successes().names("Eli", "Cho").game
    return written(game, deal=FairDeal(SALT, commit(salt, game.roles, game.first_leader, game.dagger)))


def lines_of(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def results(output: str) -> list[Json]:
    return [json.loads(line) for line in output.splitlines()]
