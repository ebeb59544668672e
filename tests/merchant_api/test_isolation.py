"""What belongs to another account does not exist: every route with an id, generated from the table of endpoints."""

from __future__ import annotations

from typing import Any

import pytest

from hub.app import Hub
from hub.merchant_api.endpoint import Endpoint
from hub.merchant_api.v1 import ENDPOINTS
from hub.testing.clock import FakeClock
from tests.served_hub import Api, ApiKey, new_key, new_merchant

ELSEWHERE = {"conversions", "commissions", "links"}
"""Kinds of things whose isolation test_lists.py tests: they take an affiliate with an order."""
WITH_ID = [row for row in ENDPOINTS if "{" in row.path and row.tag not in ELSEWHERE]
BODIES: dict[str, Any] = {
    "rotateSubscriptionSecret": {},
    "replayDeliveries": {"since": "1d"},
    "updateSubscription": {"events": ["*"]},
    "testSubscription": {},
    "retryDeliveries": {},
    "updateProduct": {"price": "1"},
    "updateCampaign": {"title": "Mine"},
}


async def owned(api: Api) -> dict[str, str]:
    """One of each thing that has an id, by the first part of its path."""
    item = {"externalProductId": "p1", "name": "P", "productUrl": "https://shop.example/", "price": "2"}
    await api("POST", "/v1/products/import", {"products": [item]})
    return {
        "products": (await api("GET", "/v1/products/p1")).json["id"],
        "campaigns": (await api("POST", "/v1/campaigns", {"title": "Theirs"})).json["id"],
        "events": (await api("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"})).json["eventId"],
        "uploads": (await api("POST", "/v1/uploads/orders", b"", headers={"Content-Type": "text/csv"})).json[
            "uploadId"
        ],
        "subscriptions": (await api("POST", "/v1/subscriptions", {"url": "https://a.example", "events": ["*"]})).json[
            "id"
        ],
    }


@pytest.fixture(params=["another merchant", "the same merchant's other mode"])
async def stranger(request: pytest.FixtureRequest, either_api: Api, either_hub: Hub, clock: FakeClock) -> Api:
    if request.param == "another merchant":
        key: ApiKey = await new_key(either_hub, clock, await new_merchant(either_hub, clock, "Other", approve=True))
    else:
        key = await new_key(either_hub, clock, either_api.key.merchant_id, "live")
    return either_api.with_key(key)


async def ask(api: Api, endpoint: Endpoint, identity: str) -> int:
    path = endpoint.path.replace("{id}", identity).replace("{eventId}", identity)
    return (await api(endpoint.method, path, BODIES.get(endpoint.operation))).status


async def test_another_accounts_ids_are_unknown_on_every_route(either_api: Api, stranger: Api) -> None:
    ids = await owned(either_api)
    assert {row.tag for row in WITH_ID} == set(ids), "a new kind of thing needs an example above"
    for endpoint in WITH_ID:
        assert await ask(stranger, endpoint, ids[endpoint.tag]) == 404, endpoint.route
    assert (await either_api("GET", f"/v1/products/{ids['products']}")).json["price"] == "2.00"
    assert (await either_api("GET", f"/v1/campaigns/{ids['campaigns']}")).json["title"] == "Theirs"
    for endpoint in WITH_ID:
        assert await ask(either_api, endpoint, ids[endpoint.tag]) in {200, 202, 400}, endpoint.route


async def test_lists_and_external_ids_are_of_one_account(either_api: Api, stranger: Api) -> None:
    """Equal order, product and event ids of two accounts never meet."""
    await owned(either_api)
    for path in ("products", "campaigns"):
        assert (await stranger("GET", f"/v1/{path}")).json["total"] == 0
    assert (await stranger("GET", "/v1/products/p1")).status == 404
    archived = await stranger("POST", "/v1/products/archive", {"productIds": ["p1"]})
    assert archived.json == {"archived": 0, "notFound": ["p1"]}
    order = await stranger("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"})
    assert order.json["status"] == "RECEIVED"
    for caller in (either_api, stranger):
        sent = await caller("POST", "/v1/webhooks/order-paid", {}, headers={"X-External-Event-Id": "e"})
        assert sent.json["status"] == "QUEUED"
        keyed = await caller("POST", "/v1/campaigns", {"title": "T"}, headers={"Idempotency-Key": "k"})
        assert "Idempotency-Replayed" not in keyed.headers
