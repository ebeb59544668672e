"""The demo's history: it fills the pages with every outcome, and leaves books that hold."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import aiohttp
import pytest
from attrs import evolve
from yarl import URL

from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.demo.history import DAY_MS, plan_history
from hub.demo.merchant import ApiKey, MerchantClient
from hub.demo.network import Seller, TrackedLink
from hub.demo.run import demo
from hub.operations.audits.audit import audit
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.lists import Wanted, first_rows
from hub.operations.merchants.merchants import list_merchants
from hub.operations.money.books.adjustments import first_adjustments
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.money.payouts.payouts import COMMISSIONS
from hub.operations.orders.order_lists import asked_orders, list_orders
from hub.people.passwords import Passwords
from hub.storage import Store
from tests.pages.visitor import Visitor

START = 1_791_547_200_000


def links() -> list[TrackedLink]:
    client = MerchantClient(None, "http://127.0.0.1:9", ApiKey("ak_live_x", "s"), system_clock)  # type: ignore[arg-type]  # sends nothing
    seller = Seller("mer_1", "acc_1", client, "USD", {"mug": "24.00"}, "F")
    return [TrackedLink(seller, "code", "aff_1", "cmp_1", "mug", 40, "ADA10")]


class TestPlan:
    def test_the_same_seed_makes_the_same_history(self) -> None:
        of = links()
        assert plan_history(of, START, 14) == plan_history(of, START, 14)
        assert plan_history(of, START, 14) != plan_history(of, START, 14, seed=18)

    def test_nothing_is_said_before_its_click_or_after_the_end(self) -> None:
        plan = plan_history(links(), START, 14)
        clicked = {click.place: click.at for click in plan.clicks}
        named = [message for message in plan.messages if message.click is not None]
        assert len(named) > 20
        assert all(clicked[message.click] < message.at for message in named if message.click is not None)
        assert max(message.at for message in plan.messages) < START + 14 * DAY_MS
        assert [message.at for message in plan.messages] == sorted(message.at for message in plan.messages)


@pytest.mark.prove
async def test_six_weeks_leave_every_outcome_and_an_audit_without_a_fault(tmp_path: Path) -> None:
    settings = load_settings(None, {}, {"database.url": f"sqlite:///{tmp_path / 'd.db'}", "server.port": 0})
    async with demo(settings, 0) as places, await Store.open(places.database_url) as store:
        report = await audit(store, system_clock)
        rows = await first_rows(store, COMMISSIONS, Wanted({"mode": "live"}, 5_000))
        campaigns = await list_campaigns(store, system_clock, None)
        merchants = await list_merchants(store)
        waiting, paid = await first_runs(store, Wanted({"mode": "live"}))
        corrections = await first_adjustments(store, Wanted())
        books = await verify_ledger(store)
        clicks, counted = sqlite_counts(places.database_url)
        listed = {
            (account_id, state): len((await list_orders(store, account_id, _in_state(state), "live")).entries)
            for account_id, state in orders_in_states(places.database_url)
        }
        async with aiohttp.ClientSession() as session, session.get(places.sign_in_links[2].url) as page:
            assert "olu@hub.example" in await page.text()
        async with aiohttp.ClientSession(places.hub_url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            ada = Visitor(session)
            assert (await ada.send(URL(places.sign_in_links[1].url).path)).status == 303
            overview = await ada.get("/affiliate")
            (taken,) = [each["commissionId"] for each in corrections if each["kind"] == "refund"]
            clawback = await ada.get(f"/affiliate/commissions/{taken}")
        async with aiohttp.ClientSession(places.hub_url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            owner = Visitor(session)
            assert (await owner.send(URL(places.sign_in_links[0].url).path)).status == 303
            uploads = await owner.get("/merchant/uploads")
        roles = [link.role for link in places.sign_in_links]
        stored = (await store.fetch_one("user_by_email", email_key="olu@hub.example") or {})["password_hash"]
        passwords = Passwords()
        assert await passwords.verify(stored, places.sign_in_links[2].password), "the password on the screen lets in"
        passwords.close()
    assert "orders-by-telephone.csv" in uploads.words
    assert report["violations"] == []
    states = Counter(row["state"] for row in rows)
    assert set(states) == {"PENDING", "HOLD", "PAYABLE", "PAID", "REJECTED"}
    assert min(report["parked"], report["unmatched"], report["failed"]) > 0
    assert {each.status for each in merchants} == {"APPROVED", "PENDING"}
    assert {each.hold_ms for each in campaigns} == {None}  # the shop's own is back at the demo's short hold
    assert roles == ["merchant", "affiliate", "operator"]
    assert (waiting["status"], paid["status"]) == ("DRAFT", "SETTLED")
    assert {(each["kind"], each["status"]) for each in corrections} == {
        ("refund", "APPROVED"), ("manual", "APPROVED"), ("manual", "PROPOSED")
    }  # fmt: skip
    assert any(item["adjustments"] == 2 for item in waiting["items"])
    assert books["ok"]
    assert clicks == counted > 1_000
    for earned, lines in balances_in(overview.text):
        assert earned == sum(amount for name, amount in lines.items() if name != "Corrections"), lines
    assert any("Corrections" in lines for _, lines in balances_in(overview.text))
    assert re.search(r"Corrected after the payment by .1\.20.USD", clawback.words), "not that nothing changed it"
    assert listed == orders_in_states(places.database_url), "a list leads to the orders by when they came in"


def balances_in(text: str) -> Iterator[tuple[Decimal, dict[str, Decimal]]]:
    """What an affiliate's overview says was earned in each currency, and the lines below it."""
    for block in text.split("Earned so far</p>")[1:]:
        (earned,) = re.findall(r'^\s*<p class="big"><data class="money" value="([-\d.]+)"', block)
        lines = re.findall(r'<dt>([\w ]+)</dt><dd><data class="money" value="([-\d.]+)"', block.split("</dl>")[0])
        yield Decimal(earned), {name: Decimal(amount) for name, amount in lines}


def _in_state(state: str) -> Wanted:
    return evolve(asked_orders({"state": state}, ""), limit=1_000)


def orders_in_states(url: str) -> dict[tuple[str, str], int]:
    """How many orders of each account have a commission in each state."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        rows = connection.execute("SELECT account_id, state, count(*) FROM commissions GROUP BY account_id, state")
        return {(account_id, state): orders for account_id, state, orders in rows}


def sqlite_counts(url: str) -> tuple[int, int]:
    """The clicks of the live accounts, and those that their figures have."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        [(clicks,)] = connection.execute("SELECT COUNT(*) FROM clicks")
        [(counted,)] = connection.execute(
            "SELECT SUM(clicks) FROM daily_figures WHERE campaign_id = '*' AND affiliate_id = '*'"
        )
    return clicks, counted
