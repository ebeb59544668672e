"""/operator/ledger: the heads of the books, what the last proof found, and the entries as an accountant reads them."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.audits.audit_runs import last_audit
from hub.operations.errors import OperatorFault
from hub.operations.money.ledger.ledger import EntryDocument
from hub.operations.money.ledger.ledger_entries import (
    ENTRIES,
    account_books,
    account_of_commission,
    entries_of,
    ledger_csv,
)
from hub.pages.downloads import download
from hub.pages.money_words import ENTRIES as KINDS
from hub.pages.money_words import PLACES, words_of
from hub.pages.operator import parts
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/ledger"
SHOWN_BOOKS: Final = 200
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(f"{HERE}.csv")
async def export(visit: Visit) -> web.StreamResponse:
    """Send every entry of every account as CSV."""
    return download(ledger_csv(visit.services.store), "ledger.csv")


@PAGES.get(HERE)
async def show_ledger(visit: Visit) -> web.StreamResponse:
    """Show all books with their heads, or the entries of one account, commission, order or affiliate."""
    asked = parts.asked_for(visit, "account", "order", "commission", "affiliate")
    try:
        account = asked["account"]
        if asked["commission"] and not account:
            account = await account_of_commission(visit.services.store, asked["commission"])
        if account:
            return await _entries(visit, {**asked, "account": account})
    except OperatorFault as fault:
        return await _books(visit, 422, {"": str(fault)})
    return await _books(visit, 200, {})


async def _books(visit: Visit, status: int, faults: dict[str, str]) -> web.StreamResponse:
    store = visit.services.store
    books, head = await account_books(store)
    return visit.page(
        "operator/ledger.html",
        status,
        books=[book for book in books if book.entries][:SHOWN_BOOKS],
        head=head,
        entries=sum(book.entries for book in books),
        audit=await last_audit(store),
        faults=faults,
    )


async def _entries(visit: Visit, asked: dict[str, str]) -> web.StreamResponse:
    store = visit.services.store
    books, _ = await account_books(store)
    book = next((each for each in books if each.account_id == asked["account"]), None)
    if book is None:
        raise OperatorFault(f"There is no account {asked['account']!r}.")
    filters = {"order_id": asked["order"], "commission_id": asked["commission"], "affiliate": asked["affiliate"]}
    found = await entries_of(store, book.account_id, wanted_of(visit, ENTRIES, filters))
    columns = ("Entry", "When", "What", "From", "To", "Order", "Cause", "Amount")
    fields = (
        parts.Field("order", "Order", value=asked["order"]),
        parts.Field("commission", "Commission", value=asked["commission"]),
        *await parts.party_filters(visit, asked, "affiliate"),
        parts.Field("account", "Account", value=book.account_id),
    )
    mark = "TEST: " if book.mode == "test" else ""
    end = f"{book.entries:,} entries; the last has the hash {book.hash[:16]}…"
    lead = f"{mark}{book.merchant_name}, {book.mode} account. {end}"
    rows = [_row(each) for each in found.entries]
    listing = parts.Listing(
        "Entries", columns, rows, nothing_of("entry", found, "entries"), *beside(HERE, found, asked)
    )
    return parts.show_list(visit, parts.ListPage("Ledger", HERE, listing, lead, fields))


def _row(each: EntryDocument) -> tuple[parts.Cell, ...]:
    cause, order, its_id = each["cause"], each["externalOrderId"], each["commissionId"] or each["adjustmentId"]
    return (
        parts.text(f"{each['entry']:,}", each["hash"][:12] + "…"),
        parts.at(each["postedAt"]),
        parts.text(words_of(KINDS, each["kind"])),
        parts.text(words_of(PLACES, each["debit"])),
        parts.text(words_of(PLACES, each["credit"])),
        parts.link(order, f"/operator/search?q={its_id}") if order else parts.text(""),
        parts.link("the run", f"/operator/payouts/{cause}") if cause.startswith("pay_") else parts.code(cause),
        parts.money(each["amount"], each["currency"]),
    )
