"""The clock of a test account, and emptying one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hub.clock import system_clock
from hub.domain.instants import format_instant, parse_instant
from hub.operations.merchants.test_accounts import AGED, HAPPENED, SET_UP, SET_UP_AT_ONCE
from hub.storage import Store
from hub.storage.named_queries.compiler import load_queries
from tests.cli.conftest import Office, Operator
from tests.processing.harness import DAY
from tests.storage.test_schema import SHARED, columns_of

FIGURES = {
    "affiliate_figures": "computed anew from what is left",
    "changed_orders": "computed anew from what is left",
    "counted_clicks": "computed anew from what is left",
    "counted_orders": "computed anew from what is left",
    "daily_figures": "computed anew from what is left",
    "new_figures": "computed anew from what is left",
    "product_figures": "computed anew from what is left",
}
NOT_AGED = FIGURES | {
    "told_marks": "only live accounts are told by the clock",
    "changes": "has numbers, not times: each aged record is told",
    "new_changes": "has no times",
    "new_names": "has no times",
    "adjustments": "the hub's own time, as the ledger's",
    "money_notes": "as the ledger's",
    "money_note_heads": "as the ledger's",
    "claims": "keys, which keep deduplicating",
    "volume_orders": "read anew: each aged order is told",
    "volume_readings": "has a number of the change feed, not times",
    "volume_due": "months that are reckoned anew",
    "connection_items": "has no times",
    "connection_stock": "compared with the store's own times",
    "connections": "set up, not happened",
    "deposit_covers": "only live accounts have a deposit",
    "deposit_payments": "only live accounts have a deposit",
    "deposits": "only live accounts have a deposit",
    "idempotency_keys": "the hub's own time",
    "join_pages": "only live accounts have a page for partners",
    "ledger_entries": "the hub's own time, in a chain of hashes",
    "ledger_heads": "has no times",
    "partner_invitations": "only live accounts invite",
    "materials": "the hub's own time",
    "partner_notes": "the merchant's own words, at the hub's own time",
    "payout_lines": "has no times",
    "platform_access": "set up, not happened",
    "platform_fetches": "the hub's own time",
    "platform_reads": "the hub's own time",
    "subscription_orders": "has no times",
    "limit_counts": "the hub's own time",
    "payloads": "kept by the hub's own time",
    "pictures": "the hub's own time",
    "products": "compared with the store's own times",
    "request_log": "the hub's own time",
    "webhook_attempts": "the hub's own time",
    "webhook_deliveries": "the hub's own time",
    "signatures": "the hub's own time",
    "uploads": "the hub's own time",
}
NOT_EMPTIED = FIGURES | {
    "told_marks": "only live accounts are told by the clock",
    "changes": "stays, so that whoever follows is told what is gone",
    "new_changes": "is numbered within a second",
    "new_names": "is numbered within a second",
    "adjustments": "the ledger names them",
    "money_notes": "they say what the corrections were",
    "money_note_heads": "the ends of those",
    "connections": "the store stays connected",
    "deposit_covers": "only live accounts have a deposit",
    "deposit_payments": "only live accounts have a deposit",
    "deposits": "only live accounts have a deposit",
    "join_pages": "only live accounts have a page for partners",
    "ledger_entries": "is only added to: what is deleted is clawed back",
    "ledger_heads": "the ends of the ledger's chains",
    "partner_invitations": "only live accounts invite",
    "materials": "a merchant's own, which nothing of a trial is in",
    "partner_notes": "the merchant's own words of people, not of orders",
    "payout_lines": "the ledger names them",
    "pictures": "a merchant's own, which nothing of a trial is in",
    "platform_access": "the store stays connected",
    "platform_fetches": "what a platform named is still fetched",
    "platform_reads": "what was asked stays",
    "limit_counts": "limits hold on",
    "request_log": "what was asked stays",
    "signatures": "a signature counts once",
    "uploads": "their files stay for their time",
    "volume_orders": "each that is gone is told, and what it earned is taken back",
    "volume_readings": "what is gone has to be heard",
    "volume_due": "months in which something is gone",
}


def tables_in(names: tuple[str, ...] | Mapping[str, str], verb: str) -> set[str]:
    """Return the tables that these queries change."""
    queries = load_queries("sqlite")
    return {queries[name].sql.split(verb, 1)[1].split()[0] for name in names}


async def held(office: Office, number: str = "1001") -> Any:
    """An order with a click, delivered: its commission is on hold."""
    click = await office.harness.click(await office.harness.campaign())
    await office.harness.order(number, clickId=click)
    await office.harness.work()
    await office.harness.status(number, "delivered")
    await office.harness.work()
    return await office.show(number)


def advance(office: Office, by: str) -> Any:
    return office.do("clock", "advance", "--merchant", office.harness.merchant_id, "--by", by)


class TestClock:
    async def test_a_hold_ends(self, office: Office) -> None:
        """Everything of the order is 15 days longer ago, and what the fold says is what the audit finds."""
        before = await held(office)
        moved = await advance(office, "15d")
        assert (moved["byMs"], moved["advancedMs"]) == (15 * DAY, 15 * DAY)
        after = await office.show("1001")
        for name in ("orderedAt", "receivedAt"):
            assert parse_instant(before[name]) - parse_instant(after[name]) == 15 * DAY
        hold = [parse_instant(each["commission"]["holdUntil"]) for each in (before, after)]
        assert hold[0] - hold[1] == 15 * DAY
        assert hold[1] < system_clock() < hold[0]
        assert [fact["status"] for fact in after["facts"]] == [fact["status"] for fact in before["facts"]]
        assert (await office.do("audit"))["violations"] == []
        assert (await advance(office, "1d"))["advancedMs"] == 16 * DAY

    async def test_a_click_ages(self, office: Office) -> None:
        """What is reported after it happens now; the control is an order before it."""
        campaign = await office.harness.campaign(days=30)
        click = await office.harness.click(campaign)
        await office.harness.order("1", clickId=click)
        await office.harness.work()
        await advance(office, "40d")
        await office.harness.order("2", clickId=click)
        await office.harness.order("3", clickId=await office.harness.click(campaign))
        await office.harness.work()
        reasons = [(await office.show(number))["reason"] for number in ("1", "2", "3")]
        assert reasons == ["matched", "click_outside_window", "matched"]

    async def test_the_same_news_is_still_known(self, office: Office) -> None:
        """Keys are identities and not times."""
        await held(office)
        at = office.harness.clock()
        first = await office.harness.status("1001", "confirmed", at=at)
        await office.harness.work()
        await advance(office, "2d")
        assert (await office.harness.status("1001", "confirmed", at=at)).event_id == first.event_id

    async def test_an_event_that_waits_is_aged_too(self, office: Office) -> None:
        """It is decided at once, as what had arrived before."""
        await office.harness.order("1001")
        at = office.harness.clock()
        await advance(office, "3d")
        await office.harness.work()
        assert (await office.show("1001"))["orderedAt"] == format_instant(at - 3 * DAY)

    async def test_a_live_account_has_no_such_clock(self, live_office: Office) -> None:
        """The merchant's live account stays as it is."""
        before = await held(live_office)
        await advance(live_office, "15d")
        assert await live_office.show("1001") == before

    def test_a_step_that_cannot_be_is_refused(self, operator: Operator) -> None:
        merchant = operator.merchant()
        for by, told in (("soon", "not a duration"), ("0d", "more than nothing"), ("4000d", "at most 3660 days")):
            assert told in operator.refused("clock", "advance", "--merchant", merchant, "--by", by)

    async def test_every_table_of_an_account_is_aged_or_named(self, store: Store) -> None:
        """A new table has to say which it is."""
        tenants = (await columns_of(store)).keys() - SHARED.keys()
        assert tables_in(AGED, "UPDATE") | NOT_AGED.keys() == tenants
        assert not tables_in(AGED, "UPDATE") & NOT_AGED.keys()


