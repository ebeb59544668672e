"""What a platform is asked for ends in the same ledger as if nothing had been lost, whatever is in the way."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest
from aiohttp import web
from attrs import evolve

from hub.domain.connectors.reconciliation import BACKFILL_DAYS, DAY_MS, next_night
from hub.operations.audits.audit import audit
from hub.operations.connections.connections import close_connection
from hub.operations.connections.platform_access import ask_for_read, delete_credentials
from hub.operations.connections.platform_view import show_platform
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.lists import Wanted, read
from hub.operations.merchants.merchants import NewMerchant, close_merchant, create_merchant
from hub.operations.references import account_of
from hub.operations.system.mails import MAILS
from hub.outbound.pacing import Pacer
from hub.platform_sync.runner import plan_reconciliations
from tests.acme_requests import ACME_REQUESTS
from tests.platform_sync.acme_shop import Asked, admin_of, asked
from tests.processing.harness import NOON, Harness
from tests.processing.test_deliveries import connect

MINUTE = 60_000


def orders(count: int, click: str = "", **more: Any) -> list[dict[str, Any]]:
    """Return orders that were placed a day ago."""
    return [
        {"number": f"T-{each}", "total": "10.00", "extra": {"click": click}, "version": NOON, "placed": NOON - DAY_MS}
        | more
        for each in range(count)
    ]


def third_page_breaks(request: web.Request) -> web.Response | None:
    """Answer the third page of orders with something else."""
    return web.json_response([]) if request.path == "/api/orders" and request.query["page"] == "3" else None


class TestCredentials:
    async def test_they_are_checked_sealed_and_begin_with_everything_from_before(self, harness: Harness) -> None:
        """On both databases: orders and products are read, the webhooks are made, the certain point is set."""
        async with asked(harness, orders=orders(5), products=[{"id": "p1", "name": "Cup"}]) as one:
            given = await one.give()
            assert (given["shop"], given["currency"], given["webhooksMade"]) == ("Shop", "USD", ["order", "product"])
            begun = harness.clock()
            await one.run()
            access, reads = await one.access(), await one.reads()
            assert "s3cret" not in str(access)
            assert {each["kind"]: (each["status"], each["items"], each["unknown"]) for each in reads} == {
                "BACKFILL": ("DONE", 5, 5), "CATALOGUE": ("DONE", 1, 0),
            }  # fmt: skip
            assert access["certain_at"] == begun
            assert access["next_at"] == next_night(begun, one.shop.connection_id)
            assert [each["since"] for each in reads if each["kind"] == "BACKFILL"] == [begun - BACKFILL_DAYS * DAY_MS]
            assert len(await one.shop.rows("conversion_rows")) == 5
            assert len(one.acme.hooks) == 2
            assert (await audit(harness.store, harness.clock))["violations"] == []

    async def test_wrong_ones_are_not_stored(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness) as one:
            with pytest.raises(OperatorFault, match="not stored. The platform refuses the credentials"):
                await one.give(typed={"secret": "wrong"})
            with pytest.raises(InvalidFields, match="does not look right"):
                await one.give(typed={"site": "shop"})
            with pytest.raises(InvalidFields, match="no credential 'other'"):
                await one.give(typed={"other": "x"})
            with pytest.raises(InvalidFields, match="Its secret is missing"):
                await one.give(typed={"secret": " "})
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False

    async def test_a_currency_that_the_hub_cannot_keep_is_refused_at_once(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness, currency="POINTS") as one:
            with pytest.raises(OperatorFault, match="'POINTS', which is not a currency"):
                await one.give()

    async def test_those_of_another_shop_are_refused(self, sqlite_harness: Harness) -> None:
        """The first ones pin the site, as the first delivery would."""
        async with asked(sqlite_harness) as one:
            await one.give(days=0)
            one.acme.site = "other.example"
            with pytest.raises(OperatorFault, match=r"are of other\.example, and .* belongs to shop\.example"):
                await one.give(days=0)

    async def test_a_missing_permission_is_named(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness, scopes=[]) as one:
            assert (await one.give())["missingPermissions"] == ["orders"]

    async def test_deleting_them_ends_everything(self, sqlite_harness: Harness) -> None:
        """The webhooks on the platform as well; a reading that waits ends."""
        async with asked(sqlite_harness, orders=orders(3)) as one:
            await one.give()
            await delete_credentials(one.platforms, one.shop.connection_id)
            assert one.acme.hooks == []
            assert [each["status"] for each in await one.reads()] == ["FAILED", "FAILED"]
            with pytest.raises(OperatorFault, match="no credentials"):
                await ask_for_read(one.platforms, one.shop.connection_id)

    async def test_closing_the_connection_deletes_them(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness) as one:
            await one.give()
            await close_connection(admin_of(sqlite_harness), one.shop.connection_id)
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False
            await one.run()
            assert {each["status"] for each in await one.reads()} == {"FAILED"}

    async def test_closing_the_merchant_deletes_them(self, harness: Harness) -> None:
        """With what was to be fetched; those of another merchant stay."""
        async with asked(harness) as one, asked(await _neighbour(harness)) as other:
            await other.give()
            await one.give()
            one.acme.fault = lambda _: web.Response(status=500)
            await one.shop.tell("order/thin", {"order": "T-9"})
            assert len(await one.fetches()) == 1
            await close_merchant(harness.store, harness.clock, harness.merchant_id)
            assert await one.fetches() == []
            assert {each["status"] for each in await one.reads()} == {"FAILED"}
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False
            assert (await show_platform(other.platforms, other.shop.connection_id))["hasCredentials"] is True

    async def test_the_erasure_of_the_shop_deletes_them(self, harness: Harness) -> None:
        """After the day that it waits; the erasure of a buyer leaves them."""
        async with asked(harness) as one:
            await one.give()
            await one.shop.tell("privacy/redact", {"orders": ["A-1"], "email": "ann@buyer.example"})
            await one.shop.tell("privacy/shop", {"shop": "s"})
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is True
            harness.clock.advance(DAY_MS)
            await harness.work()
            assert (await show_platform(one.platforms, one.shop.connection_id))["hasCredentials"] is False
            assert {each["fault"] for each in await one.reads()} == {"The platform asked to erase the shop."}


async def _neighbour(harness: Harness) -> Harness:
    """Return the same hub as another merchant has it."""
    wanted = NewMerchant(name="Other", email="b@b.example", domains=["b.example"], approve=True)
    merchant = await create_merchant(harness.store, harness.clock, wanted)
    async with harness.store.read() as tx:
        account = await account_of(tx, str(merchant.id), "test")
    return evolve(harness, merchant_id=str(merchant.id), account_id=account["account_id"])


class TestNights:
    async def test_each_night_reads_from_the_certain_point(self, harness: Harness) -> None:
        """Once a night, though it is looked every minute; what was lost is found and reported."""
        async with asked(harness, orders=orders(2)) as one:
            await one.give()
            await one.run()
            certain = (await one.access())["certain_at"]
            one.acme.orders += [{"number": "L-1", "total": "5.00", "version": NOON}]
            harness.clock.now += DAY_MS + 6 * 60 * MINUTE
            assert await plan_reconciliations(harness.store, harness.clock()) == 1
            assert await plan_reconciliations(harness.store, harness.clock()) == 0
            begun = harness.clock()
            await one.run()
            night = (await one.reads())[0]
            assert (night["kind"], night["since"], night["unknown"]) == ("RECONCILIATION", certain, 1)
            assert (await one.access())["certain_at"] == begun
            shown = await show_platform(one.platforms, one.shop.connection_id)
            assert shown["reads"][0]["news"] == ["L-1"]

    async def test_a_look_at_the_last_days_leaves_the_certain_point(self, sqlite_harness: Harness) -> None:
        """What lies between may still be missing; a reading from the certain point on moves it."""
        async with asked(sqlite_harness) as one:
            await one.give(days=0)
            certain = (await one.access())["certain_at"]
            assert certain == sqlite_harness.clock()
            sqlite_harness.clock.now += 10 * DAY_MS
            await ask_for_read(one.platforms, one.shop.connection_id, since="1d")
            await one.run()
            assert (await one.access())["certain_at"] == certain
            await ask_for_read(one.platforms, one.shop.connection_id)
            await one.run()
            assert (await one.access())["certain_at"] == sqlite_harness.clock()

    async def test_connections_begin_at_times_of_their_own(self) -> None:
        """Between 01:00 and 06:00 UTC, each at the same time every night."""
        starts = {next_night(NOON, f"con_{each}") % DAY_MS for each in range(200)}
        assert len(starts) > 190
        assert all(60 * MINUTE <= each < 6 * 60 * MINUTE for each in starts)
        first = next_night(NOON, "con_1")
        assert next_night(first, "con_1") == first + DAY_MS


class TestBreakingOff:
    async def test_a_reading_that_breaks_off_goes_on_at_its_place(self, harness: Harness) -> None:
        """The certain point stays until all of it was taken in."""
        async with asked(harness, orders=orders(7)) as one:
            one.acme.fault = third_page_breaks
            await one.give()
            await one.run()
            (broken,) = [each for each in await one.reads() if each["kind"] == "BACKFILL"]
            assert (broken["status"], broken["items"], broken["pages"]) == ("WAITING", 4, 2)
            assert "no list of objects" in broken["fault"]
            assert (await one.access())["certain_at"] == 0
            one.acme.fault = lambda _: None
            harness.clock.now += 10 * MINUTE
            await one.run()
            (done,) = [each for each in await one.reads() if each["kind"] == "BACKFILL"]
            assert (done["status"], done["fault"]) == ("DONE", None)
            assert len(await one.shop.rows("conversion_rows")) == 7
            assert (await one.access())["certain_at"] == done["created_at"]

    async def test_a_platform_that_stays_broken_ends_the_reading(self, sqlite_harness: Harness) -> None:
        async with asked(sqlite_harness) as one:
            await one.give(days=0)
            one.acme.fault = lambda r: web.Response(status=418) if r.path == "/api/orders" else None
            await ask_for_read(one.platforms, one.shop.connection_id, since="3d")
            for _ in range(9):
                await one.run()
                sqlite_harness.clock.now += DAY_MS
            broken = next(each for each in await one.reads() if each["kind"] == "RECONCILIATION")
            assert broken["status"] == "FAILED"
            assert "answers 418" in broken["fault"]

    async def test_a_refusal_is_reported_once_and_ends_when_new_credentials_come(self, harness: Harness) -> None:
        async with asked(harness) as one:
            await one.give()
            await one.run()
            one.acme.secret = "changed"
            for _ in range(2):
                await ask_for_read(one.platforms, one.shop.connection_id)
                await one.run()
            access = await one.access()
            assert access["fault_code"] == "refused"
            async with harness.store.read() as tx:
                mails = (await read(tx, MAILS, Wanted())).entries
            assert [each["template"] for each in mails] == ["question"]
            await one.give(typed={"secret": "changed"})
            assert (await one.access())["fault"] is None

    async def test_another_process_that_has_a_reading_is_left_alone(self, sqlite_harness: Harness) -> None:
        """Its lease ends by itself if it was killed."""
        async with asked(sqlite_harness, orders=orders(1)) as one:
            await one.give()
            (read, _) = await one.reads()
            key = {**one.key, "now": NOON, "until": sqlite_harness.clock() + MINUTE}
            async with sqlite_harness.store.write() as tx:
                for each in await one.reads():
                    assert await tx.run("claim_read", **key, read_id=each["read_id"])
            await one.run()
            assert {each["status"] for each in await one.reads()} == {"WAITING"}
            sqlite_harness.clock.now += 2 * MINUTE
            await one.run()
            assert {each["status"] for each in await one.reads()} == {"DONE"}
            assert read["items"] == 0


class TestBackfill:
    async def test_orders_keep_their_own_time_and_no_later_click(self, sqlite_harness: Harness) -> None:
        """A click of today does not earn on an order of last month, though both name each other."""
        late = await sqlite_harness.click(await sqlite_harness.campaign(), before_ms=0)
        placed = sqlite_harness.clock() - 30 * DAY_MS
        body = {"number": "B-1", "total": "10.00", "version": placed, "placed": placed, "extra": {"click": late}}
        async with asked(sqlite_harness, orders=[body]) as one:
            await one.give()
            await one.run()
            (conversion,) = await one.shop.rows("conversion_rows")
            assert conversion["ordered_at"] == placed
            assert conversion["affiliate_id"] is None

    async def test_what_is_decided_is_not_attributed_again(self, sqlite_harness: Harness) -> None:
        """The order came with a click; the platform's list names none."""
        async with asked(sqlite_harness) as one:
            click = await sqlite_harness.click(await sqlite_harness.campaign(), before_ms=2 * DAY_MS)
            (known,) = orders(1, click)
            assert await one.shop.outcome("order", known) == ("PROCESSED", None)
            before = await one.shop.rows("conversion_rows")
            one.acme.orders = orders(1)
            await one.give()
            await one.run()
            after = await one.shop.rows("conversion_rows")
            assert [each["affiliate_id"] for each in after] == [each["affiliate_id"] for each in before]
            assert after[0]["affiliate_id"] is not None


