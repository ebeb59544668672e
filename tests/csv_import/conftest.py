"""A harness over either database, and files to upload into it."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from attrs import frozen

from hub.csv_import import job_store
from hub.csv_import.header import Refused, survey
from hub.csv_import.job import COMMAND, Upload, new_upload
from hub.csv_import.job_run import LEASE_MS, MOST_FAILED, MOST_FAILED_IN_A_ROW, UploadRun
from hub.csv_import.kinds import KINDS
from hub.intake.throttle import Pause
from tests.processing.harness import Harness
from tests.sqlite_first import database_url

__all__ = ["database_url"]

OWNER = "tests"


@frozen
class Files:
    """Uploads files into a harness; `rows` are cells, the header first."""

    harness: Harness
    folder: Path

    def write(self, rows: Sequence[Sequence[str]], name: str = "file.csv") -> Path:
        """Write a file of these rows."""
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        path = self.folder / name
        path.write_bytes(text.getvalue().encode())
        return path

    async def leased(self, kind: str, path: Path, *, dry_run: bool = False) -> Upload:
        """Return an upload that was stored and leased."""
        store, now = self.harness.store, self.harness.clock()
        try:
            surveyed = survey(path, KINDS[kind])
        except Refused:
            size, sha256 = 0, "0" * 64
        else:
            size, sha256 = surveyed.size, surveyed.sha256
        upload = new_upload(
            self.harness.account_id, kind, dry_run=dry_run, source=COMMAND, size=size, sha256=sha256, now=now
        )
        async with store.write() as tx:
            await job_store.insert(tx, upload)
        assert await job_store.lease(store, upload, OWNER, now, LEASE_MS)
        return upload

    def run_of(
        self, upload: Upload, path: Path, *, pause: Pause | None = None,
        most_failed: int = MOST_FAILED, most_in_a_row: int = MOST_FAILED_IN_A_ROW, batch_rows: int = 3,
        on_progress: Callable[[Upload], None] = lambda _: None,
    ) -> UploadRun:  # fmt: skip
        """Return a run of an upload in small batches."""
        return UploadRun(self.harness.store, self.harness.clock, upload, path, self.verdict_path(path), owner=OWNER,
                         pause=pause, batch_rows=batch_rows, most_failed=most_failed, most_in_a_row=most_in_a_row,
                         on_progress=on_progress)  # fmt: skip

    async def apply(self, kind: str, path: Path, *, pause: Pause | None = None) -> Upload:
        """Return the upload after a whole run."""
        return await self.run_of(await self.leased(kind, path), path, pause=pause).run()

    async def check(self, kind: str, path: Path) -> Upload:
        """Return the upload after a dry run that only reads."""
        surveyed = survey(path, KINDS[kind])
        upload = new_upload(self.harness.account_id, kind, dry_run=True, source=COMMAND, size=surveyed.size,
                            sha256=surveyed.sha256, now=self.harness.clock())  # fmt: skip
        run = UploadRun(self.harness.store, self.harness.clock, upload, path, self.verdict_path(path), owner=None)
        return await run.run()

    def verdict_path(self, path: Path) -> Path:
        """Return the path of a file's verdict file."""
        return path.with_suffix(".verdicts.csv")

    def verdicts(self, path: Path) -> list[dict[str, str]]:
        """Return the verdict file, row by row."""
        return list(csv.DictReader(io.StringIO(self.verdict_path(path).read_text("utf-8"))))

    def words(self, path: Path) -> list[str]:
        """Return the verdict on each row."""
        return [verdict["verdict"] for verdict in self.verdicts(path)]


@pytest.fixture
async def files(database_url: str, tmp_path: Path) -> AsyncIterator[Files]:
    """Yield files to import into a fresh database."""
    opened = await Harness.open(database_url)
    yield Files(opened, tmp_path)
    await opened.close()
