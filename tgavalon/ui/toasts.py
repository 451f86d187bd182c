"""The short answer to a tap that was accepted, in the language of the one who tapped."""

from __future__ import annotations

from tgavalon.ui.catalogue import Translator, mark, plain
from tgavalon.ui.taps import Tap, Verb

_WORDS: dict[Verb, str] = {
    Verb.LEAVE: mark("You have left the table."),
    Verb.START: mark("The roles are dealt."),
    Verb.PROPOSE: mark("Your team is proposed."),
    Verb.APPROVE: mark("Your vote: Approve. You can change it until the last one is in."),
    Verb.REJECT: mark("Your vote: Reject. You can change it until the last one is in."),
    Verb.SUCCESS: mark("Your card is in."),
    Verb.FAIL_SURELY: mark("Your card is in."),
    Verb.SHOOT: mark("It is done."),
    Verb.BET: mark("Your bet is placed. You can change it until the dagger strikes."),
    Verb.AGAIN: mark("The table is open again."),
    Verb.PASS: mark("You keep the Lady of the Lake."),
    Verb.RECORD: mark("Here is the record."),
}


def accepted(t: Translator, tap: Tap) -> str | None:
    """The toast for an accepted tap; None where the screen itself says enough."""
    message = _WORDS.get(tap.verb)
    return None if message is None else plain(t(message))


def seated(t: Translator, seat: int) -> str:
    """The toast for somebody who has just sat down on `seat`."""
    return plain(t("You are at the table, on seat {seat}.", seat=seat + 1))


def sure_fail(t: Translator) -> str:
    """The alert that asks for a second tap on Fail in the group."""
    return plain(t("Play Fail? Tap it again to play it. It cannot be taken back."))


def sure_shot(t: Translator) -> str:
    """The alert that asks for a second tap on a name in the group, to name Merlin."""
    return plain(t("Name this player as Merlin? Tap the name again. It cannot be taken back."))


def sure_hurry(t: Translator) -> str:
    """The alert that asks the host for a second tap on "Don't wait"."""
    return plain(
        t(
            "Go on without those who are missing? Tap again. Missing votes: approve if on the team, else reject."
            " Missing cards: Success."
        )
    )
