"""The figures of days: counted with the facts, whatever happens in between, and equal to what the orders add up to."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from hub.clock import Clock, system_clock
from hub.config.settings import load_settings
from hub.domain.orders.figures import ALL, OrderFigures, added_up, refunded_minor, sums_of
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.terms import Refund
from hub.operations.audits import figures_audit
from hub.operations.audits.audit import audit
from hub.operations.audits.figures_audit import check_figures, recount_figures
from hub.operations.figures.figure_age import LAG_MS, figures_until
from hub.operations.orders.reviews import attribute_conversion
from hub.processing.figures import FigureCounter
from hub.processing.policy import policy_of
from hub.processing.timed_jobs import Retention, TimedJobs
from hub.storage import Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.processing.harness import DAY, Harness
from tests.sqlite_first import on_both

KNOWN_WRITERS = {
    "insert_conversions": "write_decisions",
    "write_commissions": "write_decisions and reviews",
    "restate_conversions": "write_decisions",
    "release_holds": "release",
    "age_conversions": "test_accounts",
    "age_commissions": "test_accounts",
    "empty_conversions": "test_accounts",
    "empty_commissions": "test_accounts",
    "attribute_conversion": "reviews",
    "dismiss_conversion": "no figure depends on it",
    "count_namesakes": "no figure depends on it",
    "attribute_late_clicks": "write_decisions",
    "await_platform": "no figure depends on it",
    "stop_awaiting_platform": "no figure depends on it",
    "pay_commission": "payouts",
    "pay_reserved_commissions": "payout_release",
    "reopen_review": "review_undo",
    "withdraw_commission": "review_undo",
    "erase_metadata": "no figure depends on it",
    "await_deposit": "no figure depends on it",
    "try_deposit_again": "no figure depends on it",
    "forget_awaited_deposit": "no figure depends on it",
}
"""Each statement that writes orders or commissions, and which file notes the change; else figures would go astray."""


async def rest(seconds: float) -> None:
    assert seconds >= 0


async def counted(harness: Harness) -> dict[str, int]:
    """Count, and return the sums over all days."""
    await FigureCounter(harness.store, harness.clock, rest).count()
    async with harness.store.read() as tx:
        rows = await tx.all("all_daily_figures", account_id=harness.account_id)
    names = ("clicks", "orders", "high", "revenue_minor", "refunds_minor", "hold", "hold_minor", "payable", "paid")
    whole = [row for row in rows if (row["campaign_id"], row["affiliate_id"]) == (ALL, ALL)]
    for key in ("campaign_id", "affiliate_id"):
        parts = [row for row in rows if row[key] != ALL]
        assert [sum(row[name] for row in parts) for name in names] == [
            sum(row[name] for row in whole) for name in names
        ]
    return {name: sum(int(row[name]) for row in whole) for name in names}


async def wrong(store: Store, clock: Clock) -> list[Any]:
    return [each["message"] for each in (await check_figures(store, clock)).wrong]


async def test_a_day_of_every_outcome_adds_up(harness: Harness) -> None:
    """Orders under every rule, refunds before and after them; counted in the middle and at the end."""
    await harness.shop_day()
    await harness.worker.run_once()
    await counted(harness)
    await harness.work()
    sums = await counted(harness)
    assert sums["orders"] == 120
    assert 0 < sums["high"] < 120
    assert sums["refunds_minor"] > 0
    assert await wrong(harness.store, harness.clock) == []
    assert await counted(harness) == sums


async def test_every_change_of_an_order_moves_its_day(harness: Harness) -> None:
    """From attribution by hand over the end of the hold: the same order is counted once."""
    await harness.order("A-1", "100.00", orderStatus="confirmed")
    await harness.work()
    assert (await counted(harness))["hold"] == 0
    found = await harness.conversion("A-1")
    assert found is not None
    policy = policy_of(load_settings(None, {}))
    await attribute_conversion(
        harness.store, harness.clock, policy, found["conversion_id"], affiliate=harness.affiliate_id
    )
    sums = await counted(harness)
    assert (sums["orders"], sums["hold"], sums["payable"]) == (1, 1, 0)
    harness.clock.now += 60 * DAY
    await release(harness)
    sums = await counted(harness)
    assert (sums["orders"], sums["hold"], sums["hold_minor"], sums["payable"]) == (1, 0, 0, 1)
    assert await wrong(harness.store, harness.clock) == []


async def release(harness: Harness) -> None:
    async def nothing(_account: str, _before: int) -> None:
        return

    month = 30 * DAY
    figures = FigureCounter(harness.store, harness.clock, rest)
    keep = Retention(month, month, month, month, month)
    jobs = TimedJobs(harness.store, harness.clock, keep, figures, forget_uploads=nothing, forget_clicks=nothing)
    await jobs.release_holds()


async def test_clicks_are_counted_once_they_are_settled(harness: Harness) -> None:
    """A click whose commit may be under way is left to the next turn."""
    for _ in range(3):
        await harness.click()
    assert (await counted(harness))["clicks"] == 0
    harness.clock.now += 365 * DAY
    assert (await counted(harness))["clicks"] == 3
    assert (await counted(harness))["clicks"] == 3


@on_both("database_url")
async def test_two_nodes_count_at_once(harness: Harness) -> None:
    await harness.shop_day()
    await harness.work()
    counters = [FigureCounter(harness.store, harness.clock, rest) for _ in range(3)]
    await asyncio.gather(*[counter.count() for counter in counters])
    assert (await counted(harness))["orders"] == 120
    assert await wrong(harness.store, harness.clock) == []


async def test_a_recount_gives_the_same(harness: Harness) -> None:
    await harness.shop_day()
    await harness.work()
    before = await counted(harness)
    assert await recount_figures(harness.store, harness.merchant_id) == {"accounts": 2}
    assert await counted(harness) == before


async def test_new_orders_cost_one_note_and_no_reading(harness: Harness) -> None:
    """However many a transaction creates; what is counted of each is stored with it."""
    for number in range(20):
        await harness.order(f"A-{number}", "100.00", clickId=await harness.click())
    await harness.work()
    async with harness.store.read() as tx:
        notes = await tx.all("new_figures_of", account_id=harness.account_id, limit=99)
        changed = await tx.all("next_changed_orders", limit=99)
    assert (len(notes), len(changed)) == (1, 0)
    assert (await counted(harness))["orders"] == 20
    assert await wrong(harness.store, harness.clock) == []


async def test_figures_that_fell_behind_say_since_when(harness: Harness) -> None:
    """Of one account, or of all of a mode; the controls are a lag of less than ten seconds, and another account."""
    before = system_clock()
    await harness.order("A-1", couponCode="SAVE10")
    await harness.work()
    later = system_clock() + LAG_MS + 1_000
    since = await figures_until(harness.store, "test", later, harness.account_id)
    assert since is not None
    assert before <= since <= later
    assert await figures_until(harness.store, "test", later) == since
    assert await figures_until(harness.store, "test", since + LAG_MS, harness.account_id) is None
    assert await figures_until(harness.store, "test", later, "acc_other") is None
    assert await figures_until(harness.store, "live", later) is None
    await counted(harness)
    assert await figures_until(harness.store, "test", later, harness.account_id) is None


async def test_a_change_that_is_counted_before_its_new_order_adds_up(harness: Harness) -> None:
    """Nodes' clocks differ, so the notes of one order are read in any order; the sums are the same."""
    await harness.order("A-1", "100.00", clickId=await harness.click(), orderStatus="confirmed")
    await harness.work()
    async with harness.store.write() as tx:
        (held,) = await tx.all("new_figures_of", account_id=harness.account_id, limit=99)
        await tx.run("drop_new_figures", account_id=harness.account_id)
    await harness.status("A-1", "cancelled")
    await harness.work()
    assert (await counted(harness))["orders"] == 0  # only the difference is there
    async with harness.store.write() as tx:
        await tx.run("note_new_figures", notes=[(harness.account_id, held["change_id"], held["sums"])])
    sums = await counted(harness)
    assert (sums["orders"], sums["hold"], sums["hold_minor"]) == (1, 0, 0)
    assert await wrong(harness.store, harness.clock) == []


