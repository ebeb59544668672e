"""`hub issuer`: the companies that bill merchants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.output import show_fields, show_table

if TYPE_CHECKING:
    from hub.records.issuers import IssuerDocument


@click.group()
def issuer() -> None:
    """Set the companies that bill merchants, and which bills whom."""


def _table(found: Sequence[IssuerDocument]) -> None:
    columns = ["code", "name", "country", "VAT number", "VAT %", "paid to", "next invoice"]
    rows = [(each.code, each.name, each.country, each.vat_number, each.vat_rate, each.pay_to,
             each.next_number) for each in found]  # fmt: skip
    show_table(columns, rows, "There is none beside the company of the settings ([payouts] issuer_address ...).")


for each in (
    ActCommand("list", "issuers.listIssuers", "List the companies beside the one of the settings.", _table),
    ActCommand("set", "issuers.setIssuer", "Add a company that bills merchants, or change one.",
               lambda done: show_fields("Issuer", done),
               Takes(values={"code": Value("", metavar="CODE"), "name": Value("--name"),
                             "address": Value("--address"), "country": Value("--country"),
                             "vatNumber": Value("--vat-number"), "vatRate": Value("--vat-rate"),
                             "payTo": Value("--pay-to"), "iban": Value("--iban")})),
    ActCommand("bill", "issuers.billBy", "Have a company bill a merchant from its next invoice on.",
               lambda done: show_fields("Billed by", done),
               Takes(on={"merchant": Value("--merchant", "Its id, or exact name or e-mail address.", "MER")},
                     values={"issuer": Value("--issuer")})),
    ActCommand("self-bill", "issuers.selfBillTo",
               "Have an affiliate's self-billed invoices be to a company from the next one on.",
               lambda done: show_fields("Self-billed to", done),
               Takes(on={"affiliate": Value("--affiliate", "Its id, or exact name or e-mail address.", "AFF")},
                     values={"issuer": Value("--issuer")})),
):  # fmt: skip
    issuer.add_command(each)
