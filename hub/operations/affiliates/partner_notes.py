"""What a merchant notes of a partner for itself: one text, which its own people see and nobody else."""

from __future__ import annotations

from hub.clock import Clock
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import checked_text
from hub.operations.trail import current_actor, note_act
from hub.storage import Store


async def partner_note(store: Store, account_id: str, affiliate_id: str) -> str:
    """Return what an account notes of an affiliate, "" for nothing."""
    async with store.read() as tx:
        row = await tx.one("partner_note", account_id=account_id, affiliate_id=affiliate_id)
    return "" if row is None else str(row["note"])


async def set_partner_note(store: Store, clock: Clock, account_id: str, affiliate_id: str, text: str) -> None:
    """Keep what an account notes of an affiliate; an empty text is none. Raise `OperatorFault` for one too long.

    The trail says that it was written, and not what.
    """
    note = checked_text(text, "A note") if text.strip() else ""
    async with store.write() as tx:
        await require_affiliate(tx, affiliate_id)
        where = {"account_id": account_id, "affiliate_id": affiliate_id}
        if note:
            await tx.run("write_partner_note", note=note, by=current_actor().id, now=clock(), **where)
        else:
            await tx.run("delete_partner_note", **where)
        await note_act(tx, clock(), "partner.noted", account_id, after={"affiliateId": affiliate_id})
