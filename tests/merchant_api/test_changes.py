"""The change feed: whoever keeps its cursor has, at any rest, byte for byte what the API prints."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from hub.app import Hub
from hub.domain.durations import DAY
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import AffiliateChange, update_affiliate
from hub.operations.changes.feed import cursor_of, place_of
from hub.operations.merchants.test_accounts import empty_account
from hub.operations.orders.review_undo import reopen_review
from hub.processing.change_numbers import number_account
from hub.storage import Tx
from hub.testing.clock import FakeClock
from tests.merchant_api.mirrors import Mirror, differences, printed
from tests.pages.world import World, world_of
from tests.polling import PATIENCE_SECONDS, until
from tests.served_hub import Api


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock) -> World:
    """A merchant with one object of every kind."""
    return await world_of(either_hub, clock, "Ann")


@pytest.fixture
async def ann(either_api: Api, world: World) -> Api:
    """The client of that merchant."""
    return either_api.with_key(world.key)


async def settled(hub: Hub, api: Api, mirror: Mirror, seconds: float = PATIENCE_SECONDS) -> list[str]:
    """Follow the feed until nothing is told any more; return what the mirror has otherwise than the hub."""
    found: list[str] = []

    async def at_rest() -> bool:
        """Whether nothing is told any more; a receiver that does not answer is tried again meanwhile."""
        await hub.parts.jobs.figures.count()
        while await mirror.follow(api):
            await hub.parts.jobs.figures.count()
        found[:] = differences(mirror, await printed(api))
        return not found

    with suppress(TimeoutError):
        await until(at_rest, seconds, 0.2)
    return found


async def decided(api: Api, order: str) -> Any:
    """Return an order once it is decided."""

    async def found() -> Any:
        return (await api("GET", f"/v1/conversions?externalOrderId={order}")).json["data"]

    return (await until(found))[0]


async def test_a_mirror_from_the_beginning_equals_the_hub(ann: Api, world: World) -> None:
    mirror = Mirror()
    assert await settled(world.hub, ann, mirror) == []
    kinds = {kind for kind, _ in mirror.copy}
    assert kinds >= {"conversion", "commission", "event", "link", "product", "campaign", "affiliate", "membership",
                     "balance", "subscription"}  # fmt: skip

    async def alike() -> bool:
        """Whether the last cursor is told nothing twice and one by one is told the same, between two tries to send."""
        one_by_one = Mirror()
        await one_by_one.follow(ann, limit=1)
        return await mirror.follow(ann) == 0 and one_by_one.copy == mirror.copy

    await until(alike)


async def test_what_a_shop_reports_is_told(ann: Api, world: World) -> None:
    """Each of these was absent from `updatedSince`: news under review, a second confirmation, another amount."""
    mirror = Mirror()
    assert await settled(world.hub, ann, mirror) == []
    order = {"externalOrderId": "news-1", "orderAmount": "20.00", "orderStatus": "confirmed"}
    await ann("POST", "/v1/conversions", order)
    found = await decided(ann, "news-1")
    for status in ("delivered", "confirmed", "cancelled"):
        await mirror.follow(ann)
        before = json.dumps(found)
        sent = {"externalOrderId": "news-1", "status": status, "statusUpdatedAt": "2026-11-20T12:00:00Z"}
        assert (await ann("POST", "/v1/order-status", sent)).status == 202

        async def changed(before: str = before) -> Any:
            now = await decided(ann, "news-1")
            return now if json.dumps(now) != before else None

        found = await until(changed)
        assert await mirror.follow(ann) > 0
        assert json.loads(mirror.copy["conversion", found["id"]]) == found
    await ann("POST", "/v1/conversions", {**order, "orderAmount": "25.00"})

    async def differs() -> bool:
        return "amountDiffers" in ((await decided(ann, "news-1"))["explanation"] or {})

    await until(differs)
    assert await settled(world.hub, ann, mirror) == []


async def test_acts_of_people_are_told(ann: Api, world: World) -> None:
    hub, clock, mirror = world.hub, world.clock, Mirror()
    store = hub.parts.store
    assert await settled(hub, ann, mirror) == []
    await ann("POST", f"/v1/links/{world.ids['link']}/disable")
    await ann("PATCH", f"/v1/campaigns/{world.ids['campaign']}", {"title": "Another title"})
    await ann("PATCH", f"/v1/products/{world.ids['product']}", {"price": "11.00"})
    await ann("POST", f"/v1/subscriptions/{world.ids['webhook']}/pause")
    told = len(mirror.told)
    assert await settled(hub, ann, mirror) == []
    kinds = {kind for kind, _, _ in mirror.told[told:]}
    assert kinds >= {"link", "campaign", "product", "subscription"}
    await ann("DELETE", f"/v1/subscriptions/{world.ids['webhook']}")
    outbox = Outbox(hub.parts.sealer, is_on=False)
    await update_affiliate(store, clock, outbox, world.affiliate_id, AffiliateChange(name="A new name"))
    assert await settled(hub, ann, mirror) == []
    await update_affiliate(store, clock, outbox, world.affiliate_id, AffiliateChange(channels="A podcast"))
    assert await settled(hub, ann, mirror) == []
    assert any("A podcast" in text for (kind, _), text in mirror.copy.items() if kind == "affiliate")
    assert ("subscription", world.ids["webhook"], True) in mirror.told
    assert any("A new name" in text for (kind, _), text in mirror.copy.items() if kind == "conversion")


async def test_a_campaign_that_ends_by_the_clock_is_told(ann: Api, world: World) -> None:
    hub, clock, mirror = world.hub, world.clock, Mirror()
    await ann("PATCH", f"/v1/campaigns/{world.ids['campaign']}", {"endDate": "2026-11-25T00:00:00Z"})
    await settled(hub, ann, mirror)
    clock.now += 30 * DAY

    async def told() -> bool:
        await mirror.follow(ann)
        status: str = json.loads(mirror.copy["campaign", world.ids["campaign"]])["status"]
        return status == "EXPIRED"

    await until(told)


async def test_what_is_deleted_or_forgotten_is_told(ann: Api, world: World) -> None:
    hub, mirror = world.hub, Mirror()
    assert await settled(hub, ann, mirror) == []
    store = hub.parts.store

    async def forget(tx: Tx) -> int:
        return await tx.run("sweep_payloads", account_id=world.account_id, before="evt_z")

    assert await store.transact(forget) > 0
    assert await settled(hub, ann, mirror) == [], "what was submitted beside the facts is not printed any more"
    await empty_account(store, world.clock, world.merchant_id, "test")
    assert await settled(hub, ann, mirror) == []
    assert not [key for key in mirror.copy if key[0] in ("conversion", "commission", "event")]


async def test_a_question_is_held_open_until_something_changes(ann: Api, world: World) -> None:
    mirror = Mirror()
    await settled(world.hub, ann, mirror)
    held = asyncio.create_task(ann("GET", f"/v1/changes?wait=30&types=link&after={mirror.cursor}"))
    await until(lambda: world.hub.parts.services.waiters.held)
    assert (await ann("POST", f"/v1/links/{world.ids['link']}/disable")).status == 200
    reply = await held
    assert [each["id"] for each in reply.json["data"]] == [world.ids["link"]]
    told = reply.json["data"][0]
    assert told["record"]["updatedAt"] == told["changedAt"] > told["record"]["createdAt"]
    assert not world.hub.parts.services.waiters.held


async def test_how_many_questions_are_held_open_is_bounded(ann: Api, world: World) -> None:
    mirror = Mirror()
    await settled(world.hub, ann, mirror)
    path = f"/v1/changes?wait=30&types=link&after={mirror.cursor}"
    held = [asyncio.create_task(ann("GET", f"{path}&limit={limit}")) for limit in range(1, 5)]
    await until(lambda: world.hub.parts.services.waiters.held == 4)
    reply = await ann("GET", path)
    assert (reply.status, reply.json["code"], reply.headers["Retry-After"]) == (429, "too_many_waiters", "1")
    await ann("POST", f"/v1/links/{world.ids['link']}/disable")
    assert {reply.status for reply in await asyncio.gather(*held)} == {200}


async def test_a_whole_account_streams_as_lines_and_is_taken_up_again(ann: Api, world: World) -> None:
    mirror = Mirror()
    await settled(world.hub, ann, mirror)

    async def lines(after: str = "") -> list[Any]:
        reply = await ann("GET", f"/v1/changes{after}", headers={"Accept": "application/x-ndjson"})
        assert (reply.status, reply.headers["Content-Type"]) == (200, "application/x-ndjson")
        return [json.loads(line) for line in reply.raw.splitlines()]

    async def alike() -> bool:
        """Whether the stream tells what the feed does, and nothing behind its cursor, between two tries to send."""
        told = await lines()
        streamed = {(each["type"], each["id"]): json.dumps(each["record"]) for each in told if "type" in each}
        behind = await lines(f"?after={told[-1]['cursor']}")
        await mirror.follow(ann)
        return streamed == mirror.copy and behind == [told[-1]] == [{"cursor": told[-1]["cursor"]}]

    await until(alike)


async def test_types_narrow_the_feed_and_a_strange_cursor_is_refused(ann: Api, world: World) -> None:
    mirror = Mirror()
    await mirror.follow(ann, query="&types=commission,event")
    assert {kind for kind, _ in mirror.copy} == {"commission", "event"}
    for query, part in (("types=order", "`types`"), ("after=abc", "`after`"), ("wait=31", "`wait`")):
        reply = await ann("GET", f"/v1/changes?{query}")
        assert (reply.status, part in reply.json["message"][0]) == (400, True)
    ahead = Mirror(cursor=None)
    await ahead.follow(ann)
    assert ahead.cursor is not None
    number, *_ = place_of(ahead.cursor)
    reply = await ann("GET", f"/v1/changes?after={cursor_of((number + 2**40, 'z', '', ''))}")
    assert (reply.status, "begin anew" in reply.json["message"][0]) == (400, True)


async def test_no_account_is_told_of_another(ann: Api, world: World) -> None:
    other = await world_of(world.hub, world.clock, "Ben")
    mirror = Mirror()
    await mirror.follow(ann)
    text = json.dumps([*mirror.copy.items()])
    assert not [mark for mark in other.marks if mark in text]


async def test_what_is_not_committed_has_no_number_and_what_commits_late_gets_a_late_one(
    ann: Api, world: World
) -> None:
    """The control of the whole: a number that is given before the commit would be passed by a reader and never seen."""
    store, clock, mirror = world.hub.parts.store, world.clock, Mirror()
    if store.dialect == "sqlite":
        return  # there is one writer, whose commit nobody can be ahead of
    await settled(world.hub, ann, mirror)
    async with store.write() as tx:
        await tx.run(
            "set_link_disabled",
            account_id=world.account_id,
            code=world.ids["link"],
            disabled_at=clock(),
            disabled_by=None,
        )
        await ann("PATCH", f"/v1/campaigns/{world.ids['campaign']}", {"title": "Committed meanwhile"})
        await mirror.follow(ann)
        await number_account(store, clock, world.account_id)
    await until(lambda: mirror.follow(ann))
    assert await settled(world.hub, ann, mirror) == []


async def test_the_reasons_of_a_taken_back_attribution_reach_the_mirror(ann: Api, world: World) -> None:
    hub, mirror = world.hub, Mirror()
    await settled(hub, ann, mirror)
    orders = [json.loads(text) for (kind, _), text in mirror.copy.items() if kind == "conversion"]
    open_ones = [each["id"] for each in orders if each["review"] == "OPEN"]
    body = {"affiliateId": world.affiliate_id}
    assert (await ann("POST", f"/v1/conversions/{open_ones[0]}/attribute", body)).status == 200
    assert await settled(hub, ann, mirror) == []
    commission = json.loads(mirror.copy["conversion", open_ones[0]])["commission"]["id"]
    await reopen_review(hub.parts.store, hub.parts.clock, open_ones[0])
    assert await settled(hub, ann, mirror) == []
    assert ("commission", commission, True) in mirror.told
