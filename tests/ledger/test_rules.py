"""The ledger's rules: entries balance, follow every move of a commission, and cannot be changed unnoticed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.ledger import ChainCheck, Entry, Head, Movement, Owner, chain, deltas, moves, paying, standing

OWNER = Owner("EUR", "aff_1", "com_1", "O-1")
STATES = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "REJECTED")
standings = st.builds(standing, st.sampled_from(STATES), st.integers(0, 10**12))


def entries_of(movements: list[Movement]) -> list[Entry]:
    return chain(Head("acc_1", 0, ""), movements, 1_000)[0]


def balances(entries: list[Entry]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for entry in entries:
        for place, minor in deltas(entry):
            found[place] += minor
    return {place: minor for place, minor in found.items() if minor}


@given(st.lists(standings, max_size=12))
def test_entries_end_where_the_commission_is_whatever_way_it_took(way: list[tuple[str | None, int]]) -> None:
    """Debits equal credits, and what is left is the commission's amount in its place, owed by the merchant."""
    movements: list[Movement] = []
    before = standing("REJECTED", 0)
    for after in way:
        movements += moves(OWNER, before, after, "evt_1")  # type: ignore[arg-type]  # a place is a text here
        before = after  # type: ignore[assignment]  # as above
    entries = entries_of(movements)
    place, amount = before
    assert all(entry.amount_minor > 0 and entry.debit != entry.credit for entry in entries)
    assert balances(entries) == ({place: amount, "merchant": -amount} if place else {})


@pytest.mark.parametrize("state", ["HOLD", "APPROVED", "PAYABLE"])
def test_a_payment_takes_all_of_a_commission(state: str) -> None:
    """One whose hold has just ended becomes payable on the way."""
    before = standing(state, 500)
    entries = entries_of([*moves(OWNER, (None, 0), before, "evt_1"), *paying(OWNER, before, "bank", "payment 1")])
    assert balances(entries) == {"merchant": -500, "bank": 500}
    assert entries[-1].debit == "payable"


def test_nothing_moves_for_nothing() -> None:
    assert moves(OWNER, (None, 0), standing("HOLD", 0), "evt_1") == []
    assert moves(OWNER, standing("HOLD", 7), standing("APPROVED", 7), "evt_1") == []
    assert paying(OWNER, standing("PAYABLE", 0), "bank", "payment 1") == []


@pytest.mark.parametrize("column", range(1, 14))
def test_a_chain_that_was_changed_in_any_column_does_not_hold(column: int) -> None:
    """The hash covers every column; the account, by which the chain is read, is not given here."""
    made = [each for _ in range(3) for each in moves(OWNER, (None, 0), ("held", 500), "evt_1")]
    entries = entries_of(made)
    check = ChainCheck("acc_1")
    assert check.fault(entries[0]) is None
    name, was = Entry._fields[column], entries[1][column]
    changed = entries[1]._replace(**{name: was + 1 if isinstance(was, int) else f"{was}x"})  # type: ignore[arg-type]  # any column
    assert check.fault(changed) is not None
    assert check.fault(entries[1]) is None
    assert check.fault(entries[2]) is None


def test_control_a_chain_that_was_not_changed_holds() -> None:
    check = ChainCheck("acc_1")
    assert [check.fault(entry) for entry in entries_of(moves(OWNER, ("held", 5), ("payable", 9), "evt_2"))] == [
        None, None
    ]  # fmt: skip
