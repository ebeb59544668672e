"""The traps of WooCommerce's orders, each by its name."""

from __future__ import annotations

import json
from decimal import Decimal
from importlib.resources import files
from typing import Any

import pytest
from hub_woocommerce import hub_connectors
from hub_woocommerce.options import WooOptions
from hub_woocommerce.translate import handshake, of_topic
from hypothesis import given
from hypothesis import strategies as st

from hub.api import (
    Context,
    Fact,
    OrderCreated,
    OrderRefunded,
    OrderSnapshot,
    OrderUnclear,
    Uninteresting,
    Unmappable,
    parse_body,
)

SAMPLES = files("hub_woocommerce") / "samples"
CLICK = "clk_0190a1b2c3d47e5f8a9b0c1d2e3f4a5b"
(CONNECTOR,) = hub_connectors()
CONTEXT = Context("d-1", 0, "EUR", WooOptions())


def body(path: str) -> dict[str, Any]:
    return parse_body((SAMPLES / f"{path}.json").read_bytes())


def told(path: str, **options: Any) -> tuple[Fact, ...]:
    context = Context("d-1", 0, "EUR", WooOptions(**options))
    return of_topic(path.partition("/")[0], body(path), context)


def names(path: str, **options: Any) -> list[str]:
    return [type(fact).__name__.removeprefix("Order") for fact in first_sights(told(path, **options))]


def first_sights(facts: tuple[Fact, ...]) -> list[Fact]:
    """The facts that a first delivery states: all but what the order is by now."""
    return [fact for fact in facts if not isinstance(fact, OrderSnapshot)]


def order(path: str, **options: Any) -> OrderCreated:
    fact = told(path, **options)[0]
    assert isinstance(fact, OrderCreated)
    return fact


def refund(path: str) -> OrderRefunded:
    fact = told(path)[-1]
    assert isinstance(fact, OrderRefunded)
    return fact


@pytest.mark.parametrize(
    ("path", "options", "due"),
    [
        ("order.created/placed", {}, ["Created"]),
        ("order.updated/cash-on-delivery", {}, ["Created"]),
        ("order.created/downloadable-paid-and-completed", {}, ["Created", "Paid", "Delivered"]),
        ("order.created/free-order", {}, ["Created", "Paid"]),
        ("order.updated/cancelled", {}, ["Created", "Cancelled"]),
        ("order.updated/failed-ignored", {}, ["Created"]),
        ("order.updated/failed-cancels", {"failed_cancels": True}, ["Created", "Cancelled"]),
        ("order.updated/custom-delivered", {}, ["Created", "Paid"]),
        ("order.updated/custom-delivered", {"delivered_statuses": ("wc-delivered",)}, ["Created", "Paid", "Delivered"]),
        (
            "order.updated/custom-returned",
            {"returned_statuses": ("rma",)},
            ["Created", "Paid", "Delivered", "Returned"],
        ),
        ("order.updated/full-refund", {}, ["Created", "Paid", "Delivered", "Refunded"]),
        ("order.updated/restock-only", {}, ["Created", "Paid", "Delivered"]),
        ("order.updated/refunded-status-only", {}, ["Created", "Paid", "Delivered", "Refunded"]),
        ("order.deleted/trashed", {}, ["Gone"]),
        ("product.updated/an-order-under-a-product-topic", {}, ["Created"]),
    ],
)
def test_what_a_snapshot_states(path: str, options: dict[str, Any], due: list[str]) -> None:
    """Statuses, dates and shape decide; the topic only for bare ids."""
    assert names(path, **options) == due


@pytest.mark.parametrize("name", ["utm-id", "session-entry", "meta-of-any-type", "plugin-click"])
def test_the_click_is_found_in_every_place(name: str) -> None:
    """Meta of any type, order attribution and our own key."""
    assert order(f"order.created/{name}").click_id == CLICK


def test_money_is_net_unless_told() -> None:
    """Line totals never hold the tax, whatever prices_include_tax says."""
    assert order("order.created/placed").amount == Decimal("50.00")
    assert order("order.created/tax-included", tax="included").amount == Decimal("59.50")
    assert order("order.created/fees", fees=True).amount == Decimal("52.00")


def test_what_is_traded_in_takes_off_what_the_goods_are_worth() -> None:
    """A line below zero is no product that earns, and no money that the buyer paid."""
    placed = body("order.updated/paid")
    goods = order("order.updated/paid")
    placed["line_items"].append({**placed["line_items"][0], "id": 99, "total": "-10.00", "total_tax": "0.00"})
    traded = next(iter(of_topic("order.updated", placed, CONTEXT)))
    assert isinstance(traded, OrderCreated)
    assert traded.amount == goods.amount - 10
    assert traded.lines == goods.lines
    placed["line_items"][-1]["total"] = "-1000000.00"
    nothing = next(iter(of_topic("order.updated", placed, CONTEXT)))
    assert isinstance(nothing, OrderCreated)
    assert nothing.amount == 0
    assert order("order.created/other-currency").currency == "JPY"


