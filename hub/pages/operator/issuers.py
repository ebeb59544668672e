"""/operator/issuers: the companies that bill merchants, and which of them bills whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.issuers import ACTS
from hub.operations.money.tax.issuers import FIRST, list_issuers
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/issuers"
LEAD: Final = (
    "Merchants are billed by the company in the settings unless another one is set here. Each company numbers its own "
    "invoices without gaps, and what an invoice says about its company never changes."
)
FORM: Final = parts.Form(
    f"{HERE}/set", "Save the company",
    (parts.Field("code", "Code", hint="Lowercase letters and digits, like at: its invoices are AT-1, AT-2 and so on."),
     parts.Field("name", "Legal name"),
     parts.Field("address", "Address", hint="In one line."),
     parts.Field("country", "Country", hint="Two letters, like AT. It is taxed there."),
     parts.Field("vatNumber", "VAT number", optional=True),
     parts.Field("vatRate", "VAT in percent", hint="On invoices to merchants of its own country.", optional=True),
     parts.Field("payTo", "Where merchants pay", hint="As their invoices say it.", optional=True),
     parts.Field("iban", "IBAN", hint="A bank's statement of this account pays its invoices alone.", optional=True)),
    title="Add a company, or change one",
)  # fmt: skip
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the companies, and to an administrator the forms."""
    found = await list_issuers(visit.services.store)
    rows = [
        (
            parts.text(each.code),
            parts.text(each.name),
            parts.text(each.address),
            parts.text(each.country),
            parts.text(each.vat_number),
            parts.text(f"{each.vat_rate} %"),
            parts.text(each.pay_to),
            parts.text(each.next_number),
        )
        for each in found
    ]
    columns = ("Code", "Name", "Address", "Country", "VAT number", "VAT", "Paid to", "Next invoice")
    listing = parts.Listing("Companies", columns, rows, "There is none besides the company in the settings.")
    names = [(FIRST, "The company in the settings"), *((each.code, each.name) for each in found)]
    bill = parts.Form(
        f"{HERE}/bill", "Bill it so",
        (parts.Field("merchant", "Merchant", hint="Id, or exact name or e-mail address."),
         parts.Field("issuer", "Company", "choice", options=names)),
        title="Who bills a merchant", hint="From its next invoice on.",
    )  # fmt: skip
    self_bill = parts.Form(
        f"{HERE}/self-bill", "Self-bill to it",
        (parts.Field("affiliate", "Affiliate", hint="Id, or exact name or e-mail address."),
         parts.Field("issuer", "Company", "choice", options=names)),
        title="Which company an affiliate supplies", hint="From its next self-billed invoice on.",
    )  # fmt: skip
    forms = (bill, self_bill, FORM) if found else (FORM,)
    shown = parts.Shown("Billing companies", ("/operator/owed", "What merchants owe"), "", LEAD,
                        (parts.Section("Companies", listing=listing),), forms)  # fmt: skip
    return parts.show_object(visit, shown, status, faults)


def _here(_visit: Visit) -> str:
    return HERE


PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/set": ("setIssuer", "saved"),
    f"{HERE}/bill": ("billBy", "saved"),
    f"{HERE}/self-bill": ("selfBillTo", "saved"),
}, back=_here))  # fmt: skip
