"""The fair deal: a promise that fits one deal only and can be checked with any SHA-256 tool."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations

import pytest

from tgavalon.core.commitment import commit, deal_text, verify
from tgavalon.core.roles import Role

ROLES = (Role.MERLIN, Role.SERVANT, Role.ASSASSIN, Role.SERVANT, Role.MINION)
SALT = "00112233445566778899aabbccddeeff"


def test_the_promise_is_the_plain_hash_of_one_line() -> None:
    line = f"avalon-deal/1 salt={SALT} leader=3 dagger=2 roles=merlin,servant,assassin,servant,minion"
    assert deal_text(SALT, ROLES, 3, 2) == line
    assert commit(SALT, ROLES, 3, 2) == sha256(line.encode()).hexdigest()
    assert commit(SALT, ROLES, 3, 2) == "336c1ed7f9dbc0ce5a47b0938ffd5a8b892b511add2b2477a38f934c50638f83"


def test_a_deal_without_merlin_has_no_dagger() -> None:
    assert "dagger=none " in deal_text(SALT, (Role.SERVANT,) * 3 + (Role.MINION,) * 2, 0, None)


def test_the_promise_is_kept_by_its_own_deal() -> None:
    promise = commit(SALT, ROLES, 3, 2)
    assert verify(promise, SALT, ROLES, 3, 2)
    assert verify(promise.upper(), SALT, ROLES, 3, 2)


@pytest.mark.parametrize(("leader", "dagger"), [(2, 2), (3, 4), (3, None)])
def test_the_promise_is_broken_by_another_leader_or_dagger(leader: int, dagger: int | None) -> None:
    assert not verify(commit(SALT, ROLES, 3, 2), SALT, ROLES, leader, dagger)


def test_the_promise_is_broken_by_another_salt_and_by_nonsense() -> None:
    promise = commit(SALT, ROLES, 3, 2)
    assert not verify(promise, SALT[:-1], ROLES, 3, 2)
    assert not verify(promise[:-1], SALT, ROLES, 3, 2)
    assert not verify("", SALT, ROLES, 3, 2)


def test_no_two_deals_have_one_promise() -> None:
    deals = set(permutations(ROLES))
    promises = {commit(SALT, deal, leader, deal.index(Role.ASSASSIN)) for deal in deals for leader in range(5)}
    assert len(promises) == 5 * len(deals) == 5 * 60
