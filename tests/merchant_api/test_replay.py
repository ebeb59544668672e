"""A signature is used once; an idempotency key runs its request once; equal requests in a race have one effect."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

import pytest

from hub.app import Hub
from hub.operations.references import account_id_of
from hub.testing.clock import FakeClock
from tests.merchant_api.test_authentication import refused
from tests.served_hub import Api, Reply, exchange, log_of, served
from tests.sqlite_first import on_both

ORDER = b'{"externalOrderId":"A-1","orderAmount":"10.00"}'
PATH = "/v1/conversions"
KEY = "X-Idempotency-Key"


def order(number: str, **more: str) -> dict[str, str]:
    return {"externalOrderId": number, "orderAmount": "10.00", **more}


async def events_of(hub: Hub, api: Api) -> int:
    """How many events the account of a key has."""
    account_id = await account_id_of(hub.parts.store, api.key.merchant_id, "test")
    async with hub.parts.store.read() as tx:
        events = await tx.all("audited_events", account_id=account_id, event_id="", limit=10_000)
    return sum(event["account_id"] == account_id for event in events)


class TestSignatures:
    async def test_a_write_is_refused_again_on_any_path(self, either_api: Api, either_hub: Hub) -> None:
        headers = either_api.headers(ORDER)
        assert (await either_api.send("POST", PATH, ORDER, headers)).status == 202
        refused(await either_api.send("POST", PATH, ORDER, headers))
        refused(await either_api.send("POST", "/v1/order-status", ORDER, headers))
        refused(await either_api.send("PATCH", "/v1/products/x", ORDER, headers))
        assert (await log_of(either_hub, either_api.key))[-1]["errorCode"] == "signature_replayed"

    async def test_memory_outlives_the_process(self, sqlite_url: str, clock: FakeClock) -> None:
        from tests.served_hub import api_of

        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
            headers = api.headers(ORDER)
            assert (await api.send("POST", PATH, ORDER, headers)).status == 202
            key = api.key
        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as again:
            refused(await again.with_key(key).send("POST", PATH, ORDER, headers))

    @pytest.mark.parametrize("body", [b'{"externalOrderId":1}', b"no json", b'{"a":"\\u0000"}'])
    async def test_a_request_refused_with_400_has_used_its_signature(self, api: Api, body: bytes) -> None:
        headers = api.headers(body)
        assert (await api.send("POST", PATH, body, headers)).status == 400
        refused(await api.send("POST", PATH, body, headers))

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("PATCH", "/v1/products/nothing", b'{"price":"1"}'),
            ("POST", "/v1/campaigns/nothing/pause", b""),
            ("POST", "/v1/webhooks/order-paid", b"{}"),
            ("POST", "/v1/products/import", b"{}"),
            ("POST", "/v1/products/archive", b"{}"),
        ],
    )
    async def test_so_has_every_other_refused_write(self, api: Api, method: str, path: str, body: bytes) -> None:
        headers = api.headers(body)
        assert (await api.send(method, path, body, headers)).status in {400, 404}
        refused(await api.send(method, path, body, headers))

    async def test_a_malformed_idempotency_key_uses_it_too(self, api: Api) -> None:
        headers = api.headers(ORDER)
        assert (await api.send("POST", PATH, ORDER, {**headers, KEY: "a b"})).status == 400
        refused(await api.send("POST", PATH, ORDER, headers))

    async def test_a_read_is_refused_for_the_same_path_and_query_only(self, api: Api, hub: Hub) -> None:
        """Paging within one second works, and so does a write with that signature (of an empty body)."""
        headers = api.headers(b"", str(api.clock() // 1000))
        assert (await api.send("GET", "/v1/products?page=1", b"", headers)).status == 200
        assert (await api.send("GET", "/v1/products?page=2", b"", headers)).status == 200
        assert (await api.send("GET", "/v1/campaigns?page=1", b"", headers)).status == 200
        refused(await api.send("GET", "/v1/products?page=1", b"", headers))
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "signature_replayed"

    @pytest.mark.parametrize(
        "same",
        ["http://elsewhere/api/v1/products?page=1", "/api/v1/products?page=1#there",
         "/api/v1/products?%70age=1", "/api/v1/products?page=1&"],
    )  # fmt: skip
    async def test_a_read_is_the_same_however_its_target_is_written(self, api: Api, hub: Hub, same: str) -> None:
        signed = "".join(f"{name}: {value}\r\n" for name, value in api.headers(b"").items())
        for target, status in (("/api/v1/products?page=1", "200 OK"), (same, "401 Unauthorized")):
            told, _, _ = await exchange(hub, f"GET {target} HTTP/1.1\r\nHost: hub\r\n{signed}\r\n".encode())
            assert told == f"HTTP/1.1 {status}"

    @on_both("either_hub")
    async def test_fifty_equal_signatures_have_one_effect(self, either_api: Api, either_hub: Hub) -> None:
        headers = either_api.headers(ORDER)
        replies = await asyncio.gather(*(either_api.send("POST", PATH, ORDER, headers) for _ in range(50)))
        assert Counter(reply.status for reply in replies) == {202: 1, 401: 49}
        assert await events_of(either_hub, either_api) == 1


@on_both("either_hub")
class TestRaces:
    async def test_fifty_equal_orders_make_one_event(self, either_api: Api, either_hub: Hub) -> None:
        replies = await asyncio.gather(*(either_api("POST", PATH, order("A-1")) for _ in range(50)))
        assert {reply.status for reply in replies} == {202}
        answers = [reply.json for reply in replies]
        assert Counter(answer["status"] for answer in answers) == {"RECEIVED": 1, "DUPLICATE": 49}
        assert len({answer["eventId"] for answer in answers}) == 1
        assert len({answer["conversionId"] for answer in answers if answer["duplicate"]}) == 1
        assert await events_of(either_hub, either_api) == 1

    async def test_fifty_equal_keys_run_once(self, either_api: Api, either_hub: Hub) -> None:
        sent = [either_api("POST", PATH, order("A-1"), headers={KEY: "once"}) for _ in range(50)]
        replies = await asyncio.gather(*sent)
        assert {reply.status for reply in replies} <= {202, 409}
        done = [reply for reply in replies if reply.status == 202]
        assert len({reply.raw for reply in done}) == 1
        assert sum("Idempotency-Replayed" not in reply.headers for reply in done) == 1
        assert await events_of(either_hub, either_api) == 1

    async def test_fifty_equal_keys_on_a_direct_write(self, either_api: Api) -> None:
        sent = [either_api("POST", "/v1/campaigns", {"title": "Spring"}, headers={KEY: "once"}) for _ in range(50)]
        replies = await asyncio.gather(*sent)
        assert {reply.status for reply in replies} <= {201, 409}
        assert len({reply.raw for reply in replies if reply.status == 201}) == 1
        assert all(reply.headers["Retry-After"] == "1" for reply in replies if reply.status == 409)
        assert (await either_api("GET", "/v1/campaigns")).json["total"] == 1

    async def test_one_key_with_two_bodies(self, either_api: Api, either_hub: Hub) -> None:
        sent = [either_api("POST", PATH, order(f"A-{n % 2}"), headers={KEY: "once"}) for n in range(50)]
        replies = await asyncio.gather(*sent)
        assert {reply.status for reply in replies} <= {202, 409, 422}
        assert sum(reply.status == 202 and "Idempotency-Replayed" not in reply.headers for reply in replies) == 1
        assert await events_of(either_hub, either_api) == 1


class TestIdempotency:
    async def test_a_repeat_gets_the_stored_answer_verbatim(self, either_api: Api) -> None:
        first = await either_api("POST", PATH, order("A-1"), headers={KEY: "k"})
        again = await either_api("POST", PATH, order("A-1"), headers={KEY: "k", "X-Request-ID": "mine"})
        assert (first.status, first.raw) == (again.status, again.raw)
        assert first.json["duplicate"] is False
        assert "Idempotency-Replayed" not in first.headers
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers["X-Request-ID"] == "mine"

    @pytest.mark.parametrize(
        ("path", "body", "status"),
        [
            ("/v1/products/import", {"products": []}, 202),
            ("/v1/products/upsert", {"products": []}, 202),
            ("/v1/campaigns", {"title": "T"}, 201),
            ("/v1/order-status", {"externalOrderId": "A", "status": "paid"}, 202),
            ("/v1/webhooks/order-created", {"a": 1}, 202),
            ("/v1/webhooks/product-stock-updated", {"a": 1}, 202),
        ],
    )
    async def test_honoured_on_every_keyed_endpoint(self, api: Api, path: str, body: object, status: int) -> None:
        headers: Mapping[str, str] = {"Idempotency-Key": '"quoted"', "X-External-Event-Id": "e-1"}
        first = await api("POST", path, body, headers=headers)
        again = await api("POST", path, body, headers={**headers, "Idempotency-Key": "quoted"})
        assert first.status == again.status == status
        assert first.raw == again.raw
        assert again.headers["Idempotency-Replayed"] == "true"

    async def test_other_body_or_query_is_422(self, either_api: Api, either_hub: Hub) -> None:
        await either_api("POST", PATH, order("A-1"), headers={KEY: "k"})
        other = await either_api("POST", PATH, order("A-2"), headers={KEY: "k"})
        query = await either_api("POST", PATH + "?a=1", order("A-1"), headers={KEY: "k"})
        assert (other.status, query.status) == (422, 422)
        assert other.json["error"] == "Unprocessable Entity"
        assert await events_of(either_hub, either_api) == 1
        assert (await log_of(either_hub, either_api.key))[-1]["errorCode"] == "idempotency_mismatch"

    async def test_another_route_or_account_is_another_scope(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        from tests.served_hub import new_key

        live = api.with_key(await new_key(hub, clock, api.key.merchant_id, "live"))
        for caller, path, body in (
            (api, PATH, order("A-1")),
            (live, PATH, order("A-1")),
            (api, "/v1/order-status", {"externalOrderId": "A-1", "status": "paid"}),
        ):
            reply = await caller("POST", path, body, headers={KEY: "k"})
            assert reply.status == 202
            assert "Idempotency-Replayed" not in reply.headers

    async def test_only_success_is_kept(self, api: Api) -> None:
        """A body that was mended may use its key again."""
        assert (await api("POST", PATH, {"externalOrderId": "A-1"}, headers={KEY: "k"})).status == 400
        reply = await api("POST", PATH, order("A-1"), headers={KEY: "k"})
        assert reply.status == 202
        assert reply.json["duplicate"] is False

    async def test_a_key_is_forgotten_after_its_time(self, sqlite_url: str, clock: FakeClock) -> None:
        from tests.served_hub import api_of

        async with served(sqlite_url, clock, IDEMPOTENCY_TTL_HOURS="1") as hub, api_of(hub, clock) as api:
            await api("POST", "/v1/campaigns", {"title": "T"}, headers={KEY: "k"})
            clock.advance(3_599_000)
            replay = await api("POST", "/v1/campaigns", {"title": "T"}, headers={KEY: "k"})
            assert "Idempotency-Replayed" in replay.headers
            clock.advance(1_000)
            fresh = await api("POST", "/v1/campaigns", {"title": "T"}, headers={KEY: "k"})
            assert "Idempotency-Replayed" not in fresh.headers
            assert fresh.json["id"] != replay.json["id"]

    async def test_ignored_where_it_is_not_honoured(self, api: Api) -> None:
        """Even a malformed one: it means nothing on archive or on a GET."""
        for _ in range(2):
            reply = await api("POST", "/v1/products/archive", {"productIds": []}, headers={KEY: "a b"})
            assert reply.status == 200
            assert "Idempotency-Replayed" not in reply.headers
        assert (await api("GET", "/v1/products", headers={KEY: "a b"})).status == 200

    @pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "é", '"', '"a', "\t"])
    async def test_a_malformed_key_is_400(self, api: Api, key: str) -> None:
        reply: Reply = await api("POST", PATH, order("A-1"), headers={KEY: key})
        assert reply.status == (202 if key in {'"', '"a'} else 400)
        if reply.status == 400:
            assert reply.json["message"] == ["`Idempotency-Key` must be 1 to 255 visible ASCII characters"]

    async def test_both_idempotency_headers_are_honoured(self, api: Api) -> None:
        both = {KEY: "a", "Idempotency-Key": "a"}
        assert (await api("POST", PATH, order("A-1"), headers=both)).status == 202
        assert (await api("POST", PATH, order("A-2"), headers={**both, KEY: "b"})).status == 400
