"""Balances, payouts, payees, adjustments, fees and statements: the operators' acts on money.

A run above the limit for one person is released by another person: two tokens of one person are one person.
"""

from __future__ import annotations

from typing import Any, Final

from hub.domain.payees import Payee
from hub.operations.money.adjustments import (
    AdjustmentDocument,
    ListedAdjustment,
    approve_adjustment,
    create_adjustment,
    list_adjustments,
    reject_adjustment,
)
from hub.operations.money.balances import BalanceDocument, affiliate_balances
from hub.operations.money.deposits import DepositDocument, move_deposit, require_deposit, show_deposit
from hub.operations.money.fees import FeeDocument, fee_history, set_fee
from hub.operations.money.payees import PayeeDocument, set_payee, show_payee
from hub.operations.money.payout_documents import RunDocument, ShownRun
from hub.operations.money.payout_release import release_run
from hub.operations.money.payout_runs import Wanted, create_run, list_runs, preview_run, show_run
from hub.operations.money.payout_settlement import return_payment, settle_run
from hub.operations.money.rates import (
    DraftDocument,
    VersionDocument,
    draft_rate,
    drop_rate,
    list_drafts,
    publish_rate,
    rate_history,
)
from hub.operations.money.statements import (
    MerchantStatement,
    StatementDocument,
    affiliate_statement,
    merchant_statement,
)
from hub.operations.pages import Filters
from hub.token_api.act import (
    MODE,
    PAGED,
    Act,
    Fields,
    ListOfEntries,
    TokenCall,
    choice,
    flag,
    instant,
    needed,
    newest,
    text,
)

