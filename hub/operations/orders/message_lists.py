"""What a store sent to an account: its messages by their outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from attrs import evolve

from hub.operations.lists import List, Page, Wanted, read
from hub.operations.orders.order_explanations import OrderMessage, message_of
from hub.operations.references import like_pattern
from hub.storage import Store

MESSAGES: Final = List("messages")
REPLAYABLE: Final = ("FAILED", "UNMATCHED", "PARKED")
"""The outcomes of what the hub could not use, to which an index leads."""


class ListedMessage(NamedTuple):
    """A message in a list; times are in ms UTC, `explanation` is JSON."""

    event_id: str
    type: str
    kind: str | None
    status: str
    external_event_id: str | None
    external_order_id: str | None
    conversion_id: str | None
    received_at: int
    processed_at: int | None
    due_at: int | None
    attempts: int
    explanation: str | None
    connection_id: str | None
    topic: str | None

    @property
    def skip_reason(self) -> str | None:
        """Why nothing followed from it, or why it failed."""
        found: dict[str, Any] = {} if self.explanation is None else json.loads(self.explanation)
        reason: str | None = found.get("skipReason")
        return reason

    @property
    def is_replayable(self) -> bool:
        """Whether it may be queued again."""
        return self.status in REPLAYABLE


async def list_messages(store: Store, account_id: str, wanted: Wanted) -> Page[ListedMessage]:
    """Return a part of an account's messages by `status`, `type` and `text`, a part of the order's or delivery's id.

    Raise `CursorFault` for a cursor of anything else.
    """
    status, text = wanted.filters.get("status"), wanted.filters.get("text")
    filters = {
        "unused" if status in REPLAYABLE else "status": status,
        "type": wanted.filters.get("type"),
        "text": None if text is None else like_pattern(str(text)),
    }
    page = await read(store, MESSAGES, evolve(wanted, filters=filters), within={"account_id": account_id})
    return page.of(lambda row: ListedMessage(*(row[name] for name in ListedMessage._fields)))


async def message_of_account(
    store: Store, account_id: str, event_id: str
) -> tuple[OrderMessage, str | None, Mapping[str, str]] | None:
    """Return a message, the conversion that it belongs to, and its headers; None if the account has no such message."""
    async with store.read() as tx:
        rows = await tx.all("messages_of_order", events=[(account_id, event_id)])
        if not rows:
            return None
        headers = await tx.one("message_headers", account_id=account_id, event_id=event_id)
    stored = None if headers is None else headers["headers"]
    return message_of(rows[0]), rows[0]["conversion_id"], {} if stored is None else json.loads(stored)
