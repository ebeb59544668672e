"""What a platform takes back: cancellations before the order stood again, refunds that are gone, older sums."""

from __future__ import annotations

from typing import Any

import pytest

from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.terms import Refund
from hub.domain.orders.undone import (
    NOTHING_SAID,
    SUPERSEDED,
    TAKEN_BACK,
    LastWord,
    RefundSet,
    newest_set,
    read_refund_set,
    refund_set_text,
    standing_refunds,
    undone,
)

MONEY = Refund(500, ())
ALL_OF_IT = None


def fact(key: str, status: str, at: int, refund: Refund | None = None, **changes: Any) -> StatusFact:
    return StatusFact(**{"key": key, "status": status, "happened_at": at, "received_at": at, "refund": refund,
                         "late": False, "sequence": "", **changes})  # fmt: skip


def so_far(version: int, minor: int | None, key: str = "") -> StatusFact:
    return fact(key or f"sofar:{version}", "refunded", version, Refund(minor, (), 0, version))


@pytest.mark.parametrize(("stands_at", "gone"), [(None, False), (9, False), (10, False), (11, True)])
def test_a_cancellation_is_gone_once_the_order_stands_later(stands_at: int | None, gone: bool) -> None:
    found = undone([fact("cancelled:10", "cancelled", 10)], LastWord(stands_at))
    assert found == ({"cancelled:10": TAKEN_BACK} if gone else {})


@pytest.mark.parametrize(("stands_at", "gone"), [(None, False), (10, False), (11, True)])
def test_an_unknown_state_is_gone_once_the_order_stands_later(stands_at: int | None, gone: bool) -> None:
    facts = [fact("unknown_state:10", "pending", 10), fact("pending:10", "pending", 10)]
    assert undone(facts, LastWord(stands_at)) == ({"unknown_state:10": TAKEN_BACK} if gone else {})


def test_its_receipt_counts_where_it_says_a_later_time() -> None:
    late = fact("cancelled:99", "cancelled", 99, received_at=10)
    assert undone([late], LastWord(11)) == {"cancelled:99": TAKEN_BACK}


@pytest.mark.parametrize(
    ("version", "ids", "gone"), [(11, (), True), (10, (), False), (11, ("r1",), False), (11, ("r2",), True)]
)
def test_a_refund_is_gone_that_a_later_set_does_not_name(version: int, ids: tuple[str, ...], gone: bool) -> None:
    refund = fact("refund:r1", "refunded", 10, MONEY)
    last = LastWord(None, RefundSet(version, frozenset(ids)))
    assert undone([refund], last) == ({"refund:r1": TAKEN_BACK} if gone else {})
    assert standing_refunds([refund], last) == ([] if gone else [MONEY])


def test_without_a_set_every_refund_stays() -> None:
    assert undone([fact("refund:r1", "refunded", 10, MONEY)], LastWord(99)) == {}
    assert standing_refunds([fact("refund:r1", "refunded", 10, MONEY), fact("paid:1", "paid", 1)], NOTHING_SAID) == [
        MONEY
    ]


@pytest.mark.parametrize(
    ("stands_at", "refund", "gone"),
    [(11, ALL_OF_IT, True), (10, ALL_OF_IT, False), (None, ALL_OF_IT, False), (11, MONEY, False)],
)
def test_a_status_that_said_all_went_back_is_gone_once_it_says_else(
    stands_at: int | None, refund: Refund | None, gone: bool
) -> None:
    status = fact("refunded:10", "refunded", 10, refund)
    last = LastWord(stands_at, RefundSet(20, frozenset()))
    assert undone([status], last) == ({"refunded:10": TAKEN_BACK} if gone else {})
    assert undone([status], LastWord(stands_at)) == {}


def test_another_status_is_never_taken_back() -> None:
    last = LastWord(99, RefundSet(99, frozenset()))
    assert undone([fact("refund:paid", "paid", 10), fact("delivered:10", "delivered", 10)], last) == {}


class TestSums:
    def test_the_newest_version_stands(self) -> None:
        facts = [so_far(30, 300), so_far(10, 900), so_far(20, 100)]
        assert undone(facts, NOTHING_SAID) == {"sofar:10": SUPERSEDED, "sofar:20": SUPERSEDED}
        assert standing_refunds(facts, NOTHING_SAID) == [Refund(300, (), 0, 30)]

    def test_of_equal_versions_the_higher_sum_and_then_the_later_key(self) -> None:
        assert undone([so_far(10, 300, "a"), so_far(10, 100, "b")], NOTHING_SAID) == {"b": SUPERSEDED}
        assert undone([so_far(10, 300, "b"), so_far(10, 300, "a")], NOTHING_SAID) == {"a": SUPERSEDED}
        assert undone([so_far(10, None, "b"), so_far(10, 1, "a")], NOTHING_SAID) == {"b": SUPERSEDED}

    def test_version_nought_is_older_than_one(self) -> None:
        assert undone([so_far(0, 900), so_far(1, 100)], NOTHING_SAID) == {"sofar:0": SUPERSEDED}

    def test_one_alone_stands_and_so_does_money_without_a_version(self) -> None:
        assert undone([so_far(10, 300), fact("refund:r1", "refunded", 99, MONEY)], NOTHING_SAID) == {}

    def test_one_that_was_taken_back_supersedes_nothing(self) -> None:
        gone = so_far(30, 300, "refund:r9")
        last = LastWord(None, RefundSet(40, frozenset()))
        assert undone([gone, so_far(10, 100)], last) == {"refund:r9": TAKEN_BACK}


class TestSets:
    def test_a_set_is_stored_sorted_and_read_back(self) -> None:
        stored = refund_set_text(RefundSet(7, frozenset("hgfedcba")))
        assert stored == '[7, ["a", "b", "c", "d", "e", "f", "g", "h"]]'
        assert read_refund_set(stored) == RefundSet(7, frozenset("abcdefgh"))
        assert read_refund_set(None) is None

    def test_the_higher_version_counts_and_of_equal_ones_both(self) -> None:
        old, new, other = (RefundSet(v, frozenset({i})) for v, i in ((1, "a"), (2, "b"), (2, "c")))
        assert newest_set(None, None) is None
        assert newest_set(old, None) == newest_set(None, old) == old
        assert newest_set(old, new) == newest_set(new, old) == new
        assert newest_set(new, other) == RefundSet(2, frozenset({"b", "c"}))


def test_the_words_are_those_of_the_api() -> None:
    assert (TAKEN_BACK, SUPERSEDED) == ("taken_back", "superseded")
