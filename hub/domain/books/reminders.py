"""Reminders of invoices that are overdue: when each level is due. Moments are ms UTC."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hub.domain.durations import parse_duration


def levels(text: str) -> tuple[int, ...]:
    """Read how long after the due day each level is sent: "7d,21d,35d" is three levels, "" is none.

    Raise ValueError for other forms, and for a level that is not later than the one before.
    """
    found = tuple(parse_duration(part.strip()) for part in text.split(",")) if text.strip() else ()
    if any(after <= before for before, after in pairwise(found)):
        raise ValueError("each level is later than the one before")
    return found


def level_due(due_at: int, now: int, moments: Sequence[int], last: int) -> int | None:
    """Return the level that is due by now, the highest one if the hub did not run meanwhile; None if none is new.

    `last` is the level of the last reminder, 0 before the first.
    """
    due = sum(due_at + moment <= now for moment in moments)
    return due if due > last else None
