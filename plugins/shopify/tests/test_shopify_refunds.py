"""What a refund states: each trap of Shopify's refund bodies by name."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import hub_shopify
import pytest
from hub_shopify import hub_connectors
from hub_shopify.options import ShopifyOptions

from hub.api import Context, OrderRefunded, Uninteresting, parse_body

(CONNECTOR,) = hub_connectors()
SAMPLES = Path(str(hub_shopify.__file__)).parent / "samples" / "refunds__create"


def body_of(name: str) -> dict[str, Any]:
    return parse_body((SAMPLES / f"{name}.json").read_bytes())


def refund(body: dict[str, Any], **options: Any) -> OrderRefunded:
    (known,) = (each for each in CONNECTOR.topics if each.name == "refunds/create")
    (fact,) = known.translate(body, Context("d-1", 0, "USD", ShopifyOptions(**options)))
    assert isinstance(fact, OrderRefunded)
    return fact


@pytest.mark.parametrize(
    ("name", "money", "goods"),
    [
        ("net_of_discount", "143.97", ["143.97"]),
        ("amount_only", "1.00", []),
        ("shipping_only", "9.98", []),
        ("less_than_the_lines", "30.00", ["35"]),
        ("tax_on_top", "43.19", ["35.99"]),
        ("tax_inside", "36.00", ["30"]),
        ("old_version_without_transactions", "43.19", ["35.99"]),
        ("shipping_lines_of_new_versions", "40.99", ["35.99"]),
        ("in_the_buyers_currency", "35.99", ["35.99"]),
        ("gift_card_not_goods", "60.99", ["35.99"]),
        ("full_with_shipping", "107.47", ["79.98", "20"]),
    ],
)
def test_money_and_goods(name: str, money: str, goods: list[str]) -> None:
    fact = refund(body_of(name))
    assert fact.amount == Decimal(money)
    assert [line.amount for line in fact.lines] == [Decimal(each) for each in goods]


@pytest.mark.parametrize("name", ["restock_only", "edit_without_money", "pending_transaction"])
def test_without_money_it_is_no_refund(name: str) -> None:
    with pytest.raises(Uninteresting, match="no money"):
        refund(body_of(name))


def test_json_numbers_stay_exact() -> None:
    """Refunded lines are the only money of Shopify's that is a number."""
    (line,) = refund(body_of("one_piece")).lines
    assert (line.amount, line.quantity) == (Decimal("39.99"), 1)


def test_tax_can_be_part_of_the_base() -> None:
    assert refund(body_of("tax_on_top"), tax="included").lines[0].amount == Decimal("43.19")
    assert refund(body_of("tax_inside"), tax="included").lines[0].amount == Decimal("36.0")


def test_the_gateways_receipt_is_never_read() -> None:
    """It may be in cents."""
    body = body_of("one_piece")
    body["transactions"][0]["receipt"] = {"amount": 3999}
    assert refund(body).amount == Decimal("39.99")


def test_the_ordered_quantity_is_not_the_refunded_one() -> None:
    body = body_of("one_piece")
    del body["refund_line_items"][0]["subtotal"]
    (line,) = refund(body).lines
    assert (line.quantity, line.amount) == (1, Decimal("39.99"))


def test_a_line_may_come_twice() -> None:
    body = body_of("full_with_shipping")
    body["refund_line_items"].append(body["refund_line_items"][0])
    assert len(refund(body).lines) == 3


def test_known_by_its_id() -> None:
    assert refund(body_of("one_piece")).key == "refund:9100000000001"


def duties(amount: str, **members: Any) -> dict[str, Any]:
    """Return a refund of duties alone, as markets with import duties have them."""
    moved = {"kind": "refund", "status": "success", "amount": amount, "currency": "USD"}
    return {
        "id": 1,
        "order_id": 2,
        "refund_line_items": [],
        "order_adjustments": [],
        "transactions": [moved],
        **members,
    }


def of_shop(amount: str) -> dict[str, Any]:
    return {"shop_money": {"amount": amount, "currency_code": "USD"}}


@pytest.mark.parametrize(
    "members",
    [
        {"total_duties_set": of_shop("8.00")},
        {"duties": [{"duty_id": 1, "amount_set": of_shop("5.00")}, {"duty_id": 2, "amount_set": of_shop("3.00")}]},
    ],
)
def test_duties_alone_leave_the_goods_as_they_are(members: dict[str, Any]) -> None:
    """8.00 of duties went back, none of it for goods; without a word of duties it is money for goods (the control)."""
    fact = refund(duties("8.00", **members))
    assert (fact.amount, fact.beside_goods, fact.lines) == (Decimal("8.00"), Decimal("8.00"), ())
    assert refund(duties("8.00")).beside_goods is None


def test_duties_count_where_a_body_has_no_transactions() -> None:
    body = duties("8.00", total_duties_set=of_shop("8.00"))
    del body["transactions"]
    assert refund(body).amount == Decimal("8.00")
