"""/operator/log: the requests of a merchant, or of strangers, with why each was refused."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.request_log import RequestDocument, read_log, read_strangers_log
from hub.pages.operator.parts import (
    ROWS,
    Column,
    Field,
    Listing,
    ListPage,
    asked_for,
    at,
    operator_page,
    paged,
    show_list,
    text,
)
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/log"


def log_pages() -> list[Page]:
    """Return the pages."""
    return [operator_page("GET", HERE, show_log)]


async def show_log(visit: Visit) -> web.StreamResponse:
    """Show the newest requests of a merchant; without one, of callers that no account is known of."""
    asked = asked_for(visit, "merchant", "errors", "before")
    faults: dict[str, str] = {}
    rows: list[RequestDocument] = []
    store, before = visit.services.store, asked["before"] or None
    try:
        if asked["merchant"]:
            errors = asked["errors"] == "1"
            rows = await read_log(store, asked["merchant"], errors_only=errors, limit=ROWS + 1, before=before)
        else:
            rows = await read_strangers_log(store, limit=ROWS + 1, before=before)
    except OperatorFault as fault:
        faults = {"": str(fault)}
    cells = [
        (
            at(row["at"]),
            text(f"{row['method']} {row['path']}"),
            text(row["status"], row["errorCode"] or ""),
            text(row["keyId"]),
            text(row["client"]),
        )
        for row in rows[:ROWS]
    ]
    columns = (Column("When"), Column("Request"), Column("Answer"), Column("Key"), Column("From"))
    filters = (
        Field("merchant", "Merchant", value=asked["merchant"]),
        Field("errors", "Show", "choice", asked["errors"], options=(("1", "refused only"),)),
    )
    lead = "The newest requests. Without a merchant: those of callers that no account is known of."
    older, newest = paged(rows, HERE, asked, lambda row: str(row["id"]))
    listing = Listing("Requests", columns, cells, "There are no such requests.", older, newest)
    page = ListPage("Request log", HERE, listing, lead, filters)
    return show_list(visit, page, 422 if faults else 200, faults)
