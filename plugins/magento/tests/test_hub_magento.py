"""What the Magento connector takes orders for: what was cancelled, gift cards, and memos without money."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hub_magento.options import MagentoOptions
from hub_magento.scenarios import credit_memo, line, order
from hub_magento.translate import of_order

from hub.api import (
    Context,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    Play,
    Unmappable,
    parse_body,
)

PLAY = Play("42", "clk_1", "EUR", 1_772_359_200_000)
BUNDLE = {**line(21, "SET", 1, 50.0), "product_type": "bundle", "tax_amount": 0}
MUGS = {**line(22, "MUG", 2, 30.0), "parent_item_id": 21, "discount_amount": 3.0}
LAMP = {**line(23, "LAMP", 1, 20.0), "parent_item_id": 21, "discount_amount": 2.0}


def facts(body: dict[str, Any], **options: Any) -> list[Any]:
    """What an order states, read as the hub reads it."""
    context = Context("d-1", PLAY.placed_at, "EUR", MagentoOptions(**options))
    return list(of_order(parse_body(json.dumps(body).encode()), context))


def created(body: dict[str, Any], **options: Any) -> OrderCreated:
    (found,) = (fact for fact in facts(body, **options) if isinstance(fact, OrderCreated))
    return found


def shown(found: OrderCreated) -> list[tuple[Any, ...]]:
    return [(each.external_product_id, each.quantity, each.amount) for each in found.lines]


class TestWhatWasCancelled:
    """Cancelling an order that is partly invoiced cancels the rest of it: `qty_canceled`, and `total_canceled`."""

    def test_what_is_left_counts_and_is_paid(self) -> None:
        items = [{**line(11, "MUG", 2, 30.0), "qty_canceled": 1}, {**line(13, "LAMP", 1, 20.0), "qty_canceled": 1}]
        body = order(PLAY, 2, "complete", "complete", items=items, total_paid=24.0, total_due=42.0, total_canceled=42.0)
        found = created(body)
        assert shown(found) == [("MUG", 1, 15)]
        assert (found.amount, found.paid_total) == (Decimal(15), Decimal(24))
        assert created(body, tax="included").amount == 18
        assert [each for each in facts(body) if isinstance(each, OrderPaid)]

    def test_of_a_bundle_its_parts_are_cancelled(self) -> None:
        """Each with its own price and discount; the bundle's line itself says nothing of it."""
        items = [{**BUNDLE, "qty_canceled": 0}, {**MUGS, "qty_canceled": 1}, LAMP]
        assert created(order(PLAY, 2, "complete", "complete", items=items)).amount == Decimal("31.5")

    def test_a_cancelled_order_is_what_it_was(self) -> None:
        """Its commission ends by the cancellation, and a reopened one is worth as much as before."""
        items = [{**line(11, "MUG", 2, 30.0), "qty_canceled": 2}, {**line(13, "LAMP", 1, 20.0), "qty_canceled": 1}]
        found = created(order(PLAY, 3, "canceled", "canceled", items=items, total_canceled=66.0))
        assert (found.amount, found.paid_total) == (Decimal(50), Decimal(66))


class TestOrders:
    def test_gift_cards_are_no_goods(self) -> None:
        card = {**line(12, "CARD", 1, 25.0), "product_type": "giftcard"}
        assert shown(created(order(PLAY, 0, "new", "pending", items=[card, line(13, "LAMP", 1, 20.0)]))) == [
            ("LAMP", 1, 20)
        ]

    @pytest.mark.parametrize("items", [None, {}, "items"])
    def test_an_order_without_its_lines_is_refused(self, items: object) -> None:
        """Rather than counted, or restated, as worth nothing."""
        with pytest.raises(Unmappable, match="no list of `items`"):
            facts(order(PLAY, 0, "new", "pending", items=items))

    def test_goods_that_came_back_without_money_count(self) -> None:
        """What store credit or a gift card had paid goes back to it: the memo's total is nothing."""
        memo = {**credit_memo(PLAY, 9, 3), "grand_total": 0}
        for items, backs in ((memo["items"], [(None, Decimal(15))]), ([], [])):
            body = order(PLAY, 3, "complete", "complete", [{**memo, "items": items}])
            found = [each for each in facts(body) if isinstance(each, OrderRefunded)]
            assert [(each.amount, each.lines[0].amount) for each in found] == backs

    def test_what_store_credit_paid_is_money_too(self) -> None:
        """The grand total leaves it out: a small refund in money was a whole one, of what little money there was."""
        credit = {"customer_balance_amount": 40.0, "gift_cards_amount": 16.0, "reward_currency_amount": None}
        memo = {**credit_memo(PLAY, 9, 3), "grand_total": 10.0, "extension_attributes": {"gift_cards_amount": 8.0}}
        body = order(PLAY, 3, "complete", "complete", [memo], grand_total=10.0, extension_attributes=credit)
        (refund,) = (each for each in facts(body) if isinstance(each, OrderRefunded))
        assert created(body).paid_total == 66
        assert refund.amount == 18

    @pytest.mark.parametrize(("state", "paid"), [("new", False), ("processing", True), ("complete", True)])
    def test_what_credit_paid_wholly_is_paid_once_it_is_invoiced(self, state: str, paid: bool) -> None:
        """No money comes, so `total_paid` stays 0, and nothing is due from the beginning."""
        credit = {"customer_balance_amount": 66.0}
        body = order(PLAY, 2, state, state, grand_total=0, total_paid=0, total_due=0, extension_attributes=credit)
        assert any(isinstance(each, OrderPaid) for each in facts(body)) is paid
        assert created(body).paid_total == 66


def test_an_order_in_a_state_of_a_module_is_there_and_waits() -> None:
    """A module may give orders states of its own; a refund of such an order has happened all the same."""
    body = order(PLAY, 3, "fraud_check", "complete", [credit_memo(PLAY, 9, 3)])
    found = facts(body)
    (unknown,) = (each for each in found if isinstance(each, OrderStateUnknown))
    (snapshot,) = (each for each in found if isinstance(each, OrderSnapshot))
    assert (unknown.state, unknown.occurred_at) == ("fraud_check", snapshot.version)
    assert snapshot.stands_at is None
    assert not [each for each in found if isinstance(each, OrderPaid | OrderDelivered)]
    assert [each for each in found if isinstance(each, OrderRefunded)]
