"""Two hub processes on one PostgreSQL, compared with one."""

from __future__ import annotations

import os

from bench import traffic, wrk
from bench.ledger import require_audit, require_kept
from bench.measures.conversions import POSTGRES
from bench.options import CONNECTIONS, SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import hub_server
from bench.workbench import Workbench

CORES_NEEDED = 5
"""Two for the hubs, two for PostgreSQL, one for wrk: with fewer, a second hub can only take from the first."""


def _two(bench: Workbench) -> Figures:
    with bench.stage("postgresql") as stage:
        environment = stage.database.environment
        with hub_server(environment, worker=False) as one, hub_server(environment, worker=False) as other:
            targets = []
            for name, server in {"A": one, "B": other}.items():
                orders = traffic.conversions(stage.credentials, stage.clicks, tag=name)
                targets.append((server, traffic.write(bench.folder / f"node-{name}", orders, threads=1)))
            answers = wrk.load_all(targets, seconds=SECONDS, connections=CONNECTIONS)
        require_kept(stage.database, [each for found in answers for each in found.acknowledged])
        require_audit(stage.database)
    return {
        "perSecond": sum(found.per_second for found in answers),
        "p99Ms": max(found.p99_ms for found in answers),
        "refused": sum(found.refused for found in answers),
    }


TWO = Side("conversions accepted, two hubs on PostgreSQL", _two)
CORES = os.cpu_count() or 1

MEASURE = Measure(
    "nodes",
    "two hub processes on one PostgreSQL, beside one",
    (POSTGRES, TWO),
    (
        Requirement(
            "two hubs on one PostgreSQL / one", Value(TWO, of=POSTGRES), least=1.5,
            beyond=None if CORES >= CORES_NEEDED else f"{CORES} cores are too few to say; the books were right",
        ),
    ),
)  # fmt: skip
