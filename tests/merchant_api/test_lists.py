"""Lists by cursor: what a merchant reads by key is what the commands print, of its own account, and keeps its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub
from hub.domain.instants import format_instant
from hub.merchant_api.v1 import ENDPOINTS
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.lists import Wanted
from hub.operations.orders.conversions import show_conversion
from hub.operations.trail_lists import list_acts
from hub.processing.change_numbers import number_account
from hub.records.wire import write
from hub.testing.clock import FakeClock
from tests.conftest import api, clock, either_api, either_hub, hub
from tests.merchant_api.test_openapi import BY_OPERATION, assert_documented
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import Api, Reply, log_of
from tests.sqlite_first import database_url

__all__ = [
    "api",
    "clock",
    "database_url",
    "either_api",
    "either_hub",
    "hub",
    "keeper",
]  # of each test: they ask about a whole hub

LISTS = ("conversions", "commissions", "events", "review", "links", "affiliates", "request-log")
ACTS = {"attributeConversion", "dismissConversion", "createLink", "disableLink"}


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Ann").copied(tmp_path, clock)


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> World:
    """A merchant with an attributed order, one to review, a link and parked news, at rest.

    Every change has its number, which else a job gives within a second, and `updatedAt` is the moment of the number.
    """
    made = await keeper.world_in(either_hub, clock, "Ann")
    await number_account(either_hub.parts.store, clock, made.account_id)
    return made


@pytest.fixture
async def ann(either_api: Api, world: World) -> Api:
    """The client of that merchant."""
    return either_api.with_key(world.key)


async def listed(api: Api, path: str) -> Any:
    reply = await api("GET", path)
    assert reply.status == 200, reply.raw
    return reply.json["data"]


async def report(api: Api, *orders: str) -> None:
    """Report orders and wait until all of them can be listed."""
    for order in orders:
        assert (await api("POST", "/v1/conversions", {"externalOrderId": order, "orderAmount": "1"})).status == 202

    async def decided() -> bool:
        found = [await listed(api, f"/v1/conversions?externalOrderId={order}") for order in orders]
        return all(found)

    await until(decided)


class TestConversions:
    async def test_a_conversion_is_what_the_command_prints(self, ann: Api, world: World) -> None:
        shown = await show_conversion(world.hub.parts.store, world.clock, world.ids["order"])
        reply = await ann("GET", f"/v1/conversions/{world.ids['order']}")
        assert reply.json == write(shown)
        assert_documented(BY_OPERATION["getConversion"], reply)
        event = (await ann("GET", f"/v1/events/{shown.event_id}")).json
        assert (shown.explanation, shown.awaits) == (event["explanation"], "HOLD_END")
        low = (await ann("GET", f"/v1/conversions/{world.ids['review']}")).json
        assert (low["explanation"]["attribution"]["reason"], low["awaits"]) == (low["reason"], "REVIEW")
        assert (await ann("GET", "/v1/conversions?externalOrderId=Ann%20order")).json == {
            "data": [write(shown)],
            "nextCursor": None,
        }

    async def test_every_filter_narrows_the_list(self, ann: Api, world: World, clock: FakeClock) -> None:
        order, low = world.ids["order"], world.ids["review"]
        now = (await ann("GET", f"/v1/conversions/{order}")).json["receivedAt"]
        later = format_instant(clock() + 60_000)
        state = (await ann("GET", f"/v1/conversions/{order}")).json["commission"]["state"]
        expected = {
            "": [low, order],
            "?sort=createdAt": [order, low],
            f"?status={state}": [order],
            "?status=IN_REVIEW": [low],
            "?status=PAID": [],
            f"?affiliateId={world.affiliate_id}": [order],
            "?campaignId=cmp_none": [],
            f"?createdFrom={now}": [low, order],
            f"?createdFrom={later}": [],
            f"?createdTo={now}": [],
            f"?updatedSince={now}": [low, order],
            f"?updatedSince={now}&sort=createdAt": [order, low],
            f"?updatedSince={later}": [],
            "?externalOrderId=Ann%20order&status=PAID": [],
            "?externalOrderId=Ann%20order&createdFrom=2020-01-01T00:00:00Z": [order],
            "?externalOrderId=Ann%20order&createdTo=2020-01-01T00:00:00Z": [],
            "?externalOrderId=Ann%20order&updatedSince=2020-01-01T00:00:00Z": [order],
            "?externalOrderId=Ann%20order&updatedSince=2200-01-01T00:00:00Z": [],
        }
        for query, ids in expected.items():
            assert [each["id"] for each in await listed(ann, f"/v1/conversions{query}")] == ids, query

    async def test_what_changed_is_found_once_a_review_is_closed(
        self, ann: Api, world: World, clock: FakeClock
    ) -> None:
        await listed(ann, f"/v1/conversions?updatedSince={format_instant(clock())}")  # what was before has its moment
        clock.now += 60_000
        since = format_instant(clock())
        reply = await ann("GET", f"/v1/conversions?updatedSince={since}")
        assert reply.json["data"] == []
        assert reply.json["nextUpdatedSince"] <= since
        await ann("POST", f"/v1/conversions/{world.ids['review']}/dismiss")
        assert [each["id"] for each in await listed(ann, f"/v1/conversions?updatedSince={since}")] == [
            world.ids["review"]
        ]


class TestPaging:
    @pytest.mark.parametrize("sort", ["createdAt", "-createdAt"])
    async def test_pages_neither_repeat_nor_drop_while_orders_arrive(self, either_api: Api, sort: str) -> None:
        await report(either_api, *(f"A-{number}" for number in range(7)))
        before = {each["externalOrderId"] for each in await listed(either_api, "/v1/conversions")}
        seen: list[str] = []
        path, pages = f"/v1/conversions?limit=2&sort={sort}", 0
        cursor: str | None = ""
        while cursor is not None:
            reply = await either_api("GET", f"{path}&cursor={cursor}")
            seen += [each["externalOrderId"] for each in reply.json["data"]]
            cursor = reply.json["nextCursor"]
            pages += 1
            if pages < 4:
                await report(either_api, f"B-{pages}")
        assert len(seen) == len(set(seen))
        assert [each for each in seen if each in before] == sorted(before, reverse=sort == "-createdAt")

    async def test_the_request_log_is_paged_and_filtered(self, ann: Api, world: World) -> None:
        for _ in range(3):
            assert (await ann("POST", "/v1/conversions", {})).status == 400
        await log_of(world.hub, world.key)
        refused = await listed(ann, "/v1/request-log?errorCode=validation_failed")
        assert {each["errorCode"] for each in refused} == {"validation_failed"}
        assert len(refused) == 3
        first = (await ann("GET", "/v1/request-log?limit=2&errorCode=validation_failed")).json
        rest = (
            await ann("GET", f"/v1/request-log?limit=2&errorCode=validation_failed&cursor={first['nextCursor']}")
        ).json
        assert [*first["data"], *rest["data"]] == refused
        newest, oldest = refused[0]["at"], refused[-1]["at"]
        since = await listed(ann, f"/v1/request-log?errorCode=validation_failed&createdFrom={newest}&sort=createdAt")
        assert {each["at"] for each in since} == {newest}
        assert await listed(ann, f"/v1/request-log?errorCode=validation_failed&createdTo={oldest}") == []
        assert await listed(ann, f"/v1/request-log?createdFrom={oldest}&createdTo={oldest}") == []
        assert rest["nextCursor"] is None
        assert all(each["status"] == 202 for each in await listed(ann, "/v1/request-log?status=202"))

    @pytest.mark.parametrize("cursor", ["x", "!!", "bmV3ZXN0", "b2xkZXN0Cmd4", "bmV3ZXN0CgA"])
    async def test_a_foreign_cursor_is_refused(self, either_api: Api, cursor: str) -> None:
        for name in ("conversions", "request-log"):
            reply = await either_api("GET", f"/v1/{name}?cursor={cursor}")
            assert (reply.status, reply.json["message"][0].split("`")[1]) == (400, "cursor")

    async def test_a_cursor_of_the_log_is_refused_by_other_lists_and_theirs_by_the_log(self, ann: Api) -> None:
        log = (await ann("GET", "/v1/request-log?limit=1")).json["nextCursor"] or "bmV3ZXN0CjEKbG9nXzE"
        orders = (await ann("GET", "/v1/conversions?limit=1")).json["nextCursor"]
        for path in (f"conversions?cursor={log}", f"request-log?cursor={orders}"):
            assert (await ann("GET", f"/v1/{path}")).status == 400


class TestEtags:
    @pytest.mark.parametrize("name", [name for name in LISTS if name != "request-log"])
    async def test_what_did_not_change_is_not_sent_again(self, ann: Api, name: str) -> None:
        first = await ann("GET", f"/v1/{name}")
        tag = first.headers["ETag"].removeprefix("W/")  # a compressed answer has a weak one
        again = await ann("GET", f"/v1/{name}", headers={"If-None-Match": f'"other", W/{tag}'})
        assert (again.status, again.raw) == (304, b"")
        assert again.headers["ETag"].removeprefix("W/") == tag
        assert "Content-Length" not in again.headers
        other = await ann("GET", f"/v1/{name}", headers={"If-None-Match": '"other"'})
        assert (other.status, other.raw) == (200, first.raw)

    async def test_a_change_is_sent(self, ann: Api, world: World) -> None:
        first = await ann("GET", "/v1/review")
        await ann("POST", f"/v1/conversions/{world.ids['review']}/dismiss")
        again = await ann("GET", "/v1/review", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status, again.json["data"]) == (200, [])


class TestEvents:
    async def test_events_are_found_by_status_kind_and_order(self, ann: Api, world: World) -> None:
        parked = await listed(ann, "/v1/events?status=PARKED")
        assert [(each["eventId"], each["externalOrderId"]) for each in parked] == [
            (world.ids["parked"], "Ann order none")
        ]
        of_order = await listed(ann, "/v1/events?externalOrderId=Ann%20order&sort=createdAt")
        assert [each["type"] for each in of_order] == ["conversion", "order_status"]
        assert of_order[0]["eventId"] == world.ids["event"]
        assert await listed(ann, "/v1/events?externalOrderId=Ann%20order%20none") == parked
        assert await listed(ann, "/v1/events?kind=order-created") == []
        event = (await ann("GET", f"/v1/events/{world.ids['event']}")).json
        of_statuses = {"reason", "metadata"}
        assert of_order[0] == {n: event[n] for n in event if n not in of_statuses} | {"externalOrderId": "Ann order"}

    async def test_failed_events_are_listed(self, ann: Api) -> None:
        sent = await ann("POST", "/v1/webhooks/order-created", {"x": 1}, headers={"X-External-Event-Id": "e-1"})

        async def failed() -> Any:
            return await listed(ann, "/v1/events?status=FAILED&kind=order-created")

        assert [each["eventId"] for each in await until(failed)] == [sent.json["webhookEventId"]]


class TestActs:
    async def test_a_review_is_attributed_by_key(self, ann: Api, world: World) -> None:
        conversion = world.ids["review"]
        path = f"/v1/conversions/{conversion}/attribute"
        reply = await ann("POST", path, {"affiliateId": world.affiliate_id})
        assert_documented(BY_OPERATION["attributeConversion"], reply)
        assert (reply.json["review"], reply.json["affiliateId"]) == ("ATTRIBUTED", world.affiliate_id)
        earned = (await ann("GET", f"/v1/commissions/{reply.json['commission']['id']}")).json
        assert (earned["conversionId"], earned["amount"]) == (conversion, reply.json["commission"]["amount"])
        (act,) = (await list_acts(world.hub.parts.store, Wanted({"subject": conversion}, limit=5))).entries
        assert (act["actor"], act["source"], act["act"]) == (world.key.key_id, "api", "conversion.attributed")
        again = await ann("POST", path, {"affiliateId": world.affiliate_id})
        assert (again.status, "already" in again.json["message"]) == (400, True)

    async def test_no_affiliate_is_found_out_by_name_or_address(self, ann: Api, world: World) -> None:
        path = f"/v1/conversions/{world.ids['review']}/attribute"
        for reference in ("Ann blog", f"{world.merchant_id.lower()}@blog.example"):
            assert (await ann("POST", path, {"affiliateId": reference})).status == 400
            assert (await ann("POST", "/v1/links", {"affiliateId": reference})).status == 400
        assert (await ann("GET", f"/v1/conversions/{world.ids['review']}")).json["review"] == "OPEN"

    async def test_a_link_is_created_listed_and_disabled(self, ann: Api, world: World) -> None:
        wanted = {
            "affiliateId": world.affiliate_id,
            "destination": "https://shop.example/new",
            "subIds": {"sub1": "blog"},
        }
        made = await ann("POST", "/v1/links", wanted)
        assert_documented(BY_OPERATION["createLink"], made)
        code = made.json["code"]
        assert made.json["destination"] == wanted["destination"]
        assert {each["code"] for each in await listed(ann, "/v1/links")} == {code, world.ids["link"]}
        disabled = await ann("POST", f"/v1/links/{code}/disable")
        assert_documented(BY_OPERATION["disableLink"], disabled)
        assert disabled.json["disabledAt"] is not None
        foreign = await ann("POST", "/v1/links", {**wanted, "destination": "https://elsewhere.example/"})
        assert foreign.status == 400

    async def test_affiliates_of_the_account_are_listed(self, ann: Api, world: World, clock: FakeClock) -> None:
        await create_affiliate(world.hub.parts.store, clock, name="Stranger", email="s@blog.example")
        assert await listed(ann, "/v1/affiliates") == [
            {"id": world.affiliate_id, "name": "Ann blog", "status": "ACTIVE", "channels": None}
        ]


async def test_the_report_has_each_day_in_its_currency(ann: Api, world: World) -> None:
    async def counted() -> Any:
        found = await listed(ann, "/v1/reports/daily")
        return found if sum(each["orders"] for each in found) == 2 else None

    lines = await until(counted)
    (orders,) = [each for each in lines if each["orders"]]
    earned = (await ann("GET", f"/v1/commissions/{world.ids['commission']}")).json
    assert (orders["attributed"], orders["revenue"], orders["commission"]) == (1, "69.00", earned["amount"])
    assert await listed(ann, "/v1/reports/daily?from=2020-01-01&to=2020-01-31") == []
    for query in ("from=2020-01-01", "from=2020-02-30&to=2020-03-01", "from=20200101&to=2020-03-01"):
        assert (await ann("GET", f"/v1/reports/daily?{query}")).status == 400, query


async def test_another_accounts_entries_are_in_no_list(
    ann: Api, world: World, either_hub: Hub, clock: FakeClock
) -> None:
    """Whatever filter names them; and no act touches them."""
    bob = await world_of(either_hub, clock, "Bob")
    stranger = ann.with_key(bob.key)
    await log_of(either_hub, world.key)
    by_affiliate = f"?affiliateId={world.affiliate_id}"
    for name in LISTS:
        for query in ("", by_affiliate if name in ("conversions", "commissions") else "?limit=9"):
            found = (await stranger("GET", f"/v1/{name}{query}")).raw.decode()
            assert not [mark for mark in world.marks if mark in found and mark != bob.name], (name, query)
        assert [mark for mark in bob.marks if mark in (await stranger("GET", f"/v1/{name}")).raw.decode()], name
    for order in ("Ann%20order", "Ann%20order%20none"):
        assert await listed(stranger, f"/v1/conversions?externalOrderId={order}") == []
        assert await listed(stranger, f"/v1/events?externalOrderId={order}") == []
    for operation in ACTS - {"createLink"}:
        endpoint = BY_OPERATION[operation]
        identity = world.ids["link"] if endpoint.tag == "links" else world.ids["review"]
        body = {"affiliateId": bob.affiliate_id} if operation == "attributeConversion" else None
        assert (await stranger("POST", endpoint.path.replace("{id}", identity), body)).status == 404, operation
    assert (await ann("GET", f"/v1/conversions/{world.ids['review']}")).json["review"] == "OPEN"


async def test_every_list_and_record_is_as_documented(ann: Api, world: World) -> None:
    """The real answers fit their schemas, without a member that is not described."""
    ids = {"conversions": world.ids["order"], "commissions": world.ids["commission"]}
    for endpoint in ENDPOINTS:
        if endpoint.conditional and endpoint.tag != "subscriptions":
            reply: Reply = await ann("GET", endpoint.path.replace("{id}", ids.get(endpoint.tag, "")))
            assert reply.status == 200, endpoint.route
            assert_documented(endpoint, reply)


class TestChangedSince:
    """Events and links are followed as orders are."""

    async def test_events_that_were_decided_since(self, ann: Api, world: World, clock: FakeClock) -> None:
        clock.advance(60_000)
        first = await ann("GET", f"/v1/events?updatedSince={format_instant(clock())}")
        since = first.json["nextUpdatedSince"]
        clock.advance(60_000)
        later = format_instant(clock())
        assert await listed(ann, f"/v1/events?updatedSince={later}") == [], "what was before is not told again"
        status = {"externalOrderId": "Ann order", "status": "delivered", "statusUpdatedAt": later}
        sent = (await ann("POST", "/v1/order-status", status)).json["eventId"]

        async def is_told() -> bool:
            found = await listed(ann, f"/v1/events?updatedSince={later}")
            return sent in [each["eventId"] for each in found if each["processedAt"]]

        await until(is_told)
        with_filters = "externalOrderId=Ann%20order&type=order_status&sort=createdAt"
        assert sent in [
            each["eventId"] for each in await listed(ann, f"/v1/events?updatedSince={since}&{with_filters}")
        ]

    async def test_a_link_that_was_disabled_since(self, ann: Api, world: World, clock: FakeClock) -> None:
        clock.advance(60_000)
        since = (await ann("GET", f"/v1/links?updatedSince={format_instant(clock())}")).json["nextUpdatedSince"]
        clock.advance(60_000)
        code = world.ids["link"]
        later = format_instant(clock())
        assert await listed(ann, f"/v1/links?updatedSince={later}") == [], "what was before is not told again"
        assert (await ann("POST", f"/v1/links/{code}/disable")).status == 200
        changed = await listed(ann, f"/v1/links?updatedSince={since}&affiliateId={world.ids['affiliate']}")
        assert [each["code"] for each in changed] == [code]


class TestProductsByCursor:
    async def test_products_that_are_added_meanwhile_move_nothing(self, either_api: Api) -> None:
        """By number the second page would repeat what slid into it, which the control shows."""

        async def add(*names: str) -> None:
            products = [
                {"externalProductId": n, "name": n, "productUrl": "https://shop.example/p", "price": "1.00"}
                for n in names
            ]
            assert (await either_api("POST", "/v1/products/import", {"products": products})).status == 202

        await add("A", "B", "C", "D")
        first = (await either_api("GET", "/v1/products?pageSize=2")).json
        await add("E")
        behind = f"/v1/products?pageSize=2&cursor={first['nextCursor']}"
        second = (await either_api("GET", behind)).json
        assert [each["externalProductId"] for each in (*first["data"], *second["data"])] == ["D", "C", "B", "A"]
        assert (second["total"], "nextCursor" in second) == (5, False)
        by_number = await listed(either_api, "/v1/products?pageSize=2&page=2")
        assert [each["externalProductId"] for each in by_number] == ["C", "B"], "the control"

    async def test_filters_hold_behind_a_cursor(self, either_api: Api) -> None:
        products = [
            {"externalProductId": f"S-{n}", "name": f"Shoe {n}", "productUrl": "https://shop.example/p",
             "price": "1.00", "category": "Shoes" if n % 2 else "Hats"} for n in range(7)
        ]  # fmt: skip
        await either_api("POST", "/v1/products/import", {"products": products})
        found: list[str] = []
        path = asked = "/v1/products?category=Shoes&search=SHOE&pageSize=2"
        while True:
            page = (await either_api("GET", path)).json
            found += [each["externalProductId"] for each in page["data"]]
            if "nextCursor" not in page:
                break
            path = f"{asked}&cursor={page['nextCursor']}"
        assert found == ["S-5", "S-3", "S-1"]
        assert (await either_api("GET", "/v1/products?cursor=nothing")).json["param"] == "cursor"
