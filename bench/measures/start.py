"""The start, from the command to a hub that listens."""

from __future__ import annotations

from bench.ledger import audited_hub
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.workbench import Workbench


def _start(bench: Workbench) -> Figures:
    with audited_hub(bench, worker=True, acknowledged=[]) as (_, server):
        return {"seconds": server.started_in, "residentMb": server.resident_mb()}


START = Side("`hub serve` to listening", _start)

MEASURE = Measure(
    "start",
    "seconds from `hub serve` to a port that answers, on a database whose schema is up to date",
    (START,),
    (Requirement("start to listening, seconds", Value(START, "seconds"), most=1.5),),
)
