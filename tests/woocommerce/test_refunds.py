"""Refunds of every kind that a real WooCommerce knows: what money for goods is, and what is beside them."""

from __future__ import annotations

import pytest

from tests.woocommerce.walk import Walk

PAID = ("50.00", "HOLD", "2.50")
EXTRAS = "act_extras( $order );"
TAX = "act_tax( $order );"
LANTERN = "array( 'line_item', 'Lantern', 1, 50, 0 )"
SHIPPING = "array( 'shipping', 'Parcel', 0, 5.83, 0 )"
FEE = "array( 'fee', 'Wrapping', 0, 10, 0 )"
UNNAMED = "wc_create_refund( array( 'order_id' => $order->get_id(), 'amount' => 29.75 ) );"


def parts(*entries: str) -> str:
    """Return PHP that refunds these parts at once."""
    return f"act_refund_parts( $order, array( {', '.join(entries)} ) );"


TWICE = " ".join([parts("array( 'line_item', 'Lantern', 0, 10, 0 )")] * 2)


@pytest.mark.parametrize(
    ("paid", "refund", "left"),
    [
        (EXTRAS, parts(SHIPPING), PAID),
        (EXTRAS, parts(FEE), PAID),
        (EXTRAS, parts(SHIPPING, FEE), PAID),
        (TAX, parts("array( 'line_item', 'Lantern', 0, 0, 9.5 )"), PAID),
        (EXTRAS, parts(LANTERN), ("50.00", "REJECTED", "0.00")),
        (EXTRAS, parts(LANTERN, SHIPPING), ("50.00", "REJECTED", "0.00")),
        (TAX, parts("array( 'line_item', 'Lantern', 1, 50, 9.5 )"), ("50.00", "REJECTED", "0.00")),
        (TAX, parts("array( 'line_item', 'Lantern', 0, 20, 3.8 )"), ("50.00", "HOLD", "1.50")),
        (TAX, UNNAMED, ("50.00", "HOLD", "1.25")),
        (EXTRAS, "$order->update_status( 'refunded' );", ("50.00", "REJECTED", "0.00")),
        (
            EXTRAS,
            TWICE,
            ("50.00", "HOLD", "1.50"),
        ),
    ],
    ids=[
        "shipping", "fee", "shipping and fee", "tax", "goods", "goods and shipping", "goods with tax",
        "a part of the goods' money", "money without lines", "by the status alone", "two in one request",
    ],
)  # fmt: skip
async def test_only_money_for_goods_is_taken_back(
    walk: Walk, paid: str, refund: str, left: tuple[str, str, str]
) -> None:
    order = await walk.order({"Lantern": 1}, paid)
    await walk.comes_to(order, PAID)
    await walk.change(order, refund)
    await walk.comes_to(order, left)


async def test_a_refund_before_anything_was_sent_counts_too(walk: Walk) -> None:
    order = await walk.order({"Lantern": 1, "Rope": 1}, f"{EXTRAS} {parts(LANTERN)}")
    await walk.comes_to(order, ("70.00", "HOLD", "1.00"))


@pytest.mark.parametrize(
    ("money", "refund", "left"),
    [
        ("0", "1, 50, 0", ("100.00", "HOLD", "2.50")),
        ("10", "1, 50, 10", ("100.00", "HOLD", "2.50")),
        ("10", "1, 50, 0", ("100.00", "HOLD", "2.50")),
        ("10", "0, 0, 4", ("100.00", "HOLD", "4.80")),
        ("10", "0, 0, 10", ("100.00", "REJECTED", "4.50")),
        ("10", "2, 100, 10", ("100.00", "REJECTED", "0.00")),
    ],
    ids=[
        "one of two, no money", "one of two, all the money", "one of two, to the card", "a part of the money",
        "all the money, no goods named", "both",
    ],
)  # fmt: skip
async def test_what_came_back_counts_where_a_gift_card_paid(
    walk: Walk, money: str, refund: str, left: tuple[str, str, str]
) -> None:
    """Once no money is left to give back WooCommerce calls the order refunded, whatever came back of the goods."""
    order = await walk.order({"Lantern": 2}, f"act_gift_card( $order, {money} );")
    await walk.comes_to(order, ("100.00", "HOLD", "5.00"))
    await walk.change(order, f"act_refund_less( $order, 'Lantern', {refund} );")
    await walk.comes_to(order, left)
