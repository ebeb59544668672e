"""Whether an account takes signatures alone, or bearer tokens beside them."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.operations.references import account_of
from hub.operations.trail import note_act
from hub.storage import Store, Tx


class SignaturesDocument(TypedDict):
    """In which modes of a merchant only signed requests count, and tokens do not."""

    merchantId: str
    test: bool
    live: bool


async def signatures_of(store: Store, merchant: str) -> SignaturesDocument:
    """Return where a merchant requires signatures; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _document(tx, (await account_of(tx, merchant, "test"))["merchant_id"])


async def require_signatures(
    store: Store, clock: Clock, merchant: str, mode: str, *, required: bool
) -> SignaturesDocument:
    """Let only signatures count in a merchant's account, or tokens too; raise `OperatorFault` if it is unknown."""
    async with store.write() as tx:
        account = await account_of(tx, merchant, mode)
        before = await _document(tx, account["merchant_id"])
        await tx.run("set_signed_only", account_id=account["account_id"], signed_only=int(required))
        after = await _document(tx, account["merchant_id"])
        if after != before:
            await note_act(tx, clock(), "merchant.signatures-set", account["merchant_id"], before=before, after=after)
        return after


async def _document(tx: Tx, merchant_id: str) -> SignaturesDocument:
    rows = {row["mode"]: bool(row["signed_only"]) for row in await tx.all("signed_only", merchant_id=merchant_id)}
    return {"merchantId": merchant_id, "test": rows["test"], "live": rows["live"]}
