"""The verdict file: what became of each row, as CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from hub.csv_import.appliers import RowVerdict
from hub.domain.spreadsheets import defused

COLUMNS = ("row", "line", "id", "verdict", "column", "message", "eventId")
STOPPED = "stopped"
_quoted_name = re.compile(r"`([A-Za-z]+)").match


class VerdictFile:
    """A verdict file that is being written; each write states where it begins, and what was behind that is cut off."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file = os.fdopen(descriptor, "r+b")

    @property
    def length(self) -> int:
        """The size of the file in bytes."""
        return os.fstat(self._file.fileno()).st_size

    def write(self, at: int, verdicts: Sequence[RowVerdict], stopped: str = "") -> int:
        """Write the verdicts at byte `at`, whatever was there before, and return the new length in bytes.

        If the run `stopped`, a last line says why the rest was not read. The operating system has the bytes when this
        returns, so the death of this process does not undo it. Raise `OSError`.
        """
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        if at == 0:
            lines.writerow(COLUMNS)
        lines.writerows(map(_line, verdicts))
        if stopped:
            lines.writerow(("", "", "", STOPPED, "", stopped, ""))
        raw = text.getvalue().encode()
        self._file.seek(at)
        self._file.truncate()
        self._file.write(raw)
        self._file.flush()
        return at + len(raw)

    def __enter__(self) -> Self:
        """Return the file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self._file.close()


def _line(result: RowVerdict) -> tuple[object, ...]:
    row = result.row
    if not row.faults:
        return (row.number, row.line, defused(row.id), result.verdict, "", "", result.event_id)
    quoted = _quoted_name(row.faults[0])
    column = "" if quoted is None else quoted[1]
    return (row.number, row.line, defused(row.id), result.verdict, column, defused("; ".join(row.faults)), "")
