"""/operator: the trail of all acts, and the users."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.trail import TrailFilter, changed_fields, list_acts
from hub.operations.users import NewUser, create_user, list_users, set_user_status
from hub.pages.login import unconfirmed
from hub.pages.rendering import see_other
from hub.pages.visit import ADMINS, OPERATORS, Page, Visit

ROWS: Final = 50
FILTERS: Final = ("subject", "actor", "act")


def people_pages() -> list[Page]:
    """Return the pages."""
    return [
        Page("GET", "/operator/trail", show_trail, OPERATORS),
        Page("GET", "/operator/users", show_users, OPERATORS),
        Page("POST", "/operator/users", add_user, ADMINS),
        Page("POST", "/operator/users/{user}/disable", disable_user, ADMINS),
        Page("POST", "/operator/users/{user}/enable", enable_user, ADMINS),
    ]


async def show_trail(visit: Visit) -> web.StreamResponse:
    """Show the acts that match the filters in the address, newest first, page by page."""
    asked = {name: visit.query.get(name, "").replace("\x00", "").strip() for name in FILTERS}
    before = visit.query.get("before") or None
    wanted = TrailFilter(asked["subject"] or None, asked["actor"] or None, asked["act"] or None, before_id=before)
    acts = await list_acts(visit.services.store, wanted, limit=ROWS + 1)
    given = {name: value for name, value in asked.items() if value}
    older = urlencode({**given, "before": acts[ROWS - 1]["id"]}) if len(acts) > ROWS else None
    rows = [(act, changed_fields(act)) for act in acts[:ROWS]]
    newest = urlencode(given) if before else None
    return visit.page("trail.html", asked=asked, filtered=bool(given), rows=rows, older=older, newest=newest)


async def show_users(visit: Visit) -> web.StreamResponse:
    """Show who may sign in, and to an administrator the form for one more."""
    return await _users(visit, 200, None)


async def add_user(visit: Visit) -> web.StreamResponse:
    """Create a user as the form says."""
    asked = unconfirmed(visit, "/operator/users")
    if asked is not None:
        return asked
    form = visit.form
    wanted = NewUser(
        email=form.get("email", ""),
        role=form.get("role", ""),
        merchant_id=form.get("merchant") or None,
        affiliate_id=form.get("affiliate") or None,
        name=form.get("name") or None,
    )
    try:
        await create_user(visit.services.store, visit.services.clock, wanted)
    except OperatorFault as fault:
        return await _users(visit, 422, str(fault))
    return see_other("/operator/users?done=created")


async def disable_user(visit: Visit) -> web.StreamResponse:
    """Disable a user, but never oneself: somebody has to be left to undo it."""
    if visit.path["user"] == visit.person.user_id:
        return await _users(visit, 422, "You cannot disable yourself; another administrator can.")
    return await _set_status(visit, "DISABLED")


async def enable_user(visit: Visit) -> web.StreamResponse:
    """Enable a user again."""
    return await _set_status(visit, "ACTIVE")


async def _set_status(visit: Visit, status: str) -> web.Response:
    asked = unconfirmed(visit, "/operator/users")
    if asked is not None:
        return asked
    try:
        await set_user_status(visit.services.store, visit.services.clock, visit.path["user"], status)
    except OperatorFault:
        return visit.page("not_found.html", 404)
    return see_other("/operator/users")


async def _users(visit: Visit, status: int, fault: str | None) -> web.Response:
    users = await list_users(visit.services.store)
    return visit.page(
        "users.html",
        status,
        users=users,
        fault=fault,
        form=visit.form,
        done=visit.query.get("done") == "created",
        may_change=visit.person.has_role(*ADMINS),
    )
