"""The refusals that the OpenAPI document shows are what the hub says, word for word where an operation has its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.app import Hub
from hub.merchant_api.openapi.shared_parts import ONE_OF_A_KIND
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from tests.merchant_api.test_openapi import BY_OPERATION, assert_documented, operation_of, resolved
from tests.polling import until
from tests.served_hub import Api, Reply, api_of, noted_requests, served


def error_example(operation: str, status: int) -> Any:
    response = resolved(operation_of(BY_OPERATION[operation])["responses"][str(status)])
    return dict(response["content"]["application/json"]["example"])


def assert_as_documented(operation: str, reply: Reply, status: int, *, shared: bool = True) -> None:
    """Compare an answer with its example; one that is `shared` by all operations is another one's in its words."""
    assert reply.status == status, reply.raw
    assert_documented(BY_OPERATION[operation], reply)
    example = error_example(operation, status)
    for member in ("requestId", "docUrl") if status != 401 else ():
        assert example.pop(member)
    if shared and str(status) in ONE_OF_A_KIND:
        example = {member: example[member] for member in ("error", "code")}
    assert example.items() <= reply.json.items()


class TestRefusals:
    """The examples of refusals are what the hub says."""

    async def test_refused_campaign_moves_answer_as_described(self, api: Api) -> None:
        campaign = (await api("POST", "/v1/campaigns", {"title": "A", "approvalRequired": True})).json["id"]
        for operation, act in (("pauseCampaign", "pause"), ("activateCampaign", "activate")):
            assert_as_documented(operation, await api("POST", f"/v1/campaigns/{campaign}/{act}"), 400)

    async def test_bad_input_is_answered_as_described(self, api: Api) -> None:
        assert_as_documented("listProducts", await api("GET", "/v1/products?page=0&pageSize=1000"), 400)
        csv = {"Content-Type": "text/csv"}
        reply = await api("POST", "/v1/uploads/orders?dryRun=perhaps", b"", headers=csv)
        assert_as_documented("uploadOrders", reply, 400)
        assert_as_documented("reportConversion", await api("POST", "/v1/conversions", {"orderStatus": -1}), 400)
        assert_as_documented("sendOrderPaid", await api("POST", "/v1/webhooks/order-paid", {}), 400)

    async def test_examples_that_stand_for_all_operations_are_said_by_one(self, api: Api) -> None:
        reply = await api("GET", "/v1/affiliates?limit=0")
        assert_as_documented("listAffiliates", reply, 400, shared=False)
        assert_as_documented("getProduct", await api("GET", "/v1/products/nobody"), 404, shared=False)

    async def test_unauthenticated_requests_are_answered_as_described(self, api: Api) -> None:
        reply = await api("GET", "/v1/products", headers={"X-Signature": "0" * 64})
        assert_as_documented("listProducts", reply, 401)

    @pytest.mark.parametrize("operation", ["getProduct", "getCampaign", "getEvent", "getUpload", "getUploadVerdicts"])
    async def test_unknown_resources_are_answered_as_described(self, api: Api, operation: str) -> None:
        path = BY_OPERATION[operation].path.format_map({"id": "nobody", "eventId": "nothing"})
        assert_as_documented(operation, await api("GET", path), 404)

    async def test_of_a_key_in_use(self, hub: Hub, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two at once while the store is busy: one runs, the other is told to come again."""
        arrived = noted_requests(hub, monkeypatch)
        async with hub.parts.store.write():
            headers = {"Idempotency-Key": "twice"}
            twins = [asyncio.create_task(api("POST", "/v1/campaigns", {"title": "A"}, headers=headers)) for _ in "ab"]
            await until(lambda: len(arrived) == 2)
        first, second = sorted(await asyncio.gather(*twins), key=lambda reply: reply.status)
        assert first.status == 201
        assert_as_documented("createCampaign", second, 409)

    async def test_of_a_key_with_another_body(self, api: Api) -> None:
        once = {"Idempotency-Key": "once"}
        _, reply = [await api("POST", "/v1/campaigns", {"title": title}, headers=once) for title in "ab"]
        assert_as_documented("createCampaign", reply, 422)

    async def test_refused_bodies_are_answered_as_described(self, hub: Hub, api: Api) -> None:
        big = b"{" + b" " * 8_388_608
        assert_as_documented("createCampaign", await api("POST", "/v1/campaigns", big), 413)
        xml = {"Content-Type": "text/xml"}
        assert_as_documented("uploadOrders", await api("POST", "/v1/uploads/orders", b"<a/>", headers=xml), 415)
        assert_as_documented("uploadOrders", await _announce(hub, "uploads/orders", 2**30 + 1), 413)
        assert_as_documented("createCampaign", await api("POST", "/v1/campaigns", b"<a/>", headers=xml), 415)

    async def test_of_the_slow_and_the_many(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock, HUB_SERVER_BODY_TIMEOUT="100ms", HUB_LIMITS_PER_MINUTE="1") as hub:
            async with api_of(hub, clock) as api:
                await api("GET", "/v1/products")
                assert_as_documented("listProducts", await api("GET", "/v1/products"), 429)
            assert_as_documented("createCampaign", await _announce(hub, "campaigns", 9), 408)

    async def test_a_broken_hub_answers_as_described(self, hub: Hub, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        await api("GET", "/v1/products")
        monkeypatch.setattr("hub.merchant_api.v1.products._page", _fail(RuntimeError))
        assert_as_documented("listProducts", await api("GET", "/v1/products"), 500)
        monkeypatch.setattr("hub.merchant_api.v1.products._page", _fail(StoreUnavailable))
        assert_as_documented("listProducts", await api("GET", "/v1/products"), 503)


def _fail(fault: type[Exception]) -> Any:
    def fail(*_: object) -> None:
        raise fault("broken for a test")

    return fail


async def _announce(hub: Hub, path: str, size: int) -> Reply:
    """The answer to a body of which only the first byte comes."""
    reader, writer = await asyncio.open_connection(hub.server.host, hub.server.port)
    signed = {"X-API-Key": f"ak_test_{'0' * 32}", "X-Timestamp": hub.parts.clock() // 1000, "X-Signature": "0" * 64}
    fields = "".join(f"{name}: {value}\r\n" for name, value in {**signed, "Content-Length": size}.items())
    writer.write(f"POST /api/v1/{path} HTTP/1.1\r\nHost: hub\r\n{fields}\r\n{{".encode())
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().rstrip().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    body = await reader.readexactly(int(headers["Content-Length"]))
    writer.close()
    await writer.wait_closed()
    return Reply(int(status.split()[1]), headers, body)
