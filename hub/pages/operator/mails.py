"""/operator/mails: what the hub sent, what waits and why, and what is tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.system.mails import STATUSES, MailDocument, list_mails, retry_mail
from hub.pages.markup import many, status_word
from hub.pages.operator.parts import (
    ROWS,
    Cell,
    Column,
    Field,
    Form,
    Listing,
    ListPage,
    asked_for,
    at,
    operator_page,
    paged,
    show_list,
    state,
    text,
)
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/mails"
RETRY: Final = Form(
    f"{HERE}/retry",
    "Try again at once",
    (Field("mail", "Id of the mail"),),
    title="Try a mail again",
)


def mail_pages() -> list[Page]:
    """Return the pages."""
    return [operator_page("GET", HERE, show_mails), operator_page("POST", f"{HERE}/retry", retry)]


async def show_mails(visit: Visit) -> web.StreamResponse:
    """Show the mails, newest first."""
    return await _list(visit, 200, {})


async def retry(visit: Visit) -> web.StreamResponse:
    """Make a mail due at once."""
    services = visit.services
    try:
        await retry_mail(services.store, services.clock, visit.form.get("mail", "").strip())
    except OperatorFault as fault:
        return await _list(visit, 422, {"": str(fault)})
    return see_other(f"{HERE}?done=due")


async def _list(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    asked = asked_for(visit, "status", "before")
    wanted = asked["status"] if asked["status"] in STATUSES else None
    found = await list_mails(visit.services.store, status=wanted, before=asked["before"] or None, limit=ROWS + 1)
    older, newest = paged(found, HERE, asked, lambda row: str(row["id"]))
    columns = (Column("Mail"), Column("Status"), Column("To"), Column("Made"), Column("Due"), Column("Why it waits"))
    listing = Listing(
        "Mails", columns, [_row(each) for each in found[:ROWS]], "There are no such mails.", older, newest
    )
    options = [(each, status_word(each)) for each in STATUSES]
    filters = (Field("status", "Status", "choice", wanted or "", options=options),)
    return show_list(visit, ListPage("Mails", HERE, listing, filters=filters, create=RETRY), status, faults)


def _row(each: MailDocument) -> tuple[Cell, ...]:
    return (
        text(each["template"].replace("_", " "), each["id"]),
        state(each["status"]),
        text(each["to"]),
        at(each["createdAt"]),
        at(each["dueAt"]),
        text(each["fault"], many(each["attempts"], "attempt", "attempts") if each["attempts"] else ""),
    )
