"""A whole file through the desk's rules, a portion a transaction, from wherever it was left."""

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
from hub.csv_import import job_store as book
from hub.csv_import.appliers import CREATED, DUPLICATE, FAILED, UPDATED, Judge, RowVerdict, judge_of
from hub.csv_import.header import Layout, Refused, survey
from hub.csv_import.job import DONE, REFUSED, RUNNING, Upload
from hub.csv_import.job_store import Lost
from hub.csv_import.kinds import KINDS
from hub.csv_import.reader import RowReader
from hub.csv_import.row_batches import Portion, Portions
from hub.csv_import.row_index import RowIndex
from hub.csv_import.row_validation import JudgedRow, RowJudge
from hub.csv_import.verdict_file import VerdictFile
from hub.intake.throttle import Pause
from hub.storage import Store, StoreUnavailable, Tx
from hub.validation.inputs import MerchantTerms

LEASE_MS = 60_000
PORTION_ROWS = 500
MOST_FAILED = 1_000_000
"""Verdicts take more room than the rows that a broken file may hold in each gigabyte."""
_TOO_BAD = f"More than {MOST_FAILED:,} rows failed, so the rest of the file was not read."
_CHANGED = "The file is not the one that was entered: its bytes have changed."
_INTERNAL = "The hub could not store this row; its log says why"

JudgeStep = Callable[[Tx, Sequence[JudgedRow], int], Awaitable[list[RowVerdict]]]
Act = Callable[[Tx, JudgeStep, Sequence[JudgedRow], int], Awaitable[list[RowVerdict]]]

log = structlog.get_logger(__name__)


