"""The rows of a file in portions that one transaction takes, judged as they are read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic

from attrs import frozen

from hub.csv_import.reader import Chunk, RowReader
from hub.csv_import.row_validation import JudgedRow, RowJudge
from hub.intake.throttle import Pause

SLICE_ROWS = 20
"""A server judges this many rows at a time, less than a millisecond, and then looks after its requests."""


@frozen
class Portion:
    """Judged rows that are applied together, and the byte and line at which the file goes on after them."""

    rows: Sequence[JudgedRow]
    position: int
    line: int


class Portions:
    """Reads on in a file, `size` rows at a time; `number` is that of the next row."""

    def __init__(self, rows: RowJudge, reader: RowReader, *, number: int, size: int, pause: Pause | None) -> None:
        self._rows = rows
        self._reader = reader
        self._number = number
        self._size = size
        self._pause = pause

    async def next(self) -> Portion:
        """The next rows; none at the end of the file."""
        while True:
            chunk = await self._read()
            rows: list[JudgedRow] = []
            began = monotonic()
            for row in self._rows.judge(chunk, self._number):
                rows.append(row)
                if self._pause is not None and len(rows) % SLICE_ROWS == 0:
                    await self._pause(monotonic() - began)
                    began = monotonic()
            self._number += len(rows)
            if rows or not chunk.rows:
                return Portion(rows, chunk.end, chunk.end_line)

    async def _read(self) -> Chunk:
        """What a hostile file takes seconds to pass over may not hold up the requests."""
        if self._pause is not None:
            return await asyncio.to_thread(self._reader.read, self._size)
        return self._reader.read(self._size)