def test_lines_of_odd_quantities_and_deleted_products() -> None:
    """A part of a piece is one; product 0 is none."""
    assert [line.quantity for line in order("order.created/decimal-quantity").lines] == [1, 3]
    assert order("order.created/deleted-product").lines[0].external_product_id is None
    assert order("order.created/by-variation", product_key="variation").lines[0].external_product_id == "777"


def test_refunds_with_and_without_our_plugin() -> None:
    """The plugin's lines and time are used where they are."""
    bare, full = refund("order.updated/partial-refund"), refund("order.updated/partial-refund-with-plugin")
    assert (bare.key, bare.amount, bare.lines) == ("refund:901", Decimal("10.00"), ())
    assert (full.amount, full.lines[0].amount, full.lines[0].quantity) == (Decimal("11.90"), Decimal("10.00"), 1)


@pytest.mark.parametrize(
    ("path", "refusal", "sentence"),
    [
        ("order.updated/checkout-draft", Uninteresting, "draft"),
        ("order.updated/owner-demoted", Unmappable, "recreate the webhooks"),
        ("order.updated/api-v1", Unmappable, "API v1"),
        ("order.updated/legacy-api", Unmappable, "legacy API"),
        ("product.updated/variation", Uninteresting, "one variation"),
    ],
)
def test_what_is_refused(path: str, refusal: type[Exception], sentence: str) -> None:
    """Each with a sentence that says why."""
    with pytest.raises(refusal, match=sentence):
        told(path)


def test_what_was_deleted_before_it_was_sent_is_no_fault() -> None:
    """WooCommerce sends the error of an id that is not there; the deletion is a delivery of its own."""
    gone = body("order.updated/owner-demoted") | {"code": "woocommerce_rest_shop_order_invalid_id"}
    with pytest.raises(Uninteresting, match="deleted it for good"):
        of_topic("order.updated", gone, Context("d-1", 0, "EUR", WooOptions()))


def test_a_product_of_api_v1_is_refused() -> None:
    """It has no time in UTC."""
    old = {name: value for name, value in body("product.updated/sale").items() if not name.endswith("_gmt")}
    with pytest.raises(Unmappable, match="API v1"):
        of_topic("product.updated", old, Context("d-1", 0, "EUR", WooOptions()))


def test_the_ping_is_recognised_exactly() -> None:
    """Anything else needs a signature."""
    assert handshake({}, b"webhook_id=12")
    for raw in (b"webhook_id=", b"webhook_id=1\n", b"webhook_id=1&a=b", b" webhook_id=1", b'{"webhook_id":1}', b""):
        assert not handshake({}, raw)


def test_every_sample_is_in_the_wire_form() -> None:
    r"""PHP's compact JSON with \/ and \u."""
    files = (file for folder in SAMPLES.iterdir() if folder.is_dir() for file in folder.iterdir())
    for file in files:
        if file.name.endswith(".json") and file.name.count(".") == 1:
            raw = file.read_text()
            again = json.dumps(json.loads(raw), separators=(",", ":")).replace("/", "\\/")
            assert raw == again, file.name


hostile = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from([[], {}, [1], {"0": {}}])


@given(
    path=st.sampled_from(["order.updated/partial-refund-with-plugin", "order.created/coupon", "product.updated/sale"]),
    data=st.data(),
)
def test_no_mutation_raises_anything_but_a_refusal(path: str, data: st.DataObject) -> None:
    """Every path missing, null or of a wrong type."""
    whole: Any = body(path)
    place: Any = whole
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = data.draw(hostile)
        break
    try:
        of_topic(path.partition("/")[0], whole, Context("d", 0, "EUR", WooOptions()))
    except (Unmappable, Uninteresting):
        return


def with_refund(order: dict[str, Any], detail: dict[str, Any], total: str = "-5.83") -> dict[str, Any]:
    own = {"version": 2, "click_id": None, "refunds": [{"id": 9, "date_gmt": None, "lines": [], **detail}]}
    return {**order, "refunds": [{"id": 9, "reason": "", "total": total}], "affiliate_hub": own}


