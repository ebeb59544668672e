"""Reads the reports of banks that were sent in, one after the other: checked whole, then noted line by line.

Files are opened, parsed and matched in threads, so that whoever else is served does not wait. A reading that is broken
off anywhere is taken up again by whoever leases the report next, and notes only what is not noted yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, assert_never

import structlog
from attrs import field, frozen

from hub.clock import Clock
from hub.domain.words import BankReportKind
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_outcomes import settle_by_results
from hub.operations.money.payouts.payout_results import results_in
from hub.operations.money.receipts.bank_report_store import (
    LEASE_MS,
    KeptReading,
    LeaseLost,
    Sent,
    report_content,
    require_report,
    send_report,
    sender_of,
    show_report,
)
from hub.operations.money.receipts.bank_statements import statement_in
from hub.operations.money.receipts.statement_receipts import read_statement
from hub.operations.trail import acting_as
from hub.records.bank_files import BankReportDocument
from hub.sealing import Sealer
from hub.storage import Row, Store
from hub.tasks import end_task

READ_SECONDS: Final = 1.0
"""How often reports are looked for that a page, a command or another node has kept."""
SERVER: Final = "server"
"""Who reads at an embedded database, which has one server: it owns at once what a killed one had leased."""

log = structlog.get_logger(__name__)


@frozen
class BankReports:
    """Reads reports as one process, its `owner`."""

    store: Store
    sealer: Sealer
    clock: Clock
    owner: str = field(factory=lambda: new_id("node"))

    async def read(self) -> int:
        """Read all reports that wait; return how many."""
        count = 0
        while (report_id := await self._next()) is not None:
            await self.read_one(report_id)
            count += 1
        return count

    async def read_one(self, report_id: str) -> None:
        """Read a report to its end; one that another process has the lease of is left to that."""
        if not await self._leased(report_id):
            return
        async with self.store.read() as tx:
            report = await require_report(tx, report_id)
        reading = KeptReading(self.store, self.sealer, self.clock, report, self.owner)
        with acting_as(sender_of(report)):
            try:
                try:
                    await self._note(report, reading)
                except OperatorFault as fault:
                    await reading.refuse(str(fault))
            except LeaseLost:
                log.warning("a bank's report was taken over by another process", report_id=report_id)

    async def leave(self, report_id: str) -> None:
        """Let whoever is next read a report that this process has broken off."""
        async with self.store.write() as tx:
            await tx.run("release_bank_report", report_id=report_id, owner=self.owner)

    async def _note(self, report: Row, reading: KeptReading) -> None:
        content, name = await report_content(self.store, self.sealer, report), report["file_name"]
        kind: BankReportKind = report["kind"]
        match kind:
            case "results":
                results = await asyncio.to_thread(results_in, content, name)
                await settle_by_results(
                    self.store, self.clock, report["payout_id"], report["reference"], results, report["file_id"],
                    reading,
                )  # fmt: skip
            case "statement":
                statement = await asyncio.to_thread(statement_in, content, name)
                await read_statement(self.store, self.clock, statement, reading)
            case _:
                assert_never(kind)

    async def _next(self) -> str | None:
        row = await self.store.fetch_one("next_bank_report", now=self.clock(), owner=self.owner)
        return None if row is None else str(row["report_id"])

    async def _leased(self, report_id: str) -> bool:
        now = self.clock()
        async with self.store.write() as tx:
            touched = await tx.run(
                "lease_bank_report", report_id=report_id, owner=self.owner, now=now, lease_until=now + LEASE_MS
            )
        return touched == 1


def reader_of_server(store: Store, sealer: Sealer, clock: Clock) -> BankReports:
    """Return what a server reads reports by, as one of several nodes or as the only one."""
    return BankReports(store, sealer, clock, SERVER) if store.dialect == "sqlite" else BankReports(store, sealer, clock)


async def read_for(reports: BankReports, sent: Sent, patience: float) -> BankReportDocument:
    """Keep a report and read it for so many seconds; return how far it is then. A timer reads what is left.

    Raise `OperatorFault` for one that is not taken.
    """
    report_id = await send_report(reports.store, reports.sealer, reports.clock, sent, reports.owner)
    task = asyncio.ensure_future(reports.read_one(report_id))
    try:
        await asyncio.wait({task}, timeout=patience)
    finally:
        await end_task(task)
    await reports.leave(report_id)
    return await show_report(reports.store, report_id)


async def read_now(
    reports: BankReports, sent: Sent, show: Callable[[BankReportDocument], None], every: float
) -> BankReportDocument:
    """Keep a report and read it to its end; `show` is called with how far it is, each so many seconds.

    One that another process reads is waited for, and taken over if that process falls silent. Raise `OperatorFault` for
    one that is not taken or is refused.
    """
    report_id = await send_report(reports.store, reports.sealer, reports.clock, sent, reports.owner)
    while True:
        await _read_and_show(reports, report_id, show, every)
        done = await show_report(reports.store, report_id)
        if done.fault:
            raise OperatorFault(done.fault)
        if done.status == "DONE":
            return done
        await asyncio.sleep(every)


async def _read_and_show(
    reports: BankReports, report_id: str, show: Callable[[BankReportDocument], None], every: float
) -> None:
    task = asyncio.ensure_future(reports.read_one(report_id))
    try:
        while not (await asyncio.wait({task}, timeout=every))[0]:
            show(await show_report(reports.store, report_id))
    finally:
        await end_task(task)
