"""What people write about an order, and the questions about it that the hub may not decide."""

from __future__ import annotations

from typing import Annotated, Any

from attrs import frozen

from hub.domain.words import Mode, Side
from hub.records.orders import CONVERSION, MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class MessageDocument:
    """A message; `author` is "affiliate", "merchant" or "operator", `read_at` when the other side first saw it."""

    id: Annotated[str, Note("The hub's id.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d98")]
    author: Annotated[Side, Note("Which side wrote it.", "affiliate")]
    text: Annotated[str, Note("What was written.", "Why so little?")]
    written_at: Annotated[int, Instant("When it was written.", NOON)]
    read_at: Annotated[int | None, Instant("When the other side first saw it; null until then.", "")]


def message_document(row: Row) -> MessageDocument:
    """Return the message of a row of `order_messages_of`."""
    return read_row(MessageDocument, row, id=row["message_id"])


@frozen(kw_only=True)
class OrderReviewDocument:
    """A question about an order; `details` are what the shop states otherwise, if that is the question."""

    conversion_id: Annotated[str, Note("The order.", CONVERSION)]
    external_order_id: Annotated[str, Note("The shop's number of the order.", "ORDER-1042")]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    reason: Annotated[str, Note("What is asked, a word.", "changed_after_payable")]
    details: Annotated[dict[str, Any], Note("What the shop states otherwise, by name.", {})]
    event_id: Annotated[str, Note("The delivery that raised it.", "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d85")]
    opened_at: Annotated[int, Instant("When it was raised.", NOON)]
    closed_at: Annotated[int | None, Instant("When a person closed it; null while it is open.", "")]
    note: Annotated[str | None, Note("What was done; null while it is open.")]


def order_review_document(row: Row) -> OrderReviewDocument:
    """Return the question of a row of the list `questions`."""
    return read_row(OrderReviewDocument, row)