async def test_the_connections_of_a_shop_share_its_rate_and_those_of_a_host_the_hosts(
    sqlite_harness: Harness,
) -> None:
    """Test and live ask the same shop, and the shop counts them together; the pauses are those that were asked for."""
    async with asked(sqlite_harness, orders=orders(1)) as one, asked(sqlite_harness) as elsewhere:
        pauses: list[float] = []

        async def rest(seconds: float) -> None:
            pauses.append(seconds)

        begun = monotonic()
        platforms = evolve(one.platforms, pacer=Pacer(3, lambda: begun), rest=rest)
        second = await connect(sqlite_harness, "live")
        values = {"site": one.address, "key": "key", "secret": "s3cret"}
        for connection_id in (one.shop.connection_id, second.connection_id, one.shop.connection_id):
            async with platforms.session(connection_id, ACME_REQUESTS, values) as client:
                await client.identity()
        assert len(platforms.pacer.shops) == 1
        assert (len(one.acme.asked), pauses) == (3, [])
        async with platforms.session(second.connection_id, ACME_REQUESTS, values) as client:
            await client.identity()
        assert pauses == [pytest.approx(1 / 3)]
        async with platforms.session("con_3", ACME_REQUESTS, {**values, "site": elsewhere.address}) as client:
            await client.identity()
        assert len(pauses) == 1, "another host has a rate of its own"
        assert len(platforms.pacer.shops) == 2


async def test_the_hub_that_stops_interrupts_a_reading(sqlite_harness: Harness) -> None:
    """It is cancelled anywhere, and the next process goes on."""
    async with asked(sqlite_harness, orders=orders(4)) as one:
        await one.give()
        await one.runner.start()
        await one.runner.stop()
        sqlite_harness.clock.now += 60 * MINUTE
        fresh: Asked = one
        await fresh.run()
        assert {each["status"] for each in await one.reads()} == {"DONE"}
        assert len(await one.shop.rows("conversion_rows")) == 4
