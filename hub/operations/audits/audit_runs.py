"""The runs of the audit: noted, so that the operator's page says when the last one was and what it found."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.operations.audits.audit import AuditDocument
from hub.storage import Row, Store

KEPT: Final = 100
"""The newest runs that are kept."""


class AuditRunDocument(TypedDict):
    """A run of the audit: how much it checked, and how many violations it found."""

    id: str
    startedAt: str
    finishedAt: str
    accepted: int
    conversions: int
    violations: int


async def note_audit(store: Store, clock: Clock, started_at: int, found: AuditDocument) -> None:
    """Store what a run of the audit found; `started_at` is in ms UTC."""
    async with store.write() as tx:
        await tx.run(
            "insert_audit_run",
            run_id=new_id("aud"),
            started_at=started_at,
            finished_at=clock(),
            accepted=found["accepted"],
            conversions=found["conversionsChecked"],
            violations=len(found["violations"]),
        )
        await tx.run("forget_audit_runs", kept=KEPT)


async def last_audit(store: Store) -> AuditRunDocument | None:
    """Return the newest run; None if the audit was never run."""
    async with store.read() as tx:
        row = await tx.one("last_audit_run")
    return None if row is None else _document(row)


def _document(row: Row) -> AuditRunDocument:
    return {
        "id": row["run_id"],
        "startedAt": format_instant(row["started_at"]),
        "finishedAt": format_instant(row["finished_at"]),
        "accepted": row["accepted"],
        "conversions": row["conversions"],
        "violations": row["violations"],
    }
