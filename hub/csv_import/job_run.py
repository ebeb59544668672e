"""The run of one upload: a whole file through the rules of the API, one batch in each transaction, resumable.

A batch's rows, their verdicts and the progress are durable together: the verdicts are in the file before the commit,
and the progress, which says how long the verdict file is, commits with the rows. A run that is killed anywhere goes on
from the last commit and cuts off the verdicts behind it. While one batch is being committed, the next is read and
validated by the same task; nothing else shares the run's state.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

import structlog
from attrs import evolve

from hub.clock import Clock
from hub.csv_import import job_store
from hub.csv_import.appliers import CREATED, DUPLICATE, FAILED, UPDATED, Applier, RowVerdict, applier_of
from hub.csv_import.header import Layout, Refused, survey
from hub.csv_import.job import DONE, REFUSED, RUNNING, Upload
from hub.csv_import.job_store import LeaseLost
from hub.csv_import.kinds import KINDS
from hub.csv_import.reader import RowReader
from hub.csv_import.row_batches import RowBatch, RowBatches
from hub.csv_import.row_index import RowIndex
from hub.csv_import.row_validation import RowValidator, ValidatedRow
from hub.csv_import.verdict_file import VerdictFile
from hub.intake.throttle import Pause
from hub.intake.write_batch import write_contended
from hub.storage import NotAllNew, Store, StoreUnavailable, Tx
from hub.validation.inputs import MerchantTerms

LEASE_MS = 60_000
BATCH_ROWS = 500
MOST_FAILED = 1_000_000
"""A verdict is longer than the shortest bad row, so a broken file could fill the disk with verdicts."""
MOST_FAILED_IN_A_ROW = 10_000
"""Bad rows without a good one between: such a file is not what it should be, and reading on would help nobody."""
_TOO_BAD = "More than {:,} rows failed, so the rest of the file was not read."
_IN_A_ROW = (
    "{:,} rows failed one after the other, so the rest of the file was not read. Mend the file and send it again; rows "
    "that were applied are duplicates then."
)
_CHANGED = "The file is not the one that was entered: its bytes have changed."
_INTERNAL = "The hub could not store this row; its log says why"

ApplyRows = Callable[[Tx, Sequence[ValidatedRow], int], Awaitable[list[RowVerdict]]]
ApplyBatch = Callable[[Tx, ApplyRows, Sequence[ValidatedRow], int], Awaitable[list[RowVerdict]]]

log = structlog.get_logger(__name__)


class UploadRun:
    """Applies one upload to its end, or only checks it if it is a dry run.

    `owner` is the process that leases the upload; without one the database is only read, which is enough for a dry run.
    In a server `pause` lets the requests on the same event loop go first, and runs that share a `turn` take it for a
    batch each. A file with more than `most_failed` bad rows, or with `most_in_a_row` without a good one between, is
    given up. `on_progress` is called after each batch.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        upload: Upload,
        source: Path,
        verdicts: Path,
        *,
        owner: str | None,
        pause: Pause | None = None,
        turn: asyncio.Lock | None = None,
        batch_rows: int = BATCH_ROWS,
        most_failed: int = MOST_FAILED,
        most_in_a_row: int = MOST_FAILED_IN_A_ROW,
        on_progress: Callable[[Upload], None] = lambda _: None,
    ) -> None:
        if owner is None and not upload.dry_run:
            raise ValueError("only a dry run can do without an owner")
        self._store = store
        self._clock = clock
        self._upload = upload
        self._source = source
        self._verdicts = verdicts
        self._owner = owner
        self._pause = pause
        self._turn = asyncio.Lock() if turn is None else turn
        self._batch_rows = batch_rows
        self._most_failed = most_failed
        self._most_in_a_row = most_in_a_row
        self._streak = self._next_streak = 0
        """Bad rows without a good one since, before the batch under way and with it; a resumed run counts afresh."""
        self._streak_ends: int | None = None
        """The number of the row at which the first pass found too many in a row."""
        self._on_progress = on_progress
        self._stopping = False

    def stop(self) -> None:
        """End the run after the batch under way; another run can go on from there."""
        self._stopping = True

    async def run(self) -> Upload:
        """Run from the upload's position to the end and return it.

        Raise `StoreUnavailable`, `OSError`, or `LeaseLost` if another process has taken it over.
        """
        kind = KINDS[self._upload.kind]
        try:
            surveyed = await asyncio.to_thread(survey, self._source, kind)
        except Refused as refused:
            return await self._end(REFUSED, refused.faults)
        if surveyed.sha256 != self._upload.sha256:
            return await self._end(REFUSED, (_CHANGED,))
        merchant = await merchant_terms(self._store, self._upload.account_id)
        with VerdictFile(self._verdicts) as file, self._source.open("rb") as source, RowIndex() as index:
            self._begin(file, surveyed.layout)
            applier = applier_of(kind.name, self._upload.account_id, merchant, index, self._clock)
            validator = RowValidator(kind, surveyed.layout, merchant, applier.entry_of)
            if applier.needs_first_pass:
                await self._first_pass(applier, self._batches(validator, RowReader(source, surveyed.layout), 1))
            rest = RowReader(source, surveyed.layout, offset=self._upload.position, line=self._upload.line)
            await self._apply_all(applier, file, self._batches(validator, rest, self._upload.rows + 1))
            if not self._upload.verdict_bytes:
                self._upload = evolve(self._upload, verdict_bytes=file.write(0, []))
        if self._upload.failed > self._most_failed:
            return await self._end(REFUSED, (_TOO_BAD.format(self._most_failed),))
        if self._is_hopeless(self._streak, self._upload.rows):
            return await self._end(REFUSED, (_IN_A_ROW.format(self._most_in_a_row),))
        return self._upload if self._stopping else await self._end(DONE, ())

    def _begin(self, file: VerdictFile, layout: Layout) -> None:
        """Start over with a dry run, and with a file whose verdicts a power cut took: its rows are duplicates then."""
        upload = self._upload
        if upload.position == 0 or upload.dry_run or file.length < upload.verdict_bytes:
            upload = evolve(upload, position=layout.start, line=layout.line, rows=0, created=0, updated=0, duplicate=0,
                            failed=0, verdict_bytes=0)  # fmt: skip
        self._upload = evolve(upload, status=RUNNING, ignored_columns=layout.ignored)

    def _batches(self, validator: RowValidator, reader: RowReader, number: int) -> RowBatches:
        return RowBatches(validator, reader, number=number, size=self._batch_rows, pause=self._pause)

    async def _first_pass(self, applier: Applier, batches: RowBatches) -> None:
        """Show the applier every row, up to where so many are bad that the rest will not be read."""
        streak, renewed_at = 0, self._clock()
        while not self._stopping:
            async with self._turn:
                batch = await batches.next()
            if self._owner is not None and self._clock() - renewed_at > LEASE_MS // 3:
                renewed_at = self._clock()
                if not await job_store.lease(self._store, self._upload, self._owner, renewed_at, LEASE_MS):
                    raise LeaseLost(self._upload.upload_id)
            if not batch.rows:
                return
            applier.first_pass(batch.rows)
            streak = _streak_after(streak, [not row.faults for row in batch.rows])
            if streak >= self._most_in_a_row:
                self._streak_ends = batch.rows[-1].number
                return

    async def _apply_all(self, applier: Applier, file: VerdictFile, batches: RowBatches) -> None:
        """Apply batch after batch; while the database is busy with one, the next is validated."""
        async with self._turn:
            batch = await batches.next()
        while batch.rows and not self._stopping and self._upload.failed <= self._most_failed:
            async with self._turn:
                applying = asyncio.ensure_future(self._apply_and_pause(applier, file, batch))
                try:
                    await asyncio.sleep(0)  # validating does not await anything, so this is where the other task begins
                    batch = await batches.next()
                finally:
                    self._upload = await applying
            self._streak = self._next_streak
            self._on_progress(self._upload)
            if self._is_hopeless(self._streak, self._upload.rows):
                break

    def _is_hopeless(self, streak: int, rows: int) -> bool:
        return streak >= self._most_in_a_row or (self._streak_ends is not None and rows >= self._streak_ends)

    async def _apply_and_pause(self, applier: Applier, file: VerdictFile, batch: RowBatch) -> Upload:
        began = monotonic()
        applied = await self._apply_batch(applier, file, batch)
        if self._pause is not None:
            await self._pause(monotonic() - began)
        return applied

    async def _apply_batch(self, applier: Applier, file: VerdictFile, batch: RowBatch) -> Upload:
        """Apply a batch in one transaction: the effect of its rows, and the upload's progress."""
        if self._owner is None:
            async with self._store.read() as tx:
                verdicts = await applier.predict(tx, batch.rows, self._clock())
            return self._record(file, batch, verdicts)
        work = partial(self._work, applier=applier, file=file, batch=batch)
        try:
            return await write_contended(self._store, partial(work, apply_batch=_together))
        except (StoreUnavailable, LeaseLost):
            raise
        except Exception:
            log.exception("a batch failed, trying its rows one by one", upload_id=self._upload.upload_id)
        return await write_contended(self._store, partial(work, apply_batch=_singly))

    async def _work(
        self, tx: Tx, *, applier: Applier, file: VerdictFile, batch: RowBatch, apply_batch: ApplyBatch
    ) -> Upload:
        now = self._clock()
        verdicts = await apply_batch(tx, applier.predict if self._upload.dry_run else applier.apply, batch.rows, now)
        advanced = self._record(file, batch, verdicts)
        await job_store.advance(tx, advanced, self._owner or "", now + LEASE_MS)
        return advanced

    def _record(self, file: VerdictFile, batch: RowBatch, verdicts: Sequence[RowVerdict]) -> Upload:
        """Write the verdicts and return the upload's progress; if the commit fails, the next write cuts them off."""
        upload = self._upload
        counts = Counter(each.verdict for each in verdicts)
        rows = upload.rows + len(verdicts)
        self._next_streak = _streak_after(self._streak, [each.verdict != FAILED for each in verdicts])
        stopped = _IN_A_ROW.format(self._most_in_a_row) if self._is_hopeless(self._next_streak, rows) else ""
        return evolve(
            upload,
            position=batch.position,
            line=batch.line,
            rows=rows,
            created=upload.created + counts[CREATED],
            updated=upload.updated + counts[UPDATED],
            duplicate=upload.duplicate + counts[DUPLICATE],
            failed=upload.failed + counts[FAILED],
            verdict_bytes=file.write(upload.verdict_bytes, verdicts, stopped),
        )

    async def _end(self, status: str, faults: tuple[str, ...]) -> Upload:
        self._upload = evolve(self._upload, status=status, faults=faults, finished_at=self._clock())
        if self._owner is not None:
            await job_store.finish(self._store, self._upload, self._owner)
        return self._upload


def _streak_after(streak: int, good: Sequence[bool]) -> int:
    """Return how many bad rows there are at the end of these rows, which follow a streak of bad ones."""
    return next((place for place, is_good in enumerate(reversed(good)) if is_good), streak + len(good))


async def merchant_terms(store: Store, account_id: str) -> MerchantTerms:
    """Return what validation must know of an account's merchant."""
    async with store.read() as tx:
        (row,) = await tx.all("load_merchants", accounts=[account_id])
    return MerchantTerms.from_row(row)


async def _together(tx: Tx, apply: ApplyRows, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
    return await apply(tx, rows, now)


async def _singly(tx: Tx, apply: ApplyRows, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
    """Apply each row in a savepoint of its own, so that a row that the database refuses fails alone."""
    verdicts = []
    for row in rows:
        try:
            async with tx.savepoint():
                verdicts += await apply(tx, [row], now)
        except (StoreUnavailable, NotAllNew):
            raise
        except Exception:
            log.exception("a row failed", row=row.number)
            verdicts.append(RowVerdict(evolve(row, faults=(_INTERNAL,)), FAILED))
    return verdicts
