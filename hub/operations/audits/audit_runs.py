"""The runs of the audit: noted, so that the operator's page says when the last one was and what it found."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.ids import new_id
from hub.operations.audits.violations import AuditDocument
from hub.storage import Row, Store

KEPT: Final = 100
"""The newest runs that are kept."""


class AuditRunDocument(TypedDict):
    """A run of the audit: how much it checked, and how many violations it found.

    It is the newest that looked at everything. `followedAt` is when what came since was last audited, null if it was
    not; violations of that are counted with its own.
    """

    id: str
    startedAt: str
    finishedAt: str
    accepted: int
    conversions: int
    violations: int
    followedAt: str | None


async def note_audit(
    store: Store, clock: Clock, started_at: int, found: AuditDocument, since: int | None = None
) -> None:
    """Store what a run of the audit found: of everything, or of what changed since a moment (both in ms UTC)."""
    async with store.write() as tx:
        await tx.run(
            "insert_audit_run",
            run_id=new_id("aud"),
            started_at=started_at,
            finished_at=clock(),
            accepted=found["accepted"],
            conversions=found["conversionsChecked"],
            violations=len(found["violations"]),
            since=since,
        )
        await tx.run("forget_audit_runs", kept=KEPT)


async def last_audit(store: Store) -> AuditRunDocument | None:
    """Return the newest run that looked at everything; None if there was none."""
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
        "violations": row["violations"] + row["newer_violations"],
        "followedAt": instant_or_none(row["followed_at"]),
    }
