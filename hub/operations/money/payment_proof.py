"""The proof of payments: run = payments = lines = entries of the ledger, files are as written; invoices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from hub.domain.money import money_shown
from hub.domain.payees import payee_identity
from hub.operations.lists import Wanted, every
from hub.operations.money.faults import SHOWN
from hub.operations.money.payout_exchanges import exchange_faults
from hub.operations.money.payout_files import difference, opened
from hub.operations.money.payout_runs import RUNS
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, Tx

SEALED: Final = 500


async def payment_faults(store: Store, sealer: Sealer | None, most: int = SHOWN) -> AsyncIterator[str]:
    """Yield in sentences what does not agree, run by run, of each kind at most so many.

    Without a sealer the bytes of files are not looked at.
    """
    async with store.read() as tx:
        numbers = await tx.all("invoice_numbers")
        invoices = await tx.all("invoices_that_differ", limit=most)
        rows = await tx.all("lines_without_payment", limit=most)
    for row in numbers:
        if row["highest"] != row["invoices"]:
            yield f"There are {row['invoices']} {row['kind']}, but their numbers go up to {row['highest']}."
    for row in invoices:
        number = row["invoice_no"]
        what = (
            "There is no self-billed invoice of what" if number is None else f"Self-billed invoice {number} is not what"
        )
        yield f"{what} payout {row['payout_id']} supplies of {row['affiliate_id']} in {row['currency']}."
    for row in rows:
        yield f"Payout {row['payout_id']} has paid {row['affiliate_id']} in {row['currency']}, but has no such payment."
    if sealer is not None:
        async for fault in _sealed_faults(store, sealer):
            yield fault
    async for fault in _faults_of_runs(store, sealer, most):
        yield fault


async def _faults_of_runs(store: Store, sealer: Sealer | None, most: int) -> AsyncIterator[str]:
    async with aclosing(every(store, RUNS, Wanted())) as runs:
        async for run in runs:
            async with store.read() as tx:
                faults = await _faults_of(tx, run, sealer, most)
            for fault in faults:
                yield fault


async def _faults_of(tx: Tx, run: Row, sealer: Sealer | None, most: int) -> list[str]:
    payout_id = run["payout_id"]
    faults = await _faults_of_lines(tx, run, most)
    faults += await exchange_faults(tx, payout_id, most)
    faults += [difference(row) for row in await tx.all("payments_that_differ", payout_id=payout_id, limit=most)]
    faults += [
        f"File {row['file_id']} of payout {payout_id} and the payment to {row['affiliate_id']} in {row['currency']} "
        "do not agree."
        for row in await tx.all("files_that_differ", payout_id=payout_id, limit=most)
    ]
    for file in await tx.all("payout_files_of", payout_id=payout_id) if sealer is not None else ():
        row = await tx.one("payout_file", file_id=file["file_id"])
        if row is not None and sealer is not None and opened(sealer, row) is None:
            faults.append(f"File {row['file_id']} of payout {payout_id} is not as it was written.")
    return faults


async def _faults_of_lines(tx: Tx, run: Row, most: int) -> list[str]:
    """Return what is wrong with the lines of a run; what a test account's paid may have been emptied since."""
    payout_id, faults = run["payout_id"], list[str]()
    if run["mode"] == "live":
        faults += [
            f"Line {row['line_id']} of payout {payout_id} is not what it pays {row['affiliate_id']} for."
            for row in await tx.all("lines_that_differ", payout_id=payout_id, limit=most)
        ]
    if run["status"] == "DRAFT":
        faults += [
            f"The payment of payout {payout_id} to {row['affiliate_id']} is "
            f"{money_shown(row['amount_minor'], row['currency'])} {row['currency']}, but its lines have reserved "
            f"{money_shown(row['lines_minor'], row['currency'])}."
            for row in await tx.all("drafts_that_differ", payout_id=payout_id, limit=most)
        ]
    return faults


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
