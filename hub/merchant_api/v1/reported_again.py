"""A second report of an order with another amount: answered as a duplicate, and a question to a person."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import orjson

from hub.domain.money import format_money, to_minor
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.processing.ledger_rows import OrderReview
from hub.processing.snapshots import review_key
from hub.storage import Tx

AMOUNT_DIFFERS = "amount_differs"


async def note_other_amount(call: Call, reply: Reply) -> Reply:
    """Open a review if a duplicate states another amount or currency than the order has; the answer stays as it is.

    The request log gets `amountDiffers` with both amounts, and so does the explanation of the event that was first.
    """
    account_id, order = call.caller.account_id, call.body
    known = await call.services.store.fetch_one(
        "reported_order", account_id=account_id, external_order_id=order.external_order_id
    )
    if known is None:
        return reply
    currency = order.currency or call.caller.merchant.currency
    minor = to_minor(Decimal(order.order_amount), currency)
    if (minor, currency) == (known["order_minor"], known["currency"]):
        return reply
    found = {
        "stored": format_money(known["order_minor"], known["currency"]), "storedCurrency": known["currency"],
        "reported": format_money(minor, currency), "reportedCurrency": currency,
    }  # fmt: skip
    key = review_key(AMOUNT_DIFFERS, found)
    review = OrderReview(account_id, known["conversion_id"], key, known["event_id"], AMOUNT_DIFFERS,
                         orjson.dumps(found).decode(), call.received_at)  # fmt: skip

    async def work(tx: Tx) -> None:
        if await tx.run("open_order_reviews", reviews=[review]):
            row = await tx.one("explanation_of", account_id=account_id, event_id=known["event_id"])
            if row is not None and row["explanation"] is not None:
                explanation: dict[str, Any] = {**orjson.loads(row["explanation"]), "amountDiffers": found}
                await tx.run("explain_event", account_id=account_id, event_id=known["event_id"],
                             explanation=orjson.dumps(explanation).decode())  # fmt: skip

    await call.services.store.transact(work)
    return reply._replace(detail={**(reply.detail or {}), "amountDiffers": found})
