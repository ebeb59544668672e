"""A misspelt field of a webhook is named in the request log, and takes nothing back."""

from __future__ import annotations

import attrs
import pytest
from hub_generic import payloads
from hub_generic.translate import PRODUCT_FIELDS

from hub.merchant_api.v1.webhook_fields import FIELDS, unknown_webhook_fields


def names(*kinds: type[attrs.AttrsInstance]) -> set[str]:
    return {attribute.name for kind in kinds for attribute in attrs.fields(kind)}


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("order-created", names(payloads.OrderPayload)),
        ("order-paid", names(payloads.NewsPayload)),
        ("order-refunded", names(payloads.RefundPayload)),
        ("product-updated", names(payloads.ProductPayload) | set(PRODUCT_FIELDS)),
        ("product-stock-updated", names(payloads.StockPayload)),
    ],
)
def test_the_names_are_those_that_the_connector_reads(kind: str, read: set[str]) -> None:
    assert set(FIELDS[kind]) == read


def test_unknown_fields_are_named_in_both_spellings_and_in_lines() -> None:
    body = {"externalOrderId": "1", "refund_ammount": "5.00", "lines": [{"externalProductId": "a", "qty": 1}]}
    assert unknown_webhook_fields("order-refunded", body) == ("refund_ammount", "lines[0].qty")
    assert unknown_webhook_fields("order-refunded", {"externalOrderId": "1", "refundId": "r", "occurredAt": "x"}) == ()


def test_a_platforms_body_is_not_the_hubs_to_judge() -> None:
    assert unknown_webhook_fields("order-created", {"id": 1, "line_items": []}) == ()
