"""What affiliates choose of how they are paid: a minimum of their own, in which currencies, exchanged, or to wait.

The way of being paid is the payee's (hub/operations/money/payees/payees.py). What a draft has reserved already is paid.
"""

from __future__ import annotations

import json
from typing import TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.domain.payouts.payouts import amounts_by_currency
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import checked_currency
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Store, Tx


class PayoutTerms(TypedDict):
    """What an affiliate chose: `minimum` like 25 or EUR:25, empty: the network's alone; no `currencies`: all of them.

    What is earned in other currencies is exchanged into `paidIn`, and the rest of it is about what is sent then; empty:
    it is paid in what it earned. With `waits` runs carry all its balances on until it says otherwise. `setBy` and
    `setAt` are null if it never chose.
    """

    affiliateId: str
    minimum: str
    currencies: list[str]
    waits: bool
    paidIn: str
    setBy: str | None
    setAt: str | None


async def show_terms(store: Store, affiliate: str) -> PayoutTerms:
    """Return what an affiliate chose; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _document(tx, (await require_affiliate(tx, affiliate))["affiliate_id"])


async def set_terms(
    store: Store, clock: Clock, affiliate: str, *, minimum: str = "", currencies: str = "", waits: bool = False,
    paid_in: str = "",
) -> PayoutTerms:  # fmt: skip
    """Set how an affiliate is paid from now on, all of it; the same again changes nothing.

    `currencies` are ISO 4217 codes with commas between them, `paid_in` is one. Raise `OperatorFault` if the affiliate
    is unknown, for a minimum of another form and for what is no currency.
    """
    if minimum.strip():
        try:
            amounts_by_currency(minimum.strip())
        except ValueError as fault:
            raise OperatorFault(f"The minimum {minimum!r} {fault}; write it like 25 or EUR:25,JPY:3000.") from None
    codes = sorted({checked_currency(code) for code in currencies.replace(" ", "").split(",") if code})
    paid_in = checked_currency(paid_in.strip()) if paid_in.strip() else ""
    async with store.write() as tx:
        affiliate_id, now = (await require_affiliate(tx, affiliate))["affiliate_id"], clock()
        before = await _document(tx, affiliate_id)
        chosen = {"minimum": minimum.strip(), "currencies": codes, "waits": waits, "paidIn": paid_in}
        if all(before[name] == value for name, value in chosen.items()):  # type: ignore[literal-required]  # its names
            return before
        await tx.run(
            "put_payout_terms", affiliate_id=affiliate_id, minimum=minimum.strip(), currencies=json.dumps(codes),
            waits=int(waits), paid_in=paid_in, set_by=current_actor().id, now=now,
        )  # fmt: skip
        await note_rows(tx, now, {"payout_terms": [(affiliate_id,)]})
        after = await _document(tx, affiliate_id)
        await note_act(tx, now, "affiliate.payments-chosen", affiliate_id, before=before, after=after)
        return after


async def _document(tx: Tx, affiliate_id: str) -> PayoutTerms:
    row = await tx.one("payout_terms_of", affiliate_id=affiliate_id)
    if row is None:
        return {"affiliateId": affiliate_id, "minimum": "", "currencies": [], "waits": False, "paidIn": "",
                "setBy": None, "setAt": None}  # fmt: skip
    return {
        "affiliateId": affiliate_id,
        "minimum": row["minimum"],
        "currencies": json.loads(row["currencies"]),
        "waits": bool(row["waits"]),
        "paidIn": row["paid_in"],
        "setBy": row["set_by"],
        "setAt": format_instant(row["set_at"]),
    }
