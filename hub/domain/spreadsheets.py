"""Cells that a spreadsheet would run as formulas, made plain text (OWASP: CSV injection)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence

_runs = re.compile("[=+\\-@\t\r\0\uff1d\uff0b\uff0d\uff20]").match


def defused(cell: str) -> str:
    """Return the cell, with an apostrophe before it if its first character begins a formula."""
    return "'" + cell if _runs(cell) else cell


class _Lines(list[str]):
    """The lines that a CSV writer makes, kept in memory."""

    def write(self, line: str) -> int:
        """Keep a line; return its length, as a file does."""
        self.append(line)
        return len(line)


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows of text below their headings as CSV; no cell is a formula."""
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow(columns)
    writer.writerows([defused(cell) for cell in row] for row in rows)
    return "".join(lines).encode()
