"""A commission's life: every transition, the hold to the millisecond, partial refunds, and facts after the payout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hub.domain.orders.commission import OrderLine, Refund, Rule, resolve, settle
from hub.domain.orders.facts import ORDER_STATUSES
from hub.domain.orders.lifecycle import MOVES, SKIP_REASONS, FactResult, Life, StatusFact, fold
from hub.domain.orders.undone import LastWord, RefundSet

HOLD_MS = 100
ORDER = (OrderLine("p1", 1, 1_000),)
TERMS = resolve(1_000, "USD", "USD", ORDER, {}, {}, None, None, Rule("PERCENTAGE", "10"))


def fact(status: str, at: int, **changes: Any) -> StatusFact:
    """State a status that happened at `at` and was received at once."""
    values: dict[str, Any] = {"key": f"{status}:{at}", "received_at": at, "refund": None, "late": False, "sequence": ""}
    return StatusFact(status=status, happened_at=at, **{**values, **changes})


def refund(name: str, minor: int, at: int) -> StatusFact:
    """State a refund of a part of the order's 10.00."""
    return fact("refunded", at, key=f"refund:{name}", refund=Refund(minor, ()))


def is_full(refunds: Sequence[Refund]) -> bool:
    """Tell whether refunds take back the order of 10.00."""
    return settle(TERMS, 1_000, ORDER, refunds).fully_refunded


def live(*facts: StatusFact, now: int = 60, paid_at: int | None = None, hold_ms: int = HOLD_MS) -> Life:
    """Fold the facts of that order."""
    return fold(facts, hold_ms=hold_ms, paid_at=paid_at, now=now, fully_refunded=is_full)


# Each row: how a commission comes into the state by 0 ms, when the news come, and what each status makes of it then:
# the state and the end of the hold, or "no" where the status is refused. The hold takes 100 ms.
BEFORE = {
    "PENDING": ((), 50),
    "HOLD": ((fact("confirmed", 0),), 50),
    "APPROVED": ((fact("commission_approved", 0),), 50),
    "PAYABLE": ((fact("confirmed", 0),), 150),
    "REJECTED": ((fact("commission_rejected", 0),), 50),
}
TABLE = """
                     PENDING       HOLD          APPROVED      PAYABLE       REJECTED
pending              PENDING       HOLD:100      APPROVED:100  PAYABLE:100   REJECTED
confirmed            HOLD:150      HOLD:100      APPROVED:100  PAYABLE:100   no
paid                 HOLD:150      HOLD:100      APPROVED:100  PAYABLE:100   no
delivered            HOLD:150      HOLD:150      HOLD:150      HOLD:250      no
commission_approved  APPROVED:150  APPROVED:100  APPROVED:100  PAYABLE:100   APPROVED:150
commission_rejected  REJECTED      REJECTED      REJECTED      REJECTED      REJECTED
cancelled            REJECTED      REJECTED      REJECTED      REJECTED      REJECTED
returned             REJECTED      REJECTED      REJECTED      REJECTED      REJECTED
refunded             REJECTED      REJECTED      REJECTED      REJECTED      REJECTED
"""


def transitions() -> list[tuple[str, str, str]]:
    """Read the table into (state, status, outcome)."""
    states, *rows = [line.split() for line in TABLE.strip().splitlines()]
    return [(state, row[0], outcome) for row in rows for state, outcome in zip(states, row[1:], strict=True)]


@pytest.mark.parametrize(("state", "status", "outcome"), transitions())
def test_every_status_moves_every_state_as_the_table_says(state: str, status: str, outcome: str) -> None:
    before, at = BEFORE[state]
    assert live(*before, now=at).state == state
    life = live(*before, fact(status, at), now=at + 1)
    if outcome == "no":
        assert (life.state, life.results[-1]) == (
            state,
            FactResult(f"{status}:{at}", False, "not_allowed_from_rejected"),
        )
        return
    state_after, _, hold = outcome.partition(":")
    assert (life.state, life.hold_until) == (state_after, int(hold) if hold else None)
    assert life.results[-1] == FactResult(f"{status}:{at}", True, None)


def test_the_tables_here_and_there_are_complete() -> None:
    assert {status for _, status, _ in transitions()} == set(MOVES) == set(ORDER_STATUSES)
    refused = {(state, status) for state, status, outcome in transitions() if outcome == "no"}
    assert refused == {(state, status) for status in MOVES for state in BEFORE if state not in MOVES[status]}


@pytest.mark.parametrize("status", ORDER_STATUSES)
def test_paid_is_final_for_every_status(status: str) -> None:
    life = live(fact("delivered", 0), fact(status, 200, late=True), now=300, paid_at=150)
    assert (life.state, life.hold_until) == ("PAID", 100)
    assert life.results[-1] == FactResult(f"{status}:200", False, "commission_paid")


def test_a_late_fact_counts_for_nothing_however_long_ago_it_happened() -> None:
    early = fact("refunded", 10, key="refund:r1", refund=Refund(1_000, ()), received_at=200, late=True)
    life = live(fact("confirmed", 20), early, now=300, paid_at=150)
    assert (life.state, life.hold_until, life.refunds) == ("PAID", 120, ())
    assert life.results == (
        FactResult("refund:r1", False, "commission_paid"),
        FactResult("confirmed:20", True, None),
    )


