"""A CSV file from the command line: judged, applied by the command itself, or handed to the server beside it."""

from __future__ import annotations

import asyncio
from typing import Final

from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import import job_store as book
from hub.csv_import.job import DONE, Upload
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.csv_import.job_store import Lost
from hub.ids import new_id
from hub.operations.documents import Document
from hub.operations.faults import OperatorFault
from hub.operations.file_jobs import POLL_SECONDS, FileJob, Taken, Watch, stuck
from hub.operations.handover import hand_over, latest_of
from hub.operations.merchants import account_id_of
from hub.storage import Store, StoreBusy

PORTION_ROWS: Final = 2_000
"""Rows of a transaction where nobody else waits for the database."""
SQLITE_OWNER: Final = "command"
"""Who has an SQLite file's one place has no rival, so what a killed command held is its own and taken at once."""
_TAKEN = "Another process took this file over; run the command again to see what came of it."


async def latest_uploads(store: Store, merchant_id: str, mode: str) -> list[Document]:
    """The account's latest uploads, newest first; raises `OperatorFault` where there is no such merchant."""
    account_id = await account_id_of(store, merchant_id, mode)
    return [upload.document() for upload in await latest_of(store, account_id)]


async def check_file(store: Store, clock: Clock, job: FileJob, watch: Watch) -> Taken:
    """Judges the file against what is stored; writes its verdicts and nothing else."""
    return Taken(await _run(store, clock, job, job.upload(clock(), dry_run=True), None, watch))


async def apply_file(settings: Settings, clock: Clock, job: FileJob, watch: Watch) -> Taken:
    """Applies the file, or goes on with it where it was left; through the server where one has the database.

    Raises `OperatorFault` where another command is at the same file, and what the store raises.
    """
    if settings.database.dialect == "postgresql":
        async with await Store.open(settings.database.url) as store:
            return Taken(await _apply(store, clock, job, new_id("cmd"), watch))
    waiting = False
    while not (waiting and watch.stop.wished):
        try:
            store = await Store.open(settings.database.url, migrate=True, serve=True, transient=True)
        except StoreBusy as busy:
            if not busy.transient:
                async with await Store.open(settings.database.url) as beside:
                    return await hand_over(settings, beside, clock, job, watch)
        else:
            async with store:
                return Taken(await _apply(store, clock, job, SQLITE_OWNER, watch))
        if not waiting:
            watch.say("Another `hub csv apply` has the database; this one begins when that has ended.")
        waiting = True
        await asyncio.sleep(POLL_SECONDS)
    return Taken(job.upload(clock()))


async def _apply(store: Store, clock: Clock, job: FileJob, owner: str, watch: Watch) -> Upload:
    upload = await _take(store, clock, job, owner, watch)
    if upload is None:
        return job.upload(clock())
    try:
        ended = await _run(store, clock, job, upload, owner, watch)
    except Lost:
        raise OperatorFault(_TAKEN) from None
    if not ended.ended:
        await book.release(store, ended, owner)
    return ended


async def _take(store: Store, clock: Clock, job: FileJob, owner: str, watch: Watch) -> Upload | None:
    """The upload of this file, begun before or entered now, held; None where a stop is wished before it is free."""
    deadline = clock() + 2 * LEASE_MS
    waiting = False
    while not (waiting and watch.stop.wished):
        upload = await book.unfinished(store, job.account_id, job.kind, job.sha256, dry_run=False)
        if upload is None:
            upload = job.upload(clock())
            async with store.write() as tx:
                await book.enter(tx, upload)
        if await book.resume(store, upload, owner, clock(), LEASE_MS):
            held = await book.find(store, upload.account_id, upload.upload_id)
            if held is not None and held.rows:
                watch.say(f"{held.rows:,} rows were applied before; going on after them.")
            return held
        if clock() > deadline:
            raise OperatorFault("Another `hub csv apply` is at this very file; nothing was done here.")
        if not waiting:
            watch.say("This very file is being applied already, or was until a moment ago; waiting (at most a minute).")
        waiting = True
        await asyncio.sleep(POLL_SECONDS)
    return None


async def _run(store: Store, clock: Clock, job: FileJob, upload: Upload, owner: str | None, watch: Watch) -> Upload:
    """Runs to the end or to a stop. The verdict file is in its place only once it is whole."""
    draft = job.draft(upload)
    run = UploadRun(
        store, clock, upload, job.source, draft, owner=owner, portion_rows=PORTION_ROWS,
        on_progress=watch.progress,
    )  # fmt: skip
    watch.stop.then(run.stop)
    ended = None
    try:
        ended = await run.run()
        if ended.status == DONE:
            draft.replace(job.verdicts)
    except OSError as fault:
        raise stuck(fault) from fault
    finally:
        if owner is None or (ended is not None and ended.ended):
            draft.unlink(missing_ok=True)
    return ended
