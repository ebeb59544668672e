"""A bank's answer about a hundred thousand payments: in bounded time, while the event loop serves whoever else asks.

Times are seconds of CPU, so that they say the same on a busy machine. The control parses and matches on the event loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any, Final

import pytest
from attrs import define, field

from hub.domain.payouts.report_verdicts import Verdict
from hub.operations.money.receipts.bank_report_runs import BankReports
from hub.operations.money.receipts.bank_report_store import KeptReading, Sent, send_report, show_report
from hub.records.bank_files import BankReportDocument
from hub.storage import Tx
from tests.ledger.test_payouts import SEALER, create, payable, release, written
from tests.processing.harness import Harness

PAYMENTS: Final = 100_000
RETURNED_EACH: Final = 1_000
TENTH: Final = PAYMENTS // 10
LOOP_SECONDS: Final = 0.1
"""So long, of CPU, may the event loop be busy in one go; reading the file in it takes several times as long."""
MATCHED_SECONDS: Final = 60.0
"""So long, of CPU, may it take to check the file whole; one comparison of each line with each payment takes an hour."""
pytestmark = pytest.mark.prove
CLONES = {
    "affiliates": "INSERT INTO affiliates (affiliate_id, name, email, status, test_of, created_at) "
    "SELECT n.id, a.name, a.email, a.status, a.test_of, a.created_at FROM named n, affiliates a "
    "WHERE a.affiliate_id = :model",
    "payout_items": "INSERT INTO payout_items (payout_id, affiliate_id, currency, amount_minor, commissions, "
    "adjustments, adjustments_minor, status, file_id) SELECT i.payout_id, n.id, i.currency, i.amount_minor, "
    "i.commissions, i.adjustments, i.adjustments_minor, i.status, i.file_id FROM named n, payout_items i "
    "WHERE i.affiliate_id = :model",
    "payout_lines": "INSERT INTO payout_lines (account_id, payout_id, line_id, affiliate_id, currency, amount_minor, "
    "status) SELECT l.account_id, l.payout_id, 'com_' || substr(n.id, 5), n.id, l.currency, l.amount_minor, l.status "
    "FROM named n, payout_lines l WHERE l.affiliate_id = :model",
}
"""What makes of one payment many, each to an affiliate of its own."""


@define
class Beats:
    """The longest that the event loop's thread worked in one go, in seconds of CPU."""

    longest: float = 0.0


@asynccontextmanager
async def beating() -> AsyncIterator[Beats]:
    """Look at the event loop every few milliseconds, as somebody who is served by it does."""
    beats = Beats()

    async def beat() -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.005)
            beats.longest = max(beats.longest, time.thread_time() - before)

    task = asyncio.create_task(beat())
    try:
        yield beats
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@define
class Steps:
    """How much CPU the process had used when so many lines were noted."""

    at: list[tuple[int, float]] = field(factory=list)

    def seconds(self, first: int, last: int) -> float:
        """Return what the lines between cost."""
        inside = [seconds for done, seconds in self.at if first <= done <= last]
        return inside[-1] - inside[0]


async def many_payments(harness: Harness, url: str) -> tuple[str, list[str]]:
    """A released run of so many payments, all of them in a file, and whom it pays."""
    await payable(harness, "100.00")
    run = (await release(harness, (await create(harness))["id"]))["id"]
    await written(harness, run)
    names = [f"aff_{number:032x}" for number in range(1, PAYMENTS)]
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database, database:
        database.execute("CREATE TEMP TABLE named (id TEXT PRIMARY KEY)")
        database.executemany("INSERT INTO named VALUES (?)", [(name,) for name in names])
        for each in CLONES.values():
            database.execute(each, {"model": harness.affiliate_id})
    return run, [harness.affiliate_id, *names]


def answer(run: str, affiliates: Sequence[str]) -> Sent:
    """What the bank says: one in a thousand came back."""
    rows = [f"{name},{'PAID' if number % RETURNED_EACH else 'RETURNED'},B-{number},No such account"
            for number, name in enumerate(affiliates)]  # fmt: skip
    return Sent("\n".join(["affiliateId,status,reference,reason", *rows]).encode(), "answer.csv", run, "BANK")


async def reading(
    harness: Harness, sent: Sent, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> tuple[BankReportDocument, Beats]:
    """Read an answer to its end, and watch its progress and the event loop."""
    keep, checked = KeptReading.keep, KeptReading.checked

    async def kept(self: KeptReading, tx: Tx, verdicts: Sequence[Verdict]) -> None:
        await keep(self, tx, verdicts)
        steps.at.append((self.done, time.process_time()))

    async def is_checked(self: KeptReading, rows: int, passed_over: int = 0) -> None:
        steps.at.append((0, time.process_time()))
        await checked(self, rows, passed_over)

    monkeypatch.setattr(KeptReading, "keep", kept)
    monkeypatch.setattr(KeptReading, "checked", is_checked)
    reader = BankReports(harness.store, SEALER, harness.clock)
    report_id = await send_report(harness.store, SEALER, harness.clock, sent, reader.owner)
    async with beating() as beats:
        await reader.read_one(report_id)
    return await show_report(harness.store, report_id), beats


async def test_a_hundred_thousand_payments_are_settled_once_beside_whoever_is_served(
    sqlite_live: Harness, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, affiliates = await many_payments(sqlite_live, sqlite_url)
    sent, steps, began = answer(run, affiliates), Steps(), time.process_time()
    done, beats = await reading(sqlite_live, sent, steps, monkeypatch)
    came_back = PAYMENTS // RETURNED_EACH
    assert (done.status, done.verdicts) == ("DONE", {"ARRIVED": PAYMENTS - came_back, "RETURNED": came_back})
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as database:
        booked = dict(database.execute("SELECT kind, COUNT(*) FROM ledger_entries GROUP BY kind"))
        twice = database.execute("SELECT COUNT(*) - COUNT(DISTINCT affiliate_id) FROM ledger_entries "
                                 "WHERE kind IN ('settled', 'returned')").fetchone()  # fmt: skip
    assert (booked["settled"], booked["returned"], twice) == (PAYMENTS - came_back, came_back, (0,))
    assert beats.longest < LOOP_SECONDS
    assert steps.at[0][1] - began < MATCHED_SECONDS
    first, last = steps.seconds(0, TENTH), steps.seconds(PAYMENTS - came_back - TENTH, PAYMENTS - came_back)
    assert last < 2 * first, f"the last tenth took {last:.1f} s, the first {first:.1f} s"


async def test_an_answer_that_is_read_on_the_loop_is_seen(
    sqlite_live: Harness, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: whoever is served waits for the whole file."""

    async def at_once(work: Any, *args: Any) -> Any:
        return work(*args)

    run, affiliates = await many_payments(sqlite_live, sqlite_url)
    monkeypatch.setattr(asyncio, "to_thread", at_once)
    wrong = answer(run, [*affiliates, "aff_of_nobody"])
    done, beats = await reading(sqlite_live, wrong, Steps(), monkeypatch)
    assert "nothing was done" in str(done.fault)
    assert beats.longest > LOOP_SECONDS
