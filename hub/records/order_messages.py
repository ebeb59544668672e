"""What an affiliate, a merchant and the operator write to each other about an order."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import Side
from hub.records.orders import NOON
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
