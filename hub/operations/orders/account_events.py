"""The events of one account, page by page, as the API's event lookup shows each of them."""

from __future__ import annotations

import json
from typing import Any

from attrs import frozen

from hub.intake.submission import status_claims_of
from hub.operations.orders.account_lists import Listed, Queries, Window, read_rows
from hub.records.events import ListedEvent
from hub.records.rows import read_row
from hub.storage import Row, Store

EVENTS: Queries = ("events_of_account_above", "events_of_account_below")
FAILED_EVENTS: Queries = ("failed_events_of_account_above", "failed_events_of_account_below")
EVENTS_OF_ORDER: Queries = ("events_of_order_above", "events_of_order_below")
UNDECIDED = {"attribution": None, "commission": None, "skipReason": None}


@frozen
class AccountEventFilter:
    """Which events of an account are wanted; None is no condition. Moments are in milliseconds UTC.

    `order_id` is the merchant's own; a webhook counts to an order once it was read.
    """

    status: str | None = None
    type: str | None = None
    kind: str | None = None
    order_id: str | None = None
    created_from: int | None = None
    created_to: int | None = None


async def list_account_events(
    store: Store, account_id: str, wanted: AccountEventFilter, window: Window
) -> Listed[ListedEvent]:
    """Return a part of an account's events; raise `CursorFault`."""
    values: dict[str, Any] = {
        "account_id": account_id,
        "type": wanted.type,
        "kind": wanted.kind,
        "created_from": wanted.created_from,
        "created_to": wanted.created_to,
    }
    queries = EVENTS
    if wanted.order_id is not None:
        claims_from, claims_to = status_claims_of(wanted.order_id)
        values |= {"external_order_id": wanted.order_id, "claims_from": claims_from, "claims_to": claims_to}
        queries = EVENTS_OF_ORDER
    elif wanted.status == "FAILED":
        queries = FAILED_EVENTS
    if queries is not FAILED_EVENTS:
        values["status"] = wanted.status
    async with store.read() as tx:
        rows, cursor = await read_rows(tx, queries, values, window, "event_id")
    return Listed([_listed(row) for row in rows], cursor)


def _listed(row: Row) -> ListedEvent:
    explanation = UNDECIDED if row["explanation"] is None else json.loads(row["explanation"])
    return read_row(ListedEvent, row, duplicate=False, explanation=explanation)
