"""A deposit covers commissions in their order, as far as it reaches and no further."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hub.domain.books.deposits import Due, cover_in_order, until_covered

due = st.lists(
    st.builds(Due, st.integers(1, 9), st.sampled_from("abcdefgh"), st.integers(0, 50)),
    unique_by=lambda each: each.commission_id,
)


@given(due, st.integers(0, 200), st.one_of(st.none(), st.tuples(st.integers(1, 9), st.sampled_from("abcdefgh"))))
def test_nobody_overtakes_and_nothing_is_covered_twice(
    found: list[Due], balance: int, first: tuple[int, str] | None
) -> None:
    covered, waiting = cover_in_order(found, balance, first)
    assert sorted([*covered, *waiting]) == sorted(found)
    assert sum(each.amount_minor for each in covered) <= balance
    assert all(before < after for before in covered for after in waiting)
    if waiting and (first is None or waiting[0][:2] <= first):
        assert sum(each.amount_minor for each in covered) + waiting[0].amount_minor > balance


def test_only_what_was_payable_stays_it() -> None:
    assert [until_covered(before, "PAYABLE") for before in (None, "PENDING", "HOLD", "APPROVED", "PAYABLE")] == [
        "HOLD", "HOLD", "HOLD", "APPROVED", "PAYABLE",
    ]  # fmt: skip
    assert until_covered("HOLD", "REJECTED") == "REJECTED"


def test_a_balance_covers_what_is_just_as_much() -> None:
    exactly = Due(1, "a", 50)
    assert cover_in_order([exactly], 50, None) == ([exactly], [])
    assert cover_in_order([exactly], 49, None) == ([], [exactly])
