"""The proof of payments: run = payments = lines = entries of the ledger, files are as written; invoices.

Runs are read in slices, each in a short transaction, so that one of any size is proved beside those who write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from hub.domain.money import money_shown
from hub.domain.payouts.payees import payee_identity
from hub.operations.lists import Wanted, every
from hub.operations.money.ledger.faults import SHOWN
from hub.operations.money.payouts.payout_exchanges import exchange_faults
from hub.operations.money.payouts.payout_files import difference, opened
from hub.operations.money.payouts.payout_runs import RUNS
from hub.operations.money.payouts.run_slices import Slice, line_slices, payment_slices, reading
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, Tx

SEALED: Final = 500


async def payment_faults(store: Store, sealer: Sealer | None, most: int = SHOWN) -> AsyncIterator[str]:
    """Yield in sentences what does not agree, run by run, of each kind at most so many.

    Without a sealer the bytes of files are not looked at.
    """
    async with store.read() as tx:
        numbers = await tx.all("invoice_numbers")
    for row in numbers:
        if row["highest"] != row["invoices"]:
            yield f"There are {row['invoices']} {row['kind']}, but their numbers go up to {row['highest']}."
    if sealer is not None:
        async for fault in _sealed_faults(store, sealer):
            yield fault
    async for fault in _faults_of_runs(store, sealer, most):
        yield fault


async def _faults_of_runs(store: Store, sealer: Sealer | None, most: int) -> AsyncIterator[str]:
    async with aclosing(every(store, RUNS, Wanted())) as runs:
        async for run in runs:
            found = Counter[str]()
            async for kind, fault in _faults_of(store, run, sealer, most):
                found[kind] += 1
                if found[kind] <= most:
                    yield fault


async def _faults_of(store: Store, run: Row, sealer: Sealer | None, most: int) -> AsyncIterator[tuple[str, str]]:
    """Yield what is wrong with a run, each with its kind; slice by slice, each read in a short transaction."""
    payout_id = run["payout_id"]
    async for lines in line_slices(reading(store), payout_id):
        async with store.read() as tx:
            faults = await _faults_of_lines(tx, run, lines, most)
        for fault in faults:
            yield fault
    async with store.read() as tx:
        exchanges = await exchange_faults(tx, payout_id, most)
        files = await tx.all("payout_files_of", payout_id=payout_id)
    for sentence in exchanges:
        yield "exchange", sentence
    async for payments in payment_slices(reading(store), payout_id):
        async with store.read() as tx:
            faults = await _faults_of_payments(tx, run, payments, most)
        for fault in faults:
            yield fault
    for file in files:
        async with store.read() as tx:
            rows = await tx.all("file_that_differs", file_id=file["file_id"], limit=most)
            kept = None if sealer is None else await tx.one("payout_file", file_id=file["file_id"])
        for row in rows:
            yield "file", _not_in_file(payout_id, row)
        if sealer is not None and kept is not None and opened(sealer, kept) is None:
            yield "bytes", f"File {file['file_id']} of payout {payout_id} is not as it was written."


async def _faults_of_lines(tx: Tx, run: Row, lines: Slice, most: int) -> list[tuple[str, str]]:
    """Return what is wrong with a slice of lines; what a test account's paid may have been emptied since."""
    stray = await tx.all("lines_without_payment", **lines, limit=most)
    faults = [("stray", _no_payment(run["payout_id"], row)) for row in stray]
    if run["mode"] == "live":
        wrong = await tx.all("lines_that_differ", **lines, limit=most)
        faults += [("line", _wrong_line(run["payout_id"], row)) for row in wrong]
    return faults


async def _faults_of_payments(tx: Tx, run: Row, payments: Slice, most: int) -> list[tuple[str, str]]:
    """Return what is wrong with a slice of payments."""
    payout_id = run["payout_id"]
    faults = [("payment", difference(row)) for row in await tx.all("payments_that_differ", **payments, limit=most)]
    loose = await tx.all("payments_without_file", **payments, limit=most)
    faults += [("file", _not_in_file(payout_id, row)) for row in loose]
    faults += [("invoice", _wrong_invoice(row)) for row in await tx.all("invoices_that_differ", **payments, limit=most)]
    if run["status"] == "DRAFT":
        drafts = await tx.all("drafts_that_differ", **payments, limit=most)
        faults += [("draft", _wrong_draft(payout_id, row)) for row in drafts]
    return faults


def _no_payment(payout_id: str, row: Row) -> str:
    return f"Payout {payout_id} has paid {row['affiliate_id']} in {row['currency']}, but has no such payment."


def _wrong_line(payout_id: str, row: Row) -> str:
    return f"Line {row['line_id']} of payout {payout_id} is not what it pays {row['affiliate_id']} for."


def _wrong_draft(payout_id: str, row: Row) -> str:
    said, reserved = (money_shown(row[name], row["currency"]) for name in ("amount_minor", "lines_minor"))
    return (
        f"The payment of payout {payout_id} to {row['affiliate_id']} is {said} {row['currency']}, but its lines have "
        f"reserved {reserved}."
    )


def _not_in_file(payout_id: str, row: Row) -> str:
    return (
        f"File {row['file_id']} of payout {payout_id} and the payment to {row['affiliate_id']} in {row['currency']} "
        "do not agree."
    )


def _wrong_invoice(row: Row) -> str:
    number = row["invoice_no"]
    what = "There is no self-billed invoice of what" if number is None else f"Self-billed invoice {number} is not what"
    return f"{what} payout {row['payout_id']} supplies of {row['affiliate_id']} in {row['currency']}."


async def _sealed_faults(store: Store, sealer: Sealer) -> AsyncIterator[str]:
    """Yield which payees and which payees of invoices are not as they were sealed."""
    after, number = "", 0
    while True:
        async with store.read() as tx:
            payees = await tx.all("sealed_payee_page", after=after, limit=SEALED)
            invoices = await tx.all("sealed_invoice_page", after=number, limit=SEALED)
        for row in payees:
            after = row["affiliate_id"]
            if not _opens(sealer, row["sealed"], after):
                yield f"The payee of {after} is not as it was sealed."
        for row in invoices:
            number = row["invoice_no"]
            if not _opens(sealer, row["sealed_payee"], row["affiliate_id"]):
                yield f"The payee of self-billed invoice {number} is not as it was sealed."
        if len(payees) < SEALED and len(invoices) < SEALED:
            return


def _opens(sealer: Sealer, sealed: str, affiliate_id: str) -> bool:
    try:
        sealer.open(sealed, payee_identity(affiliate_id))
    except SealingFault:
        return False
    return True
