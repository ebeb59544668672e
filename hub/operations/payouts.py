"""Payouts: a payable commission is paid once, under a reference of the payment."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.operations.checks import checked_reference
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import note_act
from hub.storage import Row, Store, Tx


class PayoutDocument(TypedDict):
    """A commission with its payout; `amount` and `base` are decimal text in `currency`."""

    id: str
    state: str
    amount: str
    currency: str
    base: str
    source: str
    affiliateId: str
    conversionId: str
    holdUntil: str | None
    paidAt: str | None
    reference: str | None


class ListedCommission(PayoutDocument):
    """A commission in a list, with the account that owes it."""

    merchantId: str
    mode: str


async def pay_commission(store: Store, clock: Clock, commission_id: str, reference: str) -> PayoutDocument:
    """Mark a PAYABLE commission as PAID under a reference; the same reference again changes nothing.

    Raise `OperatorFault` in any other state. The order is locked: a refund being processed comes before or after.
    """
    payment = checked_reference(reference)
    async with store.write() as tx:
        order = await _commission(tx, commission_id)
        await tx.lock_orders([(order["account_id"], order["external_order_id"])])
        now = clock()
        paid = await tx.run(
            "pay_commission",
            account_id=order["account_id"],
            commission_id=commission_id,
            reference=payment,
            now=now,
        )
        commission = await _commission(tx, commission_id)
        if not paid:
            _refuse_other_payment(commission, payment)
            return _document(commission)
        after = _document(commission)
        await note_act(tx, now, "commission.paid", commission_id, before=_document(order), after=after)
        return after


def _refuse_other_payment(commission: Row, reference: str) -> None:
    name, state = commission["commission_id"], commission["state"]
    if state != "PAID":
        until = instant_or_none(commission["hold_until"])
        held = f" It is held until {until}." if until is not None and state in ("HOLD", "APPROVED") else ""
        raise OperatorFault(f"Commission {name} is {state}; only a PAYABLE one can be paid.{held}")
    if commission["payout_reference"] != reference:
        raise OperatorFault(
            f"Commission {name} was PAID already, on {format_instant(commission['paid_at'])} "
            f"under the reference {commission['payout_reference']!r}; nothing was done."
        )


async def list_commissions(
    store: Store, *, state: str | None, affiliate_id: str | None, merchant_id: str | None, limit: int
) -> list[ListedCommission]:
    """Return at most `limit` commissions, newest first, those that match every filter that is not None."""
    async with store.read() as tx:
        rows = await tx.all(
            "commissions_listed", state=state, affiliate_id=affiliate_id, merchant_id=merchant_id, limit=limit
        )
    return [{**_document(row), "merchantId": row["merchant_id"], "mode": row["mode"]} for row in rows]


async def _commission(tx: Tx, commission_id: str) -> Row:
    row = await tx.one("commission_anywhere", commission_id=commission_id)
    if row is None:
        raise unknown("commission", commission_id, "`hub commission list` shows them.")
    return row


def _document(row: Row) -> PayoutDocument:
    return {
        "id": row["commission_id"],
        "state": row["state"],
        "amount": format_money(row["amount_minor"], row["currency"]),
        "currency": row["currency"],
        "base": format_money(row["base_minor"], row["currency"]),
        "source": row["source"],
        "affiliateId": row["affiliate_id"],
        "conversionId": row["conversion_id"],
        "holdUntil": instant_or_none(row["hold_until"]),
        "paidAt": instant_or_none(row["paid_at"]),
        "reference": row["payout_reference"],
    }
