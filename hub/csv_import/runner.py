"""The server's tasks that apply waiting uploads, one file of an account at a time, and delete old files.

Accounts take turns, so that a small file need not wait for the end of another account's large one: each upload has a
task of its own, and all of them share one lock, held for a batch of rows. asyncio's lock is fair, so a task that has
had its batch waits until every other one has had one. All of them together work no more than one alone would.

Tasks, `wake` and `stop` are all on one event loop and change the state here only between awaits. A task leaves the
table of tasks as its last act, so an account never has two. Between processes the lease of the uploads table decides
who applies a file.
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
MOST_RUNS: Final = 32
"""Accounts that take turns; each run holds a few MiB of its file."""
BATCH_ROWS: Final = 200
"""Rows of one transaction: the requests beside it wait for a few milliseconds."""
SWEEP_MS: Final = 3_600_000
_NO_FILE = "The file is not on this server any more. Send it again; rows that were applied are duplicates then."

log = structlog.get_logger(__name__)

Counted = Callable[[str, dict[str, int]], None]


class UploadRunner:
    """Applies the spool's uploads; `on_rows` is called with a kind and the number of rows with each verdict.

    `keep_ms` is how long files are kept; `may_delete` is asked before they are deleted whether the clock is trusted.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        spool: Spool,
        pause: Pause,
        *,
        keep_ms: int,
        may_delete: Callable[[], bool] = lambda: True,
        on_rows: Counted = lambda *_: None,
    ) -> None:
        self._pause = pause
        self._store = store
        self._clock = clock
        self._spool = spool
        self._keep_ms = keep_ms
        self._may_delete = may_delete
        self._on_rows = on_rows
        # An embedded database has one server, so this one owns at once what a killed one had leased.
        self._owner = "server" if store.dialect == "sqlite" else new_id("node")
        self._wake = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The task of each account that has an upload under way."""
        self._runs: set[UploadRun] = set()
        self._turn = asyncio.Lock()
        self._swept_at = 0

    def wake(self) -> None:
        """Look for a waiting upload at once."""
        self._wake.set()

    async def start(self) -> None:
        """Start applying uploads."""
        self._stopping = False
        self._task = asyncio.create_task(self._serve(), name="uploads")

    async def stop(self) -> None:
        """Finish the batches under way and leave the rest of the files to the next process that leases them."""
        self._stopping = True
        self._wake.set()
        for run in self._runs:
            run.stop()
        if self._task is not None:
            await self._task

    async def _serve(self) -> None:
        while not self._stopping:
            self._wake.clear()
            pause = OUTAGE_SECONDS
            try:
                await self.sweep()
                pause = 0 if await self._start_next() else POLL_SECONDS
            except (StoreUnavailable, OSError) as fault:
                log.warning("uploads cannot go on just now, trying again", fault=str(fault))
            except Exception:
                log.exception("uploads met a fault, trying again")
            if pause and not self._stopping:
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._wake.wait()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    async def _start_next(self) -> bool:
        """Start the upload that has waited longest, of an account that has none under way; return whether one did."""
        if len(self._tasks) >= MOST_RUNS:
            return False
        busy = list(self._tasks)
        upload = await job_store.lease_next(self._store, self._owner, self._clock(), LEASE_MS, busy)
        if upload is None:
            return False
        task = asyncio.create_task(self._serve_one(upload), name=f"upload {upload.upload_id}")
        self._tasks[upload.account_id] = task
        return True

    async def _serve_one(self, upload: Upload) -> None:
        """Apply one upload until it ends, this runner stops or something fails; leave it to be leased again."""
        release_at: int | None = 0
        try:
            release_at = None if await self._apply(upload) else 0
        except LeaseLost:
            release_at = None
            log.warning("an upload was taken over by another node", upload_id=upload.upload_id)
        except (StoreUnavailable, OSError) as fault:
            log.warning("an upload cannot go on just now, trying again", upload_id=upload.upload_id, fault=str(fault))
            if not self._stopping:
                await asyncio.sleep(OUTAGE_SECONDS)
        except Exception:
            log.exception("an upload failed, trying again in a minute", upload_id=upload.upload_id)
            release_at = self._clock() + FAULT_MS
        finally:
            await self._leave(upload, release_at)

    async def _leave(self, upload: Upload, release_at: int | None) -> None:
        """Let anybody lease the upload from a moment on (ms UTC), unless it ended; let its account's next one begin."""
        try:
            if release_at is not None:
                await job_store.release(self._store, upload, self._owner, release_at)
        except StoreUnavailable:
            pass  # then its lease has to run out, or this process takes it up again before that
        finally:
            del self._tasks[upload.account_id]
            self._wake.set()

    async def _apply(self, upload: Upload) -> bool:
        """Apply an upload; return whether it needs no release, because it ended or was released until a moment."""
        source = self._spool.source(upload.upload_id)
        if not source.is_file():
            await self._give_up_or_wait(upload)
            return True
        run = UploadRun(
            self._store, self._clock, upload, source, self._spool.verdicts(upload.upload_id),
            owner=self._owner, pause=self._pause, turn=self._turn, batch_rows=BATCH_ROWS,
            on_progress=_Tally(upload, self._on_rows),
        )  # fmt: skip
        self._runs.add(run)
        try:
            if self._stopping:
                run.stop()
            ended = (await run.run()).ended
        finally:
            self._runs.discard(run)
        if ended:
            await asyncio.to_thread(self._spool.remove, upload.upload_id)
        return ended

    async def _give_up_or_wait(self, upload: Upload) -> None:
        """Leave an upload without a file to the node that has the file; refuse it if there is none or it stays away."""
        now = self._clock()
        if self._store.dialect == "postgresql" and now - upload.created_at < LOST_MS:
            await job_store.release(self._store, upload, self._owner, now + ELSEWHERE_MS)
            return
        refused = evolve(upload, status=REFUSED, faults=(_NO_FILE,), finished_at=now)
        await job_store.finish(self._store, refused, self._owner)

    async def sweep(self) -> None:
        """Delete files that have been kept long enough, if the last time is an hour ago.

        Raise `OSError`, or `StoreUnavailable`, since what still waits is not known then.
        """
        now = self._clock()
        if not 0 <= now - self._swept_at < SWEEP_MS and self._may_delete():
            waiting = await job_store.waiting_ids(self._store)
            self._swept_at = now
            await asyncio.to_thread(self._spool.sweep, now, self._keep_ms, waiting)


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
