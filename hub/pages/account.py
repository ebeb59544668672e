"""/: what is there for whom; /account: one's own password and sessions."""

from __future__ import annotations

from aiohttp import web

from hub.pages.login import unconfirmed
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit
from hub.people.passwords import password_fault


def account_pages() -> list[Page]:
    """Return the pages."""
    return [
        Page("GET", "/", show_start, public=True),
        Page("GET", "/account", show_account),
        Page("POST", "/account/password", set_password),
        Page("POST", "/account/sessions/{session}/end", end_session),
    ]


async def show_start(visit: Visit) -> web.StreamResponse:
    """Show what this hub is, or what is there for the person's roles."""
    return visit.page("start.html")


async def show_account(visit: Visit) -> web.StreamResponse:
    """Show one's own password form and sessions."""
    return await _account(visit, 200, None)


async def set_password(visit: Visit) -> web.StreamResponse:
    """Set one's own password; all other sessions end."""
    asked = unconfirmed(visit, "/account")
    if asked is not None or visit.session is None:
        return asked or see_other("/login")
    password = visit.form.get("password", "")
    fault = password_fault(password, visit.person.email)
    if fault is not None:
        return await _account(visit, 422, fault)
    await visit.services.sign_in.set_password(visit.session, password)
    return see_other("/account?done=password")


async def end_session(visit: Visit) -> web.StreamResponse:
    """End one of one's own sessions."""
    if not await visit.services.sessions.end(visit.person.user_id, visit.path["session"]):
        return visit.page("not_found.html", 404)
    return see_other("/account")


async def _account(visit: Visit, status: int, fault: str | None) -> web.Response:
    sessions = await visit.services.sessions.listed(visit.person.user_id)
    own = None if visit.session is None else visit.session.session_id
    done = visit.query.get("done") == "password"
    return visit.page("account.html", status, sessions=sessions, own=own, fault=fault, done=done)
