"""Subscriptions by key: the account's own, with a secret that is shown once, and what became of each message."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.processing.figures import CLICKS_UNDER_WAY_MS, FigureCounter
from hub.testing.clock import FakeClock
from tests.merchant_api.test_openapi import BY_OPERATION, assert_documented
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import Api, Reply

HOOK = {"url": "https://shop.example/hook", "events": ["commission.*"]}


@pytest.fixture
async def world(hub: Hub, clock: FakeClock) -> World:
    return await world_of(hub, clock, "Ann", subscribed=False)


async def test_a_subscription_lives_by_key(api: Api, hub: Hub, world: World) -> None:
    ann = api.with_key(world.key)

    async def do(operation: str, path: str = "", body: object = None) -> Any:
        endpoint = BY_OPERATION[operation]
        reply = await ann(endpoint.method, f"/v1/subscriptions{path}", body)
        assert_documented(endpoint, reply)
        return reply.json

    made = await do("createSubscription", "", HOOK)
    one = f"/{made['id']}"
    assert made["secret"].startswith("whsec_")
    assert (await do("rotateSubscriptionSecret", f"{one}/rotate", {"overlap": "1h"}))["secret"] != made["secret"]
    changed = await do("updateSubscription", one, {"url": "https://shop.example/other", "events": ["*"]})
    assert (changed["url"], changed["events"]) == ("https://shop.example/other", ["*"])
    assert (await do("pauseSubscription", f"{one}/pause"))["status"] == "PAUSED"
    sent = await do("testSubscription", f"{one}/test", {"type": "commission.payable"})
    (kept,) = (await do("listDeliveries", f"{one}/deliveries"))["data"]
    assert (kept["id"], kept["type"], kept["data"]["sample"]) == (sent["messageId"], "commission.payable", True)
    assert kept["data"]["merchantId"] == world.merchant_id, "the log says what is sent, all of it"
    refused = await ann("POST", f"/v1/subscriptions{one}/retry", {"messageId": sent["messageId"]})
    assert (refused.status, "resume it first" in refused.json["message"]) == (400, True)
    assert (await do("resumeSubscription", f"{one}/resume"))["status"] == "ACTIVE"
    assert [each["id"] for each in (await do("listSubscriptions"))["data"]] == [made["id"]]
    assert (await do("retryDeliveries", f"{one}/retry", {"messageId": None}))["retried"] == 1
    assert (await do("replayDeliveries", f"{one}/replay", {"since": "1d"}))["replayed"] == 0
    await do("deleteSubscription", one)
    assert (await do("listSubscriptions"))["data"] == []
    acts = (await list_acts(hub.parts.store, Wanted({"subject": made["id"]}, limit=9))).entries
    assert {act["source"] for act in acts} == {"api"}
    assert len(acts) == 9


async def test_an_act_that_needs_nothing_needs_no_body(api: Api, world: World) -> None:
    """As in the APIs for tokens; what has to be said is asked for by its name, and no change is made of nothing."""
    ann = api.with_key(world.key)
    one = f"/v1/subscriptions/{(await ann('POST', '/v1/subscriptions', HOOK)).json['id']}"
    for act, success in (("test", 202), ("retry", 200), ("rotate", 200)):
        assert (await ann("POST", f"{one}/{act}")).status == success, act
    for method, path, said in (
        ("POST", f"{one}/replay", "`messageId` or `since` must be given"),
        ("PATCH", one, "The body must be a JSON object, but it is empty"),
        ("POST", "/v1/conversions", "The body must be a JSON object, but it is empty"),
    ):
        reply = await ann(method, path)
        assert (reply.status, reply.json["message"]) == (400, [said])


@pytest.mark.parametrize(
    ("body", "named"),
    [({"url": "http://127.1/hook", "events": ["*"]}, "127.1 is not a public address"),
     ({"url": "http://2130706433/hook", "events": ["*"]}, "2130706433 is not a public address"),
     ({"url": "http://localhost:22/", "events": ["*"]}, "localhost is not a public address"),
     ({"url": "ftp://x", "events": ["*"]}, "URL"), ({"url": "https://a.example", "events": ["x"]}, "no event"),
     ({"url": "https://a.example"}, "events")],
)  # fmt: skip
async def test_what_cannot_be_is_refused(api: Api, body: object, named: str) -> None:
    reply = await api("POST", "/v1/subscriptions", body)
    assert reply.status == 400
    assert named in str(reply.json["message"])
    reply = await api("POST", "/v1/subscriptions/sub_1/replay", {"since": "yesterday"})
    assert (reply.status, reply.json["param"]) == (400, "since")


class TestReports:
    async def test_the_figures_by_what_they_are_of(self, api: Api, hub: Hub, world: World, clock: FakeClock) -> None:
        ann = api.with_key(world.key)
        later = system_clock() + 2 * CLICKS_UNDER_WAY_MS

        async def counted(path: str) -> Reply | None:
            """The report once it has something: what the hub's own timer has in hand is not there yet."""
            await FigureCounter(hub.parts.store, lambda: later, asyncio.sleep).count()
            found = await ann("GET", f"/v1/reports/{path}")
            return found if found.json["data"] else None

        for operation, path in (("getCampaignReport", "campaigns"), ("getAffiliateReport", "affiliates"),
                                ("getProductReport", "products"), ("getLinkReport", "links")):  # fmt: skip
            reply = await until(partial(counted, path))
            assert_documented(BY_OPERATION[operation], reply)
            assert reply.json["data"], path
        by_affiliate = (await ann("GET", "/v1/reports/affiliates")).json["data"]
        assert {each["id"]: each["orders"] for each in by_affiliate if each["orders"]} == {
            world.affiliate_id: 1, None: 1,
        }  # fmt: skip
        daily = (await ann("GET", "/v1/reports/daily")).json["data"]
        by_link = (await ann("GET", "/v1/reports/links")).json["data"]
        assert {each["affiliateId"] for each in by_link} == {world.affiliate_id}
        assert sum(each["clicks"] for each in by_link) == sum(each["clicks"] for each in daily) > 0
        assert [each["orders"] for each in by_link if each["currency"]] == [1]
        assert (await ann("GET", "/v1/reports/links?from=2020-01-01&to=2020-01-02")).json["data"] == []
        (balance,) = (await ann("GET", "/v1/balances")).json["data"]
        assert balance["hold"] == next(each["hold"] for each in daily if each["currency"] == "USD")
        assert (await ann("GET", "/v1/reports/products?from=2026-11-01")).status == 400
        assert_documented(BY_OPERATION["listStatements"], await ann("GET", "/v1/statements"))
