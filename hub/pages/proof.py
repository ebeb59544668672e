"""The proof of who one is that an act asks for, and the way to it and back."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from aiohttp import web

from hub.acts.authority import FRESH_MS, Grant
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

UP_TO_THING: Final = re.compile(r".*\}")


def unproved(visit: Visit, grant: Grant | None, then: str) -> web.Response | None:
    """Return the way to the proof that a grant asks for; None if it asks for none, or it was given lately enough."""
    if grant is None or grant.proof_ms is None:
        return None
    return unconfirmed(visit, then, grant.proof_ms, of_oneself=not grant.roles)


def unconfirmed(
    visit: Visit, then: str, within_ms: int = FRESH_MS, *, of_oneself: bool = True
) -> web.Response | None:  # fmt: skip
    """Return the way to prove who one is, before one's own ways in, or before secrets and money of others.

    None if that was lately enough.
    """
    sessions = visit.services.sessions
    if visit.session is not None and sessions.is_confirmed(visit.session, within_ms, of_oneself=of_oneself):
        return None
    return see_other(f"/login/confirm?then={quote(then, safe='/')}")


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
