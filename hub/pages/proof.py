"""The proof of who one is that an act asks for, and the way to it and back."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from aiohttp import web

from hub.acts.authority import FRESH_MS, Grant
from hub.pages.kept_forms import carried_in, kept_form, send_on
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

CONFIRM: Final = "/login/confirm"
UP_TO_THING: Final = re.compile(r".*\}")


async def unproved(visit: Visit, grant: Grant | None, then: str) -> web.Response | None:
    """Return the way to the proof that a grant asks for; None if it asks for none, or it was given lately enough.

    A form is kept until its person has proved who they are, and then goes on, unless it could be another site's, or has
    a file.
    """
    if grant is None or grant.proof_ms is None:
        return None
    asked = unconfirmed(visit, then, grant.proof_ms, of_oneself=not grant.roles)
    return await confirm_page(visit, then, 403) if asked is not None and visit.keeps_form else asked


def unconfirmed(
    visit: Visit, then: str, within_ms: int = FRESH_MS, *, of_oneself: bool = True
) -> web.Response | None:  # fmt: skip
    """Return the way to prove who one is, before one's own ways in, or before secrets and money of others.

    None if that was lately enough.
    """
    sessions = visit.services.sessions
    if visit.session is not None and sessions.is_confirmed(visit.session, within_ms, of_oneself=of_oneself):
        return None
    return see_other(f"{CONFIRM}?then={quote(then, safe='/')}")


async def confirm_page(visit: Visit, then: str, status: int = 200, fault: str | None = None) -> web.Response:
    """Return the form with which a person proves once more who they are; it carries the form that waits for it."""
    can = visit.person.passkeys > 0 and await visit.site() is not None
    session = visit.session
    until = None if session is None else visit.services.sessions.mistrusted_until(session)
    by_link = session is not None and session.let_in_by is not None
    kept = carried_in(visit.form) if visit.address.startswith(CONFIRM) else kept_form(visit, visit.form)
    if kept is not None and kept.left_out and not kept.fields:
        kept = None  # a new password alone: its page asks for it again
    return visit.page(
        "confirm.html", status, then=then, fault=fault, has_passkeys=can, until=until, by_link=by_link, kept=kept
    )


def gone_on(visit: Visit, then: str) -> web.Response:
    """Lead on after a proof: with the form that waited for it, else to where somebody was going."""
    kept = carried_in(visit.form)
    return see_other(then) if kept is None else send_on(visit, kept)


def back_from_proof(visit: Visit, page: Page) -> str:
    """Return where a proof leads back to: a page itself, or the page that has the form.

    That is the thing that the form is about, or the list that it adds to, unless the page says otherwise.
    """
    if page.method == "GET":
        return visit.address_with_query
    if page.back is not None:
        return page.back(visit)
    thing = UP_TO_THING.match(page.path)
    address = page.path if thing is None else thing[0]
    return address.format(**{name: quote(value, safe="") for name, value in visit.path.items()})
