"""The control of the kill proof for files: progress is committed before the rows that it counts. It must be caught.

The first run waits between the two, and creates the file named by CARELESS_GAP there, so that the proof can kill it at
the one place where the fault shows. Once that file exists, later runs go through.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from hub.cli import main
from hub.csv_import import job_store
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.storage import Tx

GAP = "CARELESS_GAP"
_honest_apply = UploadRun._apply_batch


async def _progress_first(self: UploadRun, applier: Any, file: Any, batch: Any) -> Any:
    """Commit the progress of the batch, then apply it: a batch that is killed in between is never applied."""
    ahead = self._record(file, batch, [])

    async def advance(tx: Tx) -> None:
        await job_store.advance(tx, ahead, self._owner or "", self._clock() + LEASE_MS)

    await self._store.transact(advance)
    if self._upload.rows and _is_first(Path(os.environ[GAP])):
        await asyncio.Event().wait()  # until it is killed
    return await _honest_apply(self, applier, file, batch)


def _is_first(gap: Path) -> bool:
    """Whether no run has been here before; leave the file that says so to the next."""
    if gap.exists():
        return False
    gap.touch()
    return True


if __name__ == "__main__":
    UploadRun._apply_batch = _progress_first  # type: ignore[method-assign]  # the control's fault
    main()
