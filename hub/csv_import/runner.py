"""The server's task that applies waiting uploads, one at a time, and deletes old files.

One task does all of it, so nothing here needs a lock; `wake` and `stop` are called on the same event loop. Between
processes the lease of the uploads table decides who applies a file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
from attrs import evolve

from hub.clock import Clock
from hub.csv_import import job_store
from hub.csv_import.job import REFUSED, Upload
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.csv_import.job_store import LeaseLost
from hub.csv_import.spool import Spool
from hub.ids import new_id
from hub.intake.throttle import Pause
from hub.storage import Store, StoreUnavailable

POLL_SECONDS: Final = 0.5
"""How often the task looks for an upload that a command or another node has stored."""
OUTAGE_SECONDS: Final = 1.0
FAULT_MS: Final = 60_000
ELSEWHERE_MS: Final = 2_000
"""How long an upload is left to the node that has its file."""
LOST_MS: Final = 3_600_000
"""How long an upload may miss its file before it is refused: the node that had the file is not coming back."""
BATCH_ROWS: Final = 200
"""Rows of one transaction: the requests beside it wait for a few milliseconds."""
SWEEP_MS: Final = 3_600_000
_NO_FILE = "The file is not on this server any more. Send it again; rows that were applied are duplicates then."

log = structlog.get_logger(__name__)

Counted = Callable[[str, dict[str, int]], None]


class UploadRunner:
    """Applies the spool's uploads; `on_rows` is called with a kind and the number of rows with each verdict.

    `keep_ms` is how long files are kept.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        spool: Spool,
        pause: Pause,
        *,
        keep_ms: int,
        on_rows: Counted = lambda *_: None,
    ) -> None:
        self._pause = pause
        self._store = store
        self._clock = clock
        self._spool = spool
        self._keep_ms = keep_ms
        self._on_rows = on_rows
        # An embedded database has one server, so this one owns at once what a killed one had leased.
        self._owner = "server" if store.dialect == "sqlite" else new_id("node")
        self._wake = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._run: UploadRun | None = None
        self._leased: Upload | None = None
        self._swept_at = 0

    def wake(self) -> None:
        """Look for a waiting upload at once."""
        self._wake.set()

    async def start(self) -> None:
        """Start applying uploads."""
        self._stopping = False
        self._task = asyncio.create_task(self._serve(), name="uploads")

    async def stop(self) -> None:
        """Finish the batch under way and leave the rest of the file to the next process that leases it."""
        self._stopping = True
        self._wake.set()
        if self._run is not None:
            self._run.stop()
        if self._task is not None:
            await self._task

    async def _serve(self) -> None:
        while not self._stopping:
            self._wake.clear()
            pause = OUTAGE_SECONDS
            try:
                await self.sweep()
                pause = 0 if await self.run_once() else POLL_SECONDS
            except (StoreUnavailable, OSError) as fault:
                log.warning("uploads cannot go on just now, trying again", fault=str(fault))
            except Exception:
                log.exception("uploads met a fault, trying again")
            if pause and not self._stopping:
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._wake.wait()
        with suppress(StoreUnavailable):  # then its lease has to run out
            await self._release()

    async def run_once(self) -> bool:
        """Apply one upload and return True; return False if none waits. Raise `StoreUnavailable`."""
        await self._release()  # what was still leased when an outage began
        upload = await job_store.lease_next(self._store, self._owner, self._clock(), LEASE_MS)
        if upload is None:
            return False
        self._leased = upload
        try:
            await self._apply(upload)
        except LeaseLost:
            self._leased = None
            log.warning("an upload was taken over by another node", upload_id=upload.upload_id)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("an upload failed, trying again in a minute", upload_id=upload.upload_id)
            await self._release(FAULT_MS)
        return True

    async def _release(self, pause_ms: int = 0) -> None:
        """Release the lease, so that anybody, this task too, may take the upload: at once, or after a pause."""
        if self._leased is not None:
            until = self._clock() + pause_ms if pause_ms else 0
            await job_store.release(self._store, self._leased, self._owner, until)
            self._leased = None

    async def _apply(self, upload: Upload) -> None:
        source = self._spool.source(upload.upload_id)
        if not source.is_file():
            await self._give_up_or_wait(upload)
            return
        run = UploadRun(
            self._store, self._clock, upload, source, self._spool.verdicts(upload.upload_id),
            owner=self._owner, pause=self._pause, batch_rows=BATCH_ROWS,
            on_progress=_Tally(upload, self._on_rows),
        )  # fmt: skip
        self._run = run
        try:
            if self._stopping:
                run.stop()
            ended = (await run.run()).ended
        finally:
            self._run = None
        if ended:
            self._leased = None
            await asyncio.to_thread(self._spool.remove, upload.upload_id)

    async def _give_up_or_wait(self, upload: Upload) -> None:
        """Leave an upload without a file to the node that has the file; refuse it if there is none or it stays away."""
        now = self._clock()
        if self._store.dialect == "postgresql" and now - upload.created_at < LOST_MS:
            await self._release(ELSEWHERE_MS)
            return
        refused = evolve(upload, status=REFUSED, faults=(_NO_FILE,), finished_at=now)
        await job_store.finish(self._store, refused, self._owner)
        self._leased = None

    async def sweep(self) -> None:
        """Delete files that have been kept long enough, if the last time is an hour ago. Raise `OSError`."""
        now = self._clock()
        if not 0 <= now - self._swept_at < SWEEP_MS:
            self._swept_at = now
            await asyncio.to_thread(self._spool.sweep, now, self._keep_ms)


class _Tally:
    """Reports how many rows got each verdict since the last call; a dry run reports nothing."""

    def __init__(self, upload: Upload, report: Counted) -> None:
        self._reported = upload
        self._report = report

    def __call__(self, upload: Upload) -> None:
        names = ("created", "updated", "duplicate", "failed")
        if not upload.dry_run:
            # A file whose verdicts were lost starts over, so a count may fall.
            self._report(upload.kind, {n: max(getattr(upload, n) - getattr(self._reported, n), 0) for n in names})
        self._reported = upload
