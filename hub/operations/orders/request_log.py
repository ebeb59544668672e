"""The request log: what a merchant sent, what the hub answered and what was wrong with it."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from hub.domain.instants import format_instant
from hub.operations.errors import OperatorFault
from hub.operations.references import account_of
from hub.storage import Row, Store

LAST_AT = 2**62
"""Later than every request."""


class RequestDocument(TypedDict):
    """A request; `id` is its place in the log, `status` the HTTP status, `detail` what was wrong.

    `durationMs` is in milliseconds.
    """

    id: str
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


async def read_log(
    store: Store, merchant_id: str, *, errors_only: bool, limit: int, before: str | None = None
) -> list[RequestDocument]:
    """Return at most `limit` requests of a merchant in both modes, newest first, those older than `before`, an id.

    Raise `OperatorFault` if the merchant is unknown or `before` is not an id.
    """
    query = "errors_of_merchant" if errors_only else "log_of_merchant"
    async with store.read() as tx:
        found = (await account_of(tx, merchant_id, "test"))["merchant_id"]
        return [request_document(row) for row in await tx.all(query, merchant_id=found, limit=limit, **_place(before))]


async def read_strangers_log(store: Store, *, limit: int, before: str | None = None) -> list[RequestDocument]:
    """Return at most `limit` requests of an unknown sender (one with an unknown key, say), as `read_log` does."""
    async with store.read() as tx:
        return [request_document(row) for row in await tx.all("log_of_strangers", limit=limit, **_place(before))]


def _place(before: str | None) -> dict[str, Any]:
    """Return the time and the row's id that a request's id consists of; without one, those behind all."""
    if before is None:
        return {"before_at": LAST_AT, "before_id": ""}
    at, dash, log_id = before.partition("-")
    if not dash or not at.isdecimal() or not at.isascii():
        raise OperatorFault(f"{before!r} is not the id of a request in the log; take it from the list's last line.")
    return {"before_at": int(at), "before_id": log_id}


def request_document(row: Row) -> RequestDocument:
    """Return the document of a row of the request log."""
    return {
        "id": f"{row['logged_at']}-{row['log_id']}",
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
