"""What the Wix connector takes orders for: those that are refunded without a refund, and their lines."""

from __future__ import annotations

from typing import Any

import pytest
from hub_wix.options import WixOptions
from hub_wix.scenarios import SCENES
from hub_wix.translate import of_order

from hub.api import Context, OrderRefunded, OrderSnapshot, Play, Unmappable, parse_body

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
