"""The client against a real hub (HUB_BASE_URL, HUB_KEY, HUB_SECRET) and a proxy that fails (FAULTY_BASE_URL)."""

from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from affiliate_hub_client import (
    Answered,
    AsyncHub,
    Hub,
    InvalidRequest,
    MissingSetting,
    NoAnswer,
    NotAuthenticated,
    NotFound,
    RateLimited,
    Refused,
    Retries,
    Unavailable,
    WebhookFault,
    models,
    signature,
    signature_v2,
    verify_webhook,
)
from affiliate_hub_client.retries import seconds_asked

VECTORS = json.loads((Path(__file__).parents[2] / "vectors.json").read_text("utf-8"))
PRODUCT: models.ProductInput = {
    "externalProductId": "PY", "name": "x", "productUrl": "https://shop.example/p", "price": "1.00"
}  # fmt: skip
QUICK = Retries(attempts=4, first_pause=0.01)


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub.from_environment() as hub:
        yield hub


@pytest.fixture
def faulty() -> Iterator[Hub]:
    key, secret = os.environ["HUB_KEY"], os.environ["HUB_SECRET"]
    with Hub(os.environ["FAULTY_BASE_URL"], key, secret, retries=QUICK) as hub:
        yield hub


def order() -> models.ConversionInput:
    return {"externalOrderId": f"py-{uuid.uuid4()}", "orderAmount": "49.90"}


def attempts(key: str) -> int:
    return cast("int", httpx.get(f"{os.environ['FAULTY_ROOT']}/attempts/{key}").json())


@pytest.mark.parametrize("vector", VECTORS["requests"])
def test_signatures_are_those_of_the_shared_vectors(vector: dict[str, str]) -> None:
    body = vector["body"].encode()
    shared = (vector["secret"], vector["timestamp"], vector["nonce"])
    assert signature(*shared, body) == vector["signature"]
    assert signature_v2(*shared, vector["method"], vector["target"], body) == vector["signatureV2"]


def test_a_missing_setting_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUB_SECRET")
    with pytest.raises(MissingSetting, match="Set HUB_SECRET"):
        Hub.from_environment()
    with pytest.raises(MissingSetting, match="Set base_url and key"):
        AsyncHub("", "", "sec")


class TestChanges:
    def test_they_are_followed_to_their_end_and_from_a_cursor_that_was_kept(self, hub: Hub) -> None:
        def imported() -> None:
            hub.import_products({"products": [{**PRODUCT, "externalProductId": f"feed-{uuid.uuid4()}"}]})

        imported()
        *_, last = hub.follow_changes(types="product", wait=0, limit=1)
        assert last["more"] is False
        imported()
        part = next(iter(hub.follow_changes(last["cursor"], types="product", wait=5)))
        assert len(part["data"]) == 1, "what was before the cursor is not told again"
        (after,) = hub.follow_changes(part["cursor"], types="product", wait=0)
        assert after["data"] == []

    def test_a_request_that_is_held_open_outlives_the_usual_time_limit(self, hub: Hub) -> None:
        """The hub holds it for longer than an attempt may take; the control is the limit itself."""
        answered: list[Answered] = []
        patient = Hub.from_environment(on_answer=answered.append, http=httpx.Client(timeout=0.5))
        with patient:
            *_, last = patient.follow_changes(wait=0)
            began = time.monotonic()
            part = next(iter(patient.follow_changes(last["cursor"], types="campaign", wait=1)))
        assert (part["data"], len(answered) > 0) == ([], True)
        assert time.monotonic() - began >= 0.9
        assert {each.status for each in answered} == {200}

    def test_headers_can_be_read(self) -> None:
        answered: list[Answered] = []
        with Hub.from_environment(on_answer=answered.append) as hub:
            hub.list_balances()
        ((method, path, status),) = [(each.method, each.path, each.status) for each in answered]
        assert (method, path, status) == ("GET", "/v1/balances", 200)
        assert answered[0].headers["etag"].startswith('"')

    def test_iterators_ask_for_as_many_as_there_may_be(self) -> None:
        asked: list[str] = []
        http = httpx.Client(event_hooks={"request": [lambda request: asked.append(str(request.url))]})
        with Hub.from_environment(http=http) as hub:
            list(hub.iterate_links())
            list(hub.iterate_links(limit=3))
        assert [address.rpartition("?")[2] for address in asked] == ["limit=200", "limit=3"]

    def test_they_are_followed_by_awaiting_too(self) -> None:
        async def follow() -> list[models.ChangeList]:
            async with AsyncHub.from_environment() as hub:
                return [part async for part in hub.follow_changes(wait=0)]

        assert asyncio.run(follow())[-1]["more"] is False


