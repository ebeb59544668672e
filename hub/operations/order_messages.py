"""Questions about an order: what its affiliate and its merchant write to each other; the operator may answer, too."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.ids import new_id
from hub.operations.conversions import ConversionDetails, require_conversion
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import note_act
from hub.storage import Row, Store, Tx

Side = Literal["affiliate", "merchant", "operator"]

LONGEST_MESSAGE: Final = 2_000
MOST_MESSAGES: Final = 100
"""Messages about one order; whoever needs more should talk."""
THREADS: Final = 100


class MessageDocument(TypedDict):
    """A message; `author` is "affiliate", "merchant" or "operator", `readAt` when the other side first saw it."""

    id: str
    author: str
    text: str
    writtenAt: str
    readAt: str | None


class ThreadDocument(TypedDict):
    """An order that somebody wrote about, and how many messages were not seen yet.

    `unread` counts those to the affiliate, `unreadByMerchant` those from it.
    """

    conversionId: str
    commissionId: str
    externalOrderId: str
    merchantId: str
    merchantName: str
    affiliateId: str
    affiliateName: str
    mode: str
    messages: int
    unread: int
    unreadByMerchant: int
    lastAt: str


async def write_message(
    store: Store, clock: Clock, conversion_id: str, author: Side, text: str, *, owner: str | None = None
) -> list[MessageDocument]:
    """Add a message to the thread of an order and return all of it.

    `owner` bounds it to the orders of one affiliate or one account, as a page of theirs must. Raise `OperatorFault` if
    there is no such order, if nobody earned it, for an unusable text, and for one message too many.
    """
    written = checked_message(text)
    async with store.write() as tx:
        details = await _order(tx, conversion_id, author, owner)
        key = {"account_id": details.conversion.account_id, "conversion_id": conversion_id}
        if len(await tx.all("order_messages_of", **key)) >= MOST_MESSAGES:
            raise OperatorFault(f"There are {MOST_MESSAGES} messages about this order; please call each other.")
        now, message_id = clock(), new_id("msg")
        affiliate_id = details.conversion.affiliate_id
        await tx.run(
            "insert_order_message",
            message_id=message_id,
            affiliate_id=affiliate_id,
            author=author,
            text=written,
            now=now,
            **key,
        )
        after = {"messageId": message_id, "author": author, "affiliateId": affiliate_id}
        await note_act(tx, now, "conversion.message-written", conversion_id, after=after)
        await tx.run("read_order_messages", reader=author, now=now, **key)
        return [_message(row) for row in await tx.all("order_messages_of", **key)]


async def read_thread(
    store: Store, clock: Clock, conversion_id: str, reader: Side, *, owner: str | None = None
) -> list[MessageDocument]:
    """Return the messages about an order, oldest first, and note what its affiliate or merchant now has seen.

    `owner` is as in `write_message`. Raise `OperatorFault` if there is no such order.
    """
    async with store.read() as tx:
        details = await _order(tx, conversion_id, reader, owner)
        key = {"account_id": details.conversion.account_id, "conversion_id": conversion_id}
        rows = await tx.all("order_messages_of", **key)
    new = any(row["read_at"] is None and (row["author"] == "affiliate") != (reader == "affiliate") for row in rows)
    if new and reader != "operator":
        async with store.write() as tx:
            await tx.run("read_order_messages", reader=reader, now=clock(), **key)
    return [_message(row) for row in rows]


async def threads_of_affiliate(store: Store, affiliate_id: str) -> list[ThreadDocument]:
    """Return the orders that an affiliate wrote about, those with the newest message first."""
    async with store.read() as tx:
        rows = await tx.all("threads_of_affiliate", affiliate_id=affiliate_id, limit=THREADS)
    return [_thread(row) for row in rows]


async def threads_of_account(store: Store, account_id: str) -> list[ThreadDocument]:
    """Return the orders of an account that affiliates wrote about, those with the newest message first."""
    async with store.read() as tx:
        rows = await tx.all("threads_of_account", account_id=account_id, limit=THREADS)
    return [_thread(row) for row in rows]


def checked_message(text: str) -> str:
    """Return a text of 1 to 2,000 characters without the blanks around it, with no control characters but new lines."""
    written = text.strip()
    if not written or len(written) > LONGEST_MESSAGE:
        raise OperatorFault(f"A message has 1 to {LONGEST_MESSAGE:,} characters; this one has {len(written):,}.")
    if not all(char.isprintable() or char in "\n\t" for char in written):
        raise OperatorFault("A message has no control characters; type it anew instead of pasting it.")
    return written


async def _order(tx: Tx, conversion_id: str, side: Side, owner: str | None) -> ConversionDetails:
    details = await require_conversion(tx, conversion_id)
    found = details.conversion
    owned_by = found.affiliate_id if side == "affiliate" else found.account_id
    if owner not in (None, owned_by) or (side == "affiliate" and found.affiliate_id is None):
        raise unknown("conversion", conversion_id, "It may belong to somebody else.")
    if details.commission is None:
        raise OperatorFault(f"Nobody earns by {conversion_id}, so there is nobody to write to.")
    return details


def _message(row: Row) -> MessageDocument:
    return {
        "id": row["message_id"],
        "author": row["author"],
        "text": row["text"],
        "writtenAt": format_instant(row["written_at"]),
        "readAt": instant_or_none(row["read_at"]),
    }


def _thread(row: Row) -> ThreadDocument:
    return {
        "conversionId": row["conversion_id"],
        "commissionId": row["commission_id"],
        "externalOrderId": row["external_order_id"],
        "merchantId": row["merchant_id"],
        "merchantName": row["merchant_name"],
        "affiliateId": row["affiliate_id"],
        "affiliateName": row["affiliate_name"],
        "mode": row["mode"],
        "messages": row["messages"],
        "unread": row["unread"],
        "unreadByMerchant": row["unread_by_merchant"],
        "lastAt": format_instant(row["last_at"]),
    }
