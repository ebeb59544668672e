"""Requests of platforms to erase everything of a connection, which wait a day: seen here, and revoked if forged."""

from __future__ import annotations

import json
from typing import TypedDict

from hub.records.connections import ErasureDocument
from hub.storage import Store, Tx

REVOKED = {"attribution": None, "commission": None, "skipReason": "revoked: an operator keeps the connection's data"}


class KeptConnection(TypedDict):
    """A connection and how many requests to erase it were revoked."""

    id: str
    revoked: int


async def list_erasures(store: Store) -> list[ErasureDocument]:
    """Return the requests of all connections that wait, the next due first."""
    async with store.read() as tx:
        return await erasures_of(tx, None)


async def erasures_of(tx: Tx, connection_id: str | None) -> list[ErasureDocument]:
    """Return the requests that wait, of all connections or of one, the next due first."""
    return [
        ErasureDocument(
            connection_id=row["connection_id"],
            event_id=row["event_id"],
            subject=json.loads(row["explanation"])["erasure"]["subject"],
            requested_at=row["received_at"],
            due_at=row["due_at"],
        )
        for row in await tx.all("delayed_erasures", connection_id=connection_id)
    ]


async def revoke_erasures(tx: Tx, account_id: str, connection_id: str, now: int) -> KeptConnection:
    """End the requests of a connection that wait at `now` (ms UTC); what they would erase stays."""
    revoked = await tx.run(
        "revoke_erasures", account_id=account_id, connection_id=connection_id, now=now, explanation=json.dumps(REVOKED)
    )
    return {"id": connection_id, "revoked": revoked}
