"""`hub payee`: who is paid for an affiliate, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.output import Table, show_fields
from hub.domain.words import PAYOUT_METHODS

if TYPE_CHECKING:
    from hub.records.affiliates import HoldDocument

AFFILIATE: Final = {
    "affiliate": Value("--affiliate", "The affiliate: id, or exact name or e-mail address.", "AFF"),
}  # fmt: skip
SHARED: Final = Table(
    ["paid by", "account", "affiliates"],
    lambda each: (each["method"], each["account"], ", ".join(each["affiliateIds"])),
    "Each affiliate has an account of its own.",
)
ACCOUNTS: Final[tuple[click.Parameter, ...]] = (
    click.Option(["--iban"], help="Bank account; or choose another payment method."),
    click.Option(["--ach"], metavar="NUMBER", help="American bank account; with --bank-code and --account-type."),
    click.Option(["--bacs"], metavar="NUMBER", help="British bank account; with --bank-code."),
    click.Option(["--paypal"], metavar="E-MAIL", help="PayPal account."),
    click.Option(["--wise"], metavar="E-MAIL", help="Wise account."),
    click.Option(["--stripe"], metavar="ACCT", help="Stripe connected account."),
)


@click.group()
def payee() -> None:
    """Set an affiliate's payment details."""


def _payee(typed: Typed) -> dict[str, Any]:
    accounts = {name: typed[name] for name in PAYOUT_METHODS if name in typed}
    if len(accounts) != 1:
        raise click.UsageError(f"Say where the money goes by one of {', '.join(f'--{m}' for m in PAYOUT_METHODS)}.")
    ((method, account),) = accounts.items()
    others = {name: value for name, value in typed.items() if name not in accounts}
    return {**others, "method": method, "account": account}


def _show_hold(title: str, hold: HoldDocument) -> None:
    from hub.records.wire import write

    show_fields(title, write(hold))


for each in (
    ActCommand("set", "payees.setPayee",
               "Store an affiliate's payment details. After a change, payouts wait for a while, and the affiliate gets "
               "a mail.",
               lambda done: show_fields("Payee", done),
               Takes(on=AFFILIATE,
                     values={"legalName": Value("--legal-name", "Name of the person or company."),
                             "street": Value("--street", "Street and number."),
                             "postalCode": Value("--postal-code", "Postal code."), "city": Value("--city", "Town."),
                             "country": Value("--country", "Two letters, like DE."),
                             "bankCode": Value("--bank-code", "Routing number (--ach) or sort code (--bacs)."),
                             "accountType": Value("--account-type", "The kind of American account."),
                             "bic": Value("--bic", "The bank's BIC, if the country needs one."),
                             "taxId": Value("--tax-id", "VAT number, or another tax number."),
                             "business": Value("--business", "The payee is a business."),
                             "selfBilling": Value("--self-billing", "The payee agreed to self-billing.")},
                     own=ACCOUNTS, reads=_payee),
               seals=True),
    ActCommand("show", "payees.getPayee", "Show an affiliate's payment details; of an IBAN only the last digits.",
               lambda found: show_fields("Payee", found), Takes(on=AFFILIATE)),
    ActCommand("hold", "affiliates.holdPayments",
               "Put an affiliate's payments on hold: balances carry over, and no payment file includes them.",
               lambda held: _show_hold("Payments are on hold", held),
               Takes(on=AFFILIATE, values={"reason": Value("--reason", "Why nothing is paid."),
                                           "until": Value("--until", "When the hold ends on its own, RFC 3339 "
                                                          "(default: with `hub payee free`).", "T")})),
    ActCommand("free", "affiliates.freePayments", "Resume the payments of an affiliate whose payments were on hold.",
               lambda ended: _show_hold("The hold has ended", ended), Takes(on=AFFILIATE)),
    ActCommand("terms", "payees.setPayoutTerms",
               "Set an affiliate's own minimum, its currencies, what it is paid in, or that it waits; what is left out "
               "ends.",
               lambda done: show_fields("Payments", done),
               Takes(on=AFFILIATE,
                     values={"minimum": Value("--minimum"), "currencies": Value("--currencies"),
                             "paidIn": Value("--paid-in", metavar="CURRENCY"), "waits": Value("--wait")})),
    ActCommand("tax", "tax_details.setTaxDetails",
               "Say what DAC7 asks of an affiliate ([payouts] dac7); what is left out is not known any more.",
               lambda done: show_fields("Tax details", done),
               Takes(on=AFFILIATE,
                     values={"birthDate": Value("--birth-date", metavar="DAY"),
                             "registrationNumber": Value("--registration-number"), "tin": Value("--tin"),
                             "tinCountry": Value("--tin-country", metavar="COUNTRY"),
                             "accountHolder": Value("--account-holder")})),
    ActCommand("shared", "payees.listSharedAccounts", "List the accounts that several affiliates are paid to.", SHARED),
):  # fmt: skip
    payee.add_command(each)
