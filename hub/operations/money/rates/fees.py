"""The network's fee of each merchant, in percent of what affiliates are paid; each version says who set it and when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.domain.money import MoneyError, parse_percentage
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_in
from hub.operations.references import merchant_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Row, Store, Tx


class FeeDocument(TypedDict):
    """A merchant's fee in percent, since when it holds, and who set it."""

    merchantId: str
    percentage: str
    since: str
    setBy: str


async def set_fee(store: Store, clock: Clock, merchant: str, percentage: str) -> FeeDocument:
    """Set a merchant's fee from now on; the fee that is in force stays as it is.

    Raise `OperatorFault` for anything but a percentage of 0 to 100.
    """
    try:
        parse_percentage(percentage)
    except MoneyError as fault:
        raise OperatorFault(f"The fee {percentage!r} {fault}.") from None
    async with store.write() as tx:
        merchant_id, now = await merchant_id_of(tx, merchant), clock()
        actor = current_actor().id
        in_force = await tx.all("fee_history", merchant_id=merchant_id)
        if in_force and in_force[0]["percentage"] == percentage:
            return _document(merchant_id, in_force[0])
        await tx.run("put_fee", merchant_id=merchant_id, percentage=percentage, set_by=actor, now=now)
        await note_rows(tx, now, {"merchant_fees": [(merchant_id, now)]})
        document: FeeDocument = {
            "merchantId": merchant_id, "percentage": percentage, "since": format_instant(now), "setBy": actor
        }  # fmt: skip
        await note_act(tx, now, "fee.set", merchant_id, after=document)
        return document


async def fee_history(store: Store, merchant: str) -> list[FeeDocument]:
    """Return every fee of a merchant, the one in force first."""
    async with store.read() as tx:
        merchant_id = await merchant_id_of(tx, merchant)
        rows = await tx.all("fee_history", merchant_id=merchant_id)
    return [_document(merchant_id, row) for row in rows]


def _document(merchant_id: str, row: Row) -> FeeDocument:
    return {
        "merchantId": merchant_id,
        "percentage": row["percentage"],
        "since": format_instant(row["valid_from"]),
        "setBy": row["set_by"],
    }


async def fees_at_payment(tx: Tx, accounts: Iterable[str], now: int) -> dict[str, str]:
    """Return the fee in percent that a payment at `now` (ms UTC) is charged, for those accounts that have one.

    It is none where merchants are billed what becomes payable: that was charged then.
    """
    return {} if (await books_in(tx))["billed"] == "payable" else await fees_of(tx, accounts, now)


async def fees_of(tx: Tx, accounts: Iterable[str], now: int) -> dict[str, str]:
    """Return the network's fee in percent of those of these accounts that have one, at `now` (ms UTC)."""
    rows = await tx.all("fees_of", accounts=sorted(set(accounts)), now=now)
    return {row["account_id"]: row["percentage"] for row in rows}
