"""/operator/mails: what the hub sent, what waits and why, and what is tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.words import MAIL_STATUSES
from hub.operations.errors import OperatorFault
from hub.operations.lists import Page as Part
from hub.operations.system.mails import MAILS, list_mails, retry_mail
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import many, status_word
from hub.pages.operator import parts
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.mails import MailDocument

HERE: Final = "/operator/mails"
WORDS: Final = {
    "invitation": "Invitation",
    "login-link": "Sign-in link",
    "password-reset": "New password",
    "confirm-address": "Address to confirm",
    "address-known": "Address that is known",
    "notice": "Notice",
    "question": "Question about an order",
    "partner": "Invitation of a partner",
    "notices": "Notices",
}
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(f"{HERE}/retry")
async def retry(visit: Visit) -> web.StreamResponse:
    """Make a mail due at once."""
    services = visit.services
    try:
        await retry_mail(services.store, services.clock, visit.form.get("mail", "").strip())
    except OperatorFault as fault:
        return await show_mails(visit, {"": str(fault)})
    return see_other(f"{HERE}?done=due")


@PAGES.get(HERE)
async def show_mails(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the mails, newest first."""
    asked = parts.asked_for(visit, "status", "to")
    if asked["status"] not in MAIL_STATUSES:
        asked["status"] = ""
    found = await list_mails(visit.services.store, wanted_of(visit, MAILS, asked))
    older, newer = beside(HERE, found, asked)
    columns = ("Email", "Status", "To", "Created", "Due", "Why it was not sent", "")
    rows = [_row(each) for each in found.entries]
    listing = parts.Listing("Emails", columns, rows, _empty(visit, asked, found), older, newer)
    options = [(each, status_word(each)) for each in MAIL_STATUSES]
    filters = (
        parts.Field("status", "Status", "choice", asked["status"], options=options),
        parts.Field("to", "To", value=asked["to"]),
    )
    return parts.show_list(visit, parts.ListPage("Emails", HERE, listing, filters=filters), faults)


def _empty(visit: Visit, asked: Mapping[str, str], found: Part[MailDocument]) -> str:
    if asked["status"] or asked["to"]:
        return nothing_of("mail", found)
    if visit.services.outbox.is_on:
        return "No email has been sent yet. Invitations, sign-in links and notices appear here."
    return "This hub sends no email: no server is configured under [mail]. Pass on the links shown here instead."


def _retry(each: MailDocument) -> parts.Form | None:
    if each.status == "SENT":
        return None
    fields = (parts.Field("mail", "", "hidden", each.id),)
    return parts.Form(f"{HERE}/retry", "Try again", fields, title=f"to send the mail to {each.to}")


def _row(each: MailDocument) -> tuple[parts.Cell, ...]:
    return (
        parts.text(WORDS.get(each.template, each.template), each.id),
        parts.state(each.status),
        parts.text(each.to),
        parts.at(each.created_at),
        parts.at(each.due_at),
        parts.text(each.fault, many(each.attempts, "attempt", "attempts") if each.fault else ""),
        parts.button(_retry(each)),
    )
