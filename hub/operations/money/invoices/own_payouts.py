"""What an affiliate sees of payouts: the released runs that pay it, and its statements of them."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.operations.errors import unknown
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.money.invoices.statements import StatementDocument, affiliate_statement
from hub.operations.money.payouts.payout_documents import require_run, sent_document
from hub.sealing import Sealer
from hub.storage import Row, Store

OWN_PAYOUTS: Final = List("own_payouts")
PUBLISHED = ("RELEASED", "SETTLED")


class OwnPayout(TypedDict):
    """What a run pays an affiliate in one currency; `amount` is decimal text, `carriedReason` why it waits instead.

    `sentCurrency`, `sentAmount` and `exchangeRate` are what is sent in another currency; null if it is sent as it is.
    """

    payoutId: str
    releasedAt: str
    currency: str
    amount: str
    status: str
    carriedReason: str | None
    reference: str | None
    returnedReason: str | None
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


async def own_payouts(store: Store, affiliate_id: str, mode: str, wanted: Wanted) -> Page[OwnPayout]:
    """Return a part of the payments of released runs to an affiliate, newest first; raise `CursorFault`."""
    return (await read(store, OWN_PAYOUTS, wanted, {"affiliate_id": affiliate_id, "mode": mode})).of(_own)


def _own(row: Row) -> OwnPayout:
    return {
        "payoutId": row["payout_id"],
        "releasedAt": format_instant(row["released_at"]),
        "currency": row["currency"],
        "amount": format_money(row["amount_minor"], row["currency"]),
        "status": row["status"],
        "carriedReason": row["carried"],
        "reference": row["reference"],
        "returnedReason": row["returned"],
        **sent_document(row),
    }


async def own_statement(
    store: Store, sealer: Sealer, payout_id: str, affiliate_id: str, issuer: str
) -> StatementDocument:
    """Return an affiliate's statement of a run that is released; raise `OperatorFault` for any other."""
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
    if run["status"] not in PUBLISHED:
        raise unknown("payout", payout_id, "It may not be released yet.")
    return await affiliate_statement(store, sealer, payout_id, affiliate_id, issuer)
