"""Conversions, order statuses and webhooks are acknowledged once durable, deduplicated, and can be looked up."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import fields
from multidict import CIMultiDict

from hub.app import Hub
from hub.merchant_api.v1 import ENDPOINTS
from hub.records.events import EventRecord
from hub.validation.inputs import wire_name
from tests.polling import until
from tests.served_hub import Api, log_of
from tests.stored_payloads import payloads_of

CONVERSIONS, STATUSES = "/v1/conversions", "/v1/order-status"
KINDS = [row.path.rpartition("/")[2] for row in ENDPOINTS if row.tag == "webhooks"]
MEMBERS = [
    "eventId",
    "type",
    "kind",
    "status",
    "duplicate",
    "receivedAt",
    "processedAt",
    "attempts",
    "conversionId",
    "explanation",
    "reason",
    "metadata",
]


async def decided(api: Api, event_id: str) -> Any:
    """The event once the worker has decided about it."""

    async def found() -> Any:
        event = (await api("GET", f"/v1/events/{event_id}")).json
        return None if event["status"] in {"RECEIVED", "QUEUED"} else event

    return await until(found)


async def webhook(api: Api, kind: str, body: object, event_id: str | None = "e-1") -> Any:
    return await api("POST", f"/v1/webhooks/{kind}", body, headers={"X-External-Event-Id": event_id})


async def stored(hub: Hub, api: Api, event_id: str) -> Any:
    async with hub.parts.store.read() as tx:
        event = await tx.one("event_anywhere", event_id=event_id)
        assert event is not None
    [payload] = await payloads_of(hub, event["account_id"], [event_id])
    return dict(event) | {"body": payload["body"]}


class TestConversions:
    async def test_a_repeated_submission_is_a_duplicate(self, either_api: Api) -> None:
        first = await either_api("POST", CONVERSIONS, {"externalOrderId": "A-1", "orderAmount": "10.00"})
        assert first.status == 202
        assert first.json == {"eventId": first.json["eventId"], "status": "RECEIVED", "duplicate": False}
        again = await either_api("POST", CONVERSIONS, {"externalOrderId": "A-1", "orderAmount": "99.00"})
        assert again.status == 202
        assert again.json == {
            "eventId": first.json["eventId"],
            "status": "DUPLICATE",
            "duplicate": True,
            "conversionId": again.json["conversionId"],
        }
        event = (await either_api("GET", f"/v1/events/{first.json['eventId']}")).json
        assert event["conversionId"] == again.json["conversionId"]

    async def test_the_exact_bytes_are_kept(self, either_api: Api, either_hub: Hub) -> None:
        raw = '{ "externalOrderId":"A-1" , "orderAmount":"10.00", "metadata":{"ü":"\\u00fc \\n 😀"}, "x":1e2 }'
        reply = await either_api("POST", CONVERSIONS, raw.encode())
        row = await stored(either_hub, either_api, reply.json["eventId"])
        assert (row["body"], row["external_order_id"], row["type"], row["kind"]) == (raw, "A-1", "conversion", None)

    @pytest.mark.parametrize("order", ["a\tb", "ORDER 1'; --", "ü" * 160, "😀", " x"])
    async def test_hostile_order_ids_are_just_ids(self, either_api: Api, order: str) -> None:
        for duplicate in (False, True):
            reply = await either_api("POST", CONVERSIONS, {"externalOrderId": order, "orderAmount": "1"})
            assert (reply.status, reply.json["duplicate"]) == (202, duplicate)

    async def test_every_fault_is_told_at_once(self, api: Api, hub: Hub) -> None:
        reply = await api(
            "POST", CONVERSIONS, {"externalOrderId": "x" * 161, "orderAmount": 5, "currency": "usd", "clickId": True}
        )
        assert reply.status == 400
        assert [message.split("`")[1] for message in reply.json["message"]] == [
            "externalOrderId",
            "orderAmount",
            "clickId",
            "currency",
        ]
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "validation_failed"

    async def test_ignored_fields_are_warned_of(self, api: Api, hub: Hub) -> None:
        body = {"externalOrderId": "A-1", "orderAmount": "1", "order_amount": "1", "total": 2}
        assert (await api("POST", CONVERSIONS, body)).status == 202
        assert (await log_of(hub, api.key))[-1]["detail"] == {"warnings": {"ignoredFields": ["order_amount", "total"]}}


class TestStatuses:
    async def test_the_moment_takes_part_in_deduplication(self, either_api: Api) -> None:
        bodies = [
            {"externalOrderId": "A-1", "status": "delivered"},
            {"externalOrderId": "A-1", "status": "delivered", "statusUpdatedAt": "2026-11-20T10:00:00Z"},
            {"externalOrderId": "A-1", "status": "paid"},
            {"externalOrderId": "A-2", "status": "delivered"},
        ]
        ids = []
        for body in bodies:
            reply = await either_api("POST", STATUSES, body)
            assert (reply.status, reply.json["status"], reply.json["duplicate"]) == (202, "RECEIVED", False)
            ids.append(reply.json["eventId"])
        assert len(set(ids)) == 4
        for body, event_id in zip(bodies, ids, strict=True):
            again = await either_api("POST", STATUSES, {**body, "reason": "again"})
            assert again.json == {"eventId": event_id, "status": "DUPLICATE", "duplicate": True}

    async def test_the_same_moment_in_another_zone_is_the_same(self, api: Api) -> None:
        for moment, duplicate in (("2026-11-20T10:00:00Z", False), ("2026-11-20T11:00:00.000+01:00", True)):
            reply = await api("POST", STATUSES, {"externalOrderId": "A", "status": "paid", "statusUpdatedAt": moment})
            assert reply.json["duplicate"] is duplicate

    @pytest.mark.parametrize("status", ["shipped", "", None, 5, "Paid", "commission-approved"])
    async def test_other_words(self, api: Api, status: object) -> None:
        reply = await api("POST", STATUSES, {"externalOrderId": "A-1", "status": status})
        assert reply.status == 400


class TestWebhooks:
    @pytest.mark.parametrize("kind", KINDS)
    async def test_a_repeated_submission_is_a_duplicate(self, api: Api, hub: Hub, kind: str) -> None:
        raw = b'{"anything": [1, 2.50], "nested":{"goes":null}}'
        first = await webhook(api, kind, raw)
        assert first.status == 202
        assert first.json == {"webhookEventId": first.json["webhookEventId"], "status": "QUEUED", "duplicate": False}
        again = await webhook(api, kind, {"other": "body"})
        assert again.json == {"webhookEventId": first.json["webhookEventId"], "status": "DUPLICATE", "duplicate": True}
        row = await stored(hub, api, first.json["webhookEventId"])
        assert (row["body"], row["type"], row["kind"], row["external_event_id"]) == (
            raw.decode(),
            "webhook",
            kind,
            "e-1",
        )

    async def test_an_event_id_is_unique_over_all_kinds(self, either_api: Api) -> None:
        assert (await webhook(either_api, "order-paid", {})).json["duplicate"] is False
        assert (await webhook(either_api, "order-refunded", {})).json["duplicate"] is True

    @pytest.mark.parametrize("event_id", [None, "", " ", "x" * 256])
    async def test_event_id_is_required(self, api: Api, event_id: str | None) -> None:
        reply = await webhook(api, "order-paid", {}, event_id)
        assert reply.status == 400
        assert "`X-External-Event-Id`" in reply.json["message"][0]

    async def test_event_id_is_given_once(self, api: Api) -> None:
        headers = CIMultiDict(api.headers(b"{}"))
        headers.add("X-External-Event-Id", "a")
        headers.add("X-External-Event-Id", "b")
        assert (await api.send("POST", "/v1/webhooks/order-paid", b"{}", headers)).status == 400

    @pytest.mark.parametrize("event_id", ["x" * 255, "a b", "ü", "'; --"])
    async def test_any_printable_event_id_is_accepted(self, either_api: Api, event_id: str) -> None:
        assert (await webhook(either_api, "order-paid", {}, event_id)).status == 202
        assert (await webhook(either_api, "order-paid", {}, event_id)).json["duplicate"] is True


class TestLookUp:
    async def test_before_and_after_it_is_decided(self, either_api: Api, either_hub: Hub) -> None:
        assert either_hub.parts.worker is not None
        await either_hub.parts.worker.stop()
        reply = await either_api("POST", CONVERSIONS, {"externalOrderId": "A-1", "orderAmount": "10.00"})
        event = (await either_api("GET", f"/v1/events/{reply.json['eventId']}")).json
        assert event == {
            "eventId": reply.json["eventId"],
            "type": "conversion",
            "kind": None,
            "status": "RECEIVED",
            "duplicate": False,
            "receivedAt": "2026-11-20T12:00:00.000Z",
            "processedAt": None,
            "attempts": 0,
            "conversionId": event["conversionId"],
            "explanation": {"attribution": None, "commission": None, "skipReason": None},
            "reason": None,
            "metadata": None,
        }
        await either_hub.parts.worker.start()
        done = await decided(either_api, reply.json["eventId"])
        assert list(done) == MEMBERS == [wire_name(each.name) for each in fields(EventRecord)]
        assert (done["status"], done["attempts"], done["processedAt"]) == ("PROCESSED", 1, "2026-11-20T12:00:00.000Z")
        assert done["explanation"] == {
            "attribution": {
                "confidence": "LOW",
                "reason": "click_missing",
                "clickId": None,
                "affiliateId": None,
                "campaignId": None,
                "clickAgeSeconds": None,
                "windowSeconds": None,
            },
            "commission": None,
            "skipReason": None,
        }

    async def test_news_of_an_unknown_order_is_parked(self, either_api: Api) -> None:
        reply = await either_api("POST", STATUSES, {"externalOrderId": "A-1", "status": "paid"})
        event = await decided(either_api, reply.json["eventId"])
        assert (event["status"], event["type"]) == ("PARKED", "order_status")
        await either_api("POST", CONVERSIONS, {"externalOrderId": "A-1", "orderAmount": "10.00"})

        async def is_processed() -> bool:
            return bool((await decided(either_api, reply.json["eventId"]))["status"] == "PROCESSED")

        await until(is_processed)

    async def test_a_status_is_shown_with_what_was_said_of_it(self, either_api: Api) -> None:
        said = {"reason": "Too small", "metadata": {"clerk": "7"}}
        reply = await either_api("POST", STATUSES, {"externalOrderId": "A-2", "status": "returned", **said})
        event = await decided(either_api, reply.json["eventId"])
        assert {name: event[name] for name in said} == said
        bare = await either_api("POST", STATUSES, {"externalOrderId": "A-2", "status": "paid"})
        event = await decided(either_api, bare.json["eventId"])
        assert {name: event[name] for name in said} == {"reason": None, "metadata": None}

    async def test_a_webhook_that_cannot_be_read_fails_visibly(self, api: Api) -> None:
        reply = await webhook(api, "order-created", {"nothing": "known"})
        event = await decided(api, reply.json["webhookEventId"])
        assert (event["type"], event["kind"], event["status"]) == ("webhook", "order-created", "FAILED")
        assert event["explanation"]["skipReason"].startswith("unmappable: ")

    @pytest.mark.parametrize("event_id", ["evt_nothing", "%00", "x" * 300, "evt_%F0%9F%98%80"])
    async def test_an_unknown_event_is_a_404(self, api: Api, event_id: str) -> None:
        reply = await api("GET", f"/v1/events/{event_id}")
        assert (reply.status, reply.json["message"]) == (404, "There is no such event.")
