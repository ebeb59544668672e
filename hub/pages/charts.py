"""Charts as lines in SVG, drawn here so that they need no script; each has all its numbers in a table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen
from markupsafe import Markup

WIDTH: Final = 1000
HEIGHT: Final = 220
TOPS: Final = (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10)
"""Round values for the top of a scale, to be multiplied by a power of ten: half of each is round, too."""


@frozen
class Path:
    """A line: `kind` is "now", "before" or "unfinished", which the stylesheet draws apart."""

    kind: str
    drawn: str


@frozen
class Tick:
    """A label of the axis: how far from its left end, in per cent, and which end of the text is there."""

    place: float
    anchor: str
    label: str


@frozen
class Figure:
    """A chart and its table: `caption` is a sentence, `scale` are the values down its height.

    `rows` are a label and the cells of each row, `series` the names of their columns, `of` that of the labels.
    """

    name: str
    caption: str | Markup
    of: str
    series: Sequence[str]
    rows: Sequence[tuple[str | Markup, Sequence[str | Markup]]]
    ticks: Sequence[Tick]
    scale: Sequence[str | Markup]
    paths: Sequence[Path]
    grid: Sequence[int] = (0, HEIGHT // 2, HEIGHT)
    width: int = WIDTH
    height: int = HEIGHT


def top_of(most: int) -> int:
    """Return the round value, at least `most`, at which a scale from 0 ends; its half is a whole number."""
    power: int = 10 ** max(len(str(most)) - 1, 0)
    tops = (round(top * power) for top in TOPS if power > 1 or top in (2, 4, 6, 8, 10))
    return next(top for top in tops if top >= most)


def ticks_of(labels: Sequence[str], most: int = 5) -> list[Tick]:
    """Return at most so many of the labels, the first and the last among them, each at its own place."""
    gaps = len(labels) - 1
    parts = min(most - 1, gaps)
    if parts < 1:
        return [Tick(0, "start", label) for label in labels]
    chosen = [round(gaps * part / parts) for part in range(parts + 1)]
    anchors = {0: "start", gaps: "end"}
    return [Tick(round(100 * place / gaps, 2), anchors.get(place, "middle"), labels[place]) for place in chosen]


def lines(now: Sequence[int], before: Sequence[int], *, unfinished: bool) -> list[Path]:
    """Return the lines of two series over the same axis, compared by position; nothing if all of it is zero.

    The last point of `now` is drawn apart if its day is not over; the area under `now` comes first.
    """
    most = max((*now, *before), default=0)
    if most <= 0 or len(now) < 2:
        return []
    top, whole = top_of(most), now[:-1] if unfinished else now
    line = _drawn(whole, top, of=len(now))
    end = (len(whole) - 1) * WIDTH / (len(now) - 1)
    found = [Path("area", f"{line}L{end:.1f} {HEIGHT}L0 {HEIGHT}Z")]
    if any(before):
        found.append(Path("before", _drawn(before, top)))
    found.append(Path("now", line))
    if unfinished:
        found.append(Path("unfinished", _drawn(now[-2:], top, of=len(now), start=len(now) - 2)))
    return found


def _drawn(values: Sequence[int], top: int, *, of: int | None = None, start: int = 0) -> str:
    step = WIDTH / max((of or len(values)) - 1, 1)
    points = [f"{(start + place) * step:.1f} {HEIGHT - value / top * HEIGHT:.1f}" for place, value in enumerate(values)]
    return "M" + "L".join(points)
