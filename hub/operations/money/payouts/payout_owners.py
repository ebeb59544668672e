"""Whose a draft of a run is: its first pair of eyes."""

from __future__ import annotations

from hub.operations.money.payouts.payout_documents import RunDocument
from hub.operations.second_person import is_of_nobody
from hub.operations.trail import TIMER, current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Tx


async def took_over(tx: Tx, now: int, payout_id: str, run: RunDocument) -> bool:
    """Make a draft of nobody that of the person who acts, its first pair of eyes; return whether it was one.

    Of nobody are those of the clock, and of tokens that belong to nobody.
    """
    actor, maker = current_actor().id, run["createdBy"] or ""
    if run["status"] != "DRAFT" or is_of_nobody(actor) or not (maker == TIMER.id or is_of_nobody(maker)):
        return False
    await tx.run("take_over_payout", payout_id=payout_id, created_by=actor)
    await note_rows(tx, now, {"payouts": [(payout_id,)]})
    await note_act(tx, now, "payout.created", payout_id, before={"createdBy": maker}, after={"createdBy": actor})
    return True
