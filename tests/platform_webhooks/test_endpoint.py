"""POST /connect/{connectionId}: what is genuine is kept once and answered 200, and nothing else ever is."""

from __future__ import annotations

import asyncio
import io
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from hashlib import sha256
from hmac import digest
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient
from attrs import evolve, frozen
from pytest_aiohttp.plugin import AiohttpClient, AiohttpRawServer

from hub.app import Hub
from hub.domain.connectors.connector import Auth
from hub.domain.connectors.deliveries import genuine
from hub.intake.stored_body import raw_body
from hub.operations.connections import connections
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    add_secret,
    close_connection,
    expire_secret,
)
from hub.operations.lists import Wanted
from hub.operations.merchants.merchants import set_merchant_status
from hub.operations.orders.request_log import read_log
from hub.platform_webhooks import endpoint, verification
from hub.platform_webhooks.connections import ConnectionCache
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.registry import Registry
from hub.sealing import load_sealer
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from hub.testing.in_process_plugins import InProcessPlugins
from tests.acme import ACME, DELIVERY, SIGNATURE, TOPIC, acme_plugins, signature
from tests.polling import until
from tests.served_hub import Api, Reply, log_of, new_key, new_merchant, served
from tests.sqlite_first import database_url
from tests.stored_payloads import payloads_of

__all__ = ["database_url"]

ORDER = b'{"number": "A-1", "total": "10.00"}'


@frozen
class Store:
    """A shop on Acme that is connected to a hub."""

    hub: Hub
    clock: FakeClock
    session: aiohttp.ClientSession
    admin: ConnectionAdmin
    merchant_id: str
    connection_id: str
    secret: str

    async def send(
        self, raw: bytes = ORDER, headers: Mapping[str, str | None] | None = None, *, connection: str | None = None
    ) -> Reply:
        """Delivers as Acme does; a header of None is left out."""
        given = {SIGNATURE: signature(self.secret, raw), TOPIC: "order", DELIVERY: "d-1"}
        sent = {**given, **(headers or {})}
        found = {name: value for name, value in sent.items() if value is not None}
        path = f"/connect/{connection or self.connection_id}"
        async with self.session.post(path, data=io.BytesIO(raw) if raw else None, headers=found) as answer:
            return Reply(answer.status, answer.headers.copy(), await answer.read())

    async def kept(self) -> list[tuple[str, bytes]]:
        """The event ids and raw bodies that the hub has of it."""
        async with self.hub.parts.store.read() as tx:
            row = await tx.one("connection_anywhere", connection_id=self.connection_id)
            assert row is not None
            where = {"account_id": row["account_id"], "connection_id": self.connection_id}
            events = sorted(r["event_id"] for r in await tx.all("events_of_connection", **where))
        rows = await payloads_of(self.hub, row["account_id"], events)
        return [(r["event_id"], raw_body(r["body"])) for r in rows]

    async def codes(self) -> list[Any]:
        """The errorCodes in the merchant's request log, oldest first."""
        await self.hub.parts.services.request_log.flush()
        rows = (await read_log(self.hub.parts.store, self.merchant_id, Wanted())).entries
        return [row.error_code for row in reversed(rows)]


async def connected(hub: Hub, clock: FakeClock, session: aiohttp.ClientSession, **how: Any) -> Store:
    admin = ConnectionAdmin(hub.parts.store, load_sealer(hub.parts.settings), acme_plugins(), clock, hub.url)
    merchant_id = await new_merchant(hub, clock, approve=True)
    wanted = NewConnection(merchant_id, **{"mode": "test", "connector": "acme", **how})
    made = await connections.create_connection(admin, wanted)
    return Store(hub, clock, session, admin, merchant_id, made["id"], made["secret"] or wanted.secrets[0])


