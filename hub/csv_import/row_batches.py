"""The rows of a file in batches of one transaction each, validated as they are read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic

from attrs import frozen

from hub.csv_import.reader import Chunk, RowReader
from hub.csv_import.row_validation import RowValidator, ValidatedRow
from hub.intake.throttle import Pause

SLICE_ROWS = 20
"""A server validates this many rows at a time, which takes less than a millisecond, and then serves its requests."""


@frozen
class RowBatch:
    """Validated rows that are applied together, and the byte and line at which the file goes on after them."""

    rows: Sequence[ValidatedRow]
    position: int
    line: int


class RowBatches:
    """Iterates over the rest of a file, `size` rows at a time; `number` is that of the next row."""

    def __init__(
        self, validator: RowValidator, reader: RowReader, *, number: int, size: int, pause: Pause | None
    ) -> None:
        self._validator = validator
        self._reader = reader
        self._number = number
        self._size = size
        self._pause = pause

    async def next(self) -> RowBatch:
        """Return the next rows; none at the end of the file."""
        while True:
            chunk = await self._read()
            rows: list[ValidatedRow] = []
            began = monotonic()
            for row in self._validator.validate(chunk, self._number):
                rows.append(row)
                if self._pause is not None and len(rows) % SLICE_ROWS == 0:
                    await self._pause(monotonic() - began)
                    began = monotonic()
            self._number += len(rows)
            if rows or not chunk.rows:
                return RowBatch(rows, chunk.end, chunk.end_line)

    async def _read(self) -> Chunk:
        """Read a chunk; in a server in a thread, because a hostile file can take seconds and requests must not wait."""
        if self._pause is not None:
            return await asyncio.to_thread(self._reader.read, self._size)
        return self._reader.read(self._size)
