"""A CSV file handed to the server that has the database, and followed to its end."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from time import monotonic
from typing import Final

from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import import job_store as book
from hub.csv_import.job import DONE, SPOOL, Upload, new_upload
from hub.csv_import.spool import Draft, Spool
from hub.operations.faults import OperatorFault
from hub.operations.file_jobs import POLL_SECONDS, FileJob, Taken, Watch, stuck
from hub.storage import Store, StoreBusy
from hub.storage.sqlite.server_lock import ServerLock

SILENT_SECONDS: Final = 5.0
"""After so long without news it is looked whether the server still runs."""
COPIED_AT_ONCE: Final = 1024 * 1024
LATEST: Final = 100

_GONE = "The server has stopped. The file waits until `hub serve` runs again, and so does this command."
_BACK = "The server is back."


async def hand_over(settings: Settings, store: Store, clock: Clock, job: FileJob, watch: Watch) -> Taken:
    """Gives the file to the server and follows what it makes of it; a stop ends the following only."""
    spool = Spool(settings.upload_directory)
    upload = next((u for u in await latest_of(store, job.account_id) if _is_waiting(u, job)), None)
    if upload is None:
        upload = await _enter_in_spool(spool, store, clock, job)
    else:
        watch.say(f"The server has this file already ({upload.upload_id}).")
    lock = ServerLock(settings.database.path or Path())
    upload = await _follow(store, upload, lock, watch)
    if upload.status == DONE:
        try:
            await asyncio.to_thread(_copy, spool.verdicts(upload.upload_id), job.draft(upload))
            job.draft(upload).replace(job.verdicts)
        except OSError as fault:
            raise stuck(fault) from fault
    return Taken(upload, by_server=True)


async def _enter_in_spool(spool: Spool, store: Store, clock: Clock, job: FileJob) -> Upload:
    try:
        with spool.draft(job.account_id) as draft:
            await asyncio.to_thread(_fill, draft, job.source)
            upload = new_upload(
                job.account_id, job.kind, dry_run=False, source=SPOOL, size=draft.size, sha256=draft.sha256,
                now=clock(), upload_id=draft.upload_id,
            )  # fmt: skip
            async with store.write() as tx:
                await book.enter(tx, upload)
            draft.keep()
    except OSError as fault:
        raise OperatorFault(
            f"The file cannot be handed to the running server: {fault.filename or 'its disk'}: {fault.strerror}. "
            "Run the command as the server's user and with its settings, or stop the server first."
        ) from fault
    return upload


async def _follow(store: Store, upload: Upload, lock: ServerLock, watch: Watch) -> Upload:
    """How the upload stands when it has ended or a stop is wished."""
    gone, heard = False, monotonic()
    while not upload.ended and not watch.stop.wished:
        await asyncio.sleep(POLL_SECONDS)
        latest = await book.find(store, upload.account_id, upload.upload_id)
        if latest is None:
            raise OperatorFault(f"The server has forgotten the upload {upload.upload_id}; run the command again.")
        if latest != upload:
            gone, heard = False, monotonic()
            watch.progress(latest)
        upload = latest
        if monotonic() - heard > SILENT_SECONDS and gone is not _is_free(lock):
            gone = not gone
            watch.say(_GONE if gone else _BACK)
            heard = monotonic()
    return upload


def _is_free(lock: ServerLock) -> bool:
    try:
        lock.acquire(transient=True)
    except StoreBusy:
        return False
    lock.release()
    return True


def _is_waiting(upload: Upload, job: FileJob) -> bool:
    """Whether a server has this very file to apply."""
    same = (upload.kind, upload.sha256, upload.source, upload.dry_run) == (job.kind, job.sha256, SPOOL, False)
    return same and not upload.ended


def _fill(draft: Draft, source: Path) -> None:
    with source.open("rb") as file:
        while block := file.read(COPIED_AT_ONCE):
            draft.write(block)
    draft.settle()


def _copy(verdicts: Path, target: Path) -> None:
    with (
        verdicts.open("rb") as source,
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy,
    ):
        shutil.copyfileobj(source, copy)


async def latest_of(store: Store, account_id: str) -> list[Upload]:
    """The latest uploads of an account, newest first."""
    async with store.read() as tx:
        return [Upload.from_row(row) for row in await tx.all("uploads_of_account", account_id=account_id, limit=LATEST)]
