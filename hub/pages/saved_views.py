"""/account/views: the filters of lists that a person keeps, saved, renamed and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.pages.form_faults import NO_FAULTS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit
from hub.people.saved_views import LISTS, delete_view, rename_view, save_view, views_of

HERE: Final = "/account/views"
DONE: Final = {"renamed": "The view is renamed.", "deleted": "The view is deleted."}
ONE: Final = f"{HERE}/{{view}}"
PAGES: Final = RouteTable(Page)


@PAGES.post(HERE)
async def save(visit: Visit) -> web.StreamResponse:
    """Keep the filters of a list, and lead back to it."""
    form, services = visit.form, visit.services
    try:
        view = await save_view(
            services.store,
            services.clock,
            visit.person.user_id,
            form.get("list", ""),
            form.get("name", ""),
            form.get("filters", ""),
        )
    except OperatorFault as fault:
        return await show_views(visit, 422, {"": fault.reason})
    return see_other(view.address)


@PAGES.post(f"{ONE}/rename")
async def rename(visit: Visit) -> web.StreamResponse:
    """Give a view another name."""
    try:
        await rename_view(visit.services.store, visit.person.user_id, visit.path["view"], visit.form.get("name", ""))
    except OperatorFault as fault:
        return await show_views(visit, 422, {"": fault.reason})
    return see_other(f"{HERE}?done=renamed")


@PAGES.post(f"{ONE}/delete")
async def delete(visit: Visit) -> web.StreamResponse:
    """Delete a view."""
    await delete_view(visit.services.store, visit.person.user_id, visit.path["view"])
    return see_other(f"{HERE}?done=deleted")


@PAGES.get(HERE)
async def show_views(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show all of one's views."""
    own = await views_of(visit.services.store, visit.person.user_id)
    done = DONE.get(visit.query.get("done", ""))
    return visit.page("views.html", status, own=own, lists=LISTS, faults=faults, done=done)
