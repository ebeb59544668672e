"""Whatever a body holds, the connector answers with facts or with `Unmappable`, never with another error."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hub_generic import hub_connectors
from hub_generic.payloads import camel
from hypothesis import given
from hypothesis import strategies as st

from hub.api import FACTS_OF_KIND, Connector, Context, Unmappable, parse_body

CONTEXT = Context(delivery_id="d-1", received_at=0, currency="USD")
(CONNECTOR,) = hub_connectors()
KEYS = (
    "external_order_id", "order_amount", "click_id", "currency", "coupon_code", "external_product_id", "ordered_at",
    "metadata", "lines", "occurred_at", "reason", "refund_id", "refund_amount", "quantity", "amount", "updated_at",
    "stock_status", "name", "description", "product_url", "image_url", "category", "brand", "price", "discount_price",
    "commission_type", "commission_value", "campaign_id",
)  # fmt: skip

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**4000)
    | st.decimals()
    | st.floats()
    | st.text(st.characters(codec=None), max_size=8)
    | st.sampled_from(["1", "49.90", "2026-11-20T10:00:00Z", "9999-12-31T23:59:59-23:59", "USD", "", "1e9", "x" * 300])
)
names = st.sampled_from([*KEYS, *map(camel, KEYS)]) | st.text(max_size=3)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4))
bodies = st.dictionaries(names, values, max_size=12)
likely = st.fixed_dictionaries(
    {"external_order_id": st.just("A-1"), "order_amount": st.just("5"), "external_product_id": st.just("S")},
    optional={key: values for key in KEYS if key not in {"external_order_id", "order_amount", "external_product_id"}},
)


@given(kind=st.sampled_from(sorted(FACTS_OF_KIND)), body=bodies | likely)
def test_every_kind_survives_every_body(kind: str, body: dict[str, Any]) -> None:
    """A kind's only fact, or a sentence."""
    assert CONNECTOR.recognises(body)
    try:
        facts = tuple(CONNECTOR.translate_webhook(kind, body, CONTEXT))
    except Unmappable:
        return
    assert [type(fact) for fact in facts] == [FACTS_OF_KIND[kind]]
    for amount in (getattr(facts[0], "amount", None), *(line.amount for line in getattr(facts[0], "lines", ()))):
        assert amount is None or (isinstance(amount, Decimal) and 0 <= amount < 10**12)


@given(raw=st.binary(max_size=60) | st.text(alphabet='{}[]":,0123456789.eE+-\\un ', max_size=40).map(str.encode))
def test_parsing_survives_every_body(raw: bytes) -> None:
    """An object, or a sentence."""
    with suppress(Unmappable):
        assert isinstance(parse_body(raw), dict)


def test_deep_metadata_is_refused() -> None:
    """Depth is bounded before any recursion could run out of stack."""
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"d": deep}
    body = {"external_order_id": "A", "order_amount": 1, "metadata": deep}
    with pytest.raises(Unmappable, match="deeper than 32"):
        CONNECTOR.translate_webhook("order-created", body, CONTEXT)


def test_declares_one_connector() -> None:
    """Asked after every connector that knows a platform."""
    assert isinstance(CONNECTOR, Connector)
    assert (CONNECTOR.name, CONNECTOR.rank) == ("generic", 1_000)
