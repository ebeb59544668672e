"""/operator/affiliates/{affiliate}/statement: what an affiliate could be paid, from one date to another."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.errors import OperatorFault
from hub.pages.operator.parts import operator_page
from hub.pages.period_statements import period_file, shown_period
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/affiliates/{affiliate}/statement"
PAGES: Final = RouteTable(operator_page)


@PAGES.get(HERE)
async def show(visit: Visit) -> web.StreamResponse:
    """Show the statement of a period, as a page, as PDF or as CSV."""
    mode, form = "test" if visit.query.get("mode") == "test" else "live", visit.query.get("format", "")
    affiliate = await show_affiliate(visit.services.store, visit.path["affiliate"])
    try:
        shown = await shown_period(visit.services, visit.query, affiliate.id, mode)
        if form in ("pdf", "csv") and not shown.faults:
            return period_file(shown.statement, form)
    except OperatorFault as fault:
        return visit.page("too_much.html", 422, fault=fault.reason, back=visit.address)
    return visit.page("operator/period.html", 422 if shown.faults else 200, **shown.values)
