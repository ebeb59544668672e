"""The costs of one click and one conversion: processor time of hub and PostgreSQL, bytes of WAL, bytes that stay.

`docs/performance.md` plans past one machine with these. They hardly depend on what else the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from bench import traffic, wrk
from bench.ledger import require_audit, require_kept
from bench.measures.conversions import conversions
from bench.plan import Figures, Measure, Side
from bench.servers import Server, cpu_seconds_of, hub_server
from bench.settling import settle
from bench.workbench import Stage, Workbench

SIZES = "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables"


@define
class Meter:
    """The use of resources between the beginning and the end of a block, by the hub and by PostgreSQL."""

    hub_seconds: float = 0.0
    database_seconds: float = 0.0
    wal_bytes: int = 0
    stored_bytes: int = 0

    def per(self, number: int) -> Figures:
        """Return the use for each of a number of things."""
        return {
            "cpuUs": self.hub_seconds * 1e6 / number,
            "databaseCpuUs": self.database_seconds * 1e6 / number,
            "walBytes": self.wal_bytes / number,
            "storedBytes": self.stored_bytes / number,
        }


def _click(bench: Workbench) -> Figures:
    with bench.stage("postgresql") as stage:
        visits = traffic.write(bench.folder / "clicks", [traffic.BROWSER % stage.link.encode()] * 2, repeats=True)
        with hub_server(stage.database.environment, worker=False) as server, _metered(stage, server) as meter:
            answers = wrk.load(server, visits)
        require_kept(stage.database, answers.acknowledged)
    return meter.per(len(answers.acknowledged))


def _accepted(bench: Workbench) -> Figures:
    with bench.stage("postgresql") as stage:
        orders = conversions(bench, stage)
        with hub_server(stage.database.environment, worker=False) as server, _metered(stage, server) as meter:
            answers = wrk.load(server, orders)
        require_kept(stage.database, answers.acknowledged)
    return meter.per(len(answers.acknowledged))


def _decided(bench: Workbench) -> Figures:
    with bench.stage("postgresql") as stage:
        with hub_server(stage.database.environment, worker=False) as server:
            answers = wrk.load(server, conversions(bench, stage))
        with hub_server(stage.database.environment, worker=True) as server, _metered(stage, server) as meter:
            settle(stage)
        require_kept(stage.database, answers.acknowledged)
        require_audit(stage.database)
    return meter.per(len(answers.acknowledged))


@contextmanager
def _metered(stage: Stage, server: Server) -> Iterator[Meter]:
    meter = Meter()
    with stage.database.reader() as read:
        ((own,),) = read("SELECT pg_backend_pid()")
        ((wal,),) = read("SELECT pg_current_wal_insert_lsn()::text")
        ((stored,),) = read(SIZES)
        hub, database = server.cpu_seconds(), _database_seconds(own)
        yield meter
        meter.hub_seconds = server.cpu_seconds() - hub
        meter.database_seconds = _database_seconds(own) - database
        ((meter.wal_bytes,),) = read(f"SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '{wal}')::bigint")
        meter.stored_bytes = int(read(SIZES)[0][0]) - int(stored)


def _database_seconds(backend: int) -> float:
    """Return the processor seconds of the server that has this process; 0 if it is on another machine."""
    if not Path(f"/proc/{backend}/stat").exists():
        return 0.0
    postmaster = _parent(backend)
    return sum(cpu_seconds_of(pid) for pid in _processes() if _parent(pid) == postmaster)


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except FileNotFoundError:  # it has just ended
        return None


MEASURE = Measure(
    "costs",
    "what a click and a conversion cost on PostgreSQL: processor, WAL, disk",
    (
        Side("a click, PostgreSQL", _click),
        Side("a conversion accepted, PostgreSQL", _accepted),
        Side("a conversion decided, PostgreSQL", _decided),
    ),
    standard=False,
)
