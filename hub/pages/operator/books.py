"""/operator/books: their time zone, when merchants are billed, and the months that are closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.books import ACTS
from hub.operations.money.books.books import BooksDocument, show_books
from hub.operations.money.ledger.closings import list_months
from hub.operations.users.actor_names import names_of_actors
from hub.pages.form_faults import NO_FAULTS
from hub.pages.money_words import BILLED
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/books"
LEAD: Final = (
    "A closed month takes no more entries: what becomes known later is booked in the open month, with its cause. "
    "One person proposes to close a month, another one closes it, and that closes all months before it."
)
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show how the books are kept, and to an administrator the forms."""
    store = visit.services.store
    books, months = await show_books(store), await list_months(store)
    people = [person for each in months for person in (each["proposedBy"], each["closedBy"]) if person]
    names = await names_of_actors(store, people)
    rows = [
        (
            parts.text(each["month"]),
            parts.state("CLOSED" if each["closedAt"] else "PROPOSED"),
            parts.text(names.get(each["proposedBy"], each["proposedBy"])),
            parts.text(names.get(each["closedBy"] or "", each["closedBy"])),
            parts.at(each["closedAt"]),
            parts.code(each["head"]),
        )
        for each in months
    ]
    columns = ("Month", "State", "Proposed by", "Closed by", "Closed", "Head of the books")
    listing = parts.Listing("Months", columns, rows, "No month is closed yet.")
    sections = (
        parts.Section("Months", listing=listing),
        parts.Section(
            "How they are kept",
            (
                ("Months and days begin in", parts.text(books["timeZone"])),
                ("Merchants are billed", parts.text(BILLED[books["billed"]])),
            ),
        ),
    )
    shown = parts.Shown("Books", ("/operator/ledger", "Ledger"), "", LEAD, sections, _forms(books))
    return parts.show_object(visit, shown, status, faults)


def _forms(books: BooksDocument) -> tuple[parts.Form, ...]:
    month = parts.Field("month", "Month", hint="Like 2026-11. The month must be over.")
    return (
        parts.Form(
            f"{HERE}/propose-close",
            "Propose to close it",
            (month, parts.Field("anyway", "Close it even if merchants owe amounts that are not invoiced", "tick")),
            title="Propose to close a month",
        ),
        parts.Form(f"{HERE}/close", "Close it", (month,), "danger", "Close a month that another person proposed"),
        parts.Form(
            f"{HERE}/zone",
            "Set it",
            (
                parts.Field(
                    "timeZone",
                    "Time zone",
                    value=books["timeZone"],
                    hint="Like Europe/Berlin; before the first invoice.",
                ),
            ),
            title="Set the time zone",
        ),
        parts.Form(
            f"{HERE}/billing",
            "Set it",
            (
                parts.Field(
                    "billed",
                    "Merchants are billed",
                    "choice",
                    books["billed"],
                    "Before the first invoice.",
                    options=tuple(BILLED.items()),
                ),
            ),
            title="Set when merchants are billed",
        ),
    )


def _here(_: Visit) -> str:
    return HERE


PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/zone": ("setBooks", "saved"),
    f"{HERE}/billing": ("setBilling", "saved"),
    f"{HERE}/propose-close": ("proposeClose", "close-proposed"),
    f"{HERE}/close": ("closeMonth", "month-closed"),
}, back=_here))  # fmt: skip
