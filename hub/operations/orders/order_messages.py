"""Questions about an order: what its affiliate and its merchant write to each other; the operator may answer, too."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.words import Side
from hub.domain.writing import hidden_in, tidied
from hub.ids import new_id
from hub.mail.outbox import Mail, Outbox
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.errors import OperatorFault, unknown
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.merchants.merchants import require_merchant
from hub.operations.notices import tell
from hub.operations.orders.conversions import ConversionDetails, require_conversion
from hub.operations.trail import note_act
from hub.records.order_messages import MessageDocument, ThreadDocument, message_document, thread_document
from hub.storage import Store, Tx

LONGEST_MESSAGE: Final = 2_000
MOST_MESSAGES: Final = 100
"""Messages about one order; whoever needs more should talk."""
THREADS: Final = List("threads")


@frozen
class Notices:
    """How the other side learns of a message: by a mail with the address of the thread under the hub's `root`."""

    outbox: Outbox
    root: str


async def write_message(
    store: Store,
    clock: Clock,
    conversion_id: str,
    author: Side,
    text: str,
    *,
    owner: str | None = None,
    notices: Notices | None = None,
) -> list[MessageDocument]:
    """Add a message to the thread of an order and return all of it.

    `owner` bounds it to the orders of one affiliate or one account, as a page of theirs must. With `notices` the other
    side gets a mail, unless it has not seen the message before. Raise `OperatorFault` if there is no such order, if
    nobody earned it, for an unusable text, and for one message too many.
    """
    written = checked_message(text)
    async with store.write() as tx:
        details = await _order(tx, conversion_id, author, owner)
        key = {"account_id": details.conversion.account_id, "conversion_id": conversion_id}
        before = await tx.all("order_messages_of", **key)
        if len(before) >= MOST_MESSAGES:
            raise OperatorFault(
                f"There are {MOST_MESSAGES} messages about this order; please talk to each other directly."
            )
        now = clock()
        await _add(tx, now, details, author, written)
        await tx.run("read_order_messages", reader=author, now=now, **key)
        await _tell(tx, now, details, author)
        is_noticed = any(row["read_at"] is None and _is_of(row["author"], author) for row in before)
        if notices is not None and not is_noticed:
            await notices.outbox.add(tx, now, await _notice(tx, notices.root, details, author))
        return [message_document(row) for row in await tx.all("order_messages_of", **key)]


async def _add(tx: Tx, now: int, details: ConversionDetails, author: Side, text: str) -> None:
    conversion, message_id = details.conversion, new_id("msg")
    await tx.run(
        "insert_order_message",
        account_id=conversion.account_id,
        conversion_id=conversion.conversion_id,
        message_id=message_id,
        affiliate_id=conversion.affiliate_id,
        author=author,
        text=text,
        now=now,
    )
    after = {"messageId": message_id, "author": author, "affiliateId": conversion.affiliate_id}
    await note_act(tx, now, "conversion.message-written", conversion.conversion_id, after=after)


async def _tell(tx: Tx, now: int, details: ConversionDetails, author: Side) -> None:
    """Tell the other side; the mail about it goes to the address of the party."""
    conversion, order = details.conversion, details.conversion.external_order_id
    if author == "affiliate":
        place = f"/merchant/questions/{conversion.conversion_id}?mode={details.mode}"
        await tell(tx, now, "question-asked", details.merchant_id, f"A partner asks about order {order}.", place)
    elif conversion.affiliate_id is not None and details.commission is not None:
        place = f"/affiliate/commissions/{details.commission.commission_id}"
        words = f"Your question about order {order} is answered."
        await tell(tx, now, "question-answered", conversion.affiliate_id, words, place)


def _is_of(author: str, side: str) -> bool:
    return (author == "affiliate") == (side == "affiliate")


async def _notice(tx: Tx, root: str, details: ConversionDetails, author: Side) -> Mail:
    """Return the mail to the other side: it names the order, and the message itself is read after signing in."""
    order = details.conversion.external_order_id
    if author == "affiliate":
        recipient = (await require_merchant(tx, details.merchant_id)).email
        place, who = f"/merchant/questions/{details.conversion.conversion_id}?mode={details.mode}", "An affiliate asks"
    else:
        recipient = (await require_affiliate(tx, str(details.conversion.affiliate_id)))["email"]
        commission_id = "" if details.commission is None else details.commission.commission_id
        place = f"/affiliate/commissions/{commission_id}"
        who = f"{details.merchant_name} answered" if author == "merchant" else "The network's operator wrote"
    values = {"title": f"About order {order}", "sentence": f"{who} about order {order}. Read it and answer here:"}
    return Mail(recipient, "question", values, link=f"{root.rstrip('/')}{place}")


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
    new = any(row["read_at"] is None and not _is_of(row["author"], reader) for row in rows)
    if new and reader != "operator":
        async with store.write() as tx:
            await tx.run("read_order_messages", reader=reader, now=clock(), **key)
    return [message_document(row) for row in rows]


async def threads_of_affiliate(store: Store, affiliate_id: str, wanted: Wanted) -> Page[ThreadDocument]:
    """Return a part of the orders that an affiliate wrote about, those with the newest message first."""
    return (await read(store, THREADS, wanted, {"affiliate_id": affiliate_id})).of(thread_document)


async def threads_of_account(store: Store, account_id: str, wanted: Wanted) -> Page[ThreadDocument]:
    """Return a part of an account's orders that affiliates wrote about, those with the newest message first."""
    return (await read(store, THREADS, wanted, {"account_id": account_id})).of(thread_document)


async def thread_of_account(store: Store, account_id: str, conversion_id: str) -> ThreadDocument | None:
    """Return the thread of one order of an account; None if nobody wrote about it."""
    async with store.read() as tx:
        row = await tx.one("thread_of_order", account_id=account_id, conversion_id=conversion_id)
    return None if row is None else thread_document(row)


def checked_message(text: str) -> str:
    """Return a text of 1 to 2,000 characters without the blanks around it, with no control characters but new lines."""
    written = tidied(text.replace("\r\n", "\n"))
    if not written or len(written) > LONGEST_MESSAGE:
        raise OperatorFault(f"A message has 1 to {LONGEST_MESSAGE:,} characters; this one has {len(written):,}.")
    if hidden_in(written, "\n\t"):
        raise OperatorFault("A message has no control characters; type it instead of pasting it.")
    return written


async def _order(tx: Tx, conversion_id: str, side: Side, owner: str | None) -> ConversionDetails:
    details = await require_conversion(tx, conversion_id)
    found = details.conversion
    owned_by = found.affiliate_id if side == "affiliate" else found.account_id
    if owner not in (None, owned_by) or (side == "affiliate" and found.affiliate_id is None):
        raise unknown("conversion", conversion_id, "It may belong to someone else.")
    if details.commission is None:
        raise unknown("commission", conversion_id, "No one earns from this order, so there is no one to write to.")
    return details
