"""A shop's list of orders that came through a page: compared with the hub's, and what is missing sent in."""

from __future__ import annotations

import asyncio
import csv
import io
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from attrs import frozen

from hub.operations.errors import OperatorFault
from hub.operations.files.page_uploads import FileIntake, take_file
from hub.operations.orders.reconciliation import ReconciliationDocument, reconcile, rows_of
from hub.records.uploads import UploadDocument
from hub.storage import Store

BLOCK_BYTES = 65_536


@frozen
class Compared:
    """What differs, and the rows of the orders that the hub lacks, as a CSV file that can be applied."""

    document: ReconciliationDocument
    missing: str


async def compare_file(store: Store, blocks: AsyncIterator[bytes], merchant_id: str, mode: str) -> Compared:
    """Compare a file of orders, as it arrives, with an account's; raise `OperatorFault` if it cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "the file"
        with path.open("wb") as target:
            async for block in blocks:
                await asyncio.to_thread(target.write, block)
        if not path.stat().st_size:
            raise OperatorFault("The file is empty.")
        found = await reconcile(store, path, merchant_id, mode)
        text = io.StringIO(newline="")
        if found.missing:
            csv.writer(text).writerows(rows_of(path, found.missing))
        return Compared(found.document, text.getvalue())


async def send_missing(intake: FileIntake, account_id: str, rows: str) -> UploadDocument:
    """Queue the rows of missing orders as an upload, as any other way in; raise `OperatorFault` if it cannot be."""

    async def blocks() -> AsyncIterator[bytes]:
        content = rows.encode()
        for at in range(0, len(content), BLOCK_BYTES):
            yield content[at : at + BLOCK_BYTES]

    return await take_file(intake, account_id, "orders", blocks(), dry_run=False)
