"""Who is paid for an affiliate, and what it has coming."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, put
from hub.acts.authority import PROVED_ADMINS, PROVED_AFFILIATES
from hub.acts.call import Call
from hub.acts.fields import MODE, Fields, choice, flag, needed, text
from hub.domain.payouts.payees import Payee
from hub.domain.words import ACCOUNT_TYPES, PAYOUT_METHODS
from hub.operations.money.books.balances import BalanceDocument, affiliate_balances
from hub.operations.money.payees.payees import PayeeDocument, set_payee, show_payee
from hub.operations.money.payees.payout_terms import PayoutTerms, set_terms, show_terms
from hub.operations.money.payees.shared_accounts import SharedAccount, shared_accounts

PAYEE: Final[Fields] = {
    "legalName": needed(text("Who is paid.", "Anna Ames")),
    "street": needed(text("Street and number.", "Main Street 1")),
    "postalCode": needed(text("Postal code.", "10115")),
    "city": needed(text("Town.", "Berlin")),
    "country": needed(text("ISO 3166, two letters.", "DE", 2)),
    "method": needed(choice("Where the money goes.", *PAYOUT_METHODS)),
    "account": needed(text("The IBAN, the account's number, e-mail address or Stripe id.", "DE89370400440532013000")),
    "bankCode": text("The bank's routing number (ach) or sort code (bacs).", "021000021", 20),
    "accountType": choice("What an American account is (ach).", *ACCOUNT_TYPES),
    "bic": text("The bank's BIC, if the country needs one.", "COBADEFFXXX"),
    "taxId": text("VAT number, or another tax number.", "DE136695976"),
    "business": flag("The payee is a business."),
    "selfBilling": flag("It agreed that the hub writes its invoices."),
}


async def _set_payee(c: Call) -> Any:
    b, services = dict(c.body), c.services
    business = bool(b.pop("business", False))
    payee = Payee(**b, is_business=business)
    return await set_payee(c.store, services.sealer, c.clock, services.outbox, c.path["affiliate"], payee)


async def _shared(c: Call) -> Any:
    return {"data": await shared_accounts(c.store, c.services.sealer), "nextCursor": None}


async def _balances(c: Call) -> Any:
    found = await affiliate_balances(c.store, c.path["affiliate"], c.query.get("mode", "live"))
    return {"data": found, "nextCursor": None}


TERMS: Final[Fields] = {
    "minimum": text("The least amount paid, like 25 or EUR:25; the network's holds as well.", "EUR:25", 200),
    "currencies": text("The only currencies that are paid, with commas between them.", "EUR,USD", 200),
    "paidIn": text("The currency that everything is exchanged into; empty: paid in what was earned.", "EUR", 3),
    "waits": flag("Carry all balances on until this is false again."),
}

ACTS: Final[tuple[Act, ...]] = (
    Act(get("/affiliates/{affiliate}/balances", "listBalances"), "Show an affiliate's balances, by currency",
        _balances, ListOfEntries(BalanceDocument), query={"mode": MODE}),
    Act(get("/affiliates/{affiliate}/payee", "getPayee"), "Show an affiliate's payment details",
        lambda c: show_payee(c.store, c.services.sealer, c.path["affiliate"]), PayeeDocument,
        by=(PROVED_ADMINS, PROVED_AFFILIATES), shows=("/operator/affiliates/{affiliate}/payee", "/affiliate/payee")),
    Act(put("/affiliates/{affiliate}/payee", "setPayee"), "Set an affiliate's payment details", _set_payee,
        PayeeDocument, body=PAYEE, trail=("payee.changed",),
        by=(PROVED_ADMINS, PROVED_AFFILIATES), tells=("the affiliate",), commands=("payee set",),
        pages=("/operator/affiliates/{affiliate}/payee", "/affiliate/payee")),
    Act(get("/shared-accounts", "listSharedAccounts"), "List the accounts that several affiliates are paid to",
        _shared, ListOfEntries(SharedAccount), by=(PROVED_ADMINS,), shows=("/operator/affiliates/{affiliate}/payee",)),
    Act(get("/affiliates/{affiliate}/payout-terms", "getPayoutTerms"), "Show how an affiliate chose to be paid",
        lambda c: show_terms(c.store, c.path["affiliate"]), PayoutTerms),
    Act(put("/affiliates/{affiliate}/payout-terms", "setPayoutTerms"), "Set an affiliate's minimum and currencies",
        lambda c: set_terms(c.store, c.clock, c.path["affiliate"], **c.body), PayoutTerms, body=TERMS,
        trail=("affiliate.payments-chosen",), by=(PROVED_ADMINS,), commands=("payee terms",),
        pages=("/operator/affiliates/{affiliate}/payee/terms",)),
)  # fmt: skip
