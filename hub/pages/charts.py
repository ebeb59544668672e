"""Charts as lines in SVG, drawn here so that they need no script; each has all its numbers in a table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen
from markupsafe import Markup

WIDTH: Final = 1000
HEIGHT: Final = 220
TOP: Final = 10
"""How much room is left above the highest value."""


@frozen
class Path:
    """A line: `kind` is "now", "before" or "unfinished", which the stylesheet draws apart."""

    kind: str
    drawn: str


@frozen
class Figure:
    """A chart and its table: `caption` is a sentence, `labels` the ends of the axis, `most` its highest value.

    `rows` are a label and the cells of each row, `series` the names of their columns, `of` that of the labels.
    """

    name: str
    caption: str | Markup
    of: str
    series: Sequence[str]
    rows: Sequence[tuple[str | Markup, Sequence[str | Markup]]]
    labels: Sequence[str]
    most: str | Markup
    paths: Sequence[Path]
    grid: Sequence[int] = (TOP, HEIGHT // 2, HEIGHT)
    width: int = WIDTH
    height: int = HEIGHT


def lines(now: Sequence[int], before: Sequence[int], *, unfinished: bool) -> list[Path]:
    """Return the lines of two series over the same axis, compared by position; nothing if all of it is zero.

    The last point of `now` is drawn apart if its day is not over.
    """
    most = max((*now, *before), default=0)
    if most <= 0 or len(now) < 2:
        return []
    found = [Path("before", _drawn(before, most))] if any(before) else []
    if not unfinished:
        return [*found, Path("now", _drawn(now, most))]
    return [
        *found,
        Path("now", _drawn(now[:-1], most, of=len(now))),
        Path("unfinished", _drawn(now[-2:], most, of=len(now), start=len(now) - 2)),
    ]


def _drawn(values: Sequence[int], most: int, *, of: int | None = None, start: int = 0) -> str:
    step = WIDTH / max((of or len(values)) - 1, 1)
    points = [
        f"{(start + place) * step:.1f} {HEIGHT - value / most * (HEIGHT - TOP):.1f}"
        for place, value in enumerate(values)
    ]
    return "M" + "L".join(points)
