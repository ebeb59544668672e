"""/account/once: what is shown once, such as a new token, to the session that made it."""

from __future__ import annotations

from typing import Any, Final, Literal

from aiohttp import web

from hub.operations.users.shown_once import Holder, forget_shown, keep_shown, kept_shown
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit

HERE: Final = "/account/once"
ONE: Final = f"{HERE}/{{once}}"
STORED: Final = {"stored": "Good. It is not shown again."}
"""What the page says to which the button leads back."""
PAGES: Final = RouteTable(Page)

Kind = Literal["token", "codes", "webhook", "link"]
"""The name of the template that shows it."""


async def show_once(visit: Visit, kind: Kind, then: str, **values: Any) -> web.Response:
    """Lead on from the form that made something secret to the page that shows it, and from there to `then`."""
    services, shown = visit.services, {"kind": kind, "then": then, "values": values}
    return see_other(f"{HERE}/{await keep_shown(services.store, services.clock, _holder(visit), shown)}")


@PAGES.get(ONE)
async def show(visit: Visit) -> web.StreamResponse:
    """Show it as long as this session may see it."""
    services = visit.services
    shown = await kept_shown(services.store, services.clock, _holder(visit), visit.path["once"])
    if shown is None:
        return visit.page("once/gone.html", 404)
    then = str(shown["then"])
    return visit.page(f"once/{shown['kind']}.html", back=then.partition("?")[0], **shown["values"])


@PAGES.post(ONE)
async def stored(visit: Visit) -> web.StreamResponse:
    """Stop showing it: it is stored, or handed over."""
    services, holder, once = visit.services, _holder(visit), visit.path["once"]
    shown = await kept_shown(services.store, services.clock, holder, once)
    await forget_shown(services.store, holder, once)
    return see_other("/account" if shown is None else str(shown["then"]))


def _holder(visit: Visit) -> Holder:
    if visit.session is None:
        raise LookupError("nobody has signed in")
    return Holder(visit.session.session_id, visit.token)
