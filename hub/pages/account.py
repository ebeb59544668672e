"""/: what is there for whom; /account: one's own name, settings and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.authority import TOKEN_ROLES
from hub.operations.errors import OperatorFault
from hub.operations.users.user_changes import update_user
from hub.pages.form_faults import NO_FAULTS
from hub.pages.navigation import home_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit
from hub.people.settings import PersonalSettings, guess_zone, set_settings, zones

DONE: Final = {"settings": "Saved.", "name": "Your name is changed."}
PAGES: Final = RouteTable(Page)


@PAGES.get("/", public=True)
async def show_start(visit: Visit) -> web.StreamResponse:
    """Lead each where they belong; show those with more than one place the choice, and strangers what this hub is."""
    home = None if visit.session is None else home_of(visit.person)
    if home is not None:
        return see_other(home)
    return visit.page("start.html", is_open=visit.services.ways.registrations.is_open)


@PAGES.post("/account/name")
async def change_name(visit: Visit) -> web.StreamResponse:
    """Change one's own name; the e-mail address is an administrator's to change, since one signs in by it."""
    services, name = visit.services, visit.form.get("name", "")
    try:
        await update_user(services.store, services.clock, services.outbox, visit.person.user_id, name=name)
    except OperatorFault as fault:
        return await show_account(visit, 422, {"name": fault.reason})
    return see_other("/account?done=name")


@PAGES.post("/account/settings")
async def save_settings(visit: Visit) -> web.StreamResponse:
    """Keep how the person wants pages."""
    form = visit.form
    wanted = PersonalSettings(
        time_zone=form.get("zone") or None,
        theme=form.get("theme") or None,
        dense=form.get("dense") == "1",
        slash_finds=form.get("slash") == "1",
    )
    try:
        await set_settings(visit.services.store, visit.person.user_id, wanted)
    except OperatorFault as fault:
        return await show_account(visit, 422, {"zone": fault.reason})
    return see_other("/account?done=settings")


@PAGES.post("/account/zone")
async def keep_zone(visit: Visit) -> web.StreamResponse:
    """Keep the time zone that the browser names, once, unless the person has set one."""
    await guess_zone(visit.services.store, visit.person.user_id, visit.form.get("zone", ""))
    return web.Response(status=204)


@PAGES.post("/account/sessions/{session}/end")
async def end_session(visit: Visit) -> web.StreamResponse:
    """End one of one's own sessions."""
    if not await visit.services.sessions.end(visit.person.user_id, visit.path["session"]):
        return visit.page("not_found.html", 404)
    return see_other("/account")


@PAGES.get("/account")
async def show_account(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show one's own settings and sessions."""
    sessions = await visit.services.sessions.listed(visit.person.user_id)
    own = None if visit.session is None else visit.session.session_id
    guessed = f"{visit.person.settings.time_zone}, as your browser said." if visit.person.settings.is_guessed else None
    names = [(name, name.replace("_", " ")) for name in zones()]
    return visit.page(
        "account.html",
        status,
        sessions=sessions,
        own=own,
        faults=faults,
        done=DONE.get(visit.query.get("done", "")),
        name=visit.form.get("name", visit.person.name),
        names=names,
        guessed=guessed,
        has_tokens=visit.person.has_role(*TOKEN_ROLES),
    )