class TestWebhooks:
    @pytest.mark.parametrize("vector", VECTORS["webhooks"])
    def test_a_message_is_returned_only_if_it_is_the_hubs(self, vector: dict[str, str]) -> None:
        names = ("id", "timestamp", "signature")
        headers = {f"Webhook-{name.title()}": vector[name] for name in names}
        secret, body, now = vector["secret"], vector["body"].encode(), float(vector["timestamp"])
        assert verify_webhook(secret, headers, body, now=now)["type"] == "commission.payable"
        rotated = {**headers, "Webhook-Signature": f"v1,AAAA {vector['signature']}"}
        assert verify_webhook(secret, rotated, body, now=now)
        assert verify_webhook(secret, headers, vector["body"], now=now)
        for wrong in (
            (secret, headers, body + b" ", now),
            (secret, headers, body, now + 301),
            ("whsec_QUFBQQ==", headers, body, now),
            (secret, {**headers, "Webhook-Id": "msg_other"}, body, now),
            (secret, {"Webhook-Id": "msg"}, body, now),
            (secret, {**headers, "Webhook-Timestamp": "soon"}, body, now),
            (secret, {**headers, "Webhook-Signature": "v1,\u00e4"}, body, now),
        ):
            with pytest.raises(WebhookFault):
                verify_webhook(*wrong[:3], now=wrong[3])


class TestCalls:
    def test_an_order_is_reported_and_looked_up(self, hub: Hub) -> None:
        body = order()
        accepted = hub.report_conversion(body)
        assert accepted["status"] == "RECEIVED"
        assert hub.report_conversion(body)["status"] == "DUPLICATE"
        assert hub.get_event(accepted["eventId"])["type"] == "conversion"

    def test_equal_bodies_in_one_second_are_two_requests(self, hub: Hub) -> None:
        body = order()
        assert {hub.report_conversion(body)["duplicate"] for _ in range(5)} == {True, False}

    def test_webhooks_count_once_by_their_event_id(self, hub: Hub) -> None:
        body: Any = {"external_order_id": f"py-{uuid.uuid4()}"}
        event_id = str(uuid.uuid4())
        assert hub.send_order_paid(body, event_id=event_id)["status"] == "QUEUED"
        assert hub.send_order_paid(body, event_id=event_id)["status"] == "DUPLICATE"

    def test_lists_are_paged_to_their_end(self, hub: Hub) -> None:
        products: list[models.ProductInput] = [
            {"externalProductId": f"PY-{n}", "name": "x", "productUrl": "https://shop.example/p", "price": "1.00"}
            for n in range(5)
        ]
        assert hub.import_products({"products": products})["created"] == 5
        found = [each["externalProductId"] for each in hub.iterate_products(page_size=2, search="PY-")]
        assert sorted(found) == [f"PY-{n}" for n in range(5)]
        events = {hub.report_conversion(order())["eventId"] for _ in range(3)}
        assert events <= {each["eventId"] for each in hub.iterate_events(limit=1)}

    def test_a_list_within_an_object_is_paged_too(self, hub: Hub) -> None:
        wanted: models.SubscriptionInput = {"url": "https://shop.example/hook", "events": ["commission.*"]}
        made = hub.create_subscription(wanted)
        assert (made["secret"] or "").startswith("whsec_")
        assert list(hub.iterate_deliveries(made["id"], limit=1)) == []

    def test_files_are_sent_as_they_are(self, hub: Hub) -> None:
        upload = hub.upload_orders(f"externalOrderId,orderAmount\npy-{uuid.uuid4()},1.00\n")
        assert hub.get_upload(upload["uploadId"])["kind"] == "orders"

    def test_refusals_are_exceptions_with_codes(self, hub: Hub) -> None:
        wrong: Any = {"orderAmount": "ten"}
        with pytest.raises(InvalidRequest) as invalid:
            hub.report_conversion(wrong)
        assert (invalid.value.code, invalid.value.param) == ("validation_failed", "externalOrderId")
        assert len(invalid.value.messages) == 2
        assert (invalid.value.doc_url or "").endswith("/docs/errors#validation_failed")
        with pytest.raises(NotFound, match="not_found"):
            hub.get_event("evt_none/../x")
        hub.report_conversion(order(), idempotency_key=(key := str(uuid.uuid4())))
        with pytest.raises(Refused, match="idempotency_mismatch"):
            hub.report_conversion(order(), idempotency_key=key)
        stranger = Hub(os.environ["HUB_BASE_URL"], os.environ["HUB_KEY"], "sec_wrong")
        with stranger, pytest.raises(NotAuthenticated):
            stranger.list_products()


