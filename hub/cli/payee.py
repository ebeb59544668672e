"""`hub payee`: who is paid for an affiliate, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_fields, show_table
from hub.clock import system_clock
from hub.domain.words import ACCOUNT_TYPES, PAYOUT_METHODS

if TYPE_CHECKING:
    from hub.domain.payees import Payee
    from hub.domain.words import PayoutMethod
    from hub.operations.money.payees import PayeeDocument
    from hub.records.affiliates import HoldDocument
    from hub.storage import Store


@click.group()
def payee() -> None:
    """Set an affiliate's payment details."""


@payee.command(name="set")
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--legal-name", required=True, help="Name of the person or company.")
@click.option("--street", required=True, help="Street and number.")
@click.option("--postal-code", required=True, help="Postal code.")
@click.option("--city", required=True, help="Town.")
@click.option("--country", required=True, help="Two letters, like DE.")
@click.option("--iban", help="Bank account; or choose another payment method.")
@click.option("--ach", metavar="NUMBER", help="American bank account; with --bank-code and --account-type.")
@click.option("--bacs", metavar="NUMBER", help="British bank account; with --bank-code.")
@click.option("--bank-code", help="Routing number (--ach) or sort code (--bacs).")
@click.option("--account-type", type=click.Choice(ACCOUNT_TYPES), help="The kind of American account.")
@click.option("--bic", help="The bank's BIC, if the country needs one.")
@click.option("--paypal", metavar="E-MAIL", help="PayPal account.")
@click.option("--wise", metavar="E-MAIL", help="Wise account.")
@click.option("--stripe", metavar="ACCT", help="Stripe connected account.")
@click.option("--tax-id", help="VAT number, or another tax number.")
@click.option("--business", is_flag=True, help="The payee is a business.")
@click.option("--self-billing", is_flag=True, help="The payee agreed to self-billing.")
@by_option
@invoked
def set_(
    invocation: Invocation, *, affiliate: str, by: str | None, **fields: str | bool | None
) -> None:  # fmt: skip
    """Store an affiliate's payment details. After a change, payouts wait for a while, and the affiliate gets a mail."""
    from hub.mail.outbox import Outbox
    from hub.operations.money.payees import set_payee
    from hub.operations.system.master_keys import require_sealing_key
    from hub.sealing import load_sealer

    given = [(method, str(fields[method])) for method in PAYOUT_METHODS if fields[method] is not None]
    if len(given) != 1:
        raise click.UsageError(f"Say where the money goes by one of {', '.join(f'--{m}' for m in PAYOUT_METHODS)}.")
    settings = invocation.settings()
    sealer = load_sealer(settings)
    wanted = _payee(given[0], fields)

    async def act(store: Store) -> PayeeDocument:
        await require_sealing_key(store, sealer, system_clock)
        outbox = Outbox(sealer, settings.mail.is_on)
        return await set_payee(store, sealer, system_clock, outbox, affiliate, wanted)

    done = over_store_as(invocation, by, act)
    print_result(invocation, done, lambda: show_fields("Payee", done))


def _payee(given: tuple[PayoutMethod, str], fields: dict[str, str | bool | None]) -> Payee:
    from hub.domain.payees import Payee

    return Payee(
        legal_name=str(fields["legal_name"]),
        street=str(fields["street"]),
        postal_code=str(fields["postal_code"]),
        city=str(fields["city"]),
        country=str(fields["country"]),
        method=given[0],
        account=given[1],
        bic=_or_none(fields["bic"]),
        tax_id=_or_none(fields["tax_id"]),
        is_business=bool(fields["business"]),
        self_billing=bool(fields["self_billing"]),
        bank_code=_or_none(fields["bank_code"]),
        account_type=next((each for each in ACCOUNT_TYPES if each == fields["account_type"]), None),
    )


def _or_none(value: str | bool | None) -> str | None:
    return None if value is None else str(value)


@payee.command()
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@invoked
def show(invocation: Invocation, affiliate: str) -> None:
    """Show an affiliate's payment details; of an IBAN only the last digits."""
    from hub.operations.money.payees import show_payee
    from hub.sealing import load_sealer

    sealer = load_sealer(invocation.settings())
    found = invocation.with_store(lambda store: show_payee(store, sealer, affiliate))
    print_result(invocation, found, lambda: show_fields("Payee", found))


@payee.command()
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--reason", required=True, help="Why nothing is paid.")
@click.option("--until", metavar="T", help="When the hold ends on its own, RFC 3339 (default: with `hub payee free`).")
@by_option
@invoked
def hold(invocation: Invocation, affiliate: str, reason: str, until: str | None, by: str | None) -> None:
    """Put an affiliate's payments on hold: balances carry over, and no payment file includes them."""
    from hub.domain.instants import parse_instant
    from hub.operations.errors import OperatorFault
    from hub.operations.money.payabilities import hold_payments
    from hub.records.wire import write

    try:
        ends_at = None if until is None else parse_instant(until)
    except ValueError:
        raise OperatorFault(f"--until {until!r} is not an RFC 3339 moment, like 2026-11-30T00:00:00Z.") from None
    held = over_store_as(
        invocation, by, lambda store: hold_payments(store, system_clock, affiliate, reason, ends_at)
    )  # fmt: skip
    print_result(invocation, held, lambda: show_fields("Payments are on hold", write(held)))


def _show_hold(ended: HoldDocument) -> None:
    from hub.records.wire import write

    show_fields("The hold has ended", write(ended))


payee.add_command(
    ActCommand("free", "affiliates.freePayments", "Resume the payments of an affiliate whose payments were on hold.",
               _show_hold,
               Takes(on={"affiliate": Value("--affiliate", "The affiliate: id, or exact name or e-mail address.",
                                            "AFF")}))
)  # fmt: skip
payee.add_command(
    ActCommand("terms", "payees.setPayoutTerms",
               "Set an affiliate's own minimum, its currencies, what it is paid in, or that it waits; what is left out "
               "ends.",
               lambda done: show_fields("Payments", done),
               Takes(on={"affiliate": Value("--affiliate", "Its id, or exact name or e-mail address.", "AFF")},
                     values={"minimum": Value("--minimum"), "currencies": Value("--currencies"),
                             "paidIn": Value("--paid-in", metavar="CURRENCY"), "waits": Value("--wait")}))
)  # fmt: skip
payee.add_command(
    ActCommand("tax", "tax_details.setTaxDetails",
               "Say what DAC7 asks of an affiliate ([payouts] dac7); what is left out is not known any more.",
               lambda done: show_fields("Tax details", done),
               Takes(on={"affiliate": Value("--affiliate", "Its id, or exact name or e-mail address.", "AFF")},
                     values={"birthDate": Value("--birth-date", metavar="DAY"),
                             "registrationNumber": Value("--registration-number"), "tin": Value("--tin"),
                             "tinCountry": Value("--tin-country", metavar="COUNTRY"),
                             "accountHolder": Value("--account-holder")}))
)  # fmt: skip
payee.add_command(
    ActCommand("shared", "payees.listSharedAccounts", "List the accounts that several affiliates are paid to.",
               lambda done: show_table(["paid by", "account", "affiliates"],
                                       [(each["method"], each["account"], ", ".join(each["affiliateIds"]))
                                        for each in done],
                                       "Each affiliate has an account of its own."))
)  # fmt: skip
