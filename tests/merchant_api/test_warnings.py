"""A name that nobody knows is said in the answer to what was accepted, of orders, statuses and webhooks, each time."""

from __future__ import annotations

from typing import Any

import pytest

from hub.merchant_api.v1 import ENDPOINTS
from tests.served_hub import Api

ORDER: dict[str, Any] = {"externalOrderId": "W-1", "orderAmount": "10.00"}
IGNORED = "`click_id` is unknown and looks like `clickId`: it was ignored"


async def test_a_misspelt_click_id_is_named_in_the_answer(api: Api) -> None:
    """The request log alone had it, and nobody earned; a repeat under the same key has the same bytes."""
    key = {"Idempotency-Key": "w-1"}
    first = await api("POST", "/v1/conversions", {**ORDER, "click_id": "clk_1", "zzz": 1}, headers=key)
    assert (first.status, first.json["warnings"]) == (202, [IGNORED, "`zzz` is unknown: it was ignored"])
    again = await api("POST", "/v1/conversions", {**ORDER, "click_id": "clk_1", "zzz": 1}, headers=key)
    assert again.raw == first.raw
    status = {"externalOrderId": "W-1", "status": "delivered", "statusUpdated": "2026-11-20T10:00:00Z"}
    told = (await api("POST", "/v1/order-status", status)).json["warnings"]
    assert told == ["`statusUpdated` is unknown and looks like `statusUpdatedAt`: it was ignored"]


async def test_a_webhooks_misspelt_field_is_named(api: Api) -> None:
    body = {"external_order_id": "W-2", "order_amount": "5.00", "clck_id": "clk_1"}
    reply = await api("POST", "/v1/webhooks/order-created", body, headers={"X-External-Event-Id": "w-2"})
    assert reply.json["warnings"] == ["`clck_id` is unknown and looks like `click_id`: it was ignored"]


@pytest.mark.parametrize("known", [{}, {"clickId": "clk_" + "0" * 32}])
async def test_control_what_is_known_is_not_warned_of(api: Api, known: dict[str, str]) -> None:
    reply = await api("POST", "/v1/conversions", {**ORDER, "externalOrderId": f"W-3-{len(known)}", **known})
    assert "warnings" not in reply.json


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/v1/commissions?state=PAYABLE", "`state` is unknown and looks like `status`: it was ignored"),
        ("/v1/conversions?affiliate=aff_1", "`affiliate` is unknown and looks like `affiliateId`: it was ignored"),
        ("/v1/products?serch=shoe", "`serch` is unknown and looks like `search`: it was ignored"),
        ("/v1/campaigns?include=total", "`include` is unknown: it was ignored"),
        ("/v1/reports/daily?since=2026-11-01", "`since` is unknown: it was ignored"),
        ("/v1/balances?currency=USD", "`currency` is unknown: it was ignored"),
    ],
)
async def test_a_list_says_which_parameter_it_ignored(api: Api, path: str, told: str) -> None:
    """It answered everything, as if nobody had asked for less."""
    asked = await api("GET", path)
    plain = await api("GET", path.partition("?")[0])
    assert asked.json.pop("warnings", None) == [told]
    assert "warnings" not in plain.json
    if "ETag" in asked.headers:
        known = await api("GET", path, headers={"If-None-Match": asked.headers["ETag"]})
        assert known.status == 304


async def test_an_imports_misspelt_field_is_named(api: Api) -> None:
    item = {"externalProductId": "S-1", "name": "Shoe", "productUrl": "https://shop.example/p", "price": "1.00"}
    reply = await api("POST", "/v1/products/import", {"products": [{**item, "comissionValue": "5"}]})
    told = "`products[0].comissionValue` is unknown and looks like `commissionValue`: it was ignored"
    assert (reply.status, reply.json["warnings"]) == (202, [told])


def test_every_list_and_every_202_of_a_body_can_warn() -> None:
    """A new list has the member, too; a file says what it ignored in `ignoredColumns`."""
    silent = {
        each.operation
        for each in ENDPOINTS
        if (each.method == "GET" and "data" in each.response.__annotations__) or each.success == 202
        if "warnings" not in each.response.__annotations__
    }
    assert silent == {"uploadOrders", "uploadProducts", "uploadStatuses", "testSubscription"}
