"""A hub without its web edge: the real store, intake and worker, one merchant, one affiliate, and a clock we hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from hub.domain.instants import format_instant
from hub.domain.orders.commission import Rule
from hub.ids import new_id
from hub.intake.submission import Accepted, RequestGuards, Submission, status_claim
from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.references import account_of
from hub.processing.policy import Policy
from hub.processing.worker import Worker
from hub.storage import Row, Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from hub.testing.clock import NOON, FakeClock
from tests.served_hub import installed_plugins

__all__ = ["DAY", "FOLDERS", "NOON", "POLICY", "Harness"]

DAY = 86_400_000
FOLDERS = (QUERY_FOLDER, Path(__file__).parent / "queries")
"""The hub's queries, and those that seed a database."""
POLICY = Policy(hold_ms=14 * DAY, default_window_ms=30 * DAY, platform_rule=Rule("PERCENTAGE", "5"))


@define
class Harness:
    """Everything between the door and the ledger."""

    store: Store
    clock: FakeClock
    submissions: SubmissionBatcher
    worker: Worker
    account_id: str = ""
    merchant_id: str = ""
    affiliate_id: str = ""
    ids: list[str] = field(factory=list)

    @classmethod
    async def over(cls, store: Store, *, batch: int = 64) -> Harness:
        """Starts intake over an open store, as it is."""
        clock = FakeClock()
        submissions = SubmissionBatcher(store, clock, idempotency_ttl_ms=DAY)
        harness = cls(store, clock, submissions, Worker(store, installed_plugins(), POLICY, clock, batch=batch))
        await submissions.start()
        return harness

    @classmethod
    async def attach(cls, url: str, *, batch: int = 64, serve: bool = False) -> Harness:
        """Opens a database as it is; `serve` with what only the server does to a file, its checkpoints."""
        return await cls.over(await Store.open(url, migrate=True, serve=serve, query_folders=FOLDERS), batch=batch)

    @classmethod
    async def open(cls, url: str, mode: str = "test", coupon: str = "ADA10", *, serve: bool = False) -> Harness:
        """Opens a migrated database with a merchant, whose account of this mode it uses, and an affiliate in it."""
        harness = await cls.attach(url, serve=serve)
        await harness.join(mode, coupon)
        return harness

    async def join(self, mode: str, coupon: str) -> None:
        """Makes a merchant, whose account of this mode is used from now on, and an affiliate with a coupon."""
        store, clock = self.store, self.clock
        merchant = await create_merchant(
            store, clock, NewMerchant(name="Shop", email="shop@shop.example", domains=["shop.example"], approve=True)
        )
        affiliate = await create_affiliate(store, clock, name="Ada", email="ada@blog.example", coupons=[coupon])
        self.merchant_id, self.affiliate_id = str(merchant.id), str(affiliate.id)
        async with store.read() as tx:
            self.account_id = (await account_of(tx, self.merchant_id, mode))["account_id"]

    async def close(self) -> None:
        """Close intake and the store."""
        await self.submissions.stop()
        await self.store.close()

    async def campaign(self, *, type: str = "PERCENTAGE", value: str = "10", days: int | None = 30) -> str:
        """A campaign that has been active for a hundred days."""
        campaign_id, since = new_id("cmp"), self.clock() - 100 * DAY
        async with self.store.write() as tx:
            await tx.run(
                "seed_campaign", account_id=self.account_id, campaign_id=campaign_id, type=type, value=value,
                days=days, since=since,
            )  # fmt: skip
        await self.change(campaign_id, "ACTIVE", since)
        return campaign_id

    async def change(self, campaign_id: str, status: str, at: int) -> None:
        """Gives a campaign a status since a moment."""
        async with self.store.write() as tx:
            await tx.run(
                "seed_change", account_id=self.account_id, campaign_id=campaign_id, at=at, change_id=new_id("chg"),
                status=status,
            )  # fmt: skip

    async def click(self, campaign_id: str | None = None, *, before_ms: int = 3_600_000) -> str:
        """A click on the affiliate's link, an hour ago unless said otherwise."""
        click_id = new_id("clk")
        async with self.store.write() as tx:
            await tx.run(
                "seed_click", account_id=self.account_id, click_id=click_id, affiliate_id=self.affiliate_id,
                campaign_id=campaign_id, at=self.clock() - before_ms,
            )  # fmt: skip
        return click_id

    async def order(self, number: str, amount: str = "100.00", **body: Any) -> Accepted:
        """Reports a conversion as POST /v1/conversions does once it is validated."""
        return await self._submit(
            "conversion", None, "order", number, {"externalOrderId": number, "orderAmount": amount, **body}
        )

    async def status(self, number: str, status: str, at: int | None = None, **body: Any) -> Accepted:
        """Reports an order status as POST /v1/order-status does; `at` is its statusUpdatedAt."""
        if at is not None:
            body["statusUpdatedAt"] = format_instant(at)
        key = status_claim(number, status, at, body.get("clickId"))
        return await self._submit(
            "order_status", None, "status", key, {"externalOrderId": number, "status": status, **body}
        )

    async def webhook(self, kind: str, delivery: str, **body: Any) -> Accepted:
        """Delivers a v1 webhook."""
        return await self._submit("webhook", kind, "webhook", delivery, body)

    async def _submit(self, type: str, kind: str | None, scope: str, key: str, body: dict[str, Any]) -> Accepted:
        webhook = type == "webhook"
        outcome = await self.submissions.submit(
            Submission(
                guards=RequestGuards(self.account_id),
                type=type,
                kind=kind,
                claim_scope=scope,
                claim_key=key,
                event_id=new_id("evt"),
                conversion_id=new_id("cnv") if type == "conversion" else None,
                external_order_id=None if webhook else body["externalOrderId"],
                external_event_id=key if webhook else None,
                body=json.dumps(body),
                received_at=self.clock(),
            )
        )
        assert isinstance(outcome, Accepted)
        return outcome

    async def shop_day(self) -> None:
        """Orders under every kind of rule, with news and refunds before and after them."""
        campaigns = [None, await self.campaign(), await self.campaign(type="FIXED", value="3.50", days=0)]
        clicks = [
            await self.click(campaign, before_ms=hours * 3_600_000) for campaign in campaigns for hours in (1, 30)
        ]
        for number in range(120):
            order = f"O-{number}"
            if number % 5 == 0:
                await self.status(order, "delivered", NOON - number)
            body = {
                "clickId": clicks[number % len(clicks)] if number % 7 else None,
                "externalProductId": f"SKU-{number % 9}" if number % 2 else None,
                "currency": ("USD", "EUR", "JPY")[number % 3], "couponCode": "ada10" if number % 4 else None,
                "orderStatus": "confirmed" if number % 3 else None, "metadata": {"note": 'é"'} if number % 8 else None,
            }  # fmt: skip
            given = {name: value for name, value in body.items() if value is not None}
            await self.order(order, str(10 + number), **given)
            if number % 3 == 0:
                await self.webhook(
                    "order-refunded", f"d-{number}", external_order_id=order, refund_id="r-1", refund_amount="4"
                )

    async def work(self) -> None:
        """Lets the worker finish everything that is due."""
        while await self.worker.run_once():
            pass

    async def rows(self, query: str) -> Sequence[Row]:
        """The rows of a query over the account."""
        async with self.store.read() as tx:
            return await tx.all(query, account_id=self.account_id)

    async def event(self, event_id: str) -> dict[str, Any]:
        """One event with its explanation read."""
        row = next(r for r in await self.rows("event_rows") if r["event_id"] == event_id)
        return {**dict(row), "explanation": json.loads(row["explanation"] or "null")}

    async def commission(self, number: str) -> dict[str, Any] | None:
        """The commission of an order, or None."""
        rows = await self.rows("commission_rows")
        return next((dict(r) for r in rows if r["external_order_id"] == number), None)

    async def conversion(self, number: str) -> dict[str, Any] | None:
        """The conversion of an order, or None."""
        rows = await self.rows("conversion_rows")
        return next((dict(r) for r in rows if r["external_order_id"] == number), None)
