"""A name that nobody knows is said in the answer to what was accepted, of orders, statuses and webhooks, each time."""

from __future__ import annotations

from typing import Any

import pytest

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
