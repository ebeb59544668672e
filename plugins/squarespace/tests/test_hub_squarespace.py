"""What the Squarespace connector takes orders for: their discounts, their payment, their lines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hub_squarespace.options import SquarespaceOptions
from hub_squarespace.scenarios import SCENES
from hub_squarespace.translate import of_order

from hub.api import Context, OrderCreated, OrderPaid, OrderSnapshot, OrderStateUnknown, Play, Unmappable, parse_body

PLAY = Play("1042", "clk_1", "USD", 1_772_359_200_000)


def facts(**changes: Any) -> list[Any]:
    """What an order of 50.00 with shipping of 5.00 and tax of 5.50 states, with changes to it."""
    body = parse_body(SCENES["created"](PLAY).body) | changes
    return list(of_order(body, Context("d-1", PLAY.placed_at, "USD", SquarespaceOptions())))


def worth(**changes: Any) -> Any:
    (found,) = (fact for fact in facts(**changes) if isinstance(fact, OrderCreated))
    return found.amount


def money(value: str) -> dict[str, str]:
    return {"value": value, "currency": "USD"}


class TestDiscounts:
    """Squarespace writes discounts of goods and of shipping alike, and adds up both."""

    def test_free_shipping_takes_nothing_off_the_goods(self) -> None:
        """As in a real order of 2021, with a code for the goods and one for the shipping."""
        free, spring = ({"name": name, "amount": money(value), "promoCode": name} for name, value in
                        (("FREESHIPPING", "5.00"), ("SPRING", "10.00")))  # fmt: skip
        assert worth(discountLines=[free], discountTotal=money("5.00")) == 50
        assert worth(discountLines=[free, spring], discountTotal=money("15.00")) == 40
        assert worth(discountLines=[spring], discountTotal=money("10.00")) == 40

    def test_a_code_for_the_goods_may_be_of_the_same_amount(self) -> None:
        """Which is why its name counts, too; and a part of the shipping is not all of it."""
        for name, value in (("SPRING", "5.00"), ("HALF SHIPPING", "2.50")):
            code = {"name": name, "amount": money(value), "promoCode": name}
            assert worth(discountLines=[code], discountTotal=money(value)) == 50 - Decimal(value)

    def test_the_tax_is_then_that_of_the_goods_alone(self) -> None:
        free = {"name": "FREESHIPPING", "amount": money("5.00"), "promoCode": None}
        inside = {"priceTaxInterpretation": "INCLUSIVE", "taxTotal": money("10.00")}
        assert worth(discountLines=[free], discountTotal=money("5.00"), **inside) == 40

    def test_shipping_that_costs_nothing_is_given_by_no_code(self) -> None:
        nothing = {"name": "Free shipping", "amount": money("0.00"), "promoCode": "SPRING"}
        assert worth(discountLines=[nothing], shippingTotal=money("0.00")) == 50


class TestPayment:
    @pytest.mark.parametrize(
        "state", ["NOT_CHARGED", "PENDING", "AUTHORIZED", "PARTIALLY_PAID", "VOIDED", "NEW", 1, ""]
    )
    def test_an_order_is_not_paid_unless_its_payment_says_so(self, state: object) -> None:
        """Nor by a word that Squarespace may add: delivered, it is on hold all the same."""
        assert not [fact for fact in facts(paymentState=state) if isinstance(fact, OrderPaid)]

    @pytest.mark.parametrize("state", [None, "PAID", "REFUNDED", "REFUND_PENDING", "REFUND_FAILED"])
    def test_it_is_paid_where_there_is_no_state(self, state: str | None) -> None:
        """Squarespace wrote none for years: whoever placed an order had paid."""
        assert [fact for fact in facts(paymentState=state) if isinstance(fact, OrderPaid)]


@pytest.mark.parametrize("lines", [None, {}, "lines"])
def test_an_order_without_its_lines_is_refused(lines: object) -> None:
    """Rather than counted, or restated, as worth nothing."""
    with pytest.raises(Unmappable, match="no list of `lineItems`"):
        facts(lineItems=lines)


def test_a_status_that_squarespace_does_not_document_makes_the_order_wait() -> None:
    found = facts(fulfillmentStatus="ON_ITS_WAY")
    assert [each.state for each in found if isinstance(each, OrderStateUnknown)] == ["ON_ITS_WAY"]
    assert [each.stands_at for each in found if isinstance(each, OrderSnapshot)] == [None]
    assert not [each for each in found if isinstance(each, OrderPaid)]
