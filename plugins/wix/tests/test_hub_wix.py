"""What the Wix connector takes orders for: those that are refunded without a refund, and their lines."""

from __future__ import annotations

from typing import Any

import pytest
from hub_wix.options import WixOptions
from hub_wix.scenarios import SCENES
from hub_wix.translate import of_order

from hub.api import Context, OrderPaid, OrderRefunded, OrderSnapshot, OrderStateUnknown, Play, Unmappable, parse_body

PLAY = Play("1042", "clk_1", "USD", 1_772_359_200_000)


def facts(**changes: Any) -> list[Any]:
    """What a paid order states, with changes to it."""
    body = parse_body(SCENES["paid"](PLAY).body) | changes
    return list(of_order(body, Context("d-1", PLAY.placed_at, "USD", WixOptions())))


def back(**changes: Any) -> tuple[list[tuple[str | None, bool]], tuple[str, ...] | None]:
    """The refunds that it states, whether of everything, and those that its snapshot lists."""
    found = facts(**changes)
    (snapshot,) = (each for each in found if isinstance(each, OrderSnapshot))
    return [(each.refund_id, each.whole) for each in found if isinstance(each, OrderRefunded)], snapshot.refund_ids


def test_an_order_that_only_its_status_calls_refunded_is_taken_back() -> None:
    """A refund that is under way says more than the status, and one that is listed later takes its place."""
    under_way = {"id": "r1", "transactions": [{"amount": {"amount": "66.00"}, "refundStatus": "PENDING"}]}
    nothing: dict[str, Any] = {"transactions": {"refunds": []}}
    assert back(paymentStatus="FULLY_REFUNDED", **nothing) == ([("status", True)], ("status",))
    assert back(paymentStatus="FULLY_REFUNDED", transactions={"refunds": [under_way]}) == ([], ())
    assert back(paymentStatus="PARTIALLY_REFUNDED", **nothing) == ([], ())


@pytest.mark.parametrize("lines", [None, {}, "lines"])
def test_an_order_without_its_lines_is_refused(lines: object) -> None:
    """Rather than counted, or restated, as worth nothing."""
    with pytest.raises(Unmappable, match="no list of `lineItems`"):
        facts(lineItems=lines)


def test_a_status_that_wix_did_not_have_before_makes_the_order_wait() -> None:
    found = facts(status="ON_HOLD")
    assert [each.state for each in found if isinstance(each, OrderStateUnknown)] == ["ON_HOLD"]
    assert [each.stands_at for each in found if isinstance(each, OrderSnapshot)] == [None]
    assert not [each for each in found if isinstance(each, OrderPaid)]


@pytest.mark.parametrize("name", ["type", "activityType"])
def test_the_log_is_read_by_its_old_and_by_its_new_name(name: str) -> None:
    """`activityType` replaces `type`, of which Wix said that it goes in March 2026."""
    log = [{name: "ORDER_PAID", "createdDate": "2026-03-01T11:00:00.000Z"}]
    assert [each.occurred_at for each in facts(activities=log) if isinstance(each, OrderPaid)] == [1_772_362_800_000]


@pytest.mark.parametrize(("status", "listed"), [("APPROVED", ("cb1",)), ("REVERSED", ())])
def test_what_is_charged_back_is_a_refund_until_it_is_reversed(status: str, listed: tuple[str, ...]) -> None:
    """As "List Transactions For Single Order" has it: within the payment that was charged back."""
    disputed = {"id": "cb1", "createdDate": "2026-03-09T11:00:00.000Z", "amount": {"amount": "66.00"}, "status": status}
    payment = {"id": "p1", "amount": {"amount": "66.00"}, "regularPaymentDetails": {"chargebacks": [disputed]}}
    found, ids = back(transactions={"payments": [payment], "refunds": []})
    assert (tuple(name for name, _ in found), ids) == (listed, listed)
