"""Payout runs."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, newest
from hub.acts.fields import CURRENCY, MODE, PAGED, REFERENCE, Fields, instant, needed, text
from hub.operations.money.payout_documents import RunDocument, ShownRun
from hub.operations.money.payout_release import release_run
from hub.operations.money.payout_runs import Wanted, create_run, list_runs, preview_run, show_run
from hub.operations.money.payout_settlement import return_payment, settle_run
from hub.operations.money.statements import StatementDocument, affiliate_statement

AFFILIATE: Final = text("The affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
NOTE: Final = text("Why.", "Agreed by telephone.", 1_000)
WANTED: Final[Fields] = {
    "mode": needed(MODE),
    "before": instant("Only what was payable before this moment; now if it is left out."),
    "currency": CURRENCY,
}


def _wanted(c: Call) -> Wanted:
    return Wanted(**c.body)


async def _payouts(c: Call) -> Any:
    mode = c.query.get("mode")
    return await newest(c, lambda limit, before: list_runs(c.store, mode, limit=limit, before=before))


async def _return(c: Call) -> Any:
    b = c.body
    return await return_payment(
        c.store, c.clock, c.path["payout"], b["affiliate_id"], b["reason"], b.get("currency")
    )  # fmt: skip


async def _statement(c: Call) -> Any:
    settings, path = c.services.settings.payouts, c.path
    return await affiliate_statement(
        c.store, c.services.sealer, path["payout"], path["affiliate"], settings.debtor_name
    )


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/payouts", "listPayouts"), "List payout runs, newest first", _payouts, ListOfEntries(RunDocument),
        query={"mode": MODE, **PAGED}),
    Act(post("/payouts/preview", "previewPayout"), "Show the run that would be made now; nothing is reserved",
        lambda c: preview_run(c.store, c.clock, c.services.settings.payouts, _wanted(c)), ShownRun, body=WANTED),
    Act(post("/payouts", "createPayout", 201), "Gather balances into a run",
        lambda c: create_run(c.store, c.clock, c.services.settings.payouts, _wanted(c)), RunDocument, body=WANTED,
        trail=("payout.created",),
        by=(PROVED_ADMINS,), commands=("payout create",), pages=("/operator/payouts",)),
    Act(get("/payouts/{payout}", "getPayout"), "Show a run with its lines",
        lambda c: show_run(c.store, c.path["payout"]), ShownRun),
    Act(post("/payouts/{payout}/release", "releasePayout"), "Release a run, another person than its creator if large",
        lambda c: release_run(c.store, c.clock, c.services.settings.payouts, c.path["payout"]), RunDocument,
        trail=("payout.released",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes("payouts.four_eyes_above"), commands=("payout release",),
        pages=("/operator/payouts/{payout}/release",), asks=("/operator/payouts/{payout}/release",)),
    Act(post("/payouts/{payout}/settle", "settlePayout"), "Note that a run was paid",
        lambda c: settle_run(c.store, c.clock, c.path["payout"], c.body["reference"]), RunDocument,
        body={"reference": needed(REFERENCE)}, trail=("payout.settled",),
        by=(PROVED_ADMINS,), commands=("payout settle",), pages=("/operator/payouts/{payout}/settle",)),
    Act(post("/payouts/{payout}/return", "returnPayment"), "Note that one payment of a run came back", _return,
        RunDocument, body={"affiliateId": needed(AFFILIATE), "reason": needed(NOTE), "currency": CURRENCY},
        trail=("payout.returned",),
        by=(PROVED_ADMINS,), commands=("payout returned",),
        pages=("/operator/payouts/{payout}/affiliates/{affiliate}/returned",)),
    Act(get("/payouts/{payout}/statements/{affiliate}", "getStatement"), "Show what a run pays an affiliate",
        _statement, StatementDocument),
)  # fmt: skip
