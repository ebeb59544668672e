"""/operator/debts: what affiliates owe, the oldest first, and the proposal to write it off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.adjustments import ACTS
from hub.operations.money.books.write_offs import list_debts
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/debts"
SHOWN: Final = 500
LEAD: Final = (
    "A balance below zero is held against later commissions. What an affiliate will not earn back is written off by "
    "two people: the network bears the loss, and no merchant is billed."
)
FORM: Final = parts.Form(
    f"{HERE}/write-off", "Propose it",
    (parts.Field("affiliate", "Affiliate", hint="Id, or exact name or e-mail address."),
     parts.Field("currency", "Currency", hint="Like EUR."),
     parts.Field("amount", "Amount", hint="Leave it empty for the whole debt.", optional=True),
     parts.Field("reason", "Reason", hint="The affiliate sees it on the statement.")),
    title="Propose to write a debt off", hint="Another administrator must approve it, like any correction.",
)  # fmt: skip
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show what affiliates owe, and to an administrator the form."""
    debts = await list_debts(visit.services.store, visit.services.clock)
    rows = [
        (
            parts.link(each["affiliateName"] or each["affiliateId"], f"/operator/affiliates/{each['affiliateId']}"),
            parts.at(each["since"]),
            parts.text(f"{each['days']} days"),
            parts.money(each["proposed"], each["currency"]),
            parts.money(each["amount"], each["currency"]),
        )
        for each in debts[:SHOWN]
    ]
    columns = ("Affiliate", "Since", "Age", "Proposed to be written off", "Owed")
    listing = parts.Listing("Debts", columns, rows, "No affiliate owes anything.")
    shown = parts.Shown("Affiliates' debts", ("/operator/adjustments", "Corrections"), "", LEAD,
                        (parts.Section("Debts", listing=listing),), (FORM,))  # fmt: skip
    return parts.show_object(visit, shown, status, faults)


def _here(_: Visit) -> str:
    return HERE


PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/write-off": ("writeOffDebt", "proposed"),
}, back=_here))  # fmt: skip
