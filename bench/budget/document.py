"""The table of ceilings in docs/performance.md, made of `ceilings.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.budget.acts import ACTS
from bench.budget.ceilings import FIGURES, Costs

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- budget -->\n", "<!-- end of budget -->\n"


def table_of(ceilings: Costs) -> str:
    """Return the ceilings as a table in Markdown."""
    heads = ["act", *(figure.heading for figure in FIGURES.values())]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---|' * len(FIGURES)}"]
    for act in ACTS:
        cells = [f"{ceilings[act.name][name]:,.0f}" for name in FIGURES]
        lines.append(f"| {act.name}: {act.about} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def with_table(page: str, ceilings: Costs) -> str:
    """Return the page with this table in place of its own; raise ValueError if it has no place for one."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"docs/performance.md has no lines {BEGIN.strip()} and {END.strip()}.")
    return f"{before}{BEGIN}{table_of(ceilings)}{END}{after}"
