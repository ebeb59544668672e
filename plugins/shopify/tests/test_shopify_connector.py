"""Topics, tests, privacy, the catalogue, v1 webhooks, and bodies that hold anything."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import hub_shopify
import pytest
from hub_shopify import hub_connectors
from hub_shopify.options import ShopifyOptions
from hub_shopify.scenarios import wire
from hypothesis import given
from hypothesis import strategies as st

from hub.api import (
    FACTS_OF_KIND,
    Context,
    Fact,
    HmacHeader,
    ProductStockUpdated,
    ProductUpdated,
    Uninteresting,
    Unmappable,
    parse_body,
)

(CONNECTOR,) = hub_connectors()
SAMPLES = Path(str(hub_shopify.__file__)).parent / "samples"
CONTEXT = Context("d-1", 1_893_456_000_000, "USD", ShopifyOptions())
TOPICS = {topic.name: topic for topic in CONNECTOR.topics}
BODIES = [
    (file.parent.name.replace("__", "/"), parse_body(file.read_bytes()))
    for file in sorted(SAMPLES.glob("*__*/*.json"))
    if not file.stem.endswith((".facts", ".headers", ".options", ".signed"))
]


def sample(topic: str, name: str) -> dict[str, Any]:
    return parse_body((SAMPLES / topic.replace("/", "__") / f"{name}.json").read_bytes())


def stated(topic: str, body: dict[str, Any], **options: Any) -> tuple[Fact, ...]:
    return tuple(TOPICS[topic].translate(body, Context("d-1", 0, "USD", ShopifyOptions(**options))))


class TestDoor:
    def test_signature(self) -> None:
        """Base64, not hex; the store gives its own key."""
        assert CONNECTOR.auth == HmacHeader("X-Shopify-Hmac-Sha256", encoding="base64")
        assert not CONNECTOR.issues_secret
        assert any("{url}" in step for step in CONNECTOR.steps)

    def test_wire_form(self) -> None:
        assert wire({"a": "/&<\u2028é"}) == '{"a":"\\/\\u0026\\u003c\\u2028é"}'.encode()

    @pytest.mark.parametrize(
        ("body", "headers"),
        [
            ({"id": 1, "test": True}, {}),
            ({"id": 1}, {"x-shopify-test": "true"}),
            ({"id": 820982911946154508}, {}),
            ({"id": 2, "order_id": 820982911946154508}, {}),
            ({"id": 2, "transactions": [{"test": True}]}, {}),
            ({"id": 2, "payment_gateway_names": ["bogus"]}, {}),
            ({"order": {"id": 1, "test": True}}, {}),
        ],
    )
    def test_tests_are_known(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        assert CONNECTOR.is_test(body, headers)
        assert not CONNECTOR.is_test(sample("orders/paid", "paid"), {"x-shopify-test": "false"})

    def test_privacy(self) -> None:
        asked = CONNECTOR.erasure("customers/data_request", sample("customers/data_request", "two_orders"))
        erased = CONNECTOR.erasure("customers/redact", sample("customers/redact", "only_an_email"))
        shop = CONNECTOR.erasure("shop/redact", {})
        assert asked is not None
        assert erased is not None
        assert shop is not None
        assert (asked.act, asked.order_ids) == ("report", ("5600000000100", "5600000000200"))
        assert (erased.act, erased.order_ids) == ("redact", ())
        assert (shop.act, shop.order_ids) == ("redact", None)
        assert CONNECTOR.erasure("orders/paid", {}) is None

    @pytest.mark.parametrize("topic", ["orders/edited", "app/uninstalled", "returns/update", "returns/process"])
    def test_uninteresting(self, topic: str) -> None:
        with pytest.raises(Uninteresting):
            stated(topic, {"order_edit": {}})


class TestReturns:
    def test_the_step_that_counts_is_the_stores_choice(self) -> None:
        opened, closed = sample("returns/approve", "open"), sample("returns/close", "closed")
        assert len(stated("returns/close", closed)) == 1
        assert len(stated("returns/approve", opened, returned_on="approve")) == 1
        for topic, body, choice in (("returns/approve", opened, "close"), ("returns/close", closed, "never")):
            with pytest.raises(Uninteresting):
                stated(topic, body, returned_on=choice)


class TestCatalogue:
    def test_a_level_names_only_an_item(self) -> None:
        (fact,) = stated("inventory_levels/update", sample("inventory_levels/update", "seven"))
        assert isinstance(fact, ProductStockUpdated)
        assert (fact.external_product_id, fact.item_id, fact.location_id) == ("", "45300000000001", "655441491")

    def test_a_product_teaches_its_items(self) -> None:
        fact, stock = stated("products/update", sample("products/update", "reduced_price"))
        assert isinstance(fact, ProductUpdated)
        assert isinstance(stock, ProductStockUpdated)
        assert fact.items == ("45300000000001", "45300000000002")
        assert (fact.fields["price"], fact.fields["discountPrice"], stock.quantity) == ("29.99", "19.99", 5)

    def test_prices_have_the_currencys_decimals(self) -> None:
        body = sample("products/create", "with_address")
        body["variants"][0]["price"] = "10.005"
        fact, _ = stated("products/create", body, shop_url="https://shop.example/")
        assert isinstance(fact, ProductUpdated)
        assert (fact.fields["price"], fact.fields["productUrl"]) == ("10.01", "https://shop.example/products/tea-cups")

    def test_half_a_variant_list_is_no_stock(self) -> None:
        (fact,) = stated("products/update", sample("products/update", "more_than_a_hundred_variants"))
        assert isinstance(fact, ProductUpdated)

    def test_one_variant_sold_out_is_not_the_product(self) -> None:
        with pytest.raises(Uninteresting):
            stated("variants/out_of_stock", sample("variants/out_of_stock", "one_of_several"))

    def test_stock_that_nobody_counts(self) -> None:
        with pytest.raises(Uninteresting):
            stated("inventory_levels/update", sample("inventory_levels/update", "not_counted"))


class TestWebhooks:
    @pytest.mark.parametrize("kind", sorted(FACTS_OF_KIND))
    def test_every_kind(self, kind: str) -> None:
        for file in (SAMPLES / kind).glob("*.json"):
            if not file.stem.endswith(".facts"):
                body = parse_body(file.read_bytes())
                facts = CONNECTOR.translate_webhook(kind, body, CONTEXT)
                assert CONNECTOR.recognises(body)
                assert any(isinstance(fact, FACTS_OF_KIND[kind]) for fact in facts)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"external_order_id": "1", "order_amount": "5", "lines": []},
            {"id": 1, "line_items": [], "billing": {}, "meta_data": [], "currency": "USD"},
            {"admin_graphql_api_id": 5},
            {"order": [], "product": {}},
        ],
    )
    def test_strangers_are_not_recognised(self, body: dict[str, Any]) -> None:
        assert not CONNECTOR.recognises(body)

    def test_uninteresting_is_said_as_unmappable(self) -> None:
        with pytest.raises(Unmappable):
            CONNECTOR.translate_webhook("order-created", {"order_edit": {}}, CONTEXT)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.decimals()
    | st.text(st.characters(codec=None), max_size=6)
    | st.sampled_from(
        ["1.00", "-5", "paid", "delivered", "2026-09-14T10:15:02-04:00", "9" * 400, "gid://shopify/Order/1"]
    ),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "name", "value"]), inner),
    max_leaves=4,
)


def spoil(body: Any, draw: Any) -> None:
    """Goes a random way inwards and changes what stands there."""
    while True:
        keys = list(body) if isinstance(body, dict) else list(range(len(body)))
        key = draw(st.sampled_from(keys))
        if isinstance(body[key], dict | list) and body[key] and draw(st.booleans()):
            body = body[key]
            continue
        if isinstance(body, dict) and draw(st.booleans()):
            del body[key]
        else:
            body[key] = draw(values)
        return


@given(data=st.data())
def test_no_body_raises_anything_but_a_refusal(data: Any) -> None:
    topic, body = data.draw(st.sampled_from(BODIES))
    body = copy.deepcopy(body)
    for _ in range(data.draw(st.integers(1, 4))):
        if body:
            spoil(body, data.draw)
    CONNECTOR.is_test(body, {})
    CONNECTOR.erasure(topic, body)
    CONNECTOR.recognises(body)
    with suppress(Unmappable, Uninteresting):
        tuple(TOPICS[topic].translate(body, CONTEXT))
    for kind in FACTS_OF_KIND:
        with suppress(Unmappable):
            CONNECTOR.translate_webhook(kind, body, CONTEXT)


def test_golden_files_are_json() -> None:
    """One beside every sample."""
    files = [
        file
        for file in SAMPLES.glob("*/*.json")
        if not file.stem.endswith((".facts", ".headers", ".options", ".signed"))
    ]
    for file in files:
        assert json.loads(file.with_suffix(".facts.json").read_text())
