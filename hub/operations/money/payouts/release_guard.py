"""No run is released on books that an audit found wrong, or that no audit has seen since the schema was changed."""

from __future__ import annotations

from typing import Final

from hub.operations.errors import OperatorFault
from hub.storage import Tx

ONE_GO_MS: Final = 10 * 60_000
"""The migrations of a fresh database are applied within this time; whatever came later changed data that was there."""


async def refuse_unproved_books(tx: Tx) -> None:
    """Raise `OperatorFault` if the newest audit found violations, or is older than a change of the schema."""
    audit, schema = await tx.one("last_audit_run"), await tx.one("schema_changed")
    violations = 0 if audit is None else audit["violations"] + audit["newer_violations"]
    if violations:
        raise OperatorFault(
            f"The last audit found {violations} violations, so no run is released.",
            command="Look: hub audit. What the ledger lacks two people adopt: hub ledger mend. Then: hub audit.",
        )
    changed = schema is not None and schema["last_at"] - schema["first_at"] > ONE_GO_MS
    if schema is not None and changed and (audit is None or audit["finished_at"] < schema["last_at"]):
        raise OperatorFault(
            "The schema was changed since the last audit, so no run is released.", command="Run it: hub audit"
        )
