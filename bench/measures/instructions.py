"""Instructions of the processor for an order, a click and a read: the same on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from bench.budget.acts import ACTS
from bench.budget.instructions import Instructions, count
from bench.plan import Figures, Measure, Side
from bench.workbench import Workbench


@contextmanager
def _counted() -> Iterator[Mapping[str, Instructions]]:
    yield count()


def _act(name: str, bench: Workbench) -> Figures:
    found = bench.kept("instructions", _counted)[name]
    return {"instructions": found.total, **found.by_part}


MEASURE = Measure(
    "instructions",
    "the processor's instructions for each act of the budget (needs valgrind)",
    tuple(Side(f"instructions: {act.name}", partial(_act, act.name), once=True) for act in ACTS),
    standard=False,
)
