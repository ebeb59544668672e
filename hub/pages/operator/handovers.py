"""/operator/handovers: a link to hand over to somebody, shown to the session that made it."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.acts.authority import ADMINS
from hub.operations.users.link_handovers import Handover, Holder, end_handover, offer_link, offered_link
from hub.pages.operator.parts import operator_page
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/handovers"
ONE: Final = f"{HERE}/{{handover}}"
PAGES: Final = RouteTable(operator_page)


@PAGES.get(ONE, ADMINS)
async def show_link(visit: Visit) -> web.StreamResponse:
    """Show the link as long as this session may see it."""
    services = visit.services
    handover = await offered_link(services.store, services.clock, _holder(visit), visit.path["handover"])
    if handover is None:
        return visit.page("not_found.html", 404)
    return visit.page("handover.html", handover=handover, address=visit.address)


@PAGES.post(ONE, ADMINS)
async def end(visit: Visit) -> web.StreamResponse:
    """Stop showing the link: it is handed over."""
    await end_handover(visit.services.store, _holder(visit), visit.path["handover"])
    return see_other("/operator/users?done=handed")


async def hand_over(visit: Visit, handover: Handover) -> web.Response:
    """Lead on from the form that made a link to the page that shows it."""
    services = visit.services
    return see_other(f"{HERE}/{await offer_link(services.store, services.clock, _holder(visit), handover)}")


def _holder(visit: Visit) -> Holder:
    if visit.session is None:
        raise LookupError("nobody has signed in")
    return Holder(visit.session.session_id, visit.token)