class TestEmptying:
    async def test_what_happened_is_gone_and_the_rest_stays(self, office: Office) -> None:
        """The same order can be reported anew, and the audit finds nothing amiss."""
        campaign = await office.harness.campaign()
        link = ("link", "create", "--merchant", office.harness.merchant_id, "--mode", "test", "--campaign", campaign)
        await office.do(*link, "--affiliate", office.harness.affiliate_id)
        await held(office)
        await office.harness.status("unknown", "delivered")
        await office.harness.work()
        empty = ("account", "empty", "--merchant", office.harness.merchant_id, "--mode")
        assert "Only a test account" in await office.refused(*empty, "live")
        assert (await office.do(*empty, "test"))["rows"] > 5
        assert await office.do("conversion", "list") == []
        assert (await office.do("audit"))["accepted"] == 0
        assert (await office.do("audit"))["violations"] == []
        assert len(await office.do("link", "list")) == 1
        assert (await office.do(*empty, "test"))["rows"] == 0
        await office.harness.order("1001")
        await office.harness.work()
        assert (await office.show("1001"))["externalOrderId"] == "1001"
        assert (await office.do(*empty, "test", "--everything"))["rows"] > 2
        assert await office.do("link", "list") == []
        assert await office.do("campaign", "list") == []
        assert (await office.do("audit"))["violations"] == []

    async def test_only_the_account_is_emptied(self, live_office: Office) -> None:
        before = await held(live_office)
        emptied = ("account", "empty", "--merchant", live_office.harness.merchant_id, "--mode", "test", "--everything")
        assert (await live_office.do(*emptied))["rows"] == 0
        assert await live_office.show("1001") == before

    async def test_every_table_of_an_account_is_emptied_or_named(self, store: Store) -> None:
        """A new table has to say which it is."""
        emptied = tables_in(HAPPENED, "DELETE FROM") | tables_in((*SET_UP, *SET_UP_AT_ONCE), "DELETE FROM")
        assert (emptied - SHARED.keys()) | NOT_EMPTIED.keys() == (await columns_of(store)).keys() - SHARED.keys()