async def test_the_audit_says_whose_figures_it_could_not_compare(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is computed for an account with changes that wait to be counted."""
    await harness.order("A-1", "100.00")
    await harness.work()
    looked_at: list[str] = []
    recomputed = figures_audit._recomputed

    async def noted(store: Store, account_id: str) -> Any:
        looked_at.append(account_id)
        return await recomputed(store, account_id)

    monkeypatch.setattr(figures_audit, "_recomputed", noted)
    found = await audit(harness.store, harness.clock)
    assert (found["figuresChecked"], found["figuresLeftOut"]) == (1, 1)
    assert harness.account_id not in looked_at
    await counted(harness)
    found = await audit(harness.store, harness.clock)
    assert (found["figuresChecked"], found["figuresLeftOut"]) == (2, 0)
    assert harness.account_id in looked_at


async def test_control_the_audit_finds_an_order_that_nobody_noted(harness: Harness) -> None:
    await harness.order("A-1", "100.00")
    await harness.work()
    async with harness.store.write() as tx:
        await tx.run("drop_new_figures", account_id=harness.account_id)
    violations = (await audit(harness.store, harness.clock))["violations"]
    assert [each["rule"] for each in violations] == ["figures"]


async def test_control_the_audit_finds_a_change_that_nobody_noted(harness: Harness) -> None:
    await harness.order("A-1", "100.00", clickId=await harness.click(), orderStatus="confirmed")
    await harness.work()
    await counted(harness)
    await harness.status("A-1", "cancelled")
    await harness.work()
    async with harness.store.write() as tx:
        assert await tx.run("drop_changed_orders", account_id=harness.account_id) == 1
    violations = (await audit(harness.store, harness.clock))["violations"]
    assert [each["rule"] for each in violations] == ["figures"]


TAMPERED = ("day", "product", "place", "clicks_of_day", "clicks_of_place")


@pytest.mark.parametrize("what", TAMPERED)
async def test_control_the_audit_finds_a_changed_row_of_every_table(harness: Harness, what: str) -> None:
    """One row is changed behind the hub's back; before that the audit finds nothing."""
    await harness.order("A-1", "100.00", clickId=await harness.click(), externalProductId="P-1")
    await harness.work()
    harness.clock.now += 365 * DAY
    await counted(harness)
    assert await wrong(harness.store, harness.clock) == []
    async with harness.store.write() as tx:
        assert await tx.run(f"tamper_{what}", account_id=harness.account_id) == 1
    (message,) = await wrong(harness.store, harness.clock)
    assert message.startswith("The clicks of " if "clicks" in what else f"The figures of {what} ")


def test_whatever_writes_orders_notes_it() -> None:
    """A new statement that changes orders or commissions is added here once its caller notes the change."""
    text = "\n".join(path.read_text() for path in sorted(QUERY_FOLDER.glob("*.sql")))
    blocks = re.split(r"^-- name: ", text, flags=re.MULTILINE)[1:]
    writes = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+(conversions|commissions)\b")
    assert {block.split()[0] for block in blocks if writes.search(block)} == set(KNOWN_WRITERS)


def fact(status: str, refund: Refund | None) -> StatusFact:
    return StatusFact(status, status, 1, 1, refund, False, "evt_1")


@pytest.mark.parametrize(
    ("facts", "base", "refunded"),
    [
        ([], 900, 0),
        ([fact("refunded", None)], 0, 1000),
        ([fact("refunded", Refund(None, ()))], None, 1000),
        ([fact("refunded", Refund(250, ()))], 750, 250),
        ([fact("refunded", Refund(250, ()))], None, 250),
        ([fact("refunded", Refund(9999, ()))], None, 1000),
        ([fact("refunded", Refund(None, (("a", 1, 300),)))], None, 300),
        ([fact("cancelled", None)], 1000, 0),
    ],
)
def test_what_counts_as_refunded(facts: list[StatusFact], base: int | None, refunded: int) -> None:
    assert refunded_minor(1000, base, facts) == refunded


SOLD = (("p", 1, 600), ("p", 1, 400))


def test_a_change_adds_the_difference_only() -> None:
    before = OrderFigures(
        7, "c", "a", "USD", 1, 1000, 0, "HOLD", 80, "k", '{"sub2":"s"}', (("p", 1, 600), ("p", 1, 400))
    )
    after = before._replace(state="REJECTED", refunds_minor=1000, commission_minor=0)
    assert sums_of([(before, before)]) == ({}, {}, {})
    changed = sums_of([(before, after)])
    assert set(changed.days) == {(7, "*", "*", "USD"), (7, "c", "*", "USD"), (7, "*", "a", "USD")}
    assert set(changed.days.values()) == {(0, 0, 0, 1000, 0, 0, -1, -80, 0, 0, 0, 0, 0, 0, 1, 0)}
    assert changed.products == {}
    places = [("a", "campaign", 7, "c", "USD"), ("a", "link", 7, "k", "USD"), ("a", "sub2", 7, "s", "USD")]
    assert changed.places == dict.fromkeys(places, (0, 1, -80))
    new = sums_of([(None, before)])
    assert new.products == {(7, "p", "USD"): (1, 2, 1000)}
    assert new.places == dict.fromkeys(places, (1, 0, 80))


def test_orders_of_one_origin_and_of_others_add_up_as_each_alone() -> None:
    """A rejected commission of 80 earns nothing, so it is no sum of a place, and an order of nobody has no place."""
    held = OrderFigures(7, "c", "a", "USD", 1, 1000, 0, "HOLD", 80, "k", "", SOLD)
    changes: list[tuple[OrderFigures | None, OrderFigures]] = [
        (None, held), (None, held._replace(state="REJECTED")), (None, held._replace(affiliate_id="b")),
        (None, held._replace(affiliate_id="", state="", commission_minor=0)), (held, held._replace(state="PAID")),
        (None, held._replace(subs='{"sub1":"s"}')), (held, held._replace(day=8, products=())),
    ]  # fmt: skip
    together = sums_of(changes)
    apart = added_up([sums_of([each]) for each in changes])
    assert together == tuple({key: numbers for key, numbers in sums.items() if any(numbers)} for sums in apart)
    assert together.places["a", "link", 7, "k", "USD"] == (2, 1, 80)
