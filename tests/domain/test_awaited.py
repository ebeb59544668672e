"""What an order waits for, by its review, its commission and the merchant's deposit."""

from __future__ import annotations

import pytest

from hub.domain.orders.awaited import awaited


@pytest.mark.parametrize(
    ("review", "state", "needs_deposit", "expected"),
    [
        ("OPEN", None, False, "REVIEW"),
        ("OPEN", "PENDING", False, "REVIEW"),
        ("ATTRIBUTED", "PENDING", False, "ORDER_STATUS"),
        (None, "PENDING", False, "ORDER_STATUS"),
        (None, "HOLD", False, "HOLD_END"),
        (None, "APPROVED", False, "HOLD_END"),
        (None, "HOLD", True, "DEPOSIT"),
        (None, "APPROVED", True, "DEPOSIT"),
        (None, "PAYABLE", True, "PAYOUT"),
        (None, "PAYABLE", False, "PAYOUT"),
        (None, "PAID", False, None),
        (None, "REJECTED", True, None),
        ("DISMISSED", None, False, None),
        (None, None, False, None),
    ],
)
def test_an_order_waits_for_one_thing(
    review: str | None, state: str | None, needs_deposit: bool, expected: str | None
) -> None:
    assert awaited(review, state, needs_deposit=needs_deposit) == expected


@pytest.mark.parametrize("state", ["HOLD", "APPROVED"])
def test_a_hold_without_an_end_waits_for_the_shop(state: str) -> None:
    """Its order is in a state that nobody knows."""
    assert awaited(None, state, needs_deposit=False, holds=False) == "ORDER_STATUS"
