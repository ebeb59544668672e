"""Payout runs."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, answer, wanted_of, whole
from hub.acts.fields import CURRENCY, MODE, PAGED, REFERENCE, Fields, instant, needed, text
from hub.config.payout_section import PayoutSettings
from hub.operations.checks import checked_currency
from hub.operations.money.invoices.statements import StatementDocument, affiliate_statement
from hub.operations.money.payouts.arrived_payments import SettlementDocument
from hub.operations.money.payouts.payout_documents import PreviewedRun, RunDocument, ShownRun
from hub.operations.money.payouts.payout_files import list_files, withdraw_file
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_returns import reinstate_payment, return_payment
from hub.operations.money.payouts.payout_runs import Wanted, cancel_run, runs_part, show_run, with_minimum
from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
from hub.records.bank_files import FileDocument

AFFILIATE: Final = text("The affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
FILE: Final = text("Only the payments in this file.", "fil_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
AFTER: Final = text("The `nextLine` of the page before.", "aff_1,EUR,acc_1,com_1")
AFTER_ITEM: Final = text("The `nextItem` of the page before.", "aff_1:EUR")
NOTE: Final = text("Why.", "Agreed by telephone.", 1_000)
WANTED: Final[Fields] = {
    "mode": needed(MODE),
    "before": instant("Only what was payable before this moment; now if omitted."),
    "currency": CURRENCY,
    "minimum": text("The least payment, instead of the settings'.", "EUR:25"),
}


def _gathers(c: Call) -> tuple[PayoutSettings, Wanted]:
    settings = with_minimum(c.services.settings.payouts, c.body.get("minimum"))
    currency = c.body.get("currency")
    return settings, Wanted(c.body["mode"], c.body.get("before"), currency and checked_currency(currency))


async def _preview(c: Call) -> Any:
    places = {"after": c.body.get("after", ""), "after_item": c.body.get("after_item", "")}
    return await preview_run(c.store, c.clock, *_gathers(c), **places)


async def _payout(c: Call) -> Any:
    places = {"after": c.query.get("after", ""), "after_item": c.query.get("after_item", "")}
    return await show_run(c.store, c.path["payout"], **places)


async def _payouts(c: Call) -> Any:
    return answer(await runs_part(c.store, wanted_of(c, "mode")))


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


async def _reinstate(c: Call) -> Any:
    b = c.body
    return await reinstate_payment(
        c.store, c.clock, c.path["payout"], b["affiliate_id"], b["reason"], b.get("currency")
    )  # fmt: skip


async def _settle(c: Call) -> Any:
    b = c.body
    chosen = Chosen(b.get("file_id"), b.get("affiliate_id"), b.get("currency"))
    return await settle_run(c.store, c.clock, c.path["payout"], b["reference"], None, chosen)


async def _files(c: Call) -> Any:
    return whole(await list_files(c.store, c.path["payout"]))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/payouts", "listPayouts"), "List payout runs, newest first", _payouts, ListOfEntries(RunDocument),
        query={"mode": MODE, **PAGED}),
    Act(post("/payouts/preview", "previewPayout"), "Show the run that would be made now; nothing is reserved",
        _preview, PreviewedRun, body={**WANTED, "after": AFTER, "afterItem": AFTER_ITEM}),
    Act(post("/payouts", "createPayout", 201), "Gather balances into a run",
        lambda c: create_run(c.store, c.clock, *_gathers(c)), RunDocument, body=WANTED,
        trail=("payout.created",),
        by=(PROVED_ADMINS,), commands=("payout create",), pages=("/operator/payouts",)),
    Act(get("/payouts/{payout}", "getPayout"), "Show a run with its lines",
        _payout, ShownRun, query={"after": AFTER, "afterItem": AFTER_ITEM}),
    Act(post("/payouts/{payout}/release", "releasePayout"), "Release a run, another person than its creator if large",
        lambda c: release_run(c.store, c.clock, c.services.settings.payouts, c.path["payout"]), RunDocument,
        trail=("payout.released",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes("payouts.four_eyes_above"), commands=("payout release",),
        pages=("/operator/payouts/{payout}/release",), asks=("/operator/payouts/{payout}/release",)),
    Act(post("/payouts/{payout}/cancel", "cancelPayout"), "Cancel a draft: what it has reserved is payable again",
        lambda c: cancel_run(c.store, c.clock, c.path["payout"], c.body["reason"]), RunDocument,
        body={"reason": needed(NOTE)}, trail=("payout.cancelled",),
        by=(PROVED_ADMINS,), commands=("payout cancel",), pages=("/operator/payouts/{payout}/cancel",)),
    Act(get("/payouts/{payout}/files", "listPayoutFiles"), "List the files that were written of a run", _files,
        ListOfEntries(FileDocument)),
    Act(post("/payouts/{payout}/files/{file}/withdraw", "withdrawPayoutFile"), "Note that a file was never sent",
        lambda c: withdraw_file(c.store, c.clock, c.services.settings.payouts, c.path["file"]), FileDocument,
        trail=("payout.file-withdrawn",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes("payouts.four_eyes_above"), commands=("payout withdraw",),
        pages=("/operator/payouts/{payout}/files/{file}/withdraw",)),
    Act(post("/payouts/{payout}/settle", "settlePayout"), "Note that payments of a run arrived", _settle,
        SettlementDocument, body={"reference": needed(REFERENCE), "fileId": FILE, "affiliateId": AFFILIATE,
                                  "currency": CURRENCY}, trail=("payout.settled", "payout.questioned"),
        by=(PROVED_ADMINS,), commands=("payout settle",), pages=("/operator/payouts/{payout}/settle",)),
    Act(post("/payouts/{payout}/return", "returnPayment"), "Note that one payment of a run came back", _return,
        RunDocument, body={"affiliateId": needed(AFFILIATE), "reason": needed(NOTE), "currency": CURRENCY},
        trail=("payout.returned",),
        by=(PROVED_ADMINS,), commands=("payout returned",),
        pages=("/operator/payouts/{payout}/affiliates/{affiliate}/returned",)),
    Act(post("/payouts/{payout}/reinstate", "reinstatePayment"), "Take back a return that was noted by mistake",
        _reinstate, RunDocument, body={"affiliateId": needed(AFFILIATE), "reason": needed(NOTE), "currency": CURRENCY},
        trail=("payout.reinstated",), by=(PROVED_ADMINS,), commands=("payout reinstate",),
        pages=("/operator/payouts/{payout}/affiliates/{affiliate}/reinstate",)),
    Act(get("/payouts/{payout}/statements/{affiliate}", "getStatement"), "Show what a run pays an affiliate",
        _statement, StatementDocument),
)  # fmt: skip
