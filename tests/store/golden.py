"""The values behind the golden blobs. Every field is spelt out, so that a changed default cannot hide here.

`python -m tests.store.golden` writes the blobs that are missing. A blob of a released schema is never written again: a
test that fails over one says that old games would be lost.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tgavalon.core.deal import RoleChoice
from tgavalon.core.game import (
    Assassinating,
    Card,
    Check,
    Examining,
    Game,
    Outcome,
    Over,
    Proposal,
    Proposing,
    Quest,
    Questing,
    Voting,
)
from tgavalon.core.presets import PresetName
from tgavalon.core.roles import Role, Side
from tgavalon.core.ruleset import Approval, FifthRejection, LadyImmunity, QuestOrder, Ruleset
from tgavalon.store.codec import SCHEMA, encode_canvas, encode_group, encode_person, encode_table
from tgavalon.table.model import Armed, Bet, Closing, Done, Options, Pace, Place, Sitter, Table
from tgavalon.table.ports import Group, Person, Shown
from tgavalon.ui.taps import Tap, Verb

FOLDER: Final = Path(__file__).with_name("golden")

RULEBOOK = Ruleset(
    approval=Approval.MAJORITY,
    fifth_rejection=FifthRejection.EVIL_WINS_GAME,
    quest_order=QuestOrder.FIXED,
    lady=False,
    lady_optional=False,
    lady_immunity=LadyImmunity.PAST_HOLDERS,
    evil_shown_before_assassination=False,
    dagger=Role.ASSASSIN,
)
OTHER_RULES = Ruleset(
    approval=Approval.HALF,
    fifth_rejection=FifthRejection.NO_VOTE,
    quest_order=QuestOrder.TARGETING,
    lady=True,
    lady_optional=True,
    lady_immunity=LadyImmunity.LAST_HOLDER,
    evil_shown_before_assassination=True,
    dagger=Role.MORGANA,
)
CHOICE = RoleChoice(optional=frozenset({Role.PERCIVAL, Role.MORGANA}), merlin=True)
SITTERS = (
    Sitter(user=5000000001, name="Ana", language="en", ready=True, away=False),
    Sitter(user=5000000002, name="Tom <3", language="pt-br", ready=True, away=False),
    Sitter(user=5000000003, name="Бен", language="ru", ready=True, away=False),
    Sitter(user=5000000004, name="דנה", language="he", ready=True, away=True),
    Sitter(user=5000000005, name="陳大文 🗡", language="zh-hant", ready=False, away=False),
)
LOBBY = Table(
    id="Lobby00001",
    version=1,
    place=Place(chat=-1001234567890, topic=None),
    title="Round table",
    language="en",
    host=5000000001,
    created=1764540000.25,
    touched=1764540001.0,
    sitters=SITTERS[:1],
    options=Options(preset=PresetName.RULEBOOK, ruleset=RULEBOOK, choice=CHOICE, pace=Pace.OFF, show_votes=True),
    settings_open=False,
    game=None,
    salt="",
    closing=None,
    deadline=None,
    reminder=None,
    reminded=False,
    anchor=None,
    reposts=0,
    armed=(),
    bets=(),
    end_votes=frozenset(),
    past_users=frozenset(),
    opened_by=0,
    done=(),
)
BUSY_LOBBY = replace(
    LOBBY,
    place=Place(chat=-1001234567890, topic=77),
    sitters=SITTERS,
    options=Options(
        preset=PresetName.SPANISH,
        ruleset=OTHER_RULES,
        choice=RoleChoice(optional=frozenset(), merlin=False),
        pace=Pace.NORMAL,
        show_votes=False,
    ),
    settings_open=True,
    deadline=1764543600.5,
    reminder=1764541800.125,
    reminded=True,
    anchor=4711,
    reposts=3,
    armed=(Armed(user=5000000001, tap=Tap(verb=Verb.END, number=1, value=2), at=1764540002.5),),
)
PROPOSALS = (
    Proposal(1, 1, 0, (0, 1), (True, False, True, False, False), approved=False),
    Proposal(2, 1, 1, (1, 2), (True, True, True, False, False), approved=True),
    Proposal(3, 2, 2, (0, 1, 2), None, approved=True),
)
QUESTS = (
    Quest(1, (1, 2), success=True, fails=0, cards=(Card.SUCCESS, Card.SUCCESS)),
    Quest(2, (0, 1, 2), success=False, fails=0, cards=None),
)
CHECKS = (Check(2, 4, 1, timed_out=False), Check(3, 1, None, timed_out=True))
GAME = Game(
    ruleset=OTHER_RULES,
    roles=(Role.MERLIN, Role.PERCIVAL, Role.MORGANA, Role.SERVANT, Role.ASSASSIN),
    dagger=2,
    first_leader=0,
    leader=2,
    phase=Proposing(proposal=4, quest=None, draft=frozenset()),
    rejections=1,
    proposals=PROPOSALS,
    quests=QUESTS,
    checks=CHECKS,
    lady=1,
)
PLAYING = replace(
    LOBBY,
    id="Playing001",
    version=31,
    sitters=SITTERS,
    game=GAME,
    salt="00112233445566778899aabbccddeeff",
    bets=(Bet(user=5000000009, name="Zoë", seat=3),),
    end_votes=frozenset({5000000002, 5000000001}),
    past_users=frozenset({5000000008}),
    opened_by=0,
    done=(),
)


def playing(phase: Any) -> Table:
    """The game in this phase."""
    return replace(PLAYING, game=replace(GAME, phase=phase))


TABLES: Final[dict[str, Table]] = {
    "lobby": LOBBY,
    "lobby-busy": BUSY_LOBBY,
    "lobby-after-repeats": replace(LOBBY, opened_by=873000001, done=(Done(user=5000000002, update=873000004),)),
    "team": playing(Proposing(proposal=4, quest=3, draft=frozenset({3, 0}))),
    "vote": playing(Voting(proposal=4, quest=3, team=(0, 3), ballots=(True, None, False, None, None))),
    "quest": playing(Questing(quest=3, team=(0, 4), cards=(Card.SUCCESS, None))),
    "lady": playing(Examining(after=2, holder=1)),
    "shot": playing(Assassinating()),
    "over": playing(Over(winner=Side.EVIL, outcome=Outcome.MERLIN_ASSASSINATED, target=0)),
    "closed": replace(PLAYING, game=replace(GAME, dagger=None, lady=None), closing=Closing.ABANDONED),
}
CANVAS: Final = {
    "group/3": Shown(place=Place(-1001234567890, 77), message=12, digest="0123456789ab", buttons=True, fleeting=False),
    "5000000001/1": Shown(place=Place(5000000001, None), message=1, digest="", buttons=False, fleeting=True),
}
PERSON: Final = Person(user=5000000003, name="Бен", language="ru", hint="uk", ready=True)
GROUP: Final = Group(chat=-123456, language="pt-br", migrated_to=-1001234567890)


def blobs() -> dict[str, bytes]:
    """What this release writes for each value, by file name."""
    tables = {name: encode_table(table) for name, table in TABLES.items()}
    others = {"canvas": encode_canvas(CANVAS), "person": encode_person(PERSON), "group": encode_group(GROUP)}
    return {f"schema-{SCHEMA}-{name}.json": blob for name, blob in (tables | others).items()}


if __name__ == "__main__":
    for name, blob in blobs().items():
        if not (FOLDER / name).exists():
            (FOLDER / name).write_bytes(blob)
