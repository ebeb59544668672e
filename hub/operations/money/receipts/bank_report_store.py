"""What banks send, kept: the bytes sealed, with their SHA-256, who sent them and when, and how far they are read.

A report is noted in the chain of the books as it is sent in. How far it is read is a row of its own, which advances in
the transactions that note what it says: whoever takes it up goes on there, and one whose lease is gone notes nothing.
"""

from __future__ import annotations

import csv
import hashlib
import io
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.domain.payouts.report_verdicts import Verdict, report_identity, verdicts_identity
from hub.domain.spreadsheets import defused
from hub.domain.words import BankReportKind
from hub.ids import new_id
from hub.operations import lists
from hub.operations.checks import checked_reference
from hub.operations.errors import OperatorFault, known
from hub.operations.money.payouts.payout_documents import require_run
from hub.operations.money.payouts.report_reading import Reading
from hub.operations.trail import Actor, current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.records.bank_files import BankReportDocument, report_document
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, Tx

REPORTS: Final = lists.List("bank_reports")
LEASE_MS: Final = 60_000
"""How long a process that fell silent keeps a report from the others."""
VERDICTS_AT_ONCE: Final = 50
"""How many sealed parts of the verdicts are read in one transaction."""
LONGEST_NAME: Final = 200


class LeaseLost(Exception):
    """Another process reads the report."""


@frozen
class Sent:
    """A file of a bank as somebody sends it in: of the payments of a run, or of one file of it, or a statement."""

    content: bytes
    file_name: str
    payout_id: str | None = None
    reference: str = ""
    file_id: str | None = None

    @property
    def kind(self) -> BankReportKind:
        """What it is about."""
        return "statement" if self.payout_id is None else "results"


async def send_report(store: Store, sealer: Sealer, clock: Clock, sent: Sent, owner: str = "") -> str:
    """Keep a file of a bank, and return its id; the same one that is not read to its end is not kept twice.

    `owner` is the process that will read it at once, empty if whoever is next does. Raise `OperatorFault` for an
    unknown run, one that is not released, and without a reference for a run's payments.
    """
    digest = hashlib.sha256(sent.content).hexdigest()
    async with store.write() as tx:
        asked = (sent.kind, sent.payout_id, sent.file_id, await _reference(tx, sent))
        for row in await tx.all("unfinished_bank_reports", sha256=digest):
            if (row["kind"], row["payout_id"], row["file_id"], row["reference"]) == asked:
                return str(row["report_id"])
        report_id, now, actor = new_id("bkr"), clock(), current_actor()
        kind, payout_id, file_id, reference = asked
        await tx.run(
            "insert_bank_report", report_id=report_id, kind=kind, payout_id=payout_id, file_id=file_id,
            reference=reference, file_name=sent.file_name[:LONGEST_NAME], sha256=digest, file_bytes=len(sent.content),
            sent_by=actor.id, actor_kind=actor.kind, source=actor.source, now=now,
        )  # fmt: skip
        sealed = sealer.seal(zlib.compress(sent.content), report_identity(report_id, digest))
        await tx.run("insert_bank_report_content", report_id=report_id, sealed=sealed)
        lease_until = now + LEASE_MS if owner else 0
        await tx.run("insert_bank_report_progress", report_id=report_id, owner=owner, lease_until=lease_until)
        await note_rows(tx, now, {"bank_reports": [(report_id,)]})
        document = report_document(await require_report(tx, report_id))
        await note_act(tx, now, "bank-report.sent", report_id, after=document)
    return report_id


async def _reference(tx: Tx, sent: Sent) -> str:
    """Return the reference that payments arrive under; raise `OperatorFault` as `send_report` does."""
    if sent.payout_id is None:
        return ""
    reference, run = checked_reference(sent.reference), await require_run(tx, sent.payout_id)
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(f"Payout {sent.payout_id} is {run['status']}; only a RELEASED one can be settled.")
    if sent.file_id is not None and sent.file_id not in {
        row["file_id"] for row in await tx.all("payout_files_of", payout_id=sent.payout_id)
    }:  # fmt: skip
        raise OperatorFault(f"Payout {sent.payout_id} has no file {sent.file_id}; nothing was done.")
    return reference


async def require_report(tx: Tx, report_id: str) -> Row:
    """Return a report; raise `OperatorFault` if it is unknown."""
    row = await tx.one("bank_report_found", report_id=report_id)
    return known(row, "bank report", report_id, command="`hub bank list` shows them all.")


