"""A second report of an order with another amount: answered as a duplicate, and named in the request log."""

from __future__ import annotations

from decimal import Decimal

import orjson

from hub.domain.money import to_minor
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.processing.other_amounts import other_amount


async def name_other_amount(call: Call, reply: Reply) -> Reply:
    """Return the answer to a duplicate with `amountDiffers` for the request log if it states another amount.

    The question to a person is the worker's (hub/processing/other_amounts.py). Until it has decided the first report,
    the body of that report is compared.
    """
    account_id, order, own = call.caller.account_id, call.body, call.caller.merchant.currency
    known = await call.services.store.fetch_one(
        "reported_order", account_id=account_id, external_order_id=order.external_order_id
    )
    if known is None:
        return reply
    if known["order_minor"] is not None:
        minor, currency = known["order_minor"], known["currency"]
    elif known["body"] is not None:
        first = orjson.loads(known["body"])
        currency = first.get("currency") or own
        minor = to_minor(Decimal(first["orderAmount"]), currency)
    else:
        return reply
    found = other_amount(minor, currency, Decimal(order.order_amount), order.currency or own)
    return reply if found is None else reply._replace(detail={**(reply.detail or {}), "amountDiffers": found})