def test_without_facts_a_commission_is_pending() -> None:
    assert live() == Life("PENDING", None, (), ())


@pytest.mark.parametrize("status", ["confirmed", "commission_approved"])
def test_the_hold_ends_at_its_millisecond(status: str) -> None:
    assert live(fact(status, 0), now=99).state != "PAYABLE"
    assert live(fact(status, 0), now=100).state == "PAYABLE"


def test_a_hold_of_nothing_is_over_at_once() -> None:
    assert live(fact("confirmed", 50), now=50, hold_ms=0).state == "PAYABLE"


def test_delivery_starts_the_hold_again_even_when_it_was_over() -> None:
    assert live(fact("confirmed", 0), fact("delivered", 100), now=199).state == "HOLD"
    assert live(fact("confirmed", 0), fact("delivered", 100), now=200).state == "PAYABLE"


def test_approval_waits_for_the_running_hold() -> None:
    facts = (fact("delivered", 0), fact("commission_approved", 30))
    assert (live(*facts, now=99).state, live(*facts, now=100).state) == ("APPROVED", "PAYABLE")


def test_a_hold_that_ran_before_a_rejection_goes_on_after_it() -> None:
    facts = (fact("confirmed", 0), fact("cancelled", 10), fact("commission_approved", 20))
    assert (live(*facts).state, live(*facts).hold_until) == ("APPROVED", 100)


UNKNOWN = fact("pending", 50, key="unknown_state:50")


@pytest.mark.parametrize(
    ("facts", "ends"),
    [
        ((fact("confirmed", 0), UNKNOWN), ("HOLD", None)),
        ((fact("confirmed", 0), UNKNOWN, fact("delivered", 60)), ("HOLD", None)),
        ((fact("commission_approved", 0), UNKNOWN), ("APPROVED", None)),
        ((fact("confirmed", 0), UNKNOWN, fact("commission_approved", 60)), ("PAYABLE", 100)),
        ((fact("confirmed", 0), UNKNOWN, fact("pending", 60)), ("HOLD", None)),
        ((fact("confirmed", 0), UNKNOWN, fact("paid", 150)), ("HOLD", None)),  # after the hold would have ended
        ((fact("confirmed", 0), UNKNOWN, fact("cancelled", 60)), ("REJECTED", None)),
        ((UNKNOWN,), ("PENDING", None)),
        ((UNKNOWN, fact("confirmed", 60)), ("HOLD", None)),
        ((fact("confirmed", -60), UNKNOWN), ("PAYABLE", 40)),  # its hold was over before
        ((fact("confirmed", 0), fact("pending", 50)), ("PAYABLE", 100)),  # the control: a shop's own "pending"
    ],
)
def test_no_hold_ends_in_a_state_that_nobody_knows(facts: tuple[StatusFact, ...], ends: tuple[str, int | None]) -> None:
    life = live(*facts, now=1_000)
    assert (life.state, life.hold_until) == ends


def test_a_hold_goes_on_once_the_state_is_known_again() -> None:
    known = fold([fact("confirmed", 0), UNKNOWN], hold_ms=100, paid_at=None, now=99, fully_refunded=is_full,
                 last=LastWord(51))  # fmt: skip
    assert (known.state, known.hold_until) == ("HOLD", 100)


def test_rejected_is_left_by_approval_only() -> None:
    facts = (fact("refunded", 0), fact("delivered", 10))
    assert [result.applied for result in live(*facts).results] == [True, False]
    assert live(*facts, fact("commission_approved", 20), fact("delivered", 30)).state == "HOLD"


def test_a_fact_cannot_have_happened_after_its_receipt() -> None:
    life = live(fact("confirmed", 1_000, received_at=10), fact("cancelled", 20))
    assert [result.key for result in life.results] == ["confirmed:1000", "cancelled:20"]
    assert live(fact("confirmed", 1_000, received_at=10)).hold_until == 110


def test_facts_count_by_when_they_happened_not_by_their_arrival() -> None:
    delivered = fact("delivered", 5, received_at=40)
    assert live(fact("cancelled", 10), delivered) == live(delivered, fact("cancelled", 10))
    assert live(fact("cancelled", 10), delivered).state == "REJECTED"
    assert live(fact("cancelled", 10), delivered).results[0] == FactResult("delivered:5", True, None)


def test_ties_are_broken_by_status_then_receipt_then_event() -> None:
    together = [fact(status, 7) for status in reversed(ORDER_STATUSES)]
    assert [result.key for result in live(*together).results] == [f"{status}:7" for status in ORDER_STATUSES]
    twins = [
        fact("paid", 7, key="c", received_at=9),
        fact("paid", 7, key="b", received_at=8, sequence="evt_2"),
        fact("paid", 7, key="a", received_at=8, sequence="evt_1"),
    ]
    assert [result.key for result in live(*twins).results] == ["a", "b", "c"]


