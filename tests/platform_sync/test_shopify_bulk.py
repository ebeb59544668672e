"""The first reading of a Shopify store, and that of its catalogue: by a bulk operation, and without one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import evolve
from hub_shopify.requests import REQUESTS

from hub.api import Play
from hub.domain.connectors.bulk_lines import BulkItems
from hub.domain.connectors.request_pages import AnswerFault
from hub.operations.connections.platform_access import ask_for_read
from hub.platform_sync import reads
from tests.platform_sync.test_any_subset_lost import Connected, _numbers, connected
from tests.processing.harness import DAY, NOON, Harness
from tests.standins.shopify import Shopify
from tests.standins.stores import shopify_store
from tests.standins.test_platform_apis import asked, case
from tests.standins.test_shopify_graphql import stated


@asynccontextmanager
async def with_orders(harness: Harness, number: int) -> AsyncIterator[tuple[Connected, Shopify, list[Play]]]:
    """Connect a store that has had orders for some days; every third of them was refunded in part."""
    harness.clock.now = NOON + DAY
    click = await harness.click(before_ms=2 * DAY)
    store = shopify_store()
    assert isinstance(store.standin, Shopify)
    plays = [Play(str(next(_numbers)), click, "USD", NOON) for _ in range(number)]
    for place, play in enumerate(plays):
        for step in ("created", "paid", *(("refunded",) if place % 3 == 0 else ())):
            store.step(step, play)
    async with connected(harness, store) as one:
        yield one, store.standin, plays


async def backfill(one: Connected) -> None:
    """Begin a first reading as the connection of a store does."""
    async with one.platforms.store.write() as tx:
        where = {"account_id": one.shop.account_id, "connection_id": one.shop.connection_id}
        now = one.shop.harness.clock()
        await tx.run(
            "insert_read", **where, read_id=f"read_{next(_numbers)}", kind="BACKFILL", since=NOON - DAY, now=now
        )


@pytest.mark.parametrize("ends", ["COMPLETED", "FAILED", "refused"])
async def test_the_first_reading_is_one_file_or_page_by_page(harness: Harness, ends: str) -> None:
    """A job that the platform does not take, or that fails, loses nothing."""
    async with with_orders(harness, 7) as (one, standin, plays):
        standin.jobs_last = 3
        standin.jobs_end = ends if ends != "refused" else "COMPLETED"
        standin.bulk_refusal = "A bulk query operation for this app and shop is already in progress." * (
            ends == "refused"
        )
        await backfill(one)
        for _ in range(6):
            await one.run()
            harness.clock.now += reads.JOB_MS
        assert sum("orders(" in each for each in standin.files) == (1 if ends == "COMPLETED" else 0)
        states = [await one.end(play.order_id) for play in plays]
        assert None not in states
        assert len({str(each) for each in states}) == 2
        assert all(str(states[place]) == str(states[place % 3]) for place in range(7) if place % 3 == 0)


async def test_a_file_that_broke_off_goes_on_at_its_line(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "BULK_AT_ONCE", 2)
    async with with_orders(sqlite_harness, 7) as (one, standin, plays):
        real, broken = BulkItems.take, [0]

        def take(self: BulkItems, line: bytes) -> dict[str, Any] | None:
            broken[0] += 1
            if broken[0] == 14:
                raise AnswerFault("broke off")
            return real(self, line)

        monkeypatch.setattr(BulkItems, "take", take)
        standin.jobs_last = 0
        await backfill(one)
        await one.run()
        for _ in range(9):
            sqlite_harness.clock.now += 3_600_000
            await one.run()
        assert None not in [await one.end(play.order_id) for play in plays]


async def test_the_catalogue_beyond_a_hundred_variants_is_read(sqlite_harness: Harness) -> None:
    """REST told of a hundred; the stock of all of them counts."""
    async with with_orders(sqlite_harness, 0) as (one, standin, _):
        stamp = "2026-11-20T10:00:00+00:00"
        variants = [{"id": 9_000 + n, "price": "5.00", "inventory_quantity": 2, "inventory_item_id": 70_000 + n,
                     "updated_at": stamp} for n in range(250)]  # fmt: skip
        standin.products[7001] = {"id": 7001, "title": "Paint", "updated_at": stamp, "variants": variants}
        standin.jobs_last = 0
        await ask_for_read(one.platforms, one.shop.connection_id, kind="CATALOGUE")
        for _ in range(3):
            await one.run()
            sqlite_harness.clock.now += reads.JOB_MS
        async with asked(evolve(case("shopify"), standin=standin)) as client:
            assert REQUESTS.product is not None
            whole = await client.whole(REQUESTS.product, "7001")
        assert len(whole["variants"]["nodes"]) + len(whole["more_variants"]) == 250
        facts = stated("product", whole)
        assert facts[-1].quantity == 500