AFFILIATE: Final = text("The affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
CURRENCY: Final = text("ISO 4217.", "EUR", 3)
NOTE: Final = text("Why.", "Agreed by telephone.", 1_000)
WANTED: Final[Fields] = {
    "mode": needed(MODE),
    "before": instant("Only what was payable before this moment; now if it is left out."),
    "currency": CURRENCY,
}


def _wanted(c: TokenCall) -> Wanted:
    return Wanted(**c.body)


async def _payouts(c: TokenCall) -> Any:
    mode = c.query.get("mode")
    return await newest(c, lambda limit, before: list_runs(c.store, mode, limit=limit, before=before))


async def _adjustments(c: TokenCall) -> Any:
    q = c.query
    filters = Filters(q.get("merchant"), q.get("affiliate"), q.get("mode"))
    return await newest(
        c,
        lambda limit, before: list_adjustments(
            c.store, status=q.get("status"), filters=filters, limit=limit, before=before
        ),
    )


async def _set_payee(c: TokenCall) -> Any:
    b, services = dict(c.body), c.services
    payee = Payee(**b)
    where = f"the API, by {c.holder.user_id or c.holder.token_id}"
    return await set_payee(c.store, services.sealer, c.clock, services.outbox, c.path["affiliate"], payee, where)


async def _return(c: TokenCall) -> Any:
    b = c.body
    return await return_payment(
        c.store, c.clock, c.path["payout"], b["affiliate_id"], b["reason"], b.get("currency")
    )  # fmt: skip


async def _balances(c: TokenCall) -> Any:
    found = await affiliate_balances(c.store, c.path["affiliate"], c.query.get("mode", "live"))
    return {"data": found, "nextCursor": None}


async def _fees(c: TokenCall) -> Any:
    return {"data": await fee_history(c.store, c.path["merchant"]), "nextCursor": None}


async def _statement(c: TokenCall) -> Any:
    settings, path = c.services.settings.payouts, c.path
    return await affiliate_statement(
        c.store, c.services.sealer, path["payout"], path["affiliate"], settings.debtor_name
    )


def _deposit_move(verb: str, summary: str, act: str, *, out: bool) -> Act:
    async def run(c: TokenCall) -> Any:
        return await move_deposit(c.store, c.clock, c.path["merchant"], out=out, **c.body)

    path = f"/merchants/{{merchant}}/deposit/{verb}"
    body = {"amount": needed(text("The amount.", "500.00", 20)), "currency": needed(CURRENCY),
            "reference": needed(text("The reference of the payment.", "SEPA-2026-11"))}  # fmt: skip
    return Act("POST", path, f"{verb}Deposit", summary, run, DepositDocument, body=body, doing=(act,))


async def _drafts(c: TokenCall) -> Any:
    return {"data": await list_drafts(c.store, c.query.get("merchant")), "nextCursor": None}


async def _rates(c: TokenCall) -> Any:
    return {"data": await rate_history(c.store, **c.query), "nextCursor": None}


PLACE: Final[Fields] = {
    "mode": MODE,
    "campaign": text("The rate of this campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"),
    "merchant": text("The rate of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "product": text("The rate of this product, of the merchant.", "SKU-1"),
}
PAYEE: Final[Fields] = {
    "legalName": needed(text("Who is paid.", "Anna Ames")),
    "street": needed(text("Street and number.", "Main Street 1")),
    "postalCode": needed(text("Postal code.", "10115")),
    "city": needed(text("Town.", "Berlin")),
    "country": needed(text("ISO 3166, two letters.", "DE", 2)),
    "method": needed(choice("Where the money goes.", "iban", "paypal", "wise")),
    "account": needed(text("The IBAN, or the e-mail address of the account.", "DE89370400440532013000")),
    "bic": text("The bank's BIC, if the country needs one.", "COBADEFFXXX"),
    "taxId": text("VAT number, or another tax number.", "DE136695976"),
    "business": flag("The payee is a business."),
    "selfBilling": flag("It agreed that the hub writes its invoices."),
}

MONEY: Final[tuple[Act, ...]] = (
    Act("GET", "/merchants/{merchant}/deposit", "getDeposit", "Show what a merchant has paid in advance",
        lambda c: show_deposit(c.store, c.path["merchant"]), DepositDocument),
    Act("PUT", "/merchants/{merchant}/deposit", "requireDeposit", "Ask a merchant for a deposit, or stop asking",
        lambda c: require_deposit(c.store, c.clock, c.path["merchant"], required=c.body["required"]), DepositDocument,
        body={"required": needed(flag("Whether commissions wait until they are covered."))},
        doing=("deposit.required",)),
    _deposit_move("add", "Note a payment of a merchant in advance", "deposit.added", out=False),
    _deposit_move("withdraw", "Note that a merchant got some of it back", "deposit.withdrawn", out=True),
    Act("GET", "/rates", "listRates", "List the rates of a place, by when each began", _rates,
        ListOfEntries(VersionDocument), query=PLACE),
    Act("GET", "/rates/drafts", "listRateDrafts", "List rates that are not published", _drafts,
        ListOfEntries(DraftDocument), query={"merchant": PLACE["merchant"]}),
    Act("POST", "/rates/drafts", "draftRate", "Draft a rate",
        lambda c: draft_rate(c.store, c.clock, **c.body), DraftDocument,
        body={"commission": needed(text("A rule like PERCENTAGE:8.", "PERCENTAGE:8")), **PLACE},
        doing=("rate.drafted",), success=201),
    Act("POST", "/rates/drafts/{draft}/publish", "publishRate", "Publish a rate: orders from now on follow it",
        lambda c: publish_rate(c.store, c.clock, c.path["draft"]), DraftDocument, doing=("rate.published",)),
    Act("POST", "/rates/drafts/{draft}/drop", "dropRate", "Drop a draft",
        lambda c: drop_rate(c.store, c.clock, c.path["draft"]), DraftDocument, doing=("rate.dropped",)),
    Act("GET", "/affiliates/{affiliate}/balances", "listBalances", "Show what an affiliate has coming, by currency",
        _balances, ListOfEntries(BalanceDocument), query={"mode": MODE}),
    Act("GET", "/affiliates/{affiliate}/payee", "getPayee", "Show who is paid for an affiliate",
        lambda c: show_payee(c.store, c.services.sealer, c.path["affiliate"]), PayeeDocument),
    Act("PUT", "/affiliates/{affiliate}/payee", "setPayee", "Say who is paid for an affiliate", _set_payee,
        PayeeDocument, body=PAYEE, doing=("payee.changed",)),
    Act("GET", "/payouts", "listPayouts", "List payout runs, newest first", _payouts, ListOfEntries(RunDocument),
        query={"mode": MODE, **PAGED}),
    Act("POST", "/payouts/preview", "previewPayout", "Show the run that would be made now; nothing is reserved",
        lambda c: preview_run(c.store, c.clock, c.services.settings.payouts, _wanted(c)), ShownRun, body=WANTED),
    Act("POST", "/payouts", "createPayout", "Gather balances into a run",
        lambda c: create_run(c.store, c.clock, c.services.settings.payouts, _wanted(c)), RunDocument, body=WANTED,
        doing=("payout.created",), success=201),
    Act("GET", "/payouts/{payout}", "getPayout", "Show a run with its lines",
        lambda c: show_run(c.store, c.path["payout"]), ShownRun),
    Act("POST", "/payouts/{payout}/release", "releasePayout", "Release a run, another person than its creator if large",
        lambda c: release_run(c.store, c.clock, c.services.settings.payouts, c.path["payout"]), RunDocument,
        doing=("payout.released",)),
    Act("POST", "/payouts/{payout}/settle", "settlePayout", "Note that a run was paid",
        lambda c: settle_run(c.store, c.clock, c.path["payout"], c.body["reference"]), RunDocument,
        body={"reference": needed(text("The reference of the payment.", "SEPA-2026-11"))}, doing=("payout.settled",)),
    Act("POST", "/payouts/{payout}/return", "returnPayment", "Note that one payment of a run came back", _return,
        RunDocument, body={"affiliateId": needed(AFFILIATE), "reason": needed(NOTE), "currency": CURRENCY},
        doing=("payout.returned",)),
    Act("GET", "/payouts/{payout}/statements/{affiliate}", "getStatement", "Show what a run pays an affiliate",
        _statement, StatementDocument),
    Act("GET", "/adjustments", "listAdjustments", "List corrections, newest first", _adjustments,
        ListOfEntries(ListedAdjustment),
        query={"status": choice("In this status.", "PROPOSED", "APPROVED", "PAID", "REJECTED"),
               "merchant": text("Of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"), "affiliate": AFFILIATE,
               "mode": MODE, **PAGED}),
    Act("POST", "/adjustments", "createAdjustment", "Propose a correction of what an affiliate is paid",
        lambda c: create_adjustment(c.store, c.clock, **c.body), AdjustmentDocument,
        body={"affiliate": needed(AFFILIATE), "account": needed(text("The account that it is of.", "acc_1")),
              "amount": needed(text("The amount, less than nothing if it takes money back.", "-5.00", 20)),
              "currency": needed(CURRENCY), "reason": needed(NOTE)},
        doing=("adjustment.created",), success=201),
    Act("POST", "/adjustments/{adjustment}/approve", "approveAdjustment", "Approve a correction, as a second person",
        lambda c: approve_adjustment(c.store, c.clock, c.path["adjustment"], c.body.get("note")), AdjustmentDocument,
        body={"note": NOTE}, doing=("adjustment.approved",)),
    Act("POST", "/adjustments/{adjustment}/reject", "rejectAdjustment", "Reject a correction",
        lambda c: reject_adjustment(c.store, c.clock, c.path["adjustment"], c.body.get("note")), AdjustmentDocument,
        body={"note": NOTE}, doing=("adjustment.rejected",)),
    Act("GET", "/merchants/{merchant}/fees", "listFees", "List what a merchant owes the network, by when it began",
        _fees, ListOfEntries(FeeDocument)),
    Act("PUT", "/merchants/{merchant}/fee", "setFee", "Set what a merchant owes the network of each commission",
        lambda c: set_fee(c.store, c.clock, c.path["merchant"], c.body["percentage"]), FeeDocument,
        body={"percentage": needed(text("In percent.", "2.5", 10))}, doing=("fee.set",)),
    Act("GET", "/merchants/{merchant}/statements/{month}", "getMerchantStatement", "Show what a merchant owes",
        lambda c: merchant_statement(c.store, c.path["merchant"], c.path["month"], c.query.get("mode", "live")),
        MerchantStatement, query={"mode": MODE}),
)  # fmt: skip
