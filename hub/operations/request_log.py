"""The request log: what a merchant sent, what it was answered and what was wrong with it."""

from __future__ import annotations

import json

from hub.domain.instants import format_instant
from hub.operations.documents import Document
from hub.operations.merchants import account_of
from hub.storage import Row, Store


async def read_log(store: Store, merchant_id: str, *, errors_only: bool, limit: int) -> list[Document]:
    """A merchant's requests in both modes, newest first; raises `OperatorFault` where there is no such merchant."""
    query = "errors_of_merchant" if errors_only else "log_of_merchant"
    async with store.read() as tx:
        await account_of(tx, merchant_id, "test")
        return [_document(row) for row in await tx.all(query, merchant_id=merchant_id, limit=limit)]


async def read_strangers_log(store: Store, *, limit: int) -> list[Document]:
    """Requests whose sender could not be told (an unknown key, say), newest first."""
    async with store.read() as tx:
        return [_document(row) for row in await tx.all("log_of_strangers", limit=limit)]


def _document(row: Row) -> Document:
    return {
        "at": format_instant(row["logged_at"]),
        "method": row["method"],
        "path": row["path"],
        "status": row["status"],
        "errorCode": row["error_code"],
        "requestId": row["request_id"],
        "keyId": row["key_id"],
        "client": row["client"],
        "mode": row["mode"],
        "durationMs": row["duration_us"] / 1000,
        "detail": None if row["detail"] is None else json.loads(row["detail"]),
    }
