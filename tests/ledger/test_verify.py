"""The ledger follows every move of a commission, and its proof finds whatever was changed."""

from __future__ import annotations

import asyncio

import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.books.ledger import Entry
from hub.operations.money.ledger.ledger import LedgerDocument, chain_ends, entry_pages, verify_ledger
from hub.operations.money.payouts.payouts import pay_commission
from hub.operations.orders.reviews import attribute_conversion
from hub.plugin_host.registry import load_registry
from hub.processing.deposits import OnShortage
from hub.processing.figures import FigureCounter
from hub.processing.timed_jobs import Retention, TimedJobs
from hub.processing.worker import Worker
from hub.storage import Store
from hub.testing.in_process_plugins import InProcessPlugins
from tests.conftest import database_url
from tests.processing.harness import DAY, POLICY, Harness
from tests.sqlite_first import SQLITE_FIRST

__all__ = ["database_url"]


async def nothing(_account: str, _now: int) -> None:
    """Forget nothing."""


def jobs_of(harness: Harness, on_shortage: OnShortage | None = None) -> TimedJobs:
    keep = Retention(DAY, DAY, DAY, DAY, DAY)
    figures = FigureCounter(harness.store, harness.clock, asyncio.sleep)
    return TimedJobs(
        harness.store, harness.clock, keep, figures, forget_uploads=nothing, forget_clicks=nothing,
        on_shortage=on_shortage,
    )  # fmt: skip


async def entries_of(harness: Harness) -> list[Entry]:
    ends = await chain_ends(harness.store)
    return [entry for end in ends async for page in entry_pages(harness.store, end.head) for entry in page]


async def moved(harness: Harness) -> list[tuple[str, str, str, int]]:
    return [(e.kind, e.debit, e.credit, e.amount_minor) for e in await entries_of(harness)]


async def holds(store: Store) -> LedgerDocument:
    found = await verify_ledger(store)
    assert found["ok"], found["faults"]
    return found


async def test_every_move_of_a_commission_is_an_entry(harness: Harness) -> None:
    """Earned, held, reduced by a refund, released by the clock, paid: each names order, commission and cause."""
    click_id = await harness.click()
    await harness.order("O-1", clickId=click_id)
    await harness.work()
    await harness.status("O-1", "confirmed")
    await harness.work()
    await harness.webhook("order-refunded", "d-1", external_order_id="O-1", refund_id="r-1", refund_amount="40.00")
    await harness.work()
    harness.clock.advance(15 * DAY)
    assert await jobs_of(harness).release_holds() == 1
    commission = await harness.commission("O-1")
    assert commission is not None
    await pay_commission(harness.store, harness.clock, PayoutSettings(), commission["commission_id"], "SEPA-1")
    await pay_commission(harness.store, harness.clock, PayoutSettings(), commission["commission_id"], "SEPA-1")
    assert await moved(harness) == [
        ("earned", "merchant", "pending", 500),
        ("held", "pending", "held", 500),
        ("clawed_back", "held", "merchant", 200),
        ("released", "held", "payable", 300),
        ("paid", "payable", "bank", 300),
    ]
    entries = await entries_of(harness)
    assert {(e.commission_id, e.external_order_id) for e in entries} == {(commission["commission_id"], "O-1")}
    assert [e.cause[:4] for e in entries] == ["evt_", "evt_", "evt_", "hold", "paym"]
    assert (await holds(harness.store))["entries"] == 5


async def test_a_day_of_a_shop_agrees_with_its_ledger(harness: Harness) -> None:
    """Orders under every kind of rule, reviews, cancellations, and orders that come back."""
    await harness.shop_day()
    await harness.work()
    for number in range(0, 60, 4):
        await harness.status(f"O-{number}", "cancelled")
    await harness.work()
    for number in range(0, 60, 8):
        await harness.status(f"O-{number}", "commission_approved", harness.clock() + number)
    await harness.work()
    loose = next(r["conversion_id"] for r in await harness.rows("conversion_rows") if r["review"] == "OPEN")
    await attribute_conversion(harness.store, harness.clock, POLICY, loose, affiliate=harness.affiliate_id)
    harness.clock.advance(30 * DAY)
    await jobs_of(harness).release_holds()
    assert (await holds(harness.store))["entries"] > 100


async def seeded(harness: Harness, orders: int = 6) -> None:
    click_id = await harness.click()
    for number in range(orders):
        await harness.order(f"O-{number}", clickId=click_id, orderStatus="confirmed")
    await harness.work()
    await holds(harness.store)


@pytest.mark.parametrize("database_url", SQLITE_FIRST, indirect=True)  # what it reads, the tests above ask of both
@pytest.mark.parametrize(
    "change", ["amount", "affiliate", "time", "cause", "hash", "places", "delete", "head", "head_number"]
)
async def test_a_changed_row_is_named(harness: Harness, tampering: Store, change: str) -> None:
    """The first entry that does not hold is the one that was changed, or the first that is missing."""
    await seeded(harness)
    async with tampering.write() as tx:
        assert await tx.run(f"tamper_{change}", account_id=harness.account_id, entry=4) == 1
    found = await verify_ledger(harness.store)
    assert not found["ok"]
    (fault,) = found["faults"]
    expected = {"head": 6, "head_number": 4}.get(change, 4)
    assert (fault["accountId"], fault["entry"]) == (harness.account_id, expected)


async def test_a_commission_that_does_not_agree_is_named(harness: Harness, tampering: Store) -> None:
    """Both ways: its amount was changed, or it was written by something that knows no ledger."""
    await seeded(harness, 1)
    async with tampering.write() as tx:
        await tx.run("insert_bare_commission", commission_id="com_bare")
    (fault,) = (await verify_ledger(harness.store))["faults"]
    assert fault["commissionId"] == "com_bare"
    async with tampering.write() as tx:
        await tx.run("tamper_commission", account_id=harness.account_id)
    assert len((await verify_ledger(harness.store))["faults"]) == 2


async def test_two_nodes_write_one_chain(postgres_url: str) -> None:
    """They decide orders of one account and release holds at the same time, and no entry is lost, doubled or forked."""
    harness = await Harness.open(postgres_url, mode="live")
    click_id = await harness.click()
    for number in range(120):
        await harness.order(f"O-{number}", clickId=click_id, orderStatus="confirmed")
    await harness.work()
    harness.clock.advance(15 * DAY)
    for number in range(0, 120, 2):
        await harness.status(f"O-{number}", "refunded")
    async with await Store.open(postgres_url) as other:
        second = Worker(other, InProcessPlugins(load_registry()), POLICY, harness.clock, batch=7)
        first = Worker(harness.store, InProcessPlugins(load_registry()), POLICY, harness.clock, batch=7)

        async def drain(worker: Worker) -> None:
            while await worker.run_once():
                pass

        await asyncio.gather(drain(first), drain(second), *(jobs_of(harness).release_holds() for _ in range(3)))
    assert (await holds(harness.store))["entries"] == 120 + 60 + len(
        [move for move in await moved(harness) if move[0] == "released"]
    )
    await harness.close()
