"""Orders and order news in generic bodies, in both spellings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hub_generic.translate import translate

from hub.api import (
    Context,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    Unmappable,
    parse_body,
)

CONTEXT = Context(delivery_id="d-1", received_at=1_795_168_800_000, currency="USD")
ORDER = {
    "external_order_id": "A-1",
    "order_amount": "49.90",
    "click_id": "clk_1",
    "currency": "EUR",
    "coupon_code": "ANNA10",
    "ordered_at": "2026-11-20T10:00:00Z",
    "metadata": {"channel": "web"},
    "lines": [{"external_product_id": "SKU-1", "quantity": 2, "amount": "40"}, {"amount": 9.5}],
}


def camel(value: Any) -> Any:
    if isinstance(value, list):
        return [camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    spelt = {}
    for name, inner in value.items():
        first, *rest = name.split("_")
        spelt[first + "".join(word.capitalize() for word in rest)] = camel(inner)
    return spelt


def refusal(kind: str, body: dict[str, Any]) -> str:
    with pytest.raises(Unmappable) as caught:
        translate(kind, body, CONTEXT)
    return str(caught.value)


class TestOrderCreated:
    @pytest.mark.parametrize("body", [ORDER, camel(ORDER)])
    def test_reads_every_key(self, body: dict[str, Any]) -> None:
        """Both spellings state the same fact."""
        assert translate("order-created", body, CONTEXT) == (
            OrderCreated(
                key="created",
                order_id="A-1",
                amount=Decimal("49.90"),
                currency="EUR",
                click_id="clk_1",
                coupon_code="ANNA10",
                lines=(Line("SKU-1", 2, Decimal(40)), Line(None, 1, Decimal("9.5"))),
                ordered_at=1_795_168_800_000,
                paid_total=None,
                metadata={"channel": "web"},
            ),
        )

    def test_needs_an_order_and_an_amount(self) -> None:
        """Everything that is missing is named at once; null is missing too."""
        assert refusal("order-created", {"order_amount": None}) == (
            "`external_order_id` is missing; `order_amount` is missing"
        )

    def test_a_lone_product_is_one_line(self) -> None:
        """As in a v1 conversion: quantity 1 with the whole amount."""
        body = {"external_order_id": 7, "order_amount": 12, "externalProductId": "SKU-1"}
        (fact,) = translate("order-created", body, CONTEXT)
        assert isinstance(fact, OrderCreated)
        assert (fact.order_id, fact.lines) == ("7", (Line("SKU-1", 1, Decimal(12)),))

    def test_lines_outweigh_the_lone_product(self) -> None:
        """Where both are given, the lines know more."""
        body = {**ORDER, "external_product_id": "SKU-9"}
        (fact,) = translate("order-created", body, CONTEXT)
        assert isinstance(fact, OrderCreated)
        assert [line.external_product_id for line in fact.lines] == ["SKU-1", None]

    def test_numbers_are_exact(self) -> None:
        """A JSON number never passes through a float."""
        body = parse_body(b'{"external_order_id":"A","order_amount":0.1000000000000000055,"metadata":{"n":1.50}}')
        (fact,) = translate("order-created", body, CONTEXT)
        assert isinstance(fact, OrderCreated)
        assert fact.amount == Decimal("0.1000000000000000055")
        assert fact.metadata == {"n": 1.5}

    @pytest.mark.parametrize("blank", ["", "  ", None])
    def test_blank_is_absent(self, blank: str | None) -> None:
        """Shops send empty strings for what they do not have."""
        (fact,) = translate("order-created", {**ORDER, "click_id": blank, "coupon_code": blank}, CONTEXT)
        assert isinstance(fact, OrderCreated)
        assert fact.click_id is fact.coupon_code is None

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"order_amount": "-1"}, "`order_amount` must be an amount of money"),
            ({"order_amount": "1,000.00"}, "`order_amount` must be an amount of money"),
            ({"order_amount": True}, "`order_amount` must be an amount of money"),
            ({"order_amount": Decimal("1e12")}, "`order_amount` must be an amount of money"),
            ({"order_amount": Decimal("NaN")}, "`order_amount` must be an amount of money"),
            ({"order_amount": float("inf")}, "`order_amount` must be an amount of money"),
            ({"external_order_id": ""}, "`external_order_id` must not be empty"),
            ({"external_order_id": True}, "`external_order_id` must be a string"),
            ({"external_order_id": 10**5000}, "`external_order_id` must be a string"),
            ({"external_order_id": "x" * 161}, "`external_order_id` must be at most 160 characters long"),
            ({"external_order_id": "a\0"}, "U+0000"),
            ({"external_order_id": "a\ud800"}, "half a surrogate pair"),
            ({"currency": "XXZ"}, "`currency` must be an ISO 4217 currency code"),
            ({"ordered_at": "2026-11-20T10:00:00"}, "`ordered_at` must be an ISO 8601 date-time with an offset"),
            ({"ordered_at": "0001-01-01T00:00:00Z"}, "`ordered_at` must be an ISO 8601 date-time with an offset"),
            ({"ordered_at": 1795168800}, "`ordered_at` must be an ISO 8601 date-time with an offset"),
            ({"metadata": []}, "`metadata` must be a JSON object"),
            ({"lines": {}}, "`lines` must be an array"),
            ({"lines": [{"amount": "1"}, 5]}, "`lines[1]` must be a JSON object"),
            ({"lines": [{"amount": "1"}, {"amount": "x"}]}, "`lines[1].amount` must be an amount"),
            ({"lines": [{"amount": "1", "quantity": 1.5}]}, "`lines[0].quantity` must be a whole number"),
            ({"lines": [{"amount": "1", "quantity": 0}]}, "`lines[0].quantity` must be a whole number of at least 1"),
            ({"lines": [{"external_product_id": "SKU-1"}]}, "`lines[0].amount` is missing"),
        ],
    )
    def test_names_what_is_wrong(self, change: dict[str, Any], said: str) -> None:
        """A sentence that names the field, so that the shop can mend it."""
        assert said in refusal("order-created", {**ORDER, **change})

    def test_all_faults_at_once(self) -> None:
        """One round of mending is enough."""
        said = refusal("order-created", {"order_amount": "x", "lines": [{"quantity": "y"}, 1]})
        assert said.count("`") == 6, said


class TestOrderNews:
    @pytest.mark.parametrize(
        ("kind", "fact"),
        [
            ("order-paid", OrderPaid),
            ("order-delivered", OrderDelivered),
            ("order-cancelled", OrderCancelled),
            ("order-returned", OrderReturned),
        ],
    )
    @pytest.mark.parametrize("spell", [dict, camel])
    def test_each_kind(self, kind: str, fact: Any, spell: Any) -> None:
        """The key is the status and its moment, so that a repeat is known."""
        body = spell(
            {"external_order_id": "A-1", "occurred_at": "2026-11-20T12:00:00+02:00", "reason": "r", "click_id": "c"}
        )
        key = f"{fact.status}:1795168800000"
        assert translate(kind, body, CONTEXT) == (fact(key, "A-1", 1_795_168_800_000, "r", "c"),)

    def test_without_a_moment(self) -> None:
        """News that names no moment is the one of its status."""
        (fact,) = translate("order-paid", {"external_order_id": "A-1"}, CONTEXT)
        assert fact == OrderPaid("paid", "A-1", None, None, None)

    def test_a_long_reason_is_cut(self) -> None:
        """The end of an explanation is not worth losing a cancellation for."""
        (fact,) = translate("order-cancelled", {"external_order_id": "A-1", "reason": "x" * 5_000}, CONTEXT)
        assert isinstance(fact, OrderCancelled)
        assert fact.reason == "x" * 1_000

    def test_needs_an_order(self) -> None:
        """News of no order is news of nothing."""
        assert refusal("order-paid", {}) == "`external_order_id` is missing"


class TestOrderRefunded:
    @pytest.mark.parametrize("spell", [dict, camel])
    def test_reads_every_key(self, spell: Any) -> None:
        """A refund's line may name a quantity, an amount, or both."""
        body = spell({
            "external_order_id": "A-1",
            "refund_id": 55,
            "refund_amount": "10.00",
            "lines": [{"external_product_id": "SKU-1", "quantity": 1}, {"external_product_id": "SKU-2", "amount": 4}],
        })  # fmt: skip
        assert translate("order-refunded", body, CONTEXT) == (
            OrderRefunded(
                key="refund:55",
                order_id="A-1",
                occurred_at=None,
                reason=None,
                click_id=None,
                refund_id="55",
                amount=Decimal("10.00"),
                lines=(Line("SKU-1", 1, None), Line("SKU-2", 0, Decimal(4))),
            ),
        )

    def test_full_refund(self) -> None:
        """Without an amount and lines everything went back; without an id the delivery tells it apart."""
        (fact,) = translate("order-refunded", {"external_order_id": "A-1"}, CONTEXT)
        assert isinstance(fact, OrderRefunded)
        assert (fact.key, fact.amount, fact.lines) == ("refund@d-1", None, ())


