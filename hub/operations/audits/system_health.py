"""Whether the network keeps up: what waits and what is stuck, the processes, the timers, the disk, the last audit."""

from __future__ import annotations

import sqlite3
import sys
from typing import Final, TypedDict

from hub import __commit__, __version__
from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.instants import format_instant
from hub.operations.audits.audit_runs import AuditRunDocument, last_audit
from hub.operations.audits.troubles import TroubleDocument, list_troubles
from hub.operations.system.nodes import NodeDocument, list_nodes
from hub.storage import Store
from hub.storage.disk_reserve import free_and_total

MOST_COUNTED: Final = 1_000
"""Counts stop here; one more says that there are more."""


class StuckDocument(TypedDict):
    """How many messages could not be used, each at most 1,001: then there are more than a thousand."""

    failed: int
    unmatched: int
    parked: int


class TimerDocument(TypedDict):
    """A job that runs by the clock, and the node that has it; on SQLite one process has all of them."""

    name: str
    owner: str
    until: str
    isHeld: bool


class DiskDocument(TypedDict):
    """The volume of an SQLite file, in bytes."""

    freeBytes: int
    totalBytes: int
    databaseBytes: int
    isShort: bool


class HealthDocument(TypedDict):
    """The health of the whole hub; `disk` is null where the volume is not the hub's to see, `audit` without a run.

    `commit` is empty in a checkout. `troubles` has the sentences of `troublesNow`.
    """

    version: str
    commit: str
    python: str
    database: str
    schemaVersion: int
    waiting: int
    oldestWaitingSeconds: float
    stuck: StuckDocument
    nodes: list[NodeDocument]
    timers: list[TimerDocument]
    disk: DiskDocument | None
    audit: AuditRunDocument | None
    troubles: list[str]
    troublesNow: list[TroubleDocument]


async def system_health(store: Store, clock: Clock, settings: Settings) -> HealthDocument:
    """Return the health of the hub; `troubles` are sentences about what needs somebody, none if all is well."""
    now = clock()
    async with store.read() as tx:
        backlog, oldest = await tx.one("events_backlog", limit=MOST_COUNTED + 1), await tx.one("oldest_due_event")
        counted = {row["status"]: row["events"] for row in await tx.all("stuck_events", limit=MOST_COUNTED + 1)}
        leases = await tx.all("leases_listed")
    troubles = await list_troubles(store, now, settings)
    return {
        "version": __version__,
        "commit": __commit__,
        "python": sys.version.split()[0],
        "database": f"SQLite {sqlite3.sqlite_version}" if store.dialect == "sqlite" else "PostgreSQL",
        "schemaVersion": await store.schema_version(),
        "waiting": 0 if backlog is None else backlog["waiting"],
        "oldestWaitingSeconds": 0 if oldest is None else max(0, now - oldest["due_at"]) / 1000,
        "stuck": {
            "failed": counted.get("FAILED", 0),
            "unmatched": counted.get("UNMATCHED", 0),
            "parked": counted.get("PARKED", 0),
        },
        "nodes": await list_nodes(store, clock),
        "timers": [
            {
                "name": row["name"],
                "owner": row["owner"],
                "until": format_instant(row["expires_at"]),
                "isHeld": row["expires_at"] > now,
            }
            for row in leases
        ],
        "disk": _disk(settings),
        "audit": await last_audit(store),
        "troubles": [each["sentence"] for each in troubles],
        "troublesNow": troubles,
    }


def _disk(settings: Settings) -> DiskDocument | None:
    path = settings.database.path
    if path is None:
        return None
    try:
        free, total = free_and_total(path)
        size = path.stat().st_size
    except OSError:
        return None
    return {
        "freeBytes": free,
        "totalBytes": total,
        "databaseBytes": size,
        "isShort": free < min(settings.database.reserve, total // 20),
    }
