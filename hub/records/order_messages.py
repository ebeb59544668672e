"""What people write about an order, and the questions about it that the hub may not decide."""

from __future__ import annotations

from typing import Annotated, Any

from attrs import frozen

from hub.domain.words import Mode, Side
from hub.records.explanations import AFFILIATE
from hub.records.orders import COMMISSION, CONVERSION, MERCHANT, NOON
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
class ThreadDocument:
    """An order that somebody wrote about, and how many messages were not seen yet."""

    conversion_id: Annotated[str, Note("The order.", CONVERSION)]
    commission_id: Annotated[str, Note("What the affiliate earns from it.", COMMISSION)]
    external_order_id: Annotated[str, Note("The shop's number of the order.", "ORDER-1042")]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Fjord & Fern")]
    affiliate_id: Annotated[str, Note("The affiliate.", AFFILIATE)]
    affiliate_name: Annotated[str, Note("The affiliate's name.", "Ann")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    messages: Annotated[int, Note("How many messages there are.", 2)]
    unread: Annotated[int, Note("How many of those to the affiliate it has not seen.", 1)]
    unread_by_merchant: Annotated[int, Note("How many of the affiliate's the merchant has not seen.", 0)]
    last_at: Annotated[int, Instant("When the last one was written.", NOON)]


def thread_document(row: Row) -> ThreadDocument:
    """Return the order of a row of the list `threads`."""
    return read_row(ThreadDocument, row)


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
