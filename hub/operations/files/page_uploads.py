"""A CSV file that came through a page: spooled, queued for the server, and its results read back."""

from __future__ import annotations

import asyncio
import csv
import itertools
from collections.abc import AsyncIterator
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.csv_import import job_store
from hub.csv_import.job import SPOOL, Upload, new_upload
from hub.csv_import.job_store import Quota
from hub.csv_import.kinds import KINDS
from hub.csv_import.spool import Crowded, Spool
from hub.csv_import.verdict_file import COLUMNS
from hub.operations.errors import OperatorFault
from hub.operations.files.submit_to_server import UPLOADS
from hub.operations.lists import Page, Wanted, read
from hub.operations.trail import note_act
from hub.records.uploads import NamedUpload, UploadDocument
from hub.storage import Store

SHOWN_ROWS: Final = 200
BLOCK_BYTES: Final = 262_144
READ_BYTES: Final = 4 * 1024 * 1024
"""How much of a verdict file is searched for rows that failed."""


class RowResult(TypedDict):
    """What became of a row of the file; `line` is where it begins in it."""

    line: str
    id: str
    verdict: str
    column: str
    message: str


@frozen(eq=False)
class FileIntake:
    """Where files are taken and their results kept."""

    store: Store
    clock: Clock
    spool: Spool
    quota: Quota


async def take_file(
    intake: FileIntake, account_id: str, kind: str, blocks: AsyncIterator[bytes], *, dry_run: bool, name: str = ""
) -> UploadDocument:
    """Store a file as it arrives, and queue it; raise `OperatorFault` if it cannot be taken now."""
    if kind not in KINDS:
        raise OperatorFault(f"{kind!r} is not a kind of file; those are {', '.join(KINDS)}.")
    try:
        draft = await asyncio.to_thread(intake.spool.draft, account_id)
    except Crowded:
        raise OperatorFault(
            "This account is sending as many files as it may at once; wait for one to arrive."
        ) from None
    try:
        async for block in blocks:
            await asyncio.to_thread(draft.write, block)
        if not draft.size:
            raise OperatorFault("The file is empty.")
        upload = new_upload(
            account_id, kind, dry_run=dry_run, source=SPOOL, size=draft.size, sha256=draft.sha256,
            now=intake.clock(), upload_id=draft.upload_id, file_name=name,
        )  # fmt: skip
        await asyncio.to_thread(draft.settle)
        async with intake.store.write() as tx:
            _check_quota(intake.quota, await job_store.held_by(tx, account_id), upload.size)
            await job_store.insert(tx, upload)
            await note_act(tx, intake.clock(), "upload.received", upload.upload_id, after=upload.document())
        draft.keep()
        return upload.document()
    finally:
        await asyncio.to_thread(draft.close)


async def list_uploads(intake: FileIntake, account_id: str, wanted: Wanted) -> Page[NamedUpload]:
    """Return a part of an account's uploads, newest first; raise `CursorFault`."""
    found = await read(intake.store, UPLOADS, wanted, {"account_id": account_id})
    return found.of(lambda row: Upload.from_row(row).named())


async def show_upload(intake: FileIntake, account_id: str, upload_id: str) -> NamedUpload | None:
    """Return an upload of an account, None if it has none of this id."""
    upload = await job_store.find(intake.store, account_id, upload_id)
    return None if upload is None else upload.named()


async def failed_rows(intake: FileIntake, account_id: str, upload_id: str) -> list[RowResult]:
    """Return the first rows of an upload that failed, as far as the verdict file is on this server."""
    upload = await job_store.find(intake.store, account_id, upload_id)
    return [] if upload is None else await asyncio.to_thread(_failed, intake.spool, upload)


async def results_of(intake: FileIntake, account_id: str, upload_id: str) -> AsyncIterator[bytes]:
    """Yield what became of each row as a CSV file, in blocks; only its header if there is none on this server."""
    upload = await job_store.find(intake.store, account_id, upload_id)
    at, size = 0, 0 if upload is None else upload.verdict_bytes
    while upload is not None and at < size:
        block = await asyncio.to_thread(_block, intake.spool, upload, at, min(size - at, BLOCK_BYTES))
        if not block:
            break
        at += len(block)
        yield block
    if not at:
        yield f"{','.join(COLUMNS)}\n".encode()


def _block(spool: Spool, upload: Upload, at: int, size: int) -> bytes:
    """Return bytes of the verdict file; none if it is not on this server."""
    try:
        with spool.verdicts(upload.upload_id).open("rb") as file:
            file.seek(at)
            return file.read(size)
    except FileNotFoundError:
        return b""


def _failed(spool: Spool, upload: Upload) -> list[RowResult]:
    raw = _block(spool, upload, 0, min(upload.verdict_bytes, READ_BYTES))
    rows = csv.DictReader(raw.decode("utf-8", "replace").splitlines())
    failed = (row for row in rows if row["verdict"] in ("failed", "stopped"))
    return [
        {"line": row["line"], "id": row["id"], "verdict": row["verdict"], "column": row["column"],
         "message": row["message"]}
        for row in itertools.islice(failed, SHOWN_ROWS)
    ]  # fmt: skip


def _check_quota(quota: Quota, held: Quota, size: int) -> None:
    if held.waiting >= quota.waiting:
        raise OperatorFault(f"{held.waiting} files of this account wait to be applied; try again in a minute.")
    if held.bytes + size > quota.bytes:
        raise OperatorFault(
            f"The files and results of this account may have {quota.bytes:,} bytes together, and it has {held.bytes:,}."
        )
