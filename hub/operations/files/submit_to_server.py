"""A CSV file submitted to the server that has the database open, and followed to its end."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from time import monotonic
from typing import Final

from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import import job_store
from hub.csv_import.job import SPOOL, Upload, new_upload
from hub.csv_import.spool import Draft, Spool
from hub.operations.errors import OperatorFault
from hub.operations.files.file_jobs import POLL_SECONDS, FileJob, FileResult, Observer, file_fault
from hub.operations.lists import List, Wanted, read
from hub.storage import Store, StoreBusy
from hub.storage.sqlite.server_lock import ServerLock

SILENT_SECONDS: Final = 5.0
"""How long without progress before the command looks whether the server still runs."""
BLOCK_BYTES: Final = 1024 * 1024

_GONE = "The server has stopped. The file waits until `hub serve` runs again, and so does this command."
_BACK = "The server is back."
LATEST: Final = 100
UPLOADS: Final = List("uploads")


async def submit_to_server(
    settings: Settings,
    store: Store,
    clock: Clock,
    job: FileJob,
    observer: Observer,
    *,
    silent_seconds: float = SILENT_SECONDS,
) -> FileResult:
    """Put the file into the server's spool and follow its progress; a requested stop ends the following only.

    Raise `OperatorFault` if the spool cannot be written, the upload is deleted meanwhile, or the verdicts cannot be
    copied.
    """
    spool = Spool(settings.upload_directory)
    upload = next((u for u in await latest_of(store, job.account_id) if _is_waiting(u, job)), None)
    if upload is None:
        upload = await _spool_file(spool, store, clock, job)
    else:
        observer.say(f"The server has this file already ({upload.upload_id}).")
    lock = ServerLock(settings.database.path or Path())
    upload = await _follow(store, upload, lock, observer, silent_seconds)
    if upload.has_verdicts:
        try:
            await asyncio.to_thread(_copy, spool.verdicts(upload.upload_id), job.draft(upload))
            job.draft(upload).replace(job.verdicts)
        except OSError as error:
            raise file_fault(error) from error
    return FileResult(upload, by_server=True)


async def _spool_file(spool: Spool, store: Store, clock: Clock, job: FileJob) -> Upload:
    try:
        with spool.draft(job.account_id) as draft:
            await asyncio.to_thread(_fill, draft, job.source)
            upload = new_upload(
                job.account_id, job.kind, dry_run=False, source=SPOOL, size=draft.size, sha256=draft.sha256,
                now=clock(), upload_id=draft.upload_id, file_name=job.source.name,
            )  # fmt: skip
            async with store.write() as tx:
                await job_store.insert(tx, upload)
            draft.keep()
    except OSError as error:
        raise OperatorFault(
            f"The file cannot be submitted to the running server: {error.filename or 'its disk'}: {error.strerror}. "
            "Run the command as the server's user and with its settings, or stop the server first."
        ) from error
    return upload


async def _follow(store: Store, upload: Upload, lock: ServerLock, observer: Observer, silent_seconds: float) -> Upload:
    """Return the upload once it has ended or a stop is requested."""
    gone, changed_at = False, monotonic()
    while not upload.ended and not observer.stop.requested:
        await asyncio.sleep(POLL_SECONDS)
        latest = await job_store.find(store, upload.account_id, upload.upload_id)
        if latest is None:
            raise OperatorFault(f"The upload {upload.upload_id} was deleted; run the command again.")
        if latest != upload:
            gone, changed_at = False, monotonic()
            observer.progress(latest)
        upload = latest
        if monotonic() - changed_at > silent_seconds and gone is not is_free(lock):
            gone = not gone
            observer.say(_GONE if gone else _BACK)
            changed_at = monotonic()
    return upload


def is_free(lock: ServerLock) -> bool:
    """Return whether no server holds the lock; taking it for a moment is the only way to know."""
    try:
        lock.acquire(transient=True)
    except StoreBusy:
        return False
    lock.release()
    return True


def _is_waiting(upload: Upload, job: FileJob) -> bool:
    """Whether the upload is this very file, which a server has not finished yet."""
    same = (upload.kind, upload.sha256, upload.source, upload.dry_run) == (job.kind, job.sha256, SPOOL, False)
    return same and not upload.ended


def _fill(draft: Draft, source: Path) -> None:
    with source.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            draft.write(block)
    draft.settle()


def _copy(verdicts: Path, target: Path) -> None:
    with (
        verdicts.open("rb") as source,
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy,
    ):
        shutil.copyfileobj(source, copy)


async def latest_of(store: Store, account_id: str) -> list[Upload]:
    """Return the latest uploads of an account, newest first."""
    found = await read(store, UPLOADS, Wanted(limit=LATEST), {"account_id": account_id})
    return found.of(Upload.from_row).entries
