"""What a measure is: sides that run in turn (A B A B), and bounds that the medians of their figures must meet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from attrs import field, frozen
from rich.table import Table

from bench.faults import Missing
from bench.workbench import Workbench
from hub.testing.postgres import PostgresMissing

Figures = dict[str, float]
"""The figures of one run by name: "perSecond", "p50Ms", "p99Ms" and others."""


@frozen(eq=False)
class Side:
    """One of the things compared, and how to run it. A run that takes long is made `once`, in the last round."""

    name: str
    run: Callable[[Workbench], Figures]
    once: bool = False


@frozen
class Findings:
    """The figures of every side that ran, and why the others did not."""

    runs: Mapping[str, Sequence[Figures]]
    missing: Mapping[str, str]

    def median(self, side: str, figure: str) -> float | None:
        """Return the median of a side's figure over the rounds; None if it was not measured."""
        found = [figures[figure] for figures in self.runs.get(side, ()) if figure in figures]
        return median(found) if found else None

    def medians(self, side: str) -> Figures:
        """Return the medians of all of a side's figures."""
        names = dict.fromkeys(name for figures in self.runs.get(side, ()) for name in figures)
        return {name: value for name in names if (value := self.median(side, name)) is not None}


@frozen
class Value:
    """A side's figure, or its ratio to another side's."""

    side: Side
    figure: str = "perSecond"
    of: Side | None = None
    of_figure: str | None = None

    def among(self, findings: Findings) -> float | None:
        """Return the value; None if a side is missing."""
        found = findings.median(self.side.name, self.figure)
        if self.of is None or found is None:
            return found
        whole = findings.median(self.of.name, self.of_figure or self.figure)
        return None if whole is None else found / whole if whole else math.inf


@frozen
class Requirement:
    """The least or the most that a value may be; `beyond` says why this machine cannot judge it."""

    text: str
    value: Value
    least: float | None = None
    most: float | None = None
    beyond: str | None = None

    @property
    def bound(self) -> str:
        """Return the minimum or maximum as text."""
        return "-" if self.least is None and self.most is None else self._sign() + f"{self.least or self.most:,g}"

    def is_met(self, found: float | None) -> bool | None:
        """Return whether the value found meets the bound; None if there is no value, or no bound."""
        if found is None or self.beyond is not None or (self.least is None and self.most is None):
            return None
        return (self.least is None or found >= self.least) and (self.most is None or found <= self.most)

    def _sign(self) -> str:
        return ">= " if self.least is not None else "<= "


@frozen(eq=False)
class Measure:
    """A name to run it by, a sentence, its sides and requirements, and a table of its own if `summary` makes one."""

    name: str
    about: str
    sides: tuple[Side, ...]
    requirements: tuple[Requirement, ...] = field(default=())
    standard: bool = True
    summary: Callable[[Findings], Table] | None = None


def run(measures: Iterable[Measure], bench: Workbench, rounds: int, report: Callable[[str], None]) -> Findings:
    """Run every side of the measures once a round, so that whatever slows the machine for a while slows them all."""
    sides = list(dict.fromkeys(side for measure in measures for side in measure.sides))
    runs: dict[str, list[Figures]] = {side.name: [] for side in sides}
    missing: dict[str, str] = {}
    for turn in range(1, rounds + 1):
        for side in sides:
            if side.name in missing or (side.once and turn < rounds):
                continue
            try:
                figures = side.run(bench)
            except (Missing, PostgresMissing) as fault:
                missing[side.name] = str(fault)
                report(f"{side.name}: left out. {fault}")
                continue
            runs[side.name].append(figures)
            report(f"{turn}/{rounds} {side.name}: {shown(figures)}")
    return Findings(runs, missing)


def shown(figures: Figures) -> str:
    """Return figures in one line."""
    return ", ".join(f"{name} {number(value)}" for name, value in figures.items())


def number(value: float) -> str:
    """Return a figure with its significant digits only."""
    return (
        f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.1f}" if value >= 10 else f"{value:,.2f}"
    )
