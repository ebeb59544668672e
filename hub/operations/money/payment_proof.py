"""The proof of payments: run = payments = lines = entries of the ledger, files are as written; invoices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from hub.operations.lists import Wanted, every
from hub.operations.money.payout_files import difference, opened
from hub.operations.money.payout_runs import RUNS
from hub.sealing import Sealer
from hub.storage import Store, Tx

SHOWN: Final = 100


async def payment_faults(store: Store, sealer: Sealer | None) -> AsyncIterator[str]:
    """Yield in sentences what does not agree, run by run; without a sealer the bytes of files are not looked at."""
    async with store.read() as tx:
        numbers = await tx.all("invoice_numbers")
        invoices = await tx.all("invoices_that_differ", limit=SHOWN)
        rows = await tx.all("lines_without_payment", limit=SHOWN)
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
    async with aclosing(every(store, RUNS, Wanted())) as runs:
        async for run in runs:
            async with store.read() as tx:
                faults = await _faults_of(tx, run["payout_id"], sealer)
            for fault in faults:
                yield fault


async def _faults_of(tx: Tx, payout_id: str, sealer: Sealer | None) -> list[str]:
    faults = [difference(row) for row in await tx.all("payments_that_differ", payout_id=payout_id, limit=SHOWN)]
    faults += [
        f"File {row['file_id']} of payout {payout_id} and the payment to {row['affiliate_id']} in {row['currency']} "
        "do not agree."
        for row in await tx.all("files_that_differ", payout_id=payout_id, limit=SHOWN)
    ]
    for file in await tx.all("payout_files_of", payout_id=payout_id) if sealer is not None else ():
        row = await tx.one("payout_file", file_id=file["file_id"])
        if row is not None and sealer is not None and opened(sealer, row) is None:
            faults.append(f"File {row['file_id']} of payout {payout_id} is not as it was written.")
    return faults
