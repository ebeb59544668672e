"""A CSV file from the command line: checked, applied by the command itself, or submitted to the running server."""

from __future__ import annotations

import asyncio
from typing import Final

from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import import job_store
from hub.csv_import.job import Upload
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.csv_import.job_store import LeaseLost
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.files.file_jobs import POLL_SECONDS, FileJob, FileResult, Observer, file_fault
from hub.operations.files.submit_to_server import latest_of, submit_to_server
from hub.operations.references import account_id_of
from hub.records.uploads import UploadDocument
from hub.storage import Store, StoreBusy

BATCH_ROWS: Final = 2_000
"""Rows of a transaction of a command, beside which nobody else waits for the database."""
SQLITE_OWNER: Final = "command"
"""The holder of an SQLite file's server lock has no rival, so it takes over at once what a killed command held."""
_TAKEN_OVER = "Another process took this file over; run the command again to see the result."


async def latest_uploads(store: Store, merchant_id: str, mode: str) -> list[UploadDocument]:
    """Return the account's latest uploads, newest first; raise `OperatorFault` if the merchant is unknown."""
    account_id = await account_id_of(store, merchant_id, mode)
    return [upload.document() for upload in await latest_of(store, account_id)]


async def check_file(store: Store, clock: Clock, job: FileJob, observer: Observer) -> FileResult:
    """Check the file against what is stored; write its verdict file and nothing else.

    Raise `OperatorFault` if a file cannot be read or written, and what the store raises.
    """
    return FileResult(await _run(store, clock, job, job.upload(clock(), dry_run=True), None, observer))


async def apply_file(settings: Settings, clock: Clock, job: FileJob, observer: Observer) -> FileResult:
    """Apply the file, or go on after the rows that were applied before; a server that has the database does it instead.

    Raise `OperatorFault` if another command is at the same file or one cannot be read or written, and what the store
    raises.
    """
    if settings.database.dialect == "postgresql":
        async with await Store.open(settings.database.url) as store:
            return FileResult(await _apply(store, clock, job, new_id("cmd"), observer))
    waiting = False
    while not (waiting and observer.stop.requested):
        try:
            store = await Store.open(settings.database.url, serve=True, transient=True)
        except StoreBusy as busy:
            if not busy.transient:
                async with await Store.open(settings.database.url) as beside:
                    return await submit_to_server(settings, beside, clock, job, observer)
        else:
            async with store:
                return FileResult(await _apply(store, clock, job, SQLITE_OWNER, observer))
        if not waiting:
            observer.say("Another `hub csv apply` has the database; this one begins when that has ended.")
        waiting = True
        await asyncio.sleep(POLL_SECONDS)
    return FileResult(job.upload(clock()))


async def _apply(store: Store, clock: Clock, job: FileJob, owner: str, observer: Observer) -> Upload:
    upload = await _lease(store, clock, job, owner, observer)
    if upload is None:
        return job.upload(clock())
    try:
        ended = await _run(store, clock, job, upload, owner, observer)
    except LeaseLost:
        raise OperatorFault(_TAKEN_OVER) from None
    if not ended.ended:
        await job_store.release(store, ended, owner)
    return ended


async def _lease(store: Store, clock: Clock, job: FileJob, owner: str, observer: Observer) -> Upload | None:
    """Return the upload of this file, begun before or stored now, under lease; None if a stop is requested first."""
    deadline = clock() + 2 * LEASE_MS
    waiting = False
    while not (waiting and observer.stop.requested):
        upload = await job_store.unfinished(store, job.account_id, job.kind, job.sha256, dry_run=False)
        if upload is None:
            upload = job.upload(clock())
            async with store.write() as tx:
                await job_store.insert(tx, upload)
        if await job_store.lease(store, upload, owner, clock(), LEASE_MS):
            leased = await job_store.find(store, upload.account_id, upload.upload_id)
            if leased is not None and leased.rows:
                observer.say(f"{leased.rows:,} rows were applied before; going on after them.")
            return leased
        if clock() > deadline:
            raise OperatorFault("Another process is applying this very file; this one did nothing.")
        if not waiting:
            observer.say(
                "This very file is being applied already, or was until a moment ago; waiting (at most a minute)."
            )
        waiting = True
        await asyncio.sleep(POLL_SECONDS)
    return None


async def _run(
    store: Store, clock: Clock, job: FileJob, upload: Upload, owner: str | None, observer: Observer
) -> Upload:
    """Run to the end or to a stop; the verdict file gets its name only once it is complete."""
    draft = job.draft(upload)
    run = UploadRun(
        store, clock, upload, job.source, draft, owner=owner, batch_rows=BATCH_ROWS,
        on_progress=observer.progress,
    )  # fmt: skip
    observer.stop.on_request(run.stop)
    ended = None
    try:
        ended = await run.run()
        if ended.has_verdicts:
            draft.replace(job.verdicts)
    except OSError as error:
        raise file_fault(error) from error
    finally:
        if owner is None or (ended is not None and ended.ended):
            draft.unlink(missing_ok=True)
    return ended
