"""The end of every run: everything acknowledged is in the database, and `hub audit` holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.databases import Database
from bench.faults import Mismatch
from bench.servers import Server, hub_server
from bench.workbench import Stage, Workbench, hub

KINDS = {"evt": ("events", "event_id"), "clk": ("clicks", "click_id")}


def require_kept(database: Database, acknowledged: Sequence[str]) -> None:
    """Raise `Mismatch` unless each id was given once and is in its table.

    The table may hold more: requests that were accepted when the time was over, whose answers nobody waited for.
    """
    if not acknowledged:
        return
    table, column = KINDS[acknowledged[0][:3]]
    if len(set(acknowledged)) < len(acknowledged):
        raise Mismatch(f"{len(acknowledged) - len(set(acknowledged))} acknowledged ids came twice.")
    with database.reader() as read:
        # Ids sort by time, so this reads what is new, however large the table is.
        stored = {row[0] for row in read(f"SELECT {column} FROM {table} WHERE {column} >= '{min(acknowledged)}'")}
    lost = set(acknowledged) - stored
    if lost:
        raise Mismatch(f"{len(lost)} of {len(acknowledged)} acknowledged ids are not in {table}: {min(lost)} is one.")


def require_audit(database: Database) -> None:
    """End the benchmark if the hub's own audit finds a violation: the command fails then."""
    hub(database, "audit")


@contextmanager
def audited_hub(
    bench: Workbench, dialect: str = "sqlite", *, worker: bool, acknowledged: list[str], without: str | None = None
) -> Iterator[tuple[Stage, Server]]:
    """Run a hub on a fresh stage; after the block stop it, look for everything acknowledged, and audit the database."""
    with bench.stage(dialect) as stage:
        with hub_server(stage.database.environment, worker=worker, without=without) as server:
            yield stage, server
        require_kept(stage.database, acknowledged)
        require_audit(stage.database)
