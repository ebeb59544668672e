"""`hub statement`: what a run paid an affiliate, and what a merchant owes."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from attrs import astuple

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import Table, print_result, say, show_table
from hub.cli.output_files import write_whole
from hub.clock import system_clock
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.money.invoices.merchant_invoices import InvoiceDocument
    from hub.operations.money.invoices.period_statements import PeriodStatement
    from hub.operations.money.invoices.statements import StatementDocument
    from hub.records.statements import MerchantStatement
    from hub.storage import Store


@click.group()
def statement() -> None:
    """Show what a run paid an affiliate, and what a merchant owes."""


@statement.command()
@click.option("--payout", "payout_id", metavar="PAY", help="The run (default: a period, across runs).")
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--from", "since", metavar="T", help="The first day (UTC) or moment (default: this month's first day).")
@click.option("--to", "until", metavar="T", help="The last day, or the moment after the period (default: now).")
@click.option("--mode", type=click.Choice(MODES), help="For a period: which accounts (default: live).")
@click.option("--format", "form", type=click.Choice(["text", "csv", "pdf"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="The file to write (default: standard output).")
@invoked
def show(
    invocation: Invocation, *, payout_id: str | None, affiliate: str, since: str | None, until: str | None,
    mode: str | None, form: str, output: Path | None,
) -> None:  # fmt: skip
    """Show what a run paid an affiliate, or a period: every line, with the balance before and after."""
    if payout_id is None:
        _show_period(invocation, affiliate, (since, until), mode or "live", form, output)
        return
    if since or until or mode:
        raise Fault("A run is a statement of its own: leave out --from, --to and --mode, or --payout.")
    from hub.operations.money.invoices.statements import affiliate_statement
    from hub.operations.system.branding import issuer_of, logo_of
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)

    async def made(store: Store) -> tuple[StatementDocument, bytes | None]:
        issuer = await issuer_of(store, settings)
        return await affiliate_statement(store, sealer, payout_id, affiliate, issuer), await logo_of(store)

    found, logo = invocation.with_store(made, settings)
    if invocation.json:
        print_result(invocation, found, lambda: None)
        return
    _write(_content(found, form, logo), output)


def _show_period(
    invocation: Invocation, affiliate: str, days: tuple[str | None, str | None], mode: str, form: str,
    output: Path | None,
) -> None:  # fmt: skip
    from hub.operations.money.books.books import books_zone
    from hub.operations.money.invoices.period_statement_files import period_csv, period_pdf, period_text
    from hub.operations.money.invoices.period_statements import period_of, period_statement
    from hub.operations.system.branding import issuer_of, logo_of

    settings = invocation.settings()

    async def of(store: Store) -> tuple[PeriodStatement, bytes | None]:
        period = period_of(*days, system_clock(), await books_zone(store))
        stated = await period_statement(store, affiliate, period, await issuer_of(store, settings), mode)
        return stated, await logo_of(store)

    found, logo = invocation.with_store(of, settings)
    if invocation.json:
        print_result(invocation, found, lambda: None)
        return
    if form == "pdf":
        _write(period_pdf(found, logo), output)
    else:
        _write(period_csv(found) if form == "csv" else period_text(found).encode(), output)


def _write(content: bytes, output: Path | None) -> None:
    """Print a document, or write it to a file."""
    if output is None:
        click.echo(content, nl=False)
        return
    write_whole(output, content)
    say(f"The document is in {output}.")


def _content(found: StatementDocument, form: str, logo: bytes | None) -> bytes:
    from hub.operations.money.invoices.statement_files import statement_csv, statement_pdf, statement_text

    if form == "pdf":
        return statement_pdf(found, logo)
    return statement_csv(found) if form == "csv" else statement_text(found).encode()


@statement.command("self-billed")
@click.option("--payout", "payout_id", metavar="PAY", required=True, help="The run.")
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--currency", metavar="CUR", help="Which, if it has invoices in several currencies.")
@click.option("--format", "form", type=click.Choice(["text", "pdf", "xml"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="The file to write (default: standard output).")
@invoked
def self_billed(
    invocation: Invocation, *, payout_id: str, affiliate: str, currency: str | None, form: str, output: Path | None
) -> None:
    """Show the self-billed invoice of a payout: text, PDF (with the XML inside) or XML (EN 16931)."""
    from hub.operations.money.invoices import self_billed_invoices as made
    from hub.operations.system.branding import logo_of
    from hub.sealing import load_sealer

    sealer = load_sealer(invocation.settings())

    async def one(store: Store) -> tuple[made.SelfBilledInvoice, bytes | None]:
        return await made.self_billed_invoice(store, sealer, payout_id, affiliate, currency), await logo_of(store)

    found, logo = invocation.with_store(one)
    if invocation.json:
        print_result(invocation, found, lambda: None)
        return
    _write(made.self_billed_file(found, form, logo), output)


@statement.command()
@click.argument("year", type=int)
@click.option("--output", type=click.Path(path_type=Path), help="The CSV file to write (default: a table).")
@by_option
@invoked
def year(invocation: Invocation, year: int, output: Path | None, by: str | None) -> None:
    """Show what affiliates were paid in YEAR, by quarter, with what tax offices ask of payees.

    An aid for the accountant, not tax advice. The file contains names, addresses and tax numbers in clear text.
    """
    from hub.operations.money.tax.year_payments import year_csv, year_payments
    from hub.sealing import load_sealer

    sealer = load_sealer(invocation.settings())
    found = over_store_as(invocation, by, lambda store: year_payments(store, sealer, system_clock, year))
    if output is not None and not invocation.json:
        _write(year_csv(found), output)
        return
    columns = ["affiliate", "payee", "country", "currency", "payments", "total", "1099-NEC"]
    rows = [(each["affiliateName"] or each["affiliateId"], each["legalName"] or "nobody", each["country"] or "",
             each["currency"], each["payments"], each["total"], each["form1099Nec"]) for each in found]  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, f"Nobody was paid in {year}."))


@statement.command()
@click.argument("year", type=int)
@click.option("--output", type=click.Path(path_type=Path), help="The CSV file to write (default: a table).")
@by_option
@invoked
def dac7(invocation: Invocation, year: int, output: Path | None, by: str | None) -> None:
    """Show the sellers to report under DAC7 for YEAR, by quarter, and what is missing for each ([payouts] dac7).

    An aid for the accountant, not tax advice. The file contains names, dates of birth and accounts in clear text.
    """
    from hub.operations.money.tax.dac7_report import dac7_csv, dac7_report
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    found = over_store_as(
        invocation, by, lambda store: dac7_report(store, sealer, system_clock, settings.payouts, year)
    )  # fmt: skip
    if output is not None and not invocation.json:
        _write(dac7_csv(found), output)
        return
    columns = ["affiliate", "name", "country", "currency", "by quarter", "activities", "missing"]
    rows = [(each["affiliateId"], each["name"] or "nobody", each["resCountryCode"] or "", each["currency"],
             each["consideration"], sum(each["numberOfActivities"]), each["missing"]) for each in found]  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, f"No reportable seller was paid in {year}."))


@statement.command()
@click.option("--merchant", metavar="ID", required=True, help="The merchant: id, or exact name or e-mail address.")
@click.option("--month", metavar="YYYY-MM", required=True, help="A month of the books that has ended.")
@by_option
@invoked
def invoice(invocation: Invocation, merchant: str, month: str, by: str | None) -> None:
    """Issue a merchant's invoices for a month, one for each currency.

    Numbers have no gaps. Running it again shows the same invoices.
    """
    from hub.operations.money.invoices.merchant_invoices import issue_invoices
    from hub.operations.money.tax.billing import billing_of
    from hub.operations.money.tax.vat_checks import merchant_vat
    from hub.operations.system.branding import issuer_of

    settings = invocation.settings()

    async def issue(store: Store) -> tuple[list[InvoiceDocument], str | None]:
        billing = billing_of(await issuer_of(store, settings), settings.payouts)
        issued = await issue_invoices(store, system_clock, merchant, month, billing)
        return issued, (await merchant_vat(store, settings.payouts, merchant))["warning"]

    found, warning = over_store_as(invocation, by, issue)
    print_result(invocation, found, lambda: _show_invoices(found, f"Nothing is owed for {month}."))
    if found and warning is not None:
        click.echo(warning, err=True)


@statement.command()
@click.option("--merchant", metavar="ID", help="Only this merchant's.")
@click.option("--number", type=int, help="The invoice with this number, as a document.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "pdf", "xml"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="The file to write (default: standard output).")
@invoked
def invoices(
    invocation: Invocation, merchant: str | None, number: int | None, form: str, output: Path | None
) -> None:  # fmt: skip
    """List the invoices to merchants, or show one as text, CSV, PDF (with the XML inside) or XML (EN 16931)."""
    from hub.operations.money.invoices.merchant_invoices import list_invoices, show_invoice
    from hub.operations.system.branding import logo_of

    settings = invocation.settings()
    if number is None:
        listed = invocation.with_store(lambda store: list_invoices(store, merchant), settings)
        print_result(invocation, listed, lambda: _show_invoices(listed, "There are no invoices yet."))
        return

    async def one(store: Store) -> tuple[InvoiceDocument, bytes | None]:
        return await show_invoice(store, number, merchant), await logo_of(store)

    found, logo = invocation.with_store(one, settings)
    if invocation.json:
        print_result(invocation, found, lambda: None)
        return
    _write(_as_file(found, settings.issuer, form, logo), output)


def _as_file(invoice: InvoiceDocument, issuer: str, form: str, logo: bytes | None) -> bytes:
    """Return an invoice in a form; raise `OperatorFault` if it cannot be written as XML."""
    from hub.operations.money.invoices.electronic_invoices import invoice_file_pdf, invoice_xml
    from hub.operations.money.invoices.merchant_invoices import invoice_csv, invoice_text

    match form:
        case "pdf":
            return invoice_file_pdf(invoice, issuer, logo)
        case "xml":
            return invoice_xml(invoice)
        case "csv":
            return invoice_csv(invoice)
        case _:
            return invoice_text(invoice, issuer).encode()


def _show_invoices(found: Sequence[InvoiceDocument], empty: str) -> None:
    columns = ["number", "invoice", "merchant", "month", "currency", "commissions", "corrections", "fee", "total",
               "issued"]  # fmt: skip
    rows = [
        (each["number"], each["invoiceNumber"], each["billedTo"][0], each["month"], each["currency"],
         each["commissions"], each["corrections"], each["fee"], each["total"], each["issuedAt"])
        for each in found
    ]  # fmt: skip
    show_table(columns, rows, empty)


def _show_owed(found: MerchantStatement) -> None:
    columns = ["currency", f"commissions {found.billed}", "how many", "corrections", "fee", "deposit", "total"]
    show_table(columns, map(astuple, found.owed), f"Nothing is owed for {found.month}.")


OF_MERCHANT: Final = {"merchant": Value("--merchant", "The merchant: id, or exact name or e-mail address.", "ID")}

for each in (
    ActCommand("merchant", "statements.getMerchantStatement",
               "Show what a merchant owes for a month: commissions, corrections, and the network's fee.",
               _show_owed,
               Takes(on={**OF_MERCHANT, "month": Value("--month", "A month of the books.", "YYYY-MM")},
                     values={"mode": Value("--mode", default="live")})),
    ActCommand("fee", "statements.setFee",
               "Show or set a merchant's network fee, in percent of affiliates' commissions.",
               Table(["percent", "since", "set by"], itemgetter("percentage", "since", "setBy"), "There is no fee."),
               Takes(on=OF_MERCHANT,
                     own=[click.Option(["--set", "percentage"], metavar="PERCENT",
                                       help="The fee from now on (default: show the fees).")], reads=dict),
               reader="statements.listFees"),
):  # fmt: skip
    statement.add_command(each)