class TestRetries:
    def test_after_a_lost_answer_the_same_is_said_again(self, faulty: Hub) -> None:
        key = f"lost-{uuid.uuid4()}"
        assert faulty.report_conversion(order(), idempotency_key=key)["status"] == "RECEIVED"
        assert attempts(key) == 2

    @pytest.mark.parametrize(("kind", "expected"), [("busy", 3), ("limited", 2)])
    def test_after_503_and_429(self, faulty: Hub, kind: str, expected: int) -> None:
        key = f"{kind}-{uuid.uuid4()}"
        assert faulty.report_conversion(order(), idempotency_key=key)["status"] == "RECEIVED"
        assert attempts(key) == expected

    def test_an_end_comes(self, faulty: Hub) -> None:
        key = f"down-{uuid.uuid4()}"
        with pytest.raises(Unavailable, match="store_unavailable"):
            faulty.report_conversion(order(), idempotency_key=key)
        assert attempts(key) == QUICK.attempts

    def test_what_would_be_done_twice_is_not_repeated(self, faulty: Hub) -> None:
        with pytest.raises(NoAnswer):
            faulty.create_link({"affiliateId": "aff_cut"})
        assert attempts("cut") == 1

    def test_pauses_grow_to_a_bound_and_heed_what_is_asked(self) -> None:
        retries = Retries(first_pause=1, longest_pause=8)
        grown = [retries.pause(failed, 0.0, 0.0) or 0.0 for failed in (1, 2, 3, 4, 9)]
        assert all(0.8 * least <= pause <= 1.2 * least for pause, least in zip(grown, (1, 2, 4, 8, 8), strict=True))
        assert retries.pause(1, 7.0, 0.0) == 7
        headers = ("60", None, "", "Wed, 21 Oct 2015 07:28:00 GMT", "\u00b2")
        assert [seconds_asked(each) for each in headers] == [60, 0, 0, 0, 0]

    def test_a_pause_beyond_the_bound_or_the_deadline_is_the_callers(self) -> None:
        assert Retries(longest_pause=8).pause(1, 3600.0, 0.0) is None
        assert Retries(first_pause=1, deadline=10).pause(1, 0.0, 9.9) is None
        assert Retries(first_pause=1, deadline=10).pause(1, 5.0, 1.0) == 5

    def test_a_limit_that_is_long_ends_the_call_with_its_pause(self, faulty: Hub) -> None:
        """Of 3,600 seconds none is slept."""
        with pytest.raises(RateLimited) as refused:
            faulty.report_conversion(order(), idempotency_key=f"patience-{uuid.uuid4()}")
        assert refused.value.retry_after == 3600


def test_the_client_to_await_does_the_same() -> None:
    async def calls() -> None:
        async with AsyncHub.from_environment() as hub:
            accepted = await asyncio.gather(*(hub.report_conversion(order()) for _ in range(8)))
            assert {each["status"] for each in accepted} == {"RECEIVED"}
            events = {each["eventId"] async for each in hub.iterate_events(limit=3)}
            assert {each["eventId"] for each in accepted} <= events
        key, secret = os.environ["HUB_KEY"], os.environ["HUB_SECRET"]
        async with AsyncHub(os.environ["FAULTY_BASE_URL"], key, secret, retries=QUICK) as faulty:
            lost = f"lost-{uuid.uuid4()}"
            assert (await faulty.report_conversion(order(), idempotency_key=lost))["status"] == "RECEIVED"

    asyncio.run(calls())
