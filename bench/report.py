"""The results: a table of figures, a table of the requirements, and both as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.machine import Machine
from bench.plan import Findings, Measure, Requirement, number
from hub.clock import system_clock
from hub.domain.instants import format_instant

RESULTS = Path(__file__).parent / "results"
WIDTH = 140
COLUMNS = {"perSecond": "a second", "p50Ms": "p50 ms", "p99Ms": "p99 ms", "cpuUs": "CPU µs",
           "writtenBytes": "bytes to disk", "refused": "refused"}  # fmt: skip


def show(measures: Sequence[Measure], findings: Findings, machine: Machine) -> None:
    """Print the machine, the figures, and the requirements."""
    console = Console(width=WIDTH)
    console.print()
    for line in machine.lines():
        console.print(line, highlight=False)
    console.print(_figures(findings))
    for measure in measures:
        if measure.summary is not None:
            console.print(measure.summary(findings))
    if any(measure.requirements for measure in measures):
        console.print(_requirements(measures, findings))


def keep(measures: Sequence[Measure], findings: Findings, machine: Machine) -> Path:
    """Write all findings to a file named after the moment, and to latest.json; return the former's path."""
    moment = format_instant(system_clock())
    document = {
        "at": moment,
        "machine": machine.document(),
        "requirements": [_judged(each, findings) for measure in measures for each in measure.requirements],
        "medians": {side: findings.medians(side) for side in findings.runs if findings.runs[side]},
        "runs": findings.runs,
        "missing": findings.missing,
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(document, indent=2) + "\n"
    path = RESULTS / f"{moment[:19].replace(':', '')}.json"
    for file in (path, RESULTS / "latest.json"):
        file.write_text(text)
    return path


def comparison(title: str, labels: Sequence[str], sides: tuple[str, str]) -> Table:
    """Return an empty table for rows of labels and of what `compared` returns."""
    table = Table(title=title, title_justify="left", box=None)
    for heading in (*labels, *sides, "ratio", "each round"):
        table.add_column(heading, justify="left" if heading in labels else "right", overflow="fold")
    return table


def compared(first: Sequence[float], second: Sequence[float]) -> tuple[str, str, str, str]:
    """Return the medians of two sides that ran in turn, the median of second / first, and that ratio in each round."""
    ratios = [after / before for before, after in zip(first, second, strict=True)]
    each = " ".join(f"{ratio:.2f}" for ratio in ratios)
    return number(median(first)), number(median(second)), f"{median(ratios):.2f}", each


def unmet(measures: Sequence[Measure], findings: Findings) -> list[str]:
    """Return the texts of the requirements that the findings do not meet."""
    requirements = [each for measure in measures for each in measure.requirements]
    return [each.text for each in requirements if each.is_met(each.value.among(findings)) is False]


def _figures(findings: Findings) -> Table:
    table = Table(title="Medians", title_justify="left", box=None)
    table.add_column("side", overflow="fold")
    for heading in COLUMNS.values():
        table.add_column(heading, justify="right")
    table.add_column("also")
    for side, runs in findings.runs.items():
        medians = findings.medians(side)
        also = ", ".join(f"{name} {number(value)}" for name, value in medians.items() if name not in COLUMNS)
        cells = [number(medians[name]) if name in medians else "" for name in COLUMNS]
        table.add_row(side, *cells, also if runs else findings.missing.get(side, ""))
    return table


def _requirements(measures: Sequence[Measure], findings: Findings) -> Table:
    table = Table(title="Requirements", title_justify="left", box=None)
    for heading, justify in {"measure": "left", "bound": "right", "found": "right", "": "left"}.items():
        table.add_column(heading, justify="right" if justify == "right" else "left", overflow="fold")
    for measure in measures:
        for each in measure.requirements:
            found = each.value.among(findings)
            table.add_row(each.text, each.bound, "-" if found is None else number(found), _judgement(each, found))
    return table


def _judgement(requirement: Requirement, found: float | None) -> str:
    if found is None:
        return "not measured"
    if requirement.beyond is not None:
        return requirement.beyond
    met = requirement.is_met(found)
    return "" if met is None else "[green]met[/]" if met else "[red]NOT MET[/]"


def _judged(requirement: Requirement, findings: Findings) -> dict[str, Any]:
    found = requirement.value.among(findings)
    return {
        "measure": requirement.text,
        "least": requirement.least,
        "most": requirement.most,
        "found": found,
        "met": requirement.is_met(found),
        "beyond": requirement.beyond,
    }
