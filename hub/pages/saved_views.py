"""/account/views: the filters of lists that a person keeps, saved, renamed and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit
from hub.people.saved_views import LISTS, delete_view, rename_view, save_view, views_of

HERE: Final = "/account/views"
DONE: Final = {"renamed": "The view is renamed.", "deleted": "The view is deleted."}


def saved_view_pages() -> list[Page]:
    """Return the pages."""
    one = f"{HERE}/{{view}}"
    return [
        Page("GET", HERE, show_views),
        Page("POST", HERE, save),
        Page("POST", f"{one}/rename", rename),
        Page("POST", f"{one}/delete", delete),
    ]


async def show_views(visit: Visit) -> web.StreamResponse:
    """Show all of one's views."""
    return await _views(visit, 200, {})


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
        return await _views(visit, 422, {"": str(fault)})
    return see_other(view.address)


async def rename(visit: Visit) -> web.StreamResponse:
    """Give a view another name."""
    try:
        await rename_view(visit.services.store, visit.person.user_id, visit.path["view"], visit.form.get("name", ""))
    except OperatorFault as fault:
        return await _views(visit, 422, {"": str(fault)})
    return see_other(f"{HERE}?done=renamed")


async def delete(visit: Visit) -> web.StreamResponse:
    """Delete a view."""
    await delete_view(visit.services.store, visit.person.user_id, visit.path["view"])
    return see_other(f"{HERE}?done=deleted")


async def _views(visit: Visit, status: int, faults: Mapping[str, str]) -> web.Response:
    own = await views_of(visit.services.store, visit.person.user_id)
    done = DONE.get(visit.query.get("done", ""))
    return visit.page("views.html", status, own=own, lists=LISTS, faults=faults, done=done)
