"""/merchant/statements: what the merchant owes, month by month, and the lines of a month."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.domain.books.book_time import month_of, zone_named
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_zone, show_books
from hub.operations.money.books.deposits import show_deposit
from hub.operations.money.invoices.invoice_standings import invoices_with_standing
from hub.operations.money.invoices.merchant_months import by_order, owed_csv, owed_lines, owed_months, whole_lines
from hub.operations.money.invoices.statements import merchant_statement
from hub.operations.money.rates.fees import fee_history
from hub.pages.downloads import download, found_invoice, invoice_file
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/statements"
ROWS: Final = 100
SHOWN_INVOICES: Final = 500
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show_months(shown: MerchantVisit) -> web.StreamResponse:
    """Show what is owed for each month, and the network's fee."""
    store, clock = shown.services.store, shown.services.clock
    books = await show_books(store)
    return shown.page(
        "merchant/statements.html",
        months=await owed_months(store, shown.merchant_id, shown.mode, clock()),
        fees=await fee_history(store, shown.merchant_id),
        deposit=await show_deposit(store, shown.merchant_id),
        this_month=month_of(clock(), zone_named(books["timeZone"])),
        books=books,
    )


@PAGES.get(f"{HERE}/invoices")
async def show_invoices(shown: MerchantVisit) -> web.StreamResponse:
    """Show the invoices, or send the one that the address names as PDF or CSV."""
    number = shown.query.get("number")
    if number is not None:
        try:
            invoice = await found_invoice(shown.services, number, shown.merchant_id)
        except OperatorFault:
            raise NotInAccount from None
        return invoice_file(shown.services, invoice, shown.query.get("format", ""))
    invoices = await invoices_with_standing(shown.services.store, shown.services.clock, shown.merchant_id)
    return shown.page("merchant/invoices.html", invoices=invoices[:SHOWN_INVOICES])


@PAGES.get(f"{HERE}/deposit")
async def show_own_deposit(shown: MerchantVisit) -> web.StreamResponse:
    """Show what is left of the deposit, what it covers, and what is missing."""
    return shown.page("merchant/deposit.html", deposit=await show_deposit(shown.services.store, shown.merchant_id))


@PAGES.get(f"{HERE}/month")
async def show_month(shown: MerchantVisit) -> web.StreamResponse:
    """Show one month by line, as a page or as CSV."""
    store = shown.services.store
    month = shown.query.get("month") or month_of(shown.services.clock(), await books_zone(store))
    after = shown.query.get("after", "0")
    number = int(after) if after.isascii() and after.isdigit() and len(after) < 16 else 0
    try:
        statement = await merchant_statement(store, shown.merchant_id, month, shown.mode)
        lines = await owed_lines(store, shown.merchant_id, month, shown.mode, limit=ROWS + 2, after=number)
    except OperatorFault:
        raise NotInAccount from None
    if shown.query.get("format") == "csv":
        mark = "TEST-" if shown.mode == "test" else ""
        return download(owed_csv(store, shown.merchant_id, month, shown.mode), f"{mark}statement-{month}.csv")
    page = whole_lines(lines, ROWS)
    more = {"mode": shown.mode, "month": month, "after": page[-1]["entry"]} if len(lines) > len(page) else None
    return shown.page(
        "merchant/statement.html",
        statement=statement,
        lines=by_order(page),
        later=None if more is None else f"?{urlencode(more)}",
        first=f"?{urlencode({'mode': shown.mode, 'month': month})}" if number else None,
    )
