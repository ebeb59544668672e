"""The newest deliveries of a connection: what the platform sent, and what became of it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

from attrs import frozen

from hub.intake.stored_body import raw_body
from hub.operations.orders.events import NOT_REPLAYABLE
from hub.storage import Row, Store

NEWEST: Final = 25
LONGEST_BODY: Final = 8_000
"""How many characters of a body are shown."""


@frozen(kw_only=True)
class ArrivedDelivery:
    """A delivery; `body` is its text, shortened, None once it is deleted. `reason` says why it changed nothing."""

    event_id: str
    topic: str | None
    status: str
    received_at: int
    external_order_id: str | None
    reason: str | None
    headers: dict[str, str]
    body: str | None
    replayable: bool


async def newest_deliveries(store: Store, account_id: str, connection_id: str) -> list[ArrivedDelivery]:
    """Return the newest deliveries of an account's connection, newest first."""
    async with store.read() as tx:
        rows = await tx.all(
            "deliveries_of_connection", account_id=account_id, connection_id=connection_id, limit=NEWEST
        )
    return [_delivery(row) for row in rows]


def _delivery(row: Row) -> ArrivedDelivery:
    explanation: dict[str, Any] = {} if row["explanation"] is None else json.loads(row["explanation"])
    return ArrivedDelivery(
        event_id=row["event_id"],
        topic=row["topic"],
        status=row["status"],
        received_at=row["received_at"],
        external_order_id=row["external_order_id"],
        reason=explanation.get("skipReason"),
        headers={} if row["headers"] is None else json.loads(row["headers"]),
        body=None if row["body"] is None else _shown(row["body"]),
        replayable=row["body"] is not None and row["status"] not in NOT_REPLAYABLE,
    )


def _shown(body: str) -> str:
    """Return a body as a person reads it: JSON with line breaks, anything else as it came."""
    text = raw_body(body).decode("utf-8", "replace")
    with suppress(ValueError):
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return text if len(text) <= LONGEST_BODY else text[:LONGEST_BODY] + "\n… (shortened)"
