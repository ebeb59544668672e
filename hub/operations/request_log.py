"""The request log: what a merchant sent, what the hub answered and what was wrong with it."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from hub.domain.instants import format_instant
from hub.operations.merchants import account_of
from hub.storage import Row, Store


class RequestDocument(TypedDict):
    """A request; `status` is the HTTP status, `durationMs` is in milliseconds, `detail` says what was wrong."""

    at: str
    method: str
    path: str
    status: int
    errorCode: str | None
    requestId: str
    keyId: str | None
    client: str
    mode: str | None
    durationMs: float
    detail: dict[str, Any] | None


async def read_log(store: Store, merchant_id: str, *, errors_only: bool, limit: int) -> list[RequestDocument]:
    """Return at most `limit` requests of a merchant in both modes, newest first.

    Raise `OperatorFault` if the merchant is unknown.
    """
    query = "errors_of_merchant" if errors_only else "log_of_merchant"
    async with store.read() as tx:
        found = (await account_of(tx, merchant_id, "test"))["merchant_id"]
        return [_document(row) for row in await tx.all(query, merchant_id=found, limit=limit)]


async def read_strangers_log(store: Store, *, limit: int) -> list[RequestDocument]:
    """Return at most `limit` requests of an unknown sender (one with an unknown key, say), newest first."""
    async with store.read() as tx:
        return [_document(row) for row in await tx.all("log_of_strangers", limit=limit)]


def _document(row: Row) -> RequestDocument:
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
