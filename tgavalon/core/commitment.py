"""The fair deal: a promise about a deal that anybody can check once the game is over.

At the deal the table is shown `commit(...)`; at the end the salt is shown, and the same hash comes out of the open
roles. The salt is drawn by the caller; this file only hashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from tgavalon.core.roles import Role


def deal_text(salt: str, roles: Sequence[Role], leader: int, dagger: int | None) -> str:
    """The text that is hashed: one line of ASCII, without a line end, in which no two deals look alike.

    `roles` is by seat, `leader` the first leader's seat, `dagger` the seat that names Merlin (None without Merlin).
    For example `avalon-deal/1 salt=00ff leader=0 dagger=2 roles=merlin,servant,assassin,servant,minion`.
    """
    hand = "none" if dagger is None else str(dagger)
    return f"avalon-deal/1 salt={salt} leader={leader} dagger={hand} roles={','.join(roles)}"


def commit(salt: str, roles: Sequence[Role], leader: int, dagger: int | None) -> str:
    """SHA-256 over `deal_text`, as 64 lower-case hexadecimal digits.

    It hides the deal only if `salt` cannot be guessed: at least 16 random bytes, written as hexadecimal digits.
    """
    return sha256(deal_text(salt, roles, leader, dagger).encode()).hexdigest()


def verify(commitment: str, salt: str, roles: Sequence[Role], leader: int, dagger: int | None) -> bool:
    """Whether `commitment` was made to exactly this deal with this salt; capital hexadecimal digits are as good."""
    return commitment.lower() == commit(salt, roles, leader, dagger)
