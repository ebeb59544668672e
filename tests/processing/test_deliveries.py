"""What becomes of a platform's own deliveries, from intake to the ledger, on both databases."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from hub.domain.connectors.connector import NoOptions
from hub.domain.orders.commission import Rule
from hub.ids import new_id
from hub.intake.stored_body import MARKER, raw_body, storable_body
from hub.intake.submission import Accepted, RequestGuards, Submission
from hub.observability.request_log import LogRow
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.errors import OperatorFault
from hub.operations.orders.recordings import record_event, write_sample
from hub.operations.references import account_of
from hub.operations.system.erasures import erasures_of, revoke_erasures
from hub.platform_webhooks.endpoint import claim_key
from hub.plugin_host.registry import Registry
from hub.processing.policy import Policy
from hub.processing.worker import Worker
from hub.sealing import Sealer
from hub.testing.in_process_plugins import InProcessPlugins
from tests.acme import ACME, acme_plugins, acme_registry
from tests.processing.harness import DAY, Harness


@frozen
class Shop:
    """A harness with a store on Acme connected to it."""

    harness: Harness
    account_id: str
    connection_id: str

    async def tell(self, topic: str | None, body: Any, delivery: str = "d-1", **headers: str) -> str:
        """Files a delivery as the door does and lets the worker finish; returns the event's id."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        outcome = await self.harness.submissions.submit(
            Submission(
                guards=RequestGuards(self.account_id),
                type="webhook",
                kind=None,
                claim_scope="webhook",
                claim_key=claim_key(self.connection_id, topic, delivery, raw),
                event_id=new_id("evt"),
                conversion_id=None,
                external_order_id=None,
                external_event_id=delivery,
                body=storable_body(raw),
                received_at=self.harness.clock(),
                connection_id=self.connection_id,
                topic=topic,
                headers=json.dumps(headers),
            )
        )
        assert isinstance(outcome, Accepted)
        await self.harness.work()
        return outcome.event_id

    async def outcome(self, topic: str | None, body: Any, delivery: str = "d-1", **headers: str) -> tuple[str, Any]:
        """The status of a delivery's event and why it was skipped or failed."""
        event = await self.event(await self.tell(topic, body, delivery, **headers))
        return event["status"], event["explanation"]["skipReason"]

    async def event(self, event_id: str) -> dict[str, Any]:
        """One event with its explanation read."""
        async with self.harness.store.read() as tx:
            row = next(r for r in await tx.all("event_rows", account_id=self.account_id) if r["event_id"] == event_id)
        return {**dict(row), "explanation": json.loads(row["explanation"] or "null")}

    async def rows(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query over the shop's account."""
        async with self.harness.store.read() as tx:
            return [dict(row) for row in await tx.all(query, account_id=self.account_id)]

    async def bodies(self) -> list[str]:
        """The events whose body is still kept."""
        events = [(self.account_id, row["event_id"]) for row in await self.rows("event_rows")]
        async with self.harness.store.read() as tx:
            return [row["event_id"] for row in await tx.all("kept_payloads", events=events)]


def hire(harness: Harness, registry: Registry) -> None:
    policy = Policy(hold_ms=14 * DAY, default_window_ms=30 * DAY, platform_rule=Rule("PERCENTAGE", "5"))
    harness.worker = Worker(harness.store, InProcessPlugins(registry), policy, harness.clock, batch=64)


async def connect(harness: Harness, mode: str = "test", *options: str) -> Shop:
    hire(harness, acme_registry())
    admin = ConnectionAdmin(harness.store, Sealer.of([bytes(32)]), acme_plugins(), harness.clock, "https://hub.example")
    made = await create_connection(admin, NewConnection(harness.merchant_id, mode, "acme", options=options))
    async with harness.store.read() as tx:
        account = await account_of(tx, harness.merchant_id, mode)
    return Shop(harness, account["account_id"], made["id"])


@pytest.fixture
async def shop(harness: Harness) -> Shop:
    """A test connection, over either database."""
    return await connect(harness)


@pytest.fixture
async def one(sqlite_harness: Harness) -> Shop:
    """A test connection, over SQLite, for rules that no database can change."""
    return await connect(sqlite_harness)


def order(number: str = "A-1", total: str = "100.00", **more: Any) -> dict[str, Any]:
    return {"number": number, "total": total, **more}


class TestOrders:
    async def test_one_snapshot_states_several_facts(self, shop: Shop) -> None:
        """Created, paid and partly refunded, all in one body; the event shows no kind."""
        click = await shop.harness.click()
        body = order(paid=True, refund="40.00", extra={"click": click}, lines=[{"product": "p", "amount": "100.00"}])
        event = await shop.event(await shop.tell("order", body))
        assert (event["status"], event["kind"], event["topic"]) == ("PROCESSED", None, "order")
        assert event["explanation"]["attribution"]["confidence"] == "HIGH"
        commission = await shop.harness.commission("A-1")
        assert commission is not None
        assert (commission["state"], commission["amount_minor"]) == ("HOLD", 300)

    async def test_a_storm_changes_nothing(self, shop: Shop) -> None:
        """The same snapshot under other delivery ids: its facts are known, its refund counts once."""
        click = await shop.harness.click()
        body = order(paid=True, refund="40.00", extra={"click": click})
        await shop.tell("order", body, "d-1")
        before = await shop.rows("fact_rows"), await shop.rows("commission_rows")
        for number in range(2, 6):
            assert await shop.outcome("order", body, f"d-{number}") == ("SKIPPED", "already_known")
        assert (await shop.rows("fact_rows"), await shop.rows("commission_rows")) == before

    async def test_any_order_of_arrival_ends_in_the_same_ledger(self, one: Shop) -> None:
        """A snapshot that says paid may come before the one that says created."""
        bodies = [order(), order(paid=True), order(paid=True, refund="40.00")]
        ends = set()
        for number, sequence in enumerate(permutations(bodies)):
            click = await one.harness.click()
            for body in sequence:
                await one.tell("order", {**body, "number": f"N-{number}", "extra": {"click": click}})
            commission = await one.harness.commission(f"N-{number}")
            assert commission is not None
            ends.add((commission["state"], commission["amount_minor"]))
        assert ends == {("HOLD", 300)}

    async def test_the_options_reach_the_connector(self, sqlite_harness: Harness) -> None:
        """As typed when the connection was made."""
        shop = await connect(sqlite_harness, "test", "click_field=affiliate")
        click = await sqlite_harness.click()
        event = await shop.event(await shop.tell("order", order(extra={"affiliate": click, "click": "no"})))
        assert event["explanation"]["attribution"]["clickId"] == click

    async def test_a_test_order_never_touches_live_money(self, sqlite_harness: Harness) -> None:
        """By the body or by a header; on a test connection it is an order like any other."""
        live, test = await connect(sqlite_harness, "live"), await connect(sqlite_harness)
        assert await live.outcome("order", order(test=True)) == ("SKIPPED", "test_delivery")
        assert await live.outcome("order", order(), **{"x-acme-test": "true"}) == ("SKIPPED", "test_delivery")
        assert await live.rows("conversion_rows") == []
        assert (await test.outcome("order", order(test=True)))[0] == "PROCESSED"


class TestUnread:
    @pytest.mark.parametrize(
        ("topic", "body", "status", "said"),
        [
            ("visit", {}, "SKIPPED", "uninteresting: a visit"),
            ("moon", {}, "SKIPPED", "uninteresting: the hub counts nothing of the topic 'moon'"),
            (None, {}, "FAILED", "unmappable: the delivery does not name its topic"),
            ("order", {"total": "1"}, "FAILED", "unmappable: `number` is missing"),
            ("order", {"number": 1, "total": []}, "FAILED",
             "unmappable: `number` must be a text; `total` must be a number"),
            ("order", order(lines=[{"product": "p", "amount": "x"}]), "FAILED",
             "unmappable: `lines[0].amount` must be a number"),
            ("order", order(lines="p"), "FAILED", "unmappable: `lines` must be an array"),
            ("order", order(lines=[{"product": "p", "amount": "0.01"}] * 1_001), "FAILED",
             "unmappable: the body has 1,001 lines, more than the 1,000 that the hub takes"),
            ("order", order(number=""), "FAILED",
             "unmappable: the id of the order must be a text of 1 to 255 characters"),
            ("order", order(buyer="a\0b"), "FAILED", "unmappable: the body holds U+0000 or half a surrogate pair"),
            ("order", order(currency="XXZ"), "FAILED", "unmappable: 'XXZ' is not an ISO 4217 currency"),
            ("stock", {"item": "i", "place": "l", "quantity": 2**60}, "FAILED",
             "unmappable: a number is too large to be kept"),
            ("order", b"\xff", "FAILED", "unmappable: the body is no JSON in UTF-8 that can be read"),
            ("order", b"a=1", "FAILED", "unmappable: the body is no JSON in UTF-8 that can be read"),
            ("order", b"[]", "FAILED", "unmappable: the body must be a JSON object"),
        ],
    )  # fmt: skip
    async def test_ends_with_its_reason(self, one: Shop, topic: str | None, body: Any, status: str, said: str) -> None:
        """Nothing genuine is lost, and the sentence names the place that is wrong."""
        assert await one.outcome(topic, body) == (status, said)

    async def test_what_cannot_be_read_names_its_order(self, one: Shop) -> None:
        """So that an operator sees which order earns nothing."""
        event = await one.event(await one.tell("order", order("A-9", currency="XXZ")))
        assert (event["status"], event["external_order_id"]) == ("FAILED", "A-9")

    async def test_a_missing_plugin_is_replayable(self, shop: Shop) -> None:
        """Uninstalled for a day: the deliveries of that day are read once it is back."""
        hire(shop.harness, Registry(()))
        event_id = await shop.tell("order", order())
        event = await shop.event(event_id)
        assert event["status"] == "FAILED"
        assert "no installed plugin has the connector 'acme'" in event["explanation"]["skipReason"]
        hire(shop.harness, Registry((ACME,)))
        async with shop.harness.store.write() as tx:
            await tx.run("requeue_event", account_id=shop.account_id, event_id=event_id, now=shop.harness.clock())
        await shop.harness.work()
        assert (await shop.event(event_id))["status"] == "PROCESSED"

    async def test_options_that_no_longer_hold(self, one: Shop) -> None:
        """A newer plugin may have dropped an option."""
        shop = await connect(one.harness, "test", "days=3")
        hire(one.harness, Registry((evolve(ACME, options=NoOptions),)))
        status, reason = await shop.outcome("order", order())
        assert (status, reason.startswith("unmappable: the connection's options do not hold")) == ("FAILED", True)


class TestStock:
    async def test_places_are_summed_over_the_products_items(self, shop: Shop) -> None:
        """Whose an item is, is learned from product news; out of stock is where nothing lies anywhere."""
        await shop.tell("product", {"id": "P", "name": "Mug", "items": ["i1", "i2"]})
        told = [("i1", "a", 3), ("i1", "b", 2), ("i2", "a", 1), ("i1", "a", 0), ("i2", "a", 0), ("i1", "b", 0)]
        seen = []
        for number, (item, place, quantity) in enumerate(told):
            await shop.tell("stock", {"item": item, "place": place, "quantity": quantity, "at": 1000 + number})
            (product,) = await shop.rows("product_rows")
            seen.append(product["status"])
        assert seen == ["ACTIVE"] * 5 + ["OUT_OF_STOCK"]
        await shop.tell("stock", {"item": "i2", "place": "b", "quantity": 1, "at": 500})
        (product,) = await shop.rows("product_rows")
        assert product["status"] == "ACTIVE"

    async def test_older_news_of_a_place_is_stale(self, shop: Shop) -> None:
        """Only of the same place: another one's clock is its own."""
        await shop.tell("product", {"id": "P", "name": "Mug", "items": ["i1"]})
        await shop.tell("stock", {"item": "i1", "place": "a", "quantity": 0, "at": 2000})
        assert await shop.outcome("stock", {"item": "i1", "place": "a", "quantity": 9, "at": 1000}) == (
            "SKIPPED", "stale",
        )  # fmt: skip
        (product,) = await shop.rows("product_rows")
        assert product["status"] == "OUT_OF_STOCK"

    async def test_an_item_nobody_told_of_is_remembered(self, shop: Shop) -> None:
        """Skipped today, and counted once the product is known."""
        assert await shop.outcome("stock", {"item": "i1", "place": "a", "quantity": 5}) == ("SKIPPED", "unknown_item")
        await shop.tell("product", {"id": "P", "name": "Mug", "items": ["i1"]})
        await shop.tell("stock", {"item": "i1", "place": "b", "quantity": -2})
        (product,) = await shop.rows("product_rows")
        assert (product["status"], product["stock_status"]) == ("ACTIVE", "IN_STOCK")


class TestErasure:
    async def test_a_report_finds_and_changes_nothing(self, shop: Shop) -> None:
        """Every event and conversion that mentions the orders, an unreadable one too."""
        first = await shop.tell("order", order("7", buyer="Ann"))
        unread = await shop.tell("order", {"id": 7, "buyer": "Ann"}, "d-2")
        other = await shop.tell("order", order("77", buyer="Bob"))
        kept = await shop.bodies()
        event = await shop.event(await shop.tell("privacy/report", {"orders": ["7"]}))
        told = event["explanation"]["erasure"]
        assert event["status"] == "PROCESSED"
        assert (told["act"], told["subject"], told["erased"]) == ("report", "a buyer", False)
        assert told["events"] == sorted([first, unread])
        assert [(c["externalOrderId"], c["metadata"]) for c in told["conversions"]] == [("7", ["buyer"])]
        assert "Ann" not in json.dumps(told)
        assert set(kept) <= set(await shop.bodies())
        assert other in kept

    async def test_a_redaction_erases_the_buyer_and_keeps_the_amounts(self, shop: Shop) -> None:
        """Bodies and metadata go, its own body too; the order, its facts and its commission stay."""
        click = await shop.harness.click()
        body = order("7", paid=True, buyer="Ann", extra={"click": click})
        gone = [await shop.tell("order", body), await shop.tell("order", {"id": 7, "buyer": "Ann"}, "d-2")]
        other = await shop.tell("order", order("8", buyer="Bob"))
        before = await shop.rows("commission_rows"), await shop.rows("fact_rows")
        request = await shop.tell("privacy/redact", {"orders": ["7"], "email": "ann@buyer.example"})
        assert (await shop.event(request))["explanation"]["erasure"]["payloads"] == 2
        assert await shop.bodies() == [other]
        assert gone
        metadata = {row["external_order_id"]: row["metadata"] for row in await shop.rows("conversion_rows")}
        assert metadata == {"7": None, "8": '{"buyer":"Bob"}'}
        assert (await shop.rows("commission_rows"), await shop.rows("fact_rows")) == before

    async def test_a_redaction_forgets_what_is_kept_of_refused_requests(self, shop: Shop) -> None:
        """Nobody can say which buyer a refused body names, so all of its account go; lines stay."""
        refused = LogRow(shop.account_id, 1, "log_1", "req_1", "POST", "/api/v1/conversions", 400, "validation_failed",
                         None, "127.0.0.1", 10, None, '{"body": "ann@buyer.example"}')  # fmt: skip
        foreign = refused._replace(account_id="acc_other")
        async with shop.harness.store.write() as tx:
            await tx.run("insert_request_log", rows=[refused, foreign])
        await shop.tell("order", order("7", buyer="Ann"))
        await shop.tell("privacy/redact", {"orders": ["7"], "email": "ann@buyer.example"})
        async with shop.harness.store.read() as tx:
            kept = [
                await tx.one("request_in_log", account_id=row.account_id, logged_at=1, log_id="log_1")
                for row in (refused, foreign)
            ]
        assert [row and row["kept"] for row in kept] == [None, foreign.kept]
        assert kept[0] is not None
        assert kept[0]["error_code"] == "validation_failed"

    async def after_a_day(self, shop: Shop, event_id: str) -> dict[str, Any]:
        shop.harness.clock.advance(DAY)
        await shop.harness.work()
        return await shop.event(event_id)

    async def test_the_erasure_of_a_whole_shop_waits_a_day(self, shop: Shop) -> None:
        """An operator sees it meanwhile; it counts from its receipt, however often the worker comes by."""
        await shop.tell("order", order("7", buyer="Ann"))
        before = await shop.bodies()
        request = await shop.tell("privacy/shop", {"shop": "s"})
        event = await shop.event(request)
        assert event["status"] == "QUEUED"
        assert event["explanation"]["erasure"]["erased"] is False
        shop.harness.clock.advance(DAY - 1)
        await shop.harness.work()
        assert set(before) < set(await shop.bodies())
        done = await self.after_a_day(shop, request)
        assert (done["status"], done["explanation"]["erasure"]["erased"]) == ("PROCESSED", True)
        assert await shop.bodies() == []

    async def test_it_waits_on_while_the_clock_is_not_trusted(self, shop: Shop) -> None:
        """A clock that jumps by a month must not take the operator's day away."""
        harness = shop.harness
        await shop.tell("order", order("7", buyer="Ann"))
        request = await shop.tell("privacy/shop", {"shop": "s"})
        before = await shop.bodies()
        harness.worker._jump_ms = lambda: 1
        harness.clock.advance(30 * DAY)
        for _ in range(3):
            await harness.worker.run_once()
        assert await shop.bodies() == before
        harness.worker._jump_ms = lambda: 0
        done = await self.after_a_day(shop, request)
        assert done["explanation"]["erasure"]["erased"] is True

    async def test_an_order_under_the_topic_of_an_erasure_fails(self, shop: Shop) -> None:
        """A topic is an unsigned header: one captured order must not erase a shop."""
        await shop.tell("order", order("7", buyer="Ann"))
        sentence = "unmappable: the body does not have the shape of the topic privacy/shop: it has no `shop`"
        assert await shop.outcome("privacy/shop", order("7", buyer="Ann")) == ("FAILED", sentence)
        shop.harness.clock.advance(2 * DAY)
        await shop.harness.work()
        assert len(await shop.bodies()) == 2
        metadata = [row["metadata"] for row in await shop.rows("conversion_rows")]
        assert metadata == ['{"buyer":"Ann"}']

    async def test_a_revoked_erasure_erases_nothing(self, shop: Shop) -> None:
        """It is skipped with a sentence, and no later day brings it back."""
        await shop.tell("order", order("7", buyer="Ann"))
        request = await shop.tell("privacy/shop", {"shop": "s"})
        async with shop.harness.store.write() as tx:
            (waiting,) = await erasures_of(tx, shop.connection_id)
            assert waiting.event_id == request
            kept = await revoke_erasures(tx, shop.account_id, shop.connection_id, shop.harness.clock())
            assert kept["revoked"] == 1
            assert await erasures_of(tx, None) == []
        event = await self.after_a_day(shop, request)
        assert event["status"] == "SKIPPED"
        assert event["explanation"]["skipReason"].startswith("revoked")
        assert len(await shop.bodies()) == 2

    async def test_a_whole_shop_is_erased(self, shop: Shop) -> None:
        """What came through other doors is not the platform's to erase."""
        await shop.tell("order", order("7", buyer="Ann"))
        own = await shop.harness.order("9", metadata={"buyer": "Cay"})
        await self.after_a_day(shop, await shop.tell("privacy/shop", {"shop": "s"}))
        assert await shop.bodies() == [own.event_id]
        metadata = {row["external_order_id"]: row["metadata"] for row in await shop.rows("conversion_rows")}
        assert metadata["7"] is None
        assert metadata["9"] is not None


@pytest.mark.parametrize("raw", [b"", b"{}", b"\xff\x00", b"base64:", b"base64:eA==", b"a\0", "é".encode()])
def test_any_body_comes_back_as_it_was(raw: bytes) -> None:
    """Whatever it looks like, and nothing is stored that a database refuses."""
    stored = storable_body(raw)
    assert raw_body(stored) == raw
    assert "\0" not in stored
    assert stored.startswith(MARKER) == (raw not in (b"", b"{}", "é".encode()))


async def test_a_stored_delivery_is_recorded_without_its_buyer(shop: Shop, tmp_path: Path) -> None:
    """With its topic and headers; a second recording under the same name is refused."""
    event_id = await shop.tell("order", {**order("7"), "customer": {"email": "ann@mail.example"}}, **{"x-shop": "s"})
    recording = await record_event(shop.harness.store, event_id)
    files = write_sample(recording, tmp_path, "real")
    assert [str(file.relative_to(tmp_path)) for file in files] == ["order/real.json", "order/real.headers.json"]
    assert b"ann" not in files[0].read_bytes()
    assert json.loads(files[0].read_bytes())["number"] == "7"
    with pytest.raises(OperatorFault, match="exists already"):
        write_sample(recording, tmp_path, "real")
    with pytest.raises(OperatorFault, match="There is no delivery"):
        await record_event(shop.harness.store, "evt_none")
