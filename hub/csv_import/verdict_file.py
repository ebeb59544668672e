"""The verdict file: what became of each row, as CSV that a spreadsheet opens without harm."""

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
_named = re.compile(r"`([A-Za-z]+)").match


class VerdictFile:
    """A verdict file under way; each write says where it begins, and what lies behind that is cut off."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file = os.fdopen(descriptor, "r+b")

    @property
    def length(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._file.fileno()).st_size

    def write(self, at: int, verdicts: Sequence[RowVerdict]) -> int:
        """Puts the verdicts at byte `at`, whatever was there before, and returns the length that this makes.

        They are in the hands of the operating system when this returns: the death of this process does not undo it.
        """
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        if at == 0:
            lines.writerow(COLUMNS)
        lines.writerows(map(_line, verdicts))
        raw = text.getvalue().encode()
        self._file.seek(at)
        self._file.truncate()
        self._file.write(raw)
        self._file.flush()
        return at + len(raw)

    def __enter__(self) -> Self:
        """The file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes it."""
        self._file.close()


def _line(verdict: RowVerdict) -> tuple[object, ...]:
    row = verdict.row
    if not row.faults:
        return (row.number, row.line, defused(row.id), verdict.word, "", "", verdict.event_id)
    named = _named(row.faults[0])
    column = "" if named is None else named[1]
    return (row.number, row.line, defused(row.id), verdict.word, column, defused("; ".join(row.faults)), "")
