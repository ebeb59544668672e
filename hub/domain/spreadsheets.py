"""Cells that a spreadsheet would run as formulas, made plain text (OWASP: CSV injection)."""

from __future__ import annotations

import re

_runs = re.compile("[=+\\-@\t\r\0\uff1d\uff0b\uff0d\uff20]").match


def defused(cell: str) -> str:
    """Return the cell, with an apostrophe before it if its first character begins a formula."""
    return "'" + cell if _runs(cell) else cell
