"""Lengths of time as bars: a click's window with the order in it, and a hold with how much of it has passed."""

from __future__ import annotations

from typing import Final

from attrs import frozen

WIDTH: Final = 1000
"""How wide a bar's drawing is, in its own units: the page stretches it."""


@frozen
class Span:
    """A bar in units of its drawing: `filled` from its left end, a mark at `mark`; `is_outside` says it misses the bar.

    `length` is that of the bar: less than WIDTH where the mark is beside it, and `start` is more than 0 where it is
    before it.
    """

    start: int
    length: int
    filled: int
    mark: int
    is_outside: bool


def span_of(start: int, end: int, at: int) -> Span:
    """Return the bar from `start` to `end` with a mark at `at`, all in ms; the mark may be before or after the bar."""
    first, last = min(start, at), max(end, at)
    whole = max(last - first, 1)

    def place(moment: int) -> int:
        return (moment - first) * WIDTH // whole

    inside = start <= at <= end
    filled = place(at) - place(start) if inside else 0
    return Span(place(start), place(end) - place(start), filled, place(at), not inside)