class TestProof:
    async def test_the_hub_signs_what_it_took_and_nothing_else(self, one: Store) -> None:
        """Each live secret's proof is there, a repeated delivery's too; a refusal proves nothing."""
        newer = (await add_secret(one.admin, one.connection_id, None))["secret"] or ""

        def proofs(raw: bytes) -> set[str]:
            said = f"taken:{sha256(raw).hexdigest()}".encode()
            return {digest(secret.encode(), said, "sha256").hex() for secret in (one.secret, newer)}

        for reply in (await one.send(), await one.send()):
            assert set(reply.headers[endpoint.PROOF_HEADER].split(", ")) == proofs(ORDER)
        other = b'{"number": "A-2", "total": "10.00"}'
        assert set((await one.send(other)).headers[endpoint.PROOF_HEADER].split(", ")) == proofs(other)
        refused = await one.send(headers={SIGNATURE: "bm8="})
        assert (refused.status, endpoint.PROOF_HEADER in refused.headers) == (401, False)

    async def test_a_genuine_delivery_is_kept_byte_for_byte(self, store: Store) -> None:
        """It is durable when 200 is said, under the account's log."""
        answer = await store.send()
        assert (answer.status, answer.json["duplicate"]) == (200, False)
        assert await store.kept() == [(answer.json["webhookEventId"], ORDER)]
        assert await store.codes() == [None]

    @pytest.mark.parametrize(
        "given",
        [
            "", "x", "é", "====", "A" * 43, signature("other", ORDER), signature("other", ORDER)[:-1],
            b64encode(b"").decode(), " ", "sha256=" + signature("other", ORDER), "\t",
        ],
    )  # fmt: skip
    async def test_a_malformed_or_wrong_signature_is_401(self, one: Store, given: str) -> None:
        """Never 500, and nothing is kept. Without the check this fails: the control of the signature."""
        answer = await one.send(headers={SIGNATURE: given})
        assert answer.status == 401
        assert await one.kept() == []
        assert await one.codes() == ["bad_signature"]

    async def test_one_flipped_byte_is_401(self, one: Store) -> None:
        """The proof is over the raw bytes: not even a blank may differ."""
        proof = signature(one.secret, ORDER)
        assert (await one.send(ORDER + b" ", headers={SIGNATURE: proof})).status == 401
        assert (await one.send(ORDER, headers={SIGNATURE: proof})).status == 200

    async def test_no_signature_and_two_signatures_are_401(self, one: Store) -> None:
        """Which of two would count?"""
        assert (await one.send(headers={SIGNATURE: None})).status == 401
        headers = [(SIGNATURE, signature(one.secret, ORDER)), (SIGNATURE, "x"), (TOPIC, "order")]
        async with one.session.post(f"/connect/{one.connection_id}", data=ORDER, headers=headers) as answer:
            assert answer.status == 401
        assert await one.codes() == ["missing_header", "duplicate_header"]

    async def test_every_401_looks_the_same(self, one: Store) -> None:
        """An unknown connection looks like a bad signature; the log knows better."""
        wrong = await one.send(headers={SIGNATURE: "x"})
        unknown = await one.send(connection="con_" + "0" * 32)
        odd = await one.send(connection="x%00y")
        assert wrong.status == unknown.status == odd.status == 401
        assert wrong.raw == unknown.raw == odd.raw
        assert [row["errorCode"] for row in await log_of(one.hub)] == ["unknown_connection"] * 2

    async def test_an_unknown_connection_costs_a_digest_too(self, one: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """The same work is done, so that time does not tell which connections exist; so for one without secrets."""
        counted: list[int] = []

        def counting(auth: Auth, known: Sequence[bytes], *rest: Any) -> bool:
            counted.append(len(known))
            return genuine(auth, known, *rest)

        monkeypatch.setattr(verification, "genuine", counting)
        await one.send(connection="con_" + "0" * 32)
        await one.send(headers={SIGNATURE: "x"})
        assert counted == [1, 1]

    async def test_every_live_secret_holds_and_an_expired_one_does_not(self, store: Store) -> None:
        """Rotation: the new one is added, both hold, the old one ends; within the two seconds of the cache."""
        added = await add_secret(store.admin, store.connection_id, None)
        store.clock.advance(2_000)
        assert added["secret"] is not None
        newer = evolve(store, secret=added["secret"])
        assert [(await x.send()).status for x in (store, newer)] == [200, 200]
        shown = await connections.show_connection(store.admin, store.connection_id)
        await expire_secret(store.admin, store.connection_id, shown.secrets[0].id, "1h")
        store.clock.advance(3_599_000)
        assert [(await x.send()).status for x in (store, newer)] == [200, 200]
        store.clock.advance(2_000)
        assert [(await x.send()).status for x in (store, newer)] == [401, 200]

    async def test_a_secret_header(self, one: Store) -> None:
        """Platforms that cannot sign send back what they were given."""
        plain = await connected(one.hub, one.clock, one.session, connector="plain", secrets=("s3cret",))
        headers: dict[str, str | None] = {SIGNATURE: None, TOPIC: None, "X-Plain-Topic": "order"}
        assert (await plain.send(headers={**headers, "X-Plain-Secret": "s3cret"})).status == 200
        assert (await plain.send(headers={**headers, "X-Plain-Secret": "s3cre"})).status == 401
        assert (await plain.send(headers={**headers, "X-Plain-Secret": ""})).status == 401

    async def test_a_closed_connection_is_401(self, one: Store) -> None:
        """Closed is closed, handshakes included."""
        await close_connection(one.admin, one.connection_id)
        assert (await one.send()).status == 401
        assert (await one.send(b"webhook_id=1", headers={SIGNATURE: None})).status == 401
        assert await one.codes() == ["connection_closed"] * 2

    async def test_a_suspended_merchants_live_deliveries_are_kept(self, one: Store) -> None:
        """Platforms turn off webhooks that are refused, and a suspension may end."""
        live = await connected(one.hub, one.clock, one.session, mode="live")
        await set_merchant_status(one.hub.parts.store, one.clock, live.merchant_id, "SUSPENDED")
        assert (await live.send()).status == 200
        assert len(await live.kept()) == 1

    async def test_control_without_the_check_anybody_is_heard(
        self, one: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is this check that the tests above prove: without it a wrong signature is answered 200."""
        monkeypatch.setattr(verification, "genuine", lambda *_: True)
        assert (await one.send(headers={SIGNATURE: "x"})).status == 200


class TestKeeping:
    async def test_a_duplicate_is_answered_and_kept_once(self, store: Store) -> None:
        """Platforms retry with the same signature; the control of deduplication."""
        first, second = await store.send(), await store.send()
        assert (first.status, second.status) == (200, 200)
        assert second.json["webhookEventId"] == first.json["webhookEventId"]
        assert (second.json["status"], second.json["duplicate"]) == ("DUPLICATE", True)
        assert len(await store.kept()) == 1

    async def test_control_without_the_claim_it_is_kept_twice(
        self, one: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is the claim's key that makes two deliveries one."""
        keys = iter("ab")
        monkeypatch.setattr(endpoint, "claim_key", lambda *_: next(keys))
        assert [(await one.send()).json["duplicate"] for _ in range(2)] == [False, False]
        assert len(await one.kept()) == 2

    async def test_fifty_at_once_are_one(self, store: Store) -> None:
        """A storm of retries."""
        answers = await asyncio.gather(*(store.send() for _ in range(50)))
        assert {answer.status for answer in answers} == {200}
        assert len(await store.kept()) == 1

    async def test_two_bodies_under_one_delivery_id_are_both_kept(self, store: Store) -> None:
        """The id is not signed: it must not hide another body."""
        other = b'{"number": "A-2", "total": "10.00"}'
        assert (await store.send(ORDER)).json["duplicate"] is False
        assert (await store.send(other)).json["duplicate"] is False
        assert sorted(raw for _, raw in await store.kept()) == sorted([ORDER, other])

    @pytest.mark.parametrize(
        "raw", [b"", b"\xff\xfe", b"{", b'"x"', b"base64:eHg=", b"a\0b", b'{"a": "\\u0000"}', b"[]", b"\xef\xbb\xbf{}"]
    )
    async def test_whatever_is_genuine_is_kept(self, store: Store, raw: bytes) -> None:
        """Not JSON, not UTF-8, empty: the platform must not be told that its webhook fails."""
        assert (await store.send(raw)).status == 200
        assert [body for _, body in await store.kept()] == [raw]

    async def test_odd_headers_are_no_fault(self, one: Store) -> None:
        """Topics and ids are unsigned texts of any length."""
        for number, odd in enumerate(("", "x" * 4000, "é" * 200, "a\tb")):
            assert (await one.send(b"%d" % number, headers={TOPIC: odd, DELIVERY: odd})).status == 200
        assert (
            await one.send(b"none", headers={TOPIC: None, DELIVERY: None, "Content-Encoding": "gzip"})
        ).status == 200

    async def test_a_handshake_is_200_and_kept_nowhere(self, store: Store) -> None:
        """WooCommerce turns a webhook off unless its ping is answered with exactly 200."""
        assert (
            await store.send(b"webhook_id=12", headers={SIGNATURE: None, TOPIC: None, DELIVERY: None})
        ).status == 200
        assert await store.kept() == []

    async def test_a_handshake_that_stumbles_is_none(self, one: Store) -> None:
        """A plugin's slip over a stranger's bytes is no error of the hub."""
        assert (await one.send(b"raise", headers={SIGNATURE: None})).status == 401
        assert (await one.send(b"raise")).status == 200

    async def test_the_proof_is_not_kept(self, one: Store) -> None:
        """The headers that a translation may want are kept beside the body; its signature is not among them."""
        event_id = (await one.send(headers={"X-Acme-Shop": "s", "Cookie": "c"})).json["webhookEventId"]
        async with one.hub.parts.store.read() as tx:
            row = await tx.one("connection_anywhere", connection_id=one.connection_id)
            assert row is not None
        (payload,) = await payloads_of(one.hub, row["account_id"], [event_id])
        headers = json.loads(payload["headers"])
        assert headers["x-acme-shop"] == "s"
        assert headers["x-acme-topic"] == "order"
        assert {SIGNATURE.lower(), "cookie", "authorization"}.isdisjoint(headers)


async def test_a_delivery_becomes_a_conversion_that_the_merchant_can_look_up(
    database_url: str, clock: FakeClock
) -> None:
    """Its event is a webhook without a kind."""
    async with served(database_url, clock, acme_plugins()) as hub, aiohttp.ClientSession(hub.url) as session:
        shop = await connected(hub, clock, session)
        event_id = (await shop.send()).json["webhookEventId"]
        api = Api(session, await new_key(hub, clock, shop.merchant_id), clock)

        async def processed() -> Any:
            found = (await api("GET", f"/v1/events/{event_id}")).json
            return None if found["processedAt"] is None else found

        event = await until(processed)
    assert (event["type"], event["kind"], event["status"]) == ("webhook", None, "PROCESSED")
    assert event["explanation"]["attribution"]["reason"] == "click_missing"
    assert event["conversionId"].startswith("cnv_")


class TestChallenge:
    async def ask(self, store: Store, query: str, given: str | None) -> Reply:
        headers = {} if given is None else {"X-Acme-Challenge": given}
        async with store.session.get(f"/connect/{store.connection_id}?{query}", headers=headers) as answer:
            return Reply(answer.status, answer.headers.copy(), await answer.read())

    async def test_a_signed_question_is_answered(self, one: Store) -> None:
        """Shopware registers so before it sends anything."""
        answer = await self.ask(one, "shop=7", digest(one.secret.encode(), b"shop=7", "sha256").hex())
        proof = digest(one.secret.encode(), b"7!", "sha256").hex()
        assert (answer.status, answer.json["proof"]) == (200, proof)
        assert answer.json["url"].endswith(f"/connect/{one.connection_id}")
        assert await one.kept() == []

    async def test_any_other_is_refused(self, one: Store) -> None:
        assert (await self.ask(one, "shop=7", "00")).status == 401
        assert (await self.ask(one, "shop=7", None)).status == 405


class TestForgedTopics:
    """One captured delivery of Shopify, whose topic is an unsigned header, sent again in other clothes."""

    RAW = b'{"id": 5600000000100, "financial_status": "paid", "line_items": []}'

    async def send(self, store: Store, topic: str, delivery: str, raw: bytes = RAW) -> bool:
        """Send the bytes with their genuine signature; return whether they counted as a duplicate."""
        shopify = {
            "X-Shopify-Hmac-Sha256": signature(store.secret, raw),
            "X-Shopify-Topic": topic,
            "X-Shopify-Webhook-Id": delivery,
        }
        answer = await store.send(raw, {SIGNATURE: None, TOPIC: None, DELIVERY: None, **shopify})
        assert answer.status == 200
        return bool(answer.json["duplicate"])

    async def shopify(self, one: Store) -> Store:
        return await connected(one.hub, one.clock, one.session, connector="shopify", secrets=("s3cret",))

    async def test_an_order_counts_once_under_all_topics_and_ids(self, one: Store) -> None:
        """A topic's family is what the bytes are claimed under, so three hundred replays are one event."""
        shop = await self.shopify(one)
        assert await self.send(shop, "orders/create", "d-0") is False
        topics = ("orders/create", "orders/paid", "orders/updated", "orders/cancelled")
        assert {await self.send(shop, topic, f"d-{number}") for number in range(5) for topic in topics} == {True}
        assert len(await shop.kept()) == 1

    async def test_a_deletion_is_of_what_it_was_first(self, one: Store) -> None:
        shop = await self.shopify(one)
        assert await self.send(shop, "products/delete", "d-1", b'{"id":7}') is False
        assert await self.send(shop, "orders/delete", "d-2", b'{"id":7}') is True

    async def test_control_without_families_every_replay_is_an_event(
        self, one: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Declaration, "family_of", lambda *_: None)
        shop = await self.shopify(one)
        assert [await self.send(shop, topic, "d-1") for topic in ("orders/create", "orders/paid")] == [False, False]

    async def test_stock_may_return_to_what_it_was(self, one: Store) -> None:
        """Bytes that may rightly come again are in no family: here the delivery id tells two deliveries apart."""
        shop = await self.shopify(one)
        level = b'{"inventory_item_id":1,"location_id":2,"available":7}'
        assert [await self.send(shop, "inventory_levels/update", each, level) for each in "aab"] == [False, True, False]


async def test_a_delivery_that_only_names_an_order_counts_each_time(one: Store) -> None:
    """The order may have changed since; the worker makes one fetch of several."""
    sent = [await one.send(b'{"order": "A-1"}', {TOPIC: "order/thin"}) for _ in range(2)]
    assert [(reply.status, reply.json["duplicate"]) for reply in sent] == [(200, False)] * 2


class TestBounds:
    async def test_a_large_body_is_413(self, one: Store) -> None:
        """Five MiB is more than any order, and less than the API takes."""
        assert (await one.send(b"x" * endpoint.MAX_BODY)).status == 200
        assert (await one.send(b"x" * (endpoint.MAX_BODY + 1))).status == 413

    async def test_a_slow_body_is_408(
        self, one: Store, aiohttp_raw_server: AiohttpRawServer, aiohttp_client: AiohttpClient
    ) -> None:
        """Nobody holds a connection open for nothing."""
        assert endpoint.BODY_SECONDS <= 10

        async def drip() -> AsyncIterator[bytes]:
            yield b"{"
            await asyncio.sleep(5)

        parts = one.hub.parts
        connections = ConnectionCache(parts.store, parts.sealer, one.clock)
        webhooks = endpoint.PlatformWebhooks(parts.services, connections, parts.plugins, body_seconds=0.05)

        async def receive(request: web.BaseRequest) -> web.StreamResponse:
            return await webhooks.receive(request, {"connectionId": one.connection_id})

        client: TestClient[Any, Any] = await aiohttp_client(await aiohttp_raw_server(receive))
        async with client.post(f"/connect/{one.connection_id}", data=drip()) as answer:
            assert answer.status == 408

    async def test_more_than_the_limit_is_429(self, sqlite_url: str, clock: FakeClock) -> None:
        """Only what is genuine counts, and only against its own connection."""
        settings = {"HUB_WORKER_ENABLED": "false", "HUB_LIMITS_DELIVERIES_PER_MINUTE": "1"}
        async with (
            served(sqlite_url, clock, acme_plugins(), **settings) as hub,
            aiohttp.ClientSession(hub.url) as session,
        ):
            shop = await connected(hub, clock, session)
            wrong = [await shop.send(headers={SIGNATURE: "x"}) for _ in range(5)]
            answers = [await shop.send(headers={DELIVERY: str(number)}) for number in range(3)]
            assert {answer.status for answer in wrong} == {401}
            assert [answer.status for answer in answers] == [200, 200, 429]
            assert 0 < int(answers[2].headers["Retry-After"]) <= 60
            assert (await shop.codes())[-1] == "rate_limited"
            assert (await (await connected(hub, clock, session)).send()).status == 200

    async def test_other_methods_are_405(self, one: Store) -> None:
        """A browser that is pointed at the URL is told what it is for."""
        async with one.session.get(f"/connect/{one.connection_id}") as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "POST")

    async def test_a_missing_plugin_is_503(self, one: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ours to mend: a 401 would make the platform turn its webhook off."""
        admin = evolve(one.admin, plugins=InProcessPlugins(Registry((evolve(ACME, name="gone"),))))
        made = await connections.create_connection(admin, NewConnection(one.merchant_id, "test", "gone"))
        answer = await one.send(connection=made["id"])
        assert (answer.status, answer.headers["Retry-After"]) == (503, "60")
        assert await one.codes() == ["connector_missing"]

    async def test_a_store_that_is_away_is_503(self, one: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """The platform tries again; nothing was promised."""

        async def away(*_: Any) -> None:
            raise StoreUnavailable("away")

        monkeypatch.setattr(one.hub.parts.submissions, "submit", away)
        answer = await one.send()
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
