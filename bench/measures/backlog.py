"""A backlog: how fast the worker alone decides orders that were accepted while no worker ran."""

from __future__ import annotations

import time

from bench import wrk
from bench.databases import Reader
from bench.ledger import require_audit, require_kept
from bench.measures import conversions
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import hub_server
from bench.workbench import Workbench

WAITING = "SELECT COUNT(*) FROM events WHERE due_at IS NOT NULL"
NEXT = "SELECT 1 FROM events WHERE due_at IS NOT NULL LIMIT 1"
"""Says whether anything waits; to count it again and again would take a fifth of a core from the worker."""
PATIENCE = 600.0


def _drained(bench: Workbench) -> Figures:
    with bench.stage() as stage:
        with hub_server(stage.database.environment, worker=False) as server:
            answers = wrk.load(server, conversions.conversions(bench, stage))
        with stage.database.reader() as read:
            ((backlog,),) = read(WAITING)
            with hub_server(stage.database.environment, worker=True):
                rate = _rate(read, backlog)
        require_kept(stage.database, answers.acknowledged)
        require_audit(stage.database)
    return {"perSecond": rate, "acceptedPerSecond": answers.per_second, "backlog": backlog}


def _rate(read: Reader, backlog: int) -> float:
    """Return the events decided a second, from the moment when the server listens until nothing waits."""
    began = time.monotonic()
    ((at_first,),) = read(WAITING)
    while read(NEXT):
        if time.monotonic() - began > PATIENCE:
            raise SystemExit(f"The worker did not decide {backlog} events within {PATIENCE:.0f} s.")
        time.sleep(0.02)
    return float(at_first) / (time.monotonic() - began)


DRAINED = Side("backlog decided, SQLite", _drained)

MEASURE = Measure(
    "backlog",
    "the worker alone on the orders that were accepted in one run",
    (DRAINED,),
    (Requirement("backlog decided / accepted alone", Value(DRAINED, of=DRAINED, of_figure="acceptedPerSecond")),),
)