def test_a_key_that_comes_twice_counts_once_as_first_received() -> None:
    first = fact("delivered", 10, key="delivered", received_at=10)
    again = fact("delivered", 40, key="delivered", received_at=40)
    assert live(first, again) == live(again, first) == live(first)
    assert live(first).hold_until == 110


def test_a_partial_refund_takes_money_and_leaves_the_state() -> None:
    life = live(fact("delivered", 0), refund("r1", 300, 20))
    assert (life.state, life.hold_until, life.refunds) == ("HOLD", 100, (Refund(300, ()),))
    assert life.results[-1] == FactResult("refund:r1", True, None)


def test_the_refund_that_completes_the_sum_rejects() -> None:
    facts = (fact("delivered", 0), refund("r1", 300, 20), refund("r2", 700, 30))
    assert live(*facts[:2]).state == "HOLD"
    assert live(*facts).state == "REJECTED"
    assert live(*facts, fact("commission_approved", 25)).state == "REJECTED"
    assert live(*facts, fact("commission_approved", 35)).state == "APPROVED"


def test_a_refund_after_the_full_one_rejects_again() -> None:
    facts = (refund("r1", 1_000, 10), fact("commission_approved", 20))
    assert live(*facts).state == "APPROVED"
    assert live(*facts, refund("r2", 1, 30)).state == "REJECTED"


def test_a_refund_without_an_amount_is_full() -> None:
    assert live(fact("delivered", 0), fact("refunded", 10)).state == "REJECTED"


@pytest.mark.parametrize("count", [1, 2, 3, 10, 17])
def test_the_turning_point_among_many_refunds_is_found(count: int) -> None:
    share = -(-1_000 // count)
    facts = [refund(f"r{n:02}", share, 10 + n) for n in range(20)]
    # A delivery of the same moment ranks before the refund, so refund n rejects from delivery n + 1 on.
    deliveries = [fact("delivered", 10 + n) for n in range(20)]
    results = {result.key: result.applied for result in live(*facts, *deliveries).results}
    assert [results[delivery.key] for delivery in deliveries] == [True] * count + [False] * (20 - count)


def test_refunds_of_one_moment_are_told_apart_by_their_keys() -> None:
    pair = (refund("a", 400, 10), refund("b", 600, 10))
    assert live(*pair) == live(*reversed(pair))
    assert live(*pair).refunds == (Refund(400, ()), Refund(600, ()))


class TestTakenBack:
    """What a platform says of an order later takes back what was said before."""

    def folded(self, *facts: StatusFact, last: LastWord) -> Life:
        confirmed = fact("confirmed", 0)
        return fold([confirmed, *facts], hold_ms=HOLD_MS, paid_at=None, now=60, fully_refunded=is_full, last=last)

    def test_a_cancelled_order_that_stands_again(self) -> None:
        life = self.folded(fact("cancelled", 10), last=LastWord(20))
        assert (life.state, life.skip_reason("cancelled:10")) == ("HOLD", "taken_back")
        assert life.was_refunded
        assert self.folded(fact("cancelled", 30), last=LastWord(20)).state == "REJECTED"

    def test_a_status_that_said_all_went_back(self) -> None:
        life = self.folded(fact("refunded", 10), last=LastWord(20, RefundSet(20, frozenset())))
        assert (life.state, life.skip_reason("refunded:10")) == ("HOLD", "taken_back")

    def test_a_refund_that_is_not_in_the_set(self) -> None:
        life = self.folded(refund("r1", 1_000, 10), last=LastWord(None, RefundSet(20, frozenset())))
        assert (life.state, life.refunds, life.skip_reason("refund:r1")) == ("HOLD", (), "taken_back")

    def test_an_older_sum_of_refunds(self) -> None:
        sums = [
            fact("refunded", at, key=f"sofar:{at}", refund=Refund(minor, (), 0, at))
            for at, minor in ((10, 900), (20, 100))
        ]
        life = self.folded(*sums, last=LastWord())
        assert (life.state, life.refunds) == ("HOLD", (Refund(100, (), 0, 20),))
        assert [life.skip_reason(each.key) for each in sums] == ["superseded", None]

    def test_what_came_after_the_payout_is_skipped_for_that(self) -> None:
        life = self.folded(fact("cancelled", 10, late=True), last=LastWord(20))
        assert (life.state, life.skip_reason("cancelled:10"), life.was_refunded) == ("HOLD", "commission_paid", False)


def test_a_fact_is_asked_by_its_key() -> None:
    life = live(fact("confirmed", 0), fact("cancelled", 10), fact("paid", 20))
    assert [life.skip_reason(key) for key in ("confirmed:0", "cancelled:10", "paid:20")] == [
        None, None, "not_allowed_from_rejected"
    ]  # fmt: skip
    with pytest.raises(KeyError):
        life.skip_reason("delivered:30")


def test_the_reasons_to_skip_are_these() -> None:
    """They are words of the API."""
    assert " ".join(sorted(SKIP_REASONS)) == (
        "already_known commission_paid not_allowed_from_approved not_allowed_from_hold not_allowed_from_payable "
        "not_allowed_from_pending not_allowed_from_rejected stale superseded taken_back test_delivery unknown_order "
        "unknown_product"
    )
