"""The end of asking a platform: its credentials are deleted, and what was under way ends."""

from __future__ import annotations

from hub.storage import Tx


async def delete_access(tx: Tx, account_id: str, connection_id: str, fault: str, now: int) -> None:
    """Delete a connection's credentials, and end its readings for the reason `fault` (a sentence) at `now` (ms UTC)."""
    where = {"account_id": account_id, "connection_id": connection_id}
    await tx.run("delete_platform_access", **where)
    await tx.run("end_reads", **where, fault=fault, now=now)


async def end_access(tx: Tx, account_id: str, connection_id: str, now: int) -> None:
    """Delete what the platform of a connection that closes at `now` (ms UTC) is asked with and for."""
    await delete_access(tx, account_id, connection_id, "The connection was closed.", now)
    await tx.run("delete_fetches", account_id=account_id, connection_id=connection_id)
