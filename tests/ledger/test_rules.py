"""The ledger's rules: entries balance, follow every move of a commission, and cannot be changed unnoticed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.books.ledger import (
    KINDS,
    PLACES,
    ChainCheck,
    Entry,
    Head,
    Movement,
    Owner,
    adopting,
    chain,
    deltas,
    digest_of,
    moves,
    paying,
    standing,
)

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


def test_a_payment_takes_all_of_a_commission() -> None:
    entries = entries_of(
        [*moves(OWNER, (None, 0), ("payable", 500), "evt_1"), *paying(OWNER, 500, "bank", "payment 1")]
    )
    assert balances(entries) == {"merchant": -500, "bank": 500}
    assert entries[-1].debit == "payable"


def test_nothing_moves_for_nothing() -> None:
    assert moves(OWNER, (None, 0), standing("HOLD", 0), "evt_1") == []
    assert moves(OWNER, standing("HOLD", 7), standing("APPROVED", 7), "evt_1") == []
    assert paying(OWNER, 0, "bank", "payment 1") == []


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


def steps(movements: list[Movement]) -> list[tuple[str, str, str, int]]:
    """What moves where: (kind, debit, credit, minor units); the owner and the cause are every one's."""
    assert {each[4:] for each in movements} <= {("EUR", "aff_1", "com_1", None, "O-1", "evt_1")}
    return [each[:4] for each in movements]


@pytest.mark.parametrize(
    ("before", "after", "entries"),
    [
        ((None, 0), (None, 0), []),
        ((None, 0), ("pending", 5), [("earned", "merchant", "pending", 5)]),
        (("pending", 5), (None, 0), [("clawed_back", "pending", "merchant", 5)]),
        (("pending", 5), ("held", 5), [("held", "pending", "held", 5)]),
        (("held", 5), ("held", 5), []),
        (("held", 5), ("payable", 5), [("released", "held", "payable", 5)]),
        (("held", 5), ("held", 8), [("earned", "merchant", "held", 3)]),
        (("held", 5), ("held", 2), [("clawed_back", "held", "merchant", 3)]),
        (("held", 5), ("payable", 2), [("clawed_back", "held", "merchant", 3), ("released", "held", "payable", 2)]),
        (("payable", 5), ("held", 9), [("earned", "merchant", "payable", 4), ("held", "payable", "held", 9)]),
        (("held", 5), ("pending", 5), [("held", "held", "pending", 5)]),
    ],
)  # fmt: skip
def test_a_move_is_these_entries(
    before: tuple[str | None, int], after: tuple[str | None, int], entries: list[tuple[str, str, str, int]]
) -> None:
    assert steps(moves(OWNER, before, after, "evt_1")) == entries  # type: ignore[arg-type]  # a place is a text here


def test_a_payment_is_these_entries() -> None:
    assert steps(paying(OWNER, 5, "payout", "evt_1")) == [("paid", "payable", "payout", 5)]


@pytest.mark.parametrize(
    ("state", "amount", "found"),
    [("PENDING", 5, ("pending", 5)), ("HOLD", 5, ("held", 5)), ("APPROVED", 5, ("held", 5)),
     ("PAYABLE", 5, ("payable", 5)), ("REJECTED", 5, (None, 0)), ("HOLD", 0, (None, 0))],
)  # fmt: skip
def test_a_state_stands_in_its_place(state: str, amount: int, found: tuple[str | None, int]) -> None:
    assert standing(state, amount) == found


def test_a_paid_one_stands_nowhere_here() -> None:
    with pytest.raises(KeyError):
        standing("PAID", 5)


@pytest.mark.parametrize(
    ("balance", "wanted", "entries"),
    [
        ({}, (None, 0), []),
        ({}, ("held", 5), [("adopted", "merchant", "held", 5)]),
        ({"held": 5}, ("held", 5), []),
        ({"held": 4}, ("held", 5), [("adopted", "merchant", "held", 1)]),
        ({"held": 6}, ("held", 5), [("adopted", "held", "merchant", 1)]),
        ({"held": 3, "payable": 9}, ("held", 5), [
            ("adopted", "merchant", "held", 2), ("adopted", "payable", "merchant", 9)]),
        ({"pending": -4, "held": 7}, (None, 0), [
            ("adopted", "held", "merchant", 7), ("adopted", "merchant", "pending", 4)]),
    ],
)  # fmt: skip
def test_what_the_ledger_lacks_is_adopted(
    balance: dict[str, int], wanted: tuple[str | None, int], entries: list[tuple[str, str, str, int]]
) -> None:
    assert steps(adopting(OWNER, balance, wanted, "evt_1")) == entries  # type: ignore[arg-type]  # as above


def test_what_is_adopted_comes_in_the_order_of_the_places() -> None:
    """A set's own order is another one in each process, and the chain would be, too."""
    places = sorted(PLACES - {"merchant"})
    found = adopting(OWNER, dict.fromkeys(places, 1), (None, 0), "evt_1")  # type: ignore[arg-type]  # as above
    assert [each.debit for each in found] == places
    assert len(places) > 3


