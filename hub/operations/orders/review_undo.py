"""A decision of the review queue taken back, for as long as nothing was paid by it."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.books.ledger import Owner, moves, standing
from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import ConversionDetails, require_conversion, reviewed_conversion
from hub.operations.trail import note_act
from hub.processing.deposits import give_back
from hub.processing.ledger_rows import changed_order
from hub.processing.post_entries import post
from hub.storage import Store, Tx


async def reopen_review(store: Store, clock: Clock, conversion_id: str) -> None:
    """Open the review of a conversion again that was attributed by hand or dismissed; its commission is withdrawn.

    Raise `OperatorFault` if the conversion is unknown or was not decided by hand, or if the commission is paid.
    """
    async with store.write() as tx:
        conversion = (await require_conversion(tx, conversion_id)).conversion
        await tx.lock_orders([(conversion.account_id, conversion.external_order_id)])
        details = await require_conversion(tx, conversion_id)
        if details.conversion.review not in ("ATTRIBUTED", "DISMISSED"):
            raise OperatorFault(f"Nobody decided conversion {conversion_id} by hand, so there is nothing to take back.")
        now = clock()
        await _withdraw(tx, details, now)
        await tx.run("reopen_review", account_id=conversion.account_id, conversion_id=conversion_id)
        changed = changed_order(conversion.account_id, conversion_id)
        await tx.run("note_changed_orders", changes=[changed])
        before = reviewed_conversion(details, now)
        after = reviewed_conversion(await require_conversion(tx, conversion_id), now)
        await note_act(tx, now, "conversion.reopened", conversion_id, before=before, after=after)


async def _withdraw(tx: Tx, details: ConversionDetails, now: int) -> None:
    """Delete the commission of an attribution by hand; the ledger, which is only added to, claws it back."""
    commission, order_id = details.commission, details.conversion.external_order_id
    if commission is None:
        return
    if commission.state == "PAID":
        raise OperatorFault("The commission is paid. What was paid is not taken back here: ask the hub's operator.")
    owner = Owner(commission.currency, commission.affiliate_id, commission.commission_id, order_id)
    had = standing(commission.state, commission.amount_minor)
    back = moves(owner, had, (None, 0), "attribution taken back")
    await tx.run("withdraw_commission", account_id=commission.account_id, commission_id=commission.commission_id)
    account_id = commission.account_id
    back += (await give_back(tx, {account_id: back}, [account_id])).get(account_id, [])
    await post(tx, [(account_id, each) for each in back], now)
