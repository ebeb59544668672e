"""The server's own task: takes up the uploads that wait, one at a time, and looks after their files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
from attrs import evolve

from hub.clock import Clock
from hub.csv_import import job_store as book
from hub.csv_import.job import REFUSED, Upload
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.csv_import.job_store import Lost
from hub.csv_import.spool import Spool
from hub.ids import new_id
from hub.intake.throttle import Pause
from hub.storage import Store, StoreUnavailable

POLL_SECONDS: Final = 0.5
"""How soon an upload is seen that a command or another node entered."""
OUTAGE_SECONDS: Final = 1.0
FAULT_MS: Final = 60_000
ELSEWHERE_MS: Final = 2_000
"""How long an upload is left to the node that has its file."""
LOST_MS: Final = 3_600_000
"""After this long without its file an upload is refused: the node that had it is not coming back."""
PORTION_ROWS: Final = 200
"""Applied in one transaction: the requests beside it wait for some milliseconds."""
SWEEP_MS: Final = 3_600_000
_NO_FILE = "The file is not on this server any more. Send it again; rows that were applied are duplicates then."

log = structlog.get_logger(__name__)

Counted = Callable[[str, dict[str, int]], None]


class UploadRunner:
    """Applies the spool's uploads; `keep_ms` is how long their files stay, `on_rows` is told what rows came to."""

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
        # An embedded database has one server, so what a killed one held is this one's at once.
        self._owner = "server" if store.dialect == "sqlite" else new_id("node")
        self._wake = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._run: UploadRun | None = None
        self._held: Upload | None = None
        self._swept_at = 0

    def wake(self) -> None:
        """Says that an upload is waiting."""
        self._wake.set()

    async def start(self) -> None:
        """Starts taking up uploads."""
        self._stopping = False
        self._task = asyncio.create_task(self._serve(), name="uploads")

    async def stop(self) -> None:
        """Finishes the rows in hand and leaves the rest of their file to whoever comes next."""
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
                await self._sweep()
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
            await self._let_go()

    async def run_once(self) -> bool:
        """Works on one upload; False where none waits. Raises `StoreUnavailable`."""
        await self._let_go()  # what an outage left held
        upload = await book.take_up(self._store, self._owner, self._clock(), LEASE_MS)
        if upload is None:
            return False
        self._held = upload
        try:
            await self._work_on(upload)
        except Lost:
            self._held = None
            log.warning("an upload was taken over by another node", upload_id=upload.upload_id)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("an upload failed, trying again in a minute", upload_id=upload.upload_id)
            await self._let_go(FAULT_MS)
        return True

    async def _let_go(self, pause_ms: int = 0) -> None:
        """Leaves what is held to everybody, itself included: at once and before all others, or after a pause."""
        if self._held is not None:
            until = self._clock() + pause_ms if pause_ms else 0
            await book.release(self._store, self._held, self._owner, until)
            self._held = None

    async def _work_on(self, upload: Upload) -> None:
        source = self._spool.source(upload.upload_id)
        if not source.is_file():
            await self._miss(upload)
            return
        run = UploadRun(
            self._store, self._clock, upload, source, self._spool.verdicts(upload.upload_id),
            owner=self._owner, pause=self._pause, portion_rows=PORTION_ROWS,
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
            self._held = None
            await asyncio.to_thread(self._spool.remove, upload.upload_id)

    async def _miss(self, upload: Upload) -> None:
        """The file lies on another node, unless there is none or that node stays away."""
        now = self._clock()
        if self._store.dialect == "postgresql" and now - upload.created_at < LOST_MS:
            await self._let_go(ELSEWHERE_MS)
            return
        refused = evolve(upload, status=REFUSED, faults=(_NO_FILE,), finished_at=now)
        await book.finish(self._store, refused, self._owner)
        self._held = None

    async def _sweep(self) -> None:
        now = self._clock()
        if not 0 <= now - self._swept_at < SWEEP_MS:
            self._swept_at = now
            await asyncio.to_thread(self._spool.sweep, now, self._keep_ms)


class _Tally:
    """Tells what was decided since the last time; a dry run decides nothing."""

    def __init__(self, upload: Upload, tell: Counted) -> None:
        self._told = upload
        self._tell = tell

    def __call__(self, upload: Upload) -> None:
        names = ("created", "updated", "duplicate", "failed")
        if not upload.dry_run:
            # A file whose verdicts were lost begins anew, so a count may fall.
            self._tell(upload.kind, {n: max(getattr(upload, n) - getattr(self._told, n), 0) for n in names})
        self._told = upload