def test_a_hash_is_what_another_tool_makes() -> None:
    """By sha256sum over the hash before (none) and the columns, with a NUL between each two."""
    entries, head = chain(Head("acc_1", 0, ""), moves(OWNER, (None, 0), ("held", 500), "evt_1"), 1_000)
    (entry,) = entries
    assert entry.hash == "6d7c8fd49c0cfe671a08bf741f28176e569b0fbda06d6c10fe1aa8d8cb894ab3"
    assert entry == Entry("acc_1", 1, 1_000, "earned", "merchant", "held", 500, "EUR", "aff_1", "com_1", None, "O-1",
                          "evt_1", entry.hash)  # fmt: skip
    assert head == Head("acc_1", 1, entry.hash)


def test_a_chain_goes_on_from_its_head() -> None:
    first, head = chain(Head("acc_1", 0, ""), moves(OWNER, (None, 0), ("held", 5), "evt_1"), 1_000)
    second, end = chain(head, moves(OWNER, ("held", 5), ("payable", 9), "evt_2"), 2_000)
    assert [(each.entry_no, each.posted_at) for each in [*first, *second]] == [(1, 1_000), (2, 2_000), (3, 2_000)]
    assert chain(end, [], 3_000) == ([], end)
    check = ChainCheck("acc_1")
    assert [check.fault(each) for each in [*first, *second]] == [None] * 3
    assert check.head == end


@pytest.mark.parametrize(
    ("changed", "fault"),
    [({"entry_no": 2}, "is missing; the next one is entry 2"), ({"entry_no": 0}, "is missing; the next one is entry 0"),
     ({"credit": "merchant"}, "which no entry does"), ({"credit": "till"}, "which no entry does"),
     ({"debit": "till"}, "which no entry does"), ({"kind": "lent"}, "which no entry does"),
     ({"amount_minor": 0}, "moves 0, which is not a positive amount"),
     ({"amount_minor": -1}, "moves -1, which is not a positive amount"), ({"amount_minor": 1}, "is not what its hash")],
)  # fmt: skip
def test_a_fault_is_named_and_the_head_stays(changed: dict[str, object], fault: str) -> None:
    (entry,) = entries_of(moves(OWNER, (None, 0), ("held", 500), "evt_1"))
    check = ChainCheck("acc_1")
    assert fault in (check.fault(entry._replace(**changed)) or "")  # type: ignore[arg-type]  # any column
    assert check.head == Head("acc_1", 0, "")


def test_a_fault_of_the_hash_is_a_sentence_behind_the_entrys_number() -> None:
    (entry,) = entries_of(moves(OWNER, (None, 0), ("held", 500), "evt_1"))
    said = "is not what its hash says: it or the hash was changed after it was written"
    assert ChainCheck("acc_1").fault(entry._replace(hash="")) == said


def test_each_column_without_a_value_is_empty_in_the_hash() -> None:
    """A column that is empty and one that is not there are the same; one that has something is not."""

    def one_hash(**columns: str | None) -> str:
        movement = Movement("adjusted", "merchant", "adjustments", 5, "EUR", "aff_1", None, None, None, "adj")
        (entry,), _ = chain(Head("acc_1", 0, ""), [movement._replace(**columns)], 1)  # type: ignore[arg-type]  # as above
        return entry.hash

    columns = ("commission_id", "adjustment_id", "external_order_id")
    assert {one_hash(**{each: ""}) for each in columns} == {one_hash()}
    assert len({one_hash(), *(one_hash(**{each: "x"}) for each in columns)}) == 4


def test_the_whole_ledger_has_one_digest_whatever_the_order_of_its_accounts() -> None:
    heads = [Head("acc_2", 1, "b"), Head("acc_1", 2, "a")]
    assert digest_of(heads) == digest_of(reversed(heads))
    assert digest_of(heads) == "3309a8f380bca12e6268b92f609b27c64cdc8d39db5f7022fb2c42b9a9edd97d"
    assert digest_of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_an_entry_takes_from_its_debit_and_gives_to_its_credit() -> None:
    (entry,) = entries_of(moves(OWNER, (None, 0), ("held", 500), "evt_1"))
    assert list(deltas(entry)) == [("merchant", -500), ("held", 500)]


def test_the_words_of_the_ledger_are_these() -> None:
    """They are in databases and in books outside."""
    assert " ".join(sorted(PLACES)) == (
        "adjustments bank deposit exchange fees held losses merchant payable payout pending received tax"
    )
    assert " ".join(sorted(KINDS)) == (
        "adjusted adopted clawed_back covered deposited earned exchanged fee held invoice_paid invoice_reopened opened "
        "paid released returned settled taxed uncovered withdrawn withheld written_off"
    )