@pytest.mark.parametrize("more", [{}, {"refund_ammount": "5.00"}, {"lines": []}])
def test_a_refund_with_an_id_must_say_what_it_was_for(more: dict[str, Any]) -> None:
    """A misspelt amount must not take a whole commission."""
    said = refusal("order-refunded", {"external_order_id": "A-1", "refund_id": "r-1", **more})
    assert said.startswith("`refund_amount` is missing, and so is `lines`")


@pytest.mark.parametrize("name", ["refund_ammount", "refundAmmount", "refunded_amount", "line", "refundid"])
def test_a_misspelt_part_of_an_order_is_not_the_whole(name: str) -> None:
    said = refusal("order-refunded", {"external_order_id": "A-1", name: "5.00"})
    assert said.startswith(f"`{name}` is unknown and looks like")


@pytest.mark.parametrize("name", ["order_amount", "currency", "refund_date", "refund_reason", "status"])
def test_other_unknown_fields_of_a_refund_are_passed_over(name: str) -> None:
    (fact,) = translate("order-refunded", {"external_order_id": "A-1", name: "5.00"}, CONTEXT)
    assert isinstance(fact, OrderRefunded)
    assert fact.whole


def test_unknown_kind() -> None:
    """A kind that the specification does not have is refused like a bad body."""
    assert "order-lost" in refusal("order-lost", {})
