"""What a store sent to an account: its messages by their outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from attrs import frozen

from hub.operations.keyset import DEPTH, Cursor, Reader, Slice, read_slice
from hub.operations.orders.order_explanations import OrderMessage, message_of
from hub.operations.references import like_pattern
from hub.storage import Store, Tx

REPLAYABLE: Final = ("FAILED", "UNMATCHED", "PARKED")


@frozen
class MessageFilter:
    """Which messages are wanted; None is no condition, `text` is a part of the order's or the delivery's id."""

    status: str | None = None
    type: str | None = None
    text: str | None = None


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


async def list_messages(store: Store, account_id: str, wanted: MessageFilter, cursor: Cursor) -> Slice[ListedMessage]:
    """Return a page of an account's messages, the newest first."""
    async with store.read() as tx:
        if wanted == MessageFilter("FAILED") or wanted == MessageFilter("PARKED"):
            return await read_slice(_indexed(tx, account_id, wanted.status == "FAILED"), cursor)
        return await read_slice(_scanned(tx, account_id, wanted), cursor)


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


def _indexed(tx: Tx, account_id: str, failed: bool) -> Reader[ListedMessage]:
    """Return how messages are read that an index leads to, however few they are."""

    async def below(start: str, limit: int) -> Sequence[ListedMessage]:
        if failed:
            return await tx.records(
                ListedMessage, "failed_messages_below", account_id=account_id, cursor=start, limit=limit
            )
        return await tx.records(
            ListedMessage, "parked_messages_below", account_id=account_id, cursor=start, limit=limit
        )

    async def above(start: str, limit: int) -> Sequence[ListedMessage]:
        if failed:
            return await tx.records(
                ListedMessage, "failed_messages_above", account_id=account_id, cursor=start, limit=limit
            )
        return await tx.records(
            ListedMessage, "parked_messages_above", account_id=account_id, cursor=start, limit=limit
        )

    async def no_edge(_start: str) -> str | None:
        return None

    return Reader(below, above, no_edge, no_edge, lambda message: message.event_id)


def _scanned(tx: Tx, account_id: str, wanted: MessageFilter) -> Reader[ListedMessage]:
    values = {
        "account_id": account_id,
        "status": wanted.status,
        "type": wanted.type,
        "text": None if wanted.text is None else like_pattern(wanted.text),
    }
    filtered = wanted != MessageFilter()

    async def below(start: str, limit: int) -> Sequence[ListedMessage]:
        depth = DEPTH if filtered else limit
        return await tx.records(ListedMessage, "messages_below", **values, cursor=start, limit=limit, depth=depth)

    async def above(start: str, limit: int) -> Sequence[ListedMessage]:
        depth = DEPTH if filtered else limit
        return await tx.records(ListedMessage, "messages_above", **values, cursor=start, limit=limit, depth=depth)

    async def edge_below(start: str) -> str | None:
        row = await tx.one("message_at_depth_below", account_id=account_id, cursor=start, offset=DEPTH - 1)
        return None if row is None or not filtered else str(row["id"])

    async def edge_above(start: str) -> str | None:
        row = await tx.one("message_at_depth_above", account_id=account_id, cursor=start, offset=DEPTH - 1)
        return None if row is None or not filtered else str(row["id"])

    return Reader(below, above, edge_below, edge_above, lambda message: message.event_id)
