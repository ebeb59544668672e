"""What each act may cost: `ceilings.json`, and what grew beyond it."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

FILE = Path(__file__).with_name("ceilings.json")
Costs = Mapping[str, Mapping[str, float]]
"""The figures of each act, by the names of `FIGURES`."""


@frozen
class Figure:
    """One figure of an act: its heading, a sentence with a place for the number, and how far it varies by itself.

    It varies by the random ends of ids, which decide the page of an index that a row goes to.
    """

    heading: str
    sentence: str
    share: float = 0.0
    spread: float = 0.0

    def allowed(self, ceiling: float) -> float:
        """Return the highest value that is the ceiling's own, by chance a little more."""
        return ceiling * (1 + self.share) + self.spread


FIGURES: Final[Mapping[str, Figure]] = {
    "statements": Figure("statements a batch", "runs {} statements for a batch", spread=0.5),
    "trees": Figure("trees a batch", "writes into {} tables and indexes"),
    "walBytes": Figure("WAL bytes", "adds {} bytes to the write-ahead log", share=0.03, spread=120),
    "keptBytes": Figure("kept bytes", "keeps {} bytes", share=0.03, spread=80),
    "calls": Figure("Python calls", "makes {} calls in Python", share=0.01, spread=1),
    "instructions": Figure("instructions", "takes {} instructions", share=0.02),
}
OF_ONE_PYTHON: Final = ("calls", "instructions")
"""Figures that another release of Python has differently."""


def load() -> Costs:
    """Return the ceilings."""
    found: Costs = json.loads(FILE.read_text("utf-8"))["acts"]
    return found


def measured_on() -> Mapping[str, str]:
    """Return the releases that the ceilings were measured on, by "python" and "sqlite"."""
    found: Mapping[str, str] = json.loads(FILE.read_text("utf-8"))["on"]
    return found


def this_machine() -> Mapping[str, str]:
    """Return the releases of this process, as `measured_on` does."""
    return {"python": ".".join(platform.python_version_tuple()[:2]), "sqlite": sqlite3.sqlite_version}


def grown(costs: Costs, ceilings: Costs, figures: tuple[str, ...]) -> list[str]:
    """Return a sentence for each of these figures that is higher than its ceiling, or has none."""
    return list(_grown(costs, ceilings, figures))


def _grown(costs: Costs, ceilings: Costs, figures: tuple[str, ...]) -> Iterator[str]:
    for act, found in costs.items():
        for name in figures:
            figure, ceiling = FIGURES[name], ceilings.get(act, {}).get(name, 0.0)
            if found[name] > figure.allowed(ceiling):
                now = figure.sentence.format(f"{found[name]:,.0f}")
                yield (
                    f"`{act}` {now}; its ceiling is {ceiling:,.0f}. Find what it does more than before. If that is"
                    " worth it, run `make budget` and say why in the commit."
                )


def keep(costs: Costs) -> None:
    """Make these costs the ceilings; a figure that was not counted now keeps the ceiling that it had."""
    before = load() if FILE.exists() else {}
    acts = {act: {**before.get(act, {}), **{key: round(each) for key, each in found.items()}}
            for act, found in costs.items()}  # fmt: skip
    FILE.write_text(json.dumps({"on": this_machine(), "acts": acts}, indent=2) + "\n", "utf-8")
