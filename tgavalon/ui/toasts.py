"""The short answer to a tap that was accepted, in the language of the one who tapped."""

from __future__ import annotations

from tgavalon.core.views import LadyNow, Now, QuestNow, TeamNow, VoteNow
from tgavalon.ui.catalogue import Translator, mark, plain
from tgavalon.ui.taps import Tap, Verb

VOTED: dict[bool, str] = {
    True: mark("Your vote: Approve. You can change it until the last one is in."),
    False: mark("Your vote: Reject. You can change it until the last one is in."),
}
VOTED_LAST: dict[bool, str] = {
    True: mark("Your vote: Approve. Everybody has voted."),
    False: mark("Your vote: Reject. Everybody has voted."),
}

_WORDS: dict[Verb, str] = {
    Verb.LEAVE: mark("You have left the table."),
    Verb.START: mark("The roles are dealt."),
    Verb.PROPOSE: mark("Your team is proposed."),
    Verb.APPROVE: VOTED[True],
    Verb.REJECT: VOTED[False],
    Verb.SUCCESS: mark("Your card is in."),
    Verb.FAIL_SURELY: mark("Your card is in."),
    Verb.SHOOT: mark("The dagger has struck. The group sees whom."),
    Verb.BET: mark("Your bet is placed. You can change it until the dagger strikes."),
    Verb.AGAIN: mark("The table is open again."),
    Verb.PASS: mark("You keep the Lady of the Lake."),
    Verb.RECORD: mark("Here is the record."),
}


def accepted(t: Translator, tap: Tap) -> str | None:
    """The toast for an accepted tap; None where the screen itself says enough."""
    message = _WORDS.get(tap.verb)
    return None if message is None else plain(t(message))


def voted_last(t: Translator, approve: bool) -> str:
    """The toast for the vote that was the last one."""
    return plain(t(VOTED_LAST[approve]))


def seated(t: Translator, seat: int | None) -> str:
    """The toast for somebody who has just sat down on `seat`; None in a lobby, where it may still change."""
    if seat is None:
        return plain(t("You are at the table now."))
    return plain(t("You are at the table, on seat {seat}.", seat=seat + 1))


def sure_fail(t: Translator) -> str:
    """The alert that asks for a second tap on Fail in the group."""
    return plain(t("Play Fail? Tap it again to play it. It cannot be taken back."))


def sure_shot(t: Translator) -> str:
    """The alert that asks for a second tap on a name in the group, to name Merlin."""
    return plain(t("Is this player Merlin? Tap the name again. You cannot change it afterwards."))


def sure_hurry(t: Translator, now: Now) -> str:
    """The alert that asks the host for a second tap on "Don't wait": it says what will be done for the absent."""
    match now:
        case TeamNow():
            text = t("Go on without the leader? Tap again, and I put the team together.")
        case VoteNow():
            text = t(
                "Go on without the missing votes? Tap again. Players on the team then count as approving, all others as"
                " rejecting."
            )
        case QuestNow():
            text = t("Go on without the missing cards? Tap again. They then count as Success.")
        case LadyNow():
            text = t("Go on without the Lady of the Lake this time? Tap again.")
        case _:
            text = t("Go on without the dagger? Tap again. Then nobody is hit, and good wins.")
    return plain(text)
