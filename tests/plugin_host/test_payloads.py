"""A body read into a connector's payload class: lenient about what it does not know, strict about what it does."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from attrs import field, frozen

from hub.api import Unmappable, parse_body, read_payload


@frozen
class Line:
    id: int | str
    amount: Decimal | None = None


@frozen
class Order:
    id: int
    name: str | None = None
    lines: tuple[Line, ...] = ()
    tags: list[str] = field(factory=list)
    meta: dict[str, Any] = field(factory=dict)
    inner: Line | None = None
    paid: bool = False
    rate: float = 0.0
    order_kind: str = field(default="", alias="orderKind")


def test_unknown_fields_are_ignored() -> None:
    """Platforms add fields whenever they like."""
    lines = '[{"id": "a", "amount": "4.50", "x": 1}, {"id": 3, "amount": 1.20}]'
    raw = f'{{"id": 1, "new": [{{}}], "lines": {lines}, "orderKind": "k"}}'.encode()
    order = read_payload(Order, parse_body(raw))
    assert order == Order(1, lines=(Line("a", Decimal("4.50")), Line(3, Decimal("1.20"))), orderKind="k")
    assert read_payload(dict, {"a": 1}) == {"a": 1}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "`id` is missing"),
        ({"id": "1"}, "`id` must be a whole number"),
        ({"id": True}, "`id` must be a whole number"),
        ({"id": Decimal("1.0")}, "`id` must be a whole number"),
        ({"id": 1, "name": 3}, "`name` must be a text"),
        ({"id": 1, "lines": "abc"}, "`lines` must be an array"),
        ({"id": 1, "lines": {}}, "`lines` must be an array"),
        ({"id": 1, "lines": [{"id": 1}, 1]}, "`lines[1]` must be an object"),
        ({"id": 1, "lines": [{"id": [], "amount": "NaN"}]},
         "`lines[0].id` has another type than it may have; `lines[0].amount` must be a number"),
        ({"id": 1, "lines": [{"id": 1, "amount": True}]}, "`lines[0].amount` must be a number"),
        ({"id": 1, "lines": [{"id": 1, "amount": "1_0"}]}, "`lines[0].amount` must be a number"),
        ({"id": 1, "lines": [{"id": 1, "amount": "9" * 50}]}, "`lines[0].amount` must be a number"),
        ({"id": 1, "tags": [None]}, "`tags[0]` must be a text"),
        ({"id": 1, "meta": [["a", 1]]}, "`meta` "),
        ({"id": 1, "inner": []}, "`inner` must be an object"),
        ({"id": 1, "paid": "true"}, "`paid` must be true or false"),
        ({"id": 1, "rate": 10**400}, "`rate` must be a number"),
    ],
)  # fmt: skip
def test_a_wrong_type_is_named_with_its_path(body: dict[str, Any], said: str) -> None:
    """The shop learns which field is wrong."""
    with pytest.raises(Unmappable) as caught:
        read_payload(Order, body)
    assert str(caught.value).startswith(said)


@frozen
class PricedLine:
    total_price: Decimal = field(alias="totalPrice")


@frozen
class Aliased:
    order_number: str = field(alias="orderNumber")
    line_items: tuple[PricedLine, ...] | None = field(default=None, alias="lineItems")


def test_faults_have_the_names_that_json_has() -> None:
    """An author looks for them in the platform's body, not in a class."""
    with pytest.raises(Unmappable) as refusal:
        read_payload(Aliased, {"lineItems": [{"totalPrice": 1}, {"totalPrice": []}]})
    assert "`orderNumber` is missing" in str(refusal.value)
    assert "`lineItems[1].totalPrice` must be a number" in str(refusal.value)