class UploadRun:
    """Applies one upload to its end, or judges it where it is a dry run.

    `owner` names the process that holds the upload in the book; without one the database is only read, which a dry run
    can do. In a server `pause` lets the requests on the same event loop go first.
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
        portion_rows: int = PORTION_ROWS,
        on_progress: Callable[[Upload], None] = lambda _: None,
    ) -> None:
        if owner is None and not upload.dry_run:
            raise ValueError("an upload is applied under its owner's name")
        self._store = store
        self._clock = clock
        self._upload = upload
        self._source = source
        self._verdicts = verdicts
        self._owner = owner
        self._pause = pause
        self._portion_rows = portion_rows
        self._on_progress = on_progress
        self._stopping = False

    def stop(self) -> None:
        """Ends the run after the portion under way; another run can go on from there."""
        self._stopping = True

    async def run(self) -> Upload:
        """Goes on from where the upload stands. Raises `StoreUnavailable`, or `Lost` where another took it over."""
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
            judge = judge_of(kind.name, self._upload.account_id, merchant, index, self._clock)
            rows = RowJudge(kind, surveyed.layout, merchant, judge.enter)
            if judge.surveys:
                await self._look_ahead(judge, self._portions(rows, RowReader(source, surveyed.layout), 1))
            rest = RowReader(source, surveyed.layout, offset=self._upload.position, line=self._upload.line)
            await self._apply_all(judge, file, self._portions(rows, rest, self._upload.rows + 1))
            if not self._upload.verdict_bytes:
                self._upload = evolve(self._upload, verdict_bytes=file.write(0, []))
        if self._upload.failed > MOST_FAILED:
            return await self._end(REFUSED, (_TOO_BAD,))
        return self._upload if self._stopping else await self._end(DONE, ())

    def _begin(self, file: VerdictFile, layout: Layout) -> None:
        """A dry run begins anew, and so does a file whose verdicts a power cut took: its rows are duplicates then."""
        upload = self._upload
        if upload.position == 0 or upload.dry_run or file.length < upload.verdict_bytes:
            upload = evolve(upload, position=layout.start, line=layout.line, rows=0, created=0, updated=0, duplicate=0,
                            failed=0, verdict_bytes=0)  # fmt: skip
        self._upload = evolve(upload, status=RUNNING, ignored_columns=layout.ignored)

    def _portions(self, rows: RowJudge, reader: RowReader, number: int) -> Portions:
        return Portions(rows, reader, number=number, size=self._portion_rows, pause=self._pause)

    async def _look_ahead(self, judge: Judge, portions: Portions) -> None:
        while not self._stopping and (portion := await portions.next()).rows:
            judge.survey(portion.rows)

    async def _apply_all(self, judge: Judge, file: VerdictFile, portions: Portions) -> None:
        """While one portion is in the database's hands, the next is judged."""
        portion = await portions.next()
        while portion.rows and not self._stopping and self._upload.failed <= MOST_FAILED:
            settling = asyncio.ensure_future(self._settle_gently(judge, file, portion))
            await asyncio.sleep(0)  # judging does not wait for anything, so this is where the other begins
            try:
                portion = await portions.next()
            finally:
                self._upload = await settling
            self._on_progress(self._upload)

    async def _settle_gently(self, judge: Judge, file: VerdictFile, portion: Portion) -> Upload:
        began = monotonic()
        settled = await self._settle(judge, file, portion)
        if self._pause is not None:
            await self._pause(monotonic() - began)
        return settled

    async def _settle(self, judge: Judge, file: VerdictFile, portion: Portion) -> Upload:
        """One transaction: what the rows bring about, and how far the upload has come."""
        if self._owner is None:
            async with self._store.read() as tx:
                verdicts = await judge.foresee(tx, portion.rows, self._clock())
            return self._note(file, portion, verdicts)
        try:
            return await self._store.transact(
                partial(self._work, judge=judge, file=file, portion=portion, act=_together)
            )
        except (StoreUnavailable, Lost):
            raise
        except Exception:
            log.exception("a portion failed, trying its rows one by one", upload_id=self._upload.upload_id)
        return await self._store.transact(partial(self._work, judge=judge, file=file, portion=portion, act=_singly))

    async def _work(self, tx: Tx, *, judge: Judge, file: VerdictFile, portion: Portion, act: Act) -> Upload:
        now = self._clock()
        verdicts = await act(tx, judge.foresee if self._upload.dry_run else judge.apply, portion.rows, now)
        noted = self._note(file, portion, verdicts)
        await book.advance(tx, noted, self._owner or "", now + LEASE_MS)
        return noted

    def _note(self, file: VerdictFile, portion: Portion, verdicts: Sequence[RowVerdict]) -> Upload:
        """The verdicts are in the file before the commit; after one that fails the next write cuts them off."""
        upload = self._upload
        words = Counter(verdict.word for verdict in verdicts)
        return evolve(
            upload,
            position=portion.position,
            line=portion.line,
            rows=upload.rows + len(verdicts),
            created=upload.created + words[CREATED],
            updated=upload.updated + words[UPDATED],
            duplicate=upload.duplicate + words[DUPLICATE],
            failed=upload.failed + words[FAILED],
            verdict_bytes=file.write(upload.verdict_bytes, verdicts),
        )

    async def _end(self, status: str, faults: tuple[str, ...]) -> Upload:
        self._upload = evolve(self._upload, status=status, faults=faults, finished_at=self._clock())
        if self._owner is not None:
            await book.finish(self._store, self._upload, self._owner)
        return self._upload


async def merchant_terms(store: Store, account_id: str) -> MerchantTerms:
    """What validation must know of an account's merchant."""
    async with store.read() as tx:
        (row,) = await tx.all("load_merchants", accounts=[account_id])
    return MerchantTerms.from_row(row)


async def _together(tx: Tx, judge: JudgeStep, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
    return await judge(tx, rows, now)


async def _singly(tx: Tx, judge: JudgeStep, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
    """A row that the database refuses fails alone."""
    verdicts = []
    for row in rows:
        try:
            async with tx.savepoint():
                verdicts += await judge(tx, [row], now)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("a row failed", row=row.number)
            verdicts.append(RowVerdict(evolve(row, faults=(_INTERNAL,)), FAILED))
    return verdicts
