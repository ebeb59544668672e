"""A second report of an order with another amount is a duplicate as before, and does not vanish."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from hub.app import Hub
from tests.conftest import api, clock, either_api, either_hub, hub
from tests.order_questions import list_order_reviews
from tests.polling import until
from tests.served_hub import Api, log_of
from tests.sqlite_first import database_url

# A hub of each test: they ask about the whole of it.
__all__ = ["api", "clock", "database_url", "either_api", "either_hub", "hub"]

CONVERSIONS = "/v1/conversions"


async def reported(api: Api, hub: Hub, **body: str) -> Any:
    reply = await api("POST", CONVERSIONS, {"externalOrderId": "A-1", **body})
    worker = hub.parts.worker
    assert worker is not None
    await worker.run_once()
    assert reply.status == 202
    return reply.json


@pytest.mark.parametrize("body", [{"orderAmount": "12.00"}, {"orderAmount": "10.00", "currency": "EUR"}])
async def test_another_amount_is_a_question(either_api: Api, either_hub: Hub, body: dict[str, str]) -> None:
    """Asked once, however often it is reported; in the request log each time."""
    first = await reported(either_api, either_hub, orderAmount="10.00")
    for _ in range(2):
        again = await reported(either_api, either_hub, **body)
        assert (again["status"], again["eventId"]) == ("DUPLICATE", first["eventId"])
        detail = (await log_of(either_hub, either_api.key))[-1]["detail"]
        assert (detail["duplicateOf"], detail["amountDiffers"]["stored"]) == (first["eventId"], "10.00")
    assert await asked(either_hub) == ["amount_differs"]
    event = (await either_api("GET", f"/v1/events/{first['eventId']}")).json
    assert event["explanation"]["amountDiffers"]["reported"] == body["orderAmount"]


async def test_control_the_same_amount_is_no_question(either_api: Api, either_hub: Hub) -> None:
    await reported(either_api, either_hub, orderAmount="10.00")
    await reported(either_api, either_hub, orderAmount="10", currency="USD")
    assert "amountDiffers" not in (await log_of(either_hub, either_api.key))[-1]["detail"]
    assert await questions(either_hub) == []


async def test_a_second_report_before_the_first_is_decided_is_a_question_too(either_api: Api, either_hub: Hub) -> None:
    """The request log names it at once, and the worker asks once it has decided the order."""
    first = (await either_api("POST", CONVERSIONS, {"externalOrderId": "B-1", "orderAmount": "10.00"})).json
    await either_api("POST", CONVERSIONS, {"externalOrderId": "B-1", "orderAmount": "12.00"})
    assert (await log_of(either_hub, either_api.key))[-1]["detail"]["amountDiffers"]["reported"] == "12.00"
    assert await asked(either_hub) == ["amount_differs"]
    event = (await either_api("GET", f"/v1/events/{first['eventId']}")).json
    assert event["explanation"]["amountDiffers"]["stored"] == "10.00"


async def test_a_webhook_that_reports_a_known_order_is_compared_as_well(either_api: Api, either_hub: Hub) -> None:
    """It is an event of its own, which ends as before and says what differs."""
    await reported(either_api, either_hub, orderAmount="10.00")
    ids = []
    for delivery, amount in (("d-1", "10.00"), ("d-2", "11.00")):
        body = {"external_order_id": "A-1", "order_amount": amount}
        headers = {"X-External-Event-Id": delivery}
        reply = await either_api("POST", "/v1/webhooks/order-created", body, headers=headers)
        ids.append(reply.json["webhookEventId"])
    assert await asked(either_hub) == ["amount_differs"]
    same, other = [(await either_api("GET", f"/v1/events/{each}")).json for each in ids]
    assert (same["status"], other["status"]) == ("SKIPPED", "SKIPPED")
    assert "amountDiffers" not in same["explanation"]
    assert other["explanation"]["amountDiffers"]["reported"] == "11.00"


async def asked(hub: Hub) -> list[str]:
    """Return the questions, once there is one: the hub's own worker may be the one that asks."""
    found: list[str] = await until(partial(questions, hub))
    return found


async def questions(hub: Hub) -> list[str]:
    return [question.reason for question in await list_order_reviews(hub.parts.store)]