async def show_report(store: Store, report_id: str) -> BankReportDocument:
    """Return a report with how far it is read; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return report_document(await require_report(tx, report_id))


async def reports_part(store: Store, wanted: lists.Wanted) -> lists.Page[BankReportDocument]:
    """Return a part of the reports, by `payout_id` and `status`; raise `CursorFault`."""
    return (await lists.read(store, REPORTS, wanted)).of(report_document)


async def first_reports(store: Store, wanted: lists.Wanted) -> list[BankReportDocument]:
    """Return as many reports as are wanted."""
    return [report_document(row) for row in await lists.first_rows(store, REPORTS, wanted)]


def sender_of(row: Row) -> Actor:
    """Return who sent a report: what it notes is their act, whoever reads it."""
    return Actor(row["actor_kind"], row["sent_by"], row["source"])


async def report_content(store: Store, sealer: Sealer, report: Row) -> bytes:
    """Return the bytes of a report as they were sent; raise `OperatorFault` if they were changed."""
    async with store.read() as tx:
        row = await tx.one("bank_report_content", report_id=report["report_id"])
    try:
        sealed = "" if row is None else row["sealed"]
        return zlib.decompress(sealer.open(sealed, report_identity(report["report_id"], report["sha256"])))
    except (SealingFault, zlib.error):
        raise OperatorFault(f"The report {report['report_id']} is not as it was sent.") from None


async def report_verdicts(store: Store, sealer: Sealer, report_id: str) -> list[Verdict]:
    """Return what became of the lines of a report so far, by line; raise `OperatorFault` if it is unknown."""
    found, after = list[Verdict](), -1
    async with store.read() as tx:
        await require_report(tx, report_id)
    while True:
        async with store.read() as tx:
            rows = await tx.all("report_verdicts", report_id=report_id, after=after, limit=VERDICTS_AT_ONCE)
        for row in rows:
            opened = zlib.decompress(sealer.open(row["sealed"], verdicts_identity(report_id, row["first_row"])))
            found += [Verdict(*each) for each in orjson.loads(opened)]
        if len(rows) < VERDICTS_AT_ONCE:
            return sorted(found)
        after = rows[-1]["first_row"]


def verdicts_csv(verdicts: Sequence[Verdict]) -> bytes:
    """Return verdicts as CSV: a heading, and a row for each line."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(Verdict._fields)
    writer.writerows([each.row, *(defused(cell) for cell in each[1:])] for each in verdicts)
    return text.getvalue().encode()


class KeptReading(Reading):
    """Counts what became of a report's lines and keeps it, as long as its process has the lease."""

    def __init__(self, store: Store, sealer: Sealer, clock: Clock, report: Row, owner: str) -> None:
        super().__init__(report["done"], Counter[str](orjson.loads(report["counts"])))
        self._store = store
        self._sealer = sealer
        self._clock = clock
        self._id: str = report["report_id"]
        self._owner = owner

    async def checked(self, rows: int, passed_over: int = 0) -> None:
        """Store that the report was checked whole; raise `LeaseLost`."""
        await super().checked(rows, passed_over)
        async with self._store.write() as tx:
            await self._stored(tx, "size_bank_report", row_count=rows, **self._how_far())

    def _how_far(self) -> dict[str, object]:
        return {"counts": orjson.dumps(self.counts).decode(), "lease_until": self._clock() + LEASE_MS}

    async def keep(self, tx: Tx, verdicts: Sequence[Verdict]) -> None:
        """Store what became of the next lines; raise `LeaseLost`, so that nothing is noted twice."""
        before = self.done
        await super().keep(tx, verdicts)
        await self._stored(tx, "advance_bank_report", before=before, done=self.done, **self._how_far())
        written = zlib.compress(orjson.dumps([list(each) for each in verdicts]))
        sealed = self._sealer.seal(written, verdicts_identity(self._id, before))
        await tx.run("insert_report_verdicts", report_id=self._id, first_row=before, sealed=sealed)

    async def finish(self, tx: Tx) -> None:
        """Store that all lines are noted; raise `LeaseLost`."""
        await self._stored(tx, "end_bank_report", status="DONE", fault="", now=self._clock())

    async def refuse(self, fault: str) -> None:
        """Store why the report was refused; raise `LeaseLost`."""
        async with self._store.write() as tx:
            await self._stored(tx, "end_bank_report", status="REFUSED", fault=fault, now=self._clock())

    async def _stored(self, tx: Tx, query: str, **values: object) -> None:
        if await tx.run(query, report_id=self._id, owner=self._owner, **values) != 1:
            raise LeaseLost(self._id)
