"""Corrections of what affiliates are paid."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, PROVED_OWNERS, FourEyes
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import CURRENCY, MODE, OF_MERCHANT, PAGED, choice, needed, text
from hub.domain.words import ADJUSTMENT_STATUSES
from hub.operations.money.books.adjustments import (
    AdjustmentDocument,
    ListedAdjustment,
    adjustments_part,
    approve_adjustment,
    create_adjustment,
    reject_adjustment,
)
from hub.operations.money.books.write_offs import DebtDocument, list_debts, propose_write_off

AFFILIATE: Final = text("The affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
NOTE: Final = text("Why.", "Agreed by telephone.", 1_000)


async def _adjustments(c: Call) -> Any:
    return answer(await adjustments_part(c.store, wanted_of(c, "status", "merchant", "affiliate", "mode")))


async def _write_off(c: Call) -> Any:
    return await propose_write_off(c.store, c.clock, c.path.get("affiliate", ""), **c.body)


async def _debts(c: Call) -> Any:
    return {"data": await list_debts(c.store, c.clock), "nextCursor": None}


async def _approve(c: Call) -> Any:
    return await approve_adjustment(
        c.store, c.clock, c.services.settings.payouts, c.path["adjustment"], c.body.get("note")
    )


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/adjustments", "listAdjustments"), "List corrections, newest first", _adjustments,
        ListOfEntries(ListedAdjustment),
        query={"status": choice("In this status.", *ADJUSTMENT_STATUSES),
               "merchant": OF_MERCHANT, "affiliate": AFFILIATE,
               "mode": MODE, **PAGED}),
    Act(post("/adjustments", "createAdjustment", 201), "Propose a correction of what an affiliate is paid",
        lambda c: create_adjustment(c.store, c.clock, **c.body), AdjustmentDocument,
        body={"affiliate": needed(AFFILIATE), "account": needed(text("The account that it is of.", "acc_1")),
              "amount": needed(text("The amount; negative if it takes money back.", "-5.00", 20)),
              "currency": needed(CURRENCY), "reason": needed(NOTE)},
        trail=("adjustment.created",),
        by=(PROVED_ADMINS, PROVED_OWNERS), commands=("adjustment create",),
        pages=("/operator/adjustments", "/merchant/affiliates/{affiliate}/bonus")),
    Act(post("/affiliates/{affiliate}/write-off", "writeOffDebt", 201), "Propose to write off what an affiliate owes",
        _write_off, AdjustmentDocument,
        body={"currency": needed(CURRENCY), "reason": needed(NOTE),
              "amount": text("The amount; the whole debt if omitted.", "5.00", 20)},
        trail=("adjustment.created",), by=(PROVED_ADMINS,), commands=("adjustment write-off",),
        pages=("/operator/debts/write-off",)),
    Act(get("/debts", "listDebts"), "List what affiliates owe, the oldest first",
        _debts, ListOfEntries(DebtDocument)),
    Act(post("/adjustments/{adjustment}/approve", "approveAdjustment"), "Approve a correction, as a second person",
        _approve, AdjustmentDocument,
        body={"note": NOTE}, trail=("adjustment.approved",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes(), commands=("adjustment approve",),
        pages=("/operator/adjustments/{adjustment}/approve",)),
    Act(post("/adjustments/{adjustment}/reject", "rejectAdjustment"), "Reject a correction",
        lambda c: reject_adjustment(c.store, c.clock, c.path["adjustment"], c.body.get("note")), AdjustmentDocument,
        body={"note": NOTE}, trail=("adjustment.rejected",),
        by=(PROVED_ADMINS,), commands=("adjustment reject",), pages=("/operator/adjustments/{adjustment}/reject",)),
)  # fmt: skip
