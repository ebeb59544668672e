"""Stores that send nothing by themselves: they are connected by credentials alone, and read every hour."""

from __future__ import annotations

import pytest

from hub.api import Connector, PageNumbers
from hub.domain.connectors.request_pages import AnswerFault, Place, next_place
from hub.domain.connectors.scenarios import SimulationFault, played, posts
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import ConnectionAdmin, show_connection
from hub.platform_sync import reads
from hub.platform_sync.access import Access
from hub.platform_sync.runner import plan_reconciliations
from hub.plugin_host.packages import scenes_of
from hub.plugin_host.registry import Registry
from hub.storage import Row, Tx
from hub.testing.in_process_plugins import InProcessPlugins
from tests.platform_sync.acme_shop import ROOT, SEALER
from tests.platform_sync.test_any_subset_lost import STORES as TOLD
from tests.platform_sync.test_any_subset_lost import Connected, connected
from tests.platform_sync.test_wrong_clocks_and_forgeries import night
from tests.processing.harness import DAY, NOON, Harness
from tests.standins.books import Sold, keep
from tests.standins.stores import magento_store, squarespace_store

MINUTE = 60_000
ASKED = {"magento": magento_store, "squarespace": squarespace_store}


def connector_of(name: str) -> Connector:
    return ASKED[name]().connector


async def sold(one: Connected, number: str) -> None:
    """Have an order placed and paid a little less than an hour ago."""
    at = one.shop.harness.clock() - 59 * MINUTE
    click = await one.shop.harness.click(before_ms=2 * 60 * MINUTE)
    keep(one.store, Sold(number, click, at, at, paid_at=at))


async def readings(one: Connected) -> int:
    """Let the clock plan what is due, and do it; return how many readings there were by then."""
    await plan_reconciliations(one.shop.harness.store, one.shop.harness.clock())
    await one.run()
    async with one.platforms.store.read() as tx:
        where = {"account_id": one.shop.account_id, "connection_id": one.shop.connection_id}
        return len(await tx.all("newest_reads", **where, limit=50))


@pytest.mark.parametrize("name", ASKED)
async def test_its_orders_are_there_within_the_hour(sqlite_harness: Harness, name: str) -> None:
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, ASKED[name]()) as one:
        await night(one)
        for hour in range(3):
            await sold(one, str(601 + hour))
            before = await readings(one)
            sqlite_harness.clock.now += 61 * MINUTE
            assert await readings(one) == before + 1
            assert await sqlite_harness.commission(str(601 + hour)) is not None


async def test_control_a_platform_that_sends_is_read_at_night(sqlite_harness: Harness) -> None:
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, TOLD["bigcommerce"]()) as one:
        await night(one)
        before = await readings(one)
        sqlite_harness.clock.now += 61 * MINUTE
        assert await readings(one) == before


async def recovered(one: Connected, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Read an order that the hub did not know; return the messages that are queued of it."""
    queued: list[str] = []

    async def queue(_: Tx, __: Access, ___: Row, event_type: str, *____: object) -> None:
        queued.append(event_type)

    monkeypatch.setattr(reads, "queue_message", queue)
    await night(one)
    await sold(one, "601")
    one.shop.harness.clock.now += 61 * MINUTE
    await night(one)
    assert await one.shop.harness.commission("601") is not None
    return queued


@pytest.mark.parametrize("name", ASKED)
async def test_what_it_finds_is_no_news_of_lost_orders(
    sqlite_harness: Harness, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a message would be sent of every order; the check finds nothing wrong either, and no step asks a secret."""
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, ASKED[name]()) as one:
        assert await recovered(one, monkeypatch) == []
        plugins = InProcessPlugins(Registry((one.store.connector,), {}))
        admin = ConnectionAdmin(sqlite_harness.store, SEALER, plugins, sqlite_harness.clock, ROOT)
        assert (await check_connection(admin, one.shop.connection_id)).problems == []
        shown = await show_connection(admin, one.shop.connection_id)
        assert not any("secret" in step for step in shown.steps), shown.steps


async def test_control_a_platform_that_sends_has_lost_what_is_found(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, TOLD["bigcommerce"]()) as one:
        assert await recovered(one, monkeypatch) == ["connection.recovered"]


def test_its_store_plays_nothing_over_the_wire() -> None:
    """`hub simulate` says so, instead of sending what nobody signs."""
    connector = connector_of("magento")
    made = Sold("1", "clk_1", NOON, NOON).play
    with pytest.raises(SimulationFault, match="sends nothing by itself"):
        posts(connector, played(scenes_of(connector), made), "paid", made, "s", NOON)


class TestPagesByTheirTotal:
    PAGES = PageNumbers(total="total_count")

    @pytest.mark.parametrize(("page", "total", "follows"), [(1, 3, True), (2, 3, False), (1, 2, False), (2, 4, False)])
    def test_the_last_page_may_be_full(self, page: int, total: int, follows: bool) -> None:
        """Of a platform that answers with its last page once more for the one after it."""
        answer = {"items": [], "total_count": total}
        found = next_place(self.PAGES, 2, Place(page=page), "https://a.example/", {}, answer, 2)
        assert found == (Place(page=page + 1) if follows else None)

    def test_an_answer_without_a_total_is_not_believed(self) -> None:
        with pytest.raises(AnswerFault, match="does not say at total_count"):
            next_place(self.PAGES, 2, Place(), "https://a.example/", {}, {"items": []}, 2)

    def test_control_pages_that_are_counted_by_their_items_go_on(self) -> None:
        answer = {"items": [], "total_count": 2}
        assert next_place(PageNumbers(), 2, Place(), "https://a.example/", {}, answer, 2) == Place(page=2)
