"""The control of the kill proof for files: progress is committed before the rows that it counts. It must be caught."""

from __future__ import annotations

import asyncio
from typing import Any

from hub.cli import main
from hub.csv_import import job_store as book
from hub.csv_import.job_run import UploadRun
from hub.storage import Tx

_honest_settle = UploadRun._settle


async def _progress_first(self: UploadRun, judge: Any, file: Any, portion: Any) -> Any:
    """Notes the portion as done, then does it: what is killed in between is never done."""
    ahead = self._note(file, portion, [])

    async def note(tx: Tx) -> None:
        await book.advance(tx, ahead, self._owner or "", self._clock() + 60_000)

    await self._store.transact(note)
    await asyncio.sleep(0.3)
    return await _honest_settle(self, judge, file, portion)


if __name__ == "__main__":
    UploadRun._settle = _progress_first  # type: ignore[method-assign]  # the control's fault
    main()