def refunds_in(order: dict[str, Any], **options: Any) -> list[OrderRefunded]:
    context = Context("d-1", 0, "EUR", WooOptions(**options))
    return [fact for fact in of_topic("order.updated", order, context) if isinstance(fact, OrderRefunded)]


PARTS = {"shipping": {"total": "-4.90", "total_tax": "-0.93"}, "fees": {"total": "-10.00", "total_tax": "0"}}


def test_money_for_shipping_alone_is_beside_the_goods() -> None:
    (fact,) = refunds_in(with_refund(body("order.updated/paid"), {"shipping": PARTS["shipping"]}))
    assert (fact.amount, fact.beside_goods, fact.lines) == (Decimal("5.83"), Decimal("5.83"), ())


def test_a_fee_is_beside_the_goods_unless_fees_are_goods() -> None:
    order = with_refund(body("order.updated/paid"), {"fees": PARTS["fees"]}, "-10.00")
    assert [fact.beside_goods for fact in refunds_in(order)] == [Decimal("10.00")]
    (fact,) = refunds_in(order, fees=True)
    assert fact.beside_goods is None
    assert [(line.external_product_id, line.amount) for line in fact.lines] == [(None, Decimal("10.00"))]


def test_tax_alone_is_beside_the_goods_unless_prices_contain_it() -> None:
    order = body("order.updated/paid")
    line = {"item_id": order["line_items"][0]["id"], "quantity": "0", "total": "0", "total_tax": "-9.50"}
    given = with_refund(order, {"lines": [line]}, "-9.50")
    assert [fact.beside_goods for fact in refunds_in(given)] == [Decimal("9.50")]
    (fact,) = refunds_in(given, tax="included")
    assert [line.amount for line in fact.lines] == [Decimal("9.50")]


def test_a_snapshot_is_as_new_as_the_plugin_saw_it() -> None:
    """WooCommerce counts in seconds, and not every edit; the plugin knows when it built the body."""
    order = body("order.updated/paid")
    modified = next(f.version for f in of_topic("order.updated", order, CONTEXT) if isinstance(f, OrderSnapshot))
    versions = [
        next(
            fact.version
            for fact in of_topic("order.updated", {**order, "affiliate_hub": {"as_of": modified + later}}, CONTEXT)
            if isinstance(fact, OrderSnapshot)
        )
        for later in (-5_000, 20, 700, 60_000)
    ]
    assert versions == [modified, modified + 20, modified + 700, modified + 60_000]


@pytest.mark.parametrize(
    ("status", "stands"), [("processing", True), ("pending", True), ("cancelled", False), ("failed", False)]
)
def test_a_status_that_is_on_takes_a_cancellation_back(status: str, stands: bool) -> None:
    facts = of_topic("order.updated", {**body("order.updated/paid"), "status": status}, CONTEXT)
    assert [fact.stands_at is not None for fact in facts if isinstance(fact, OrderSnapshot)] == [stands]


def test_refunded_with_less_money_back_is_left_to_a_person() -> None:
    order = with_refund({**body("order.updated/paid"), "status": "refunded"}, {}, "-1.00")
    facts = of_topic("order.updated", order, CONTEXT)
    assert [fact.key for fact in facts if isinstance(fact, OrderUnclear)] == ["refunded_in_part"]
    assert not any(fact.whole for fact in facts if isinstance(fact, OrderRefunded))


@pytest.mark.parametrize(
    ("paid", "back", "pieces", "asked", "whole"),
    [
        ("0.00", "0.00", {}, False, True),
        ("0.00", "0.00", {"quantity": "-1", "total": "-20.00"}, True, False),
        ("10.00", "-10.00", {}, False, True),
        ("10.00", "-10.00", {"quantity": "-1", "total": "-20.00"}, True, False),
        ("10.00", "-10.00", {"quantity": "-2", "total": "-100.00"}, False, True),
    ],
)
def test_all_the_money_is_not_all_the_goods_where_a_gift_card_paid(
    paid: str, back: str, pieces: dict[str, str], asked: bool, whole: bool
) -> None:
    """WooCommerce calls an order refunded once no money is left to give back, whatever came back of the goods."""
    order = body("order.updated/paid")
    (item, *_) = order["line_items"]
    order |= {"status": "refunded", "total": paid, "line_items": [{**item, "total": "100.00", "quantity": 2}]}
    lines = [{"item_id": item["id"], "total_tax": "0", **pieces}] if pieces else []
    facts = of_topic("order.updated", with_refund(order, {"lines": lines}, back), CONTEXT)
    assert any(isinstance(fact, OrderUnclear) for fact in facts) is asked
    assert any(fact.whole for fact in facts if isinstance(fact, OrderRefunded)) is whole
