"""The files that are sent to banks, and those that come from them."""

from __future__ import annotations

from typing import Annotated, Final

import orjson
from attrs import frozen

from hub.domain.words import BankReportKind, BankReportStatus, PayoutFormat
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant

RUN: Final = "pay_01936f3e8c7a7b3e9d5a4c2b1f0e8d99"
FILE: Final = "fil_01936f3e8c7a7b3e9d5a4c2b1f0e8d99"


@frozen(kw_only=True)
class FileDocument:
    """A file that pays, as it is kept."""

    id: Annotated[str, Note("The hub's id.", FILE)]
    payout_id: Annotated[str, Note("The run that it pays.", RUN)]
    format: Annotated[PayoutFormat, Note("Its format.", "sepa")]
    message_id: Annotated[str, Note("What the bank's answer calls it.")]
    sha256: Annotated[str, Note("The SHA-256 of its bytes.")]
    payments: Annotated[int, Note("How many payments it has.", 1)]
    written_by: Annotated[str, Note("Who wrote it.")]
    written_at: Annotated[int, Instant("When it was written.", NOON)]
    withdrawn_by: Annotated[str | None, Note("Who withdrew it; null unless it was never sent.")]
    withdrawn_at: Annotated[int | None, Instant("When that was; null unless it was never sent.", "")]


def file_document(row: Row) -> FileDocument:
    """Return the file of a row of `payout_files_of` or `payout_file`."""
    return read_row(FileDocument, row, id=row["file_id"])


@frozen(kw_only=True)
class BankReportDocument:
    """A file from a bank; `rows` is 0 until it is checked."""

    id: Annotated[str, Note("The hub's id.", "bkr_01936f3e8c7a7b3e9d5a4c2b1f0e8d99")]
    kind: Annotated[BankReportKind, Note("Whether it is of a run's payments or of an account.", "results")]
    status: Annotated[BankReportStatus, Note("How far it is read.", "DONE")]
    payout_id: Annotated[str | None, Note("The run whose payments it is of; null for an account.", RUN)]
    file_id: Annotated[str | None, Note("The one file whose payments it is of; null for any.", FILE)]
    reference: Annotated[str, Note("What the payments arrived under; empty for an account.")]
    file_name: Annotated[str, Note("What the file was called.", "camt.053.xml")]
    sha256: Annotated[str, Note("The SHA-256 of its bytes.")]
    bytes: Annotated[int, Note("How many bytes it has.", 2_048)]
    sent_by: Annotated[str, Note("Who sent it in.")]
    sent_at: Annotated[int, Instant("When it was sent in.", NOON)]
    rows: Annotated[int, Note("How many lines it has.", 1)]
    done: Annotated[int, Note("How many of them have their verdict.", 1)]
    verdicts: Annotated[dict[str, int], Note("How many lines have each verdict.", {})]
    fault: Annotated[str | None, Note("Why it was refused; null if it was not.")]
    finished_at: Annotated[int | None, Instant("When it was read to its end; null until then.", "")]


def report_document(row: Row) -> BankReportDocument:
    """Return the report of a row of the list `bank_reports` or of `bank_report_found`."""
    return read_row(
        BankReportDocument, row, id=row["report_id"], bytes=row["file_bytes"], rows=row["row_count"],
        verdicts=orjson.loads(row["counts"]), fault=row["fault"] or None,
    )  # fmt: skip
