"""/operator/owed: what each merchant owes for a month, and the network's fee of a merchant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.acts.tax_details import ACTS
from hub.domain.books.book_time import month_before, month_of
from hub.domain.words import LIVE_FIRST
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import show_merchant
from hub.operations.money.books.books import books_zone, show_books
from hub.operations.money.invoices.invoice_standings import invoices_with_standing
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.invoices.merchant_months import (
    by_order,
    checked_month,
    owed_csv,
    owed_lines,
    owed_months,
    whole_lines,
)
from hub.operations.money.invoices.statements import merchant_statement
from hub.operations.money.rates.fees import fee_history, set_fee
from hub.operations.money.tax.billing import billing_of
from hub.operations.money.tax.vat_checks import merchant_vat
from hub.operations.system.branding import issuer_of
from hub.operations.system.party_lists import MERCHANTS, merchants_part
from hub.operations.users.actor_names import names_of_actors
from hub.pages.downloads import download, found_invoice, invoice_file
from hub.pages.operator.act_forms import act_pages
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.merchants import MerchantDocument

HERE: Final = "/operator/owed"
SHOWN_LINES: Final = 200
ONE: Final = f"{HERE}/{{merchant}}"
PAGES: Final = RouteTable(operator_page)


@PAGES.get(HERE)
async def show_owed(visit: Visit) -> web.StreamResponse:
    """Show what each merchant owes for a month."""
    store, mode = visit.services.store, _mode(visit)
    this_month = month_of(visit.services.clock(), await books_zone(store))
    month, faults = visit.query.get("month") or this_month, dict[str, str]()
    try:
        checked_month(month)
    except OperatorFault as fault:
        month, faults = this_month, {"month": fault.reason}
    merchants = await merchants_part(store, wanted_of(visit, MERCHANTS))
    older, newer = beside(HERE, merchants, {"month": month, "mode": mode})
    rows = []
    for each in merchants.entries:
        fees = await fee_history(store, each.id)
        statement = await merchant_statement(store, each.id, month, mode)
        rows.append((each, statement.owed, fees[0]["percentage"] if fees else None))
    return visit.page(
        "operator/owed.html", 422 if faults else 200, rows=rows, month=month, mode=mode, older=older, newer=newer,
        faults=faults, books=await show_books(store),
    )  # fmt: skip


@PAGES.get(ONE)
async def show_merchant_owed(visit: Visit) -> web.StreamResponse:
    """Show what a merchant owes: its months and its fee, or one month by line, as a page or as CSV."""
    store, month, mode = visit.services.store, visit.query.get("month", ""), _mode(visit)
    if "invoice" in visit.query:
        return await _invoice(visit)
    if not month:
        return await _merchant(visit, 200, {})
    merchant = await show_merchant(store, visit.path["merchant"])
    statement = await merchant_statement(store, merchant.id, month, mode)
    lines = await owed_lines(store, merchant.id, month, mode, limit=SHOWN_LINES + 2)
    if visit.query.get("format") == "csv":
        mark = "TEST-" if mode == "test" else ""
        return download(owed_csv(store, merchant.id, month, mode), f"{mark}statement-{merchant.id}-{month}.csv")
    page = whole_lines(lines, SHOWN_LINES)
    return visit.page(
        "operator/owed_month.html",
        owing=merchant,
        statement=statement,
        lines=by_order(page),
        cut=len(lines) > len(page),
        file=f"{HERE}/{merchant.id}?{urlencode({'mode': mode, 'month': month, 'format': 'csv'})}",
    )


@PAGES.post(f"{ONE}/fee")
async def change_fee(visit: Visit) -> web.StreamResponse:
    """Set the network's fee of a merchant from now on."""
    one, services = f"{HERE}/{visit.path['merchant']}", visit.services
    merchant = await show_merchant(services.store, visit.path["merchant"])
    try:
        await set_fee(services.store, services.clock, merchant.id, visit.form.get("percentage", "").strip())
    except OperatorFault as fault:
        return await _merchant(visit, 422, {"percentage": fault.reason})
    return see_other(f"{one}?done=saved")


@PAGES.post(f"{ONE}/invoices")
async def issue(visit: Visit) -> web.StreamResponse:
    """Issue a merchant's invoices for a month that is over; a second press shows the same ones."""
    one, services = f"{HERE}/{visit.path['merchant']}", visit.services
    merchant = await show_merchant(services.store, visit.path["merchant"])
    try:
        billing = billing_of(await issuer_of(services.store, services.settings), services.settings.payouts)
        made = await issue_invoices(services.store, services.clock, merchant.id, visit.form.get("month", ""), billing)
    except OperatorFault as fault:
        return await _merchant(visit, 422, {"month": fault.reason})
    return see_other(f"{one}?done={'issued' if made else 'nothing-owed'}")


async def _invoice(visit: Visit) -> web.StreamResponse:
    merchant = await show_merchant(visit.services.store, visit.path["merchant"])
    invoice = await found_invoice(visit.services, visit.query["invoice"], merchant.id)
    return invoice_file(visit.services, invoice, visit.query.get("format", ""))


async def _merchant(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    store, mode = visit.services.store, _mode(visit)
    merchant: MerchantDocument = await show_merchant(store, visit.path["merchant"])
    fees = await fee_history(store, merchant.id)
    return visit.page(
        "operator/owed_merchant.html",
        status,
        owing=merchant,
        mode=mode,
        months=await owed_months(store, merchant.id, mode, visit.services.clock()),
        fees=fees,
        books=await show_books(store),
        invoices=(await invoices_with_standing(store, visit.services.clock, merchant.id))[:SHOWN_LINES],
        last_month=month_before(visit.services.clock(), await books_zone(store)),
        vat=await merchant_vat(store, visit.services.settings.payouts, merchant.id),
        names=await names_of_actors(store, [fee["setBy"] for fee in fees]),
        may_act=visit.may(f"{HERE}/{{merchant}}/fee"),
        form=visit.form,
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )


def _mode(visit: Visit) -> str:
    mode = visit.query.get("mode", "")
    return mode if mode in LIVE_FIRST else "live"


PAGES.extend(act_pages(ACTS, _merchant, {
    f"{ONE}/vat": ("checkMerchantVat", "looked-up"),
}))  # fmt: skip
