"""Platforms that sign with a credential of their own: it becomes a secret of the connection."""

from __future__ import annotations

import json

from hub.domain.connectors.deliveries import secret_identity
from hub.operations.connections.connections import connection_row, refuse_one_more
from hub.platform_sync.connection_secrets import StoredSecret, live_secrets, sealed_secret
from hub.sealing import Sealer
from hub.storage import Tx


async def keep_signing_secret(
    tx: Tx, sealer: Sealer, account_id: str, connection_id: str, text: str, now: int
) -> str | None:
    """Add a secret to a connection unless it is live there at `now` (ms UTC); return the id of the one that was added.

    Raise `OperatorFault` if the connection has too many live secrets.
    """
    where = {"account_id": account_id, "connection_id": connection_id}
    await tx.run("hold_connection", **where)
    stored: list[StoredSecret] = json.loads((await connection_row(tx, connection_id))["secrets"])
    live = live_secrets(stored, now)
    for each in live:
        if sealer.open(each["sealed"], secret_identity(connection_id, each["id"])) == text.encode():
            return None
    refuse_one_more(connection_id, live)
    new = sealed_secret(sealer, connection_id, text, now)
    await tx.run("write_connection_secrets", **where, secrets=json.dumps([*live, new]))
    return new["id"]
