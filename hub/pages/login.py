"""/login: by password, by a link, by a second factor; a new password; proving once more who one is; signing out."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from aiohttp import web

from hub.pages.proof import confirm_page, gone_on
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit, local_address
from hub.people.failures import Paused
from hub.people.sign_in import AT_ACCOUNT, Entered

WRONG = "The e-mail address and password do not match."
LONGEST_EMAIL = 255
SECURITY = "/account/security"


PAGES: Final = RouteTable(Page)


@PAGES.get("/login", public=True)
async def show_login(visit: Visit) -> web.StreamResponse:
    """Show the form; somebody who has signed in goes on."""
    then = local_address(visit.query.get("then", "/"))
    return see_other(then) if visit.session else await login_page(visit, 200, then)


@PAGES.post("/login", public=True)
async def sign_in(visit: Visit) -> web.StreamResponse:
    """Sign in by password; every failure is answered alike."""
    then, email = local_address(visit.form.get("then", "/")), visit.form.get("email", "")[:LONGEST_EMAIL]
    password = visit.form.get("password", "")
    try:
        entered = await visit.services.ways.sign_in.with_password(email, password, visit.client, visit.token)
    except Paused as pause:
        return await login_page(visit, 429, then, email, wait_text(pause))
    if entered is None:
        return await login_page(visit, 422, then, email, WRONG)
    return await signed_in(visit, entered, then)


@PAGES.get("/login/second", public=True)
async def show_second(visit: Visit) -> web.StreamResponse:
    """Ask for the code of the authenticator app."""
    return visit.page("second.html", then=local_address(visit.query.get("then", "/")), fault=None)


@PAGES.post("/login/second", public=True)
async def take_second(visit: Visit) -> web.StreamResponse:
    """Finish a sign-in by a code of the app, or by a recovery code."""
    then = local_address(visit.form.get("then", "/"))
    try:
        token = await visit.services.ways.authenticator.complete(
            visit.form.get("code", "")[:64], visit.client, visit.token
        )
    except Paused as pause:
        return visit.page("second.html", 429, then=then, fault=wait_text(pause))
    except LookupError:
        return await login_page(visit, 422, then, "", "That took too long. Please sign in again.")
    if token is None:
        return visit.page("second.html", 422, then=then, fault="This is not the code that your app shows now.")
    return await signed_in(visit, Entered(token), then)


@PAGES.get("/login/recover", public=True)
async def show_recover(visit: Visit) -> web.StreamResponse:
    """Show how to get a new password or a sign-in link."""
    return _recover(visit)


@PAGES.post("/login/recover", public=True)
async def ask_for_link(visit: Visit) -> web.StreamResponse:
    """Mail the way to a new password, or note the wish for the operator; the answer is the same for any address."""
    email = visit.form.get("email", "")[:LONGEST_EMAIL]
    try:
        await visit.services.ways.sign_in.ask_for_link(email, visit.client, await visit.services.root())
    except Paused as pause:
        return _recover(visit, 429, fault=wait_text(pause))
    return _recover(visit, asked=True)


@PAGES.get("/login/link/{token}", public=True)
async def show_link(visit: Visit) -> web.StreamResponse:
    """Show the button that uses a link up: programs that look at links in messages press none."""
    link = await visit.services.ways.sign_in.link(visit.path["token"])
    return spent(visit) if link is None else visit.page("link.html", link=link)


@PAGES.post("/login/link/{token}", public=True)
async def use_link(visit: Visit) -> web.StreamResponse:
    """Sign in by a link; after an invitation or for a new password go on to the account."""
    entered = await visit.services.ways.sign_in.with_link(visit.path["token"], visit.client, visit.token)
    if entered is None:
        return spent(visit)
    return await signed_in(visit, entered, SECURITY if entered.purpose in AT_ACCOUNT else "/")


@PAGES.get("/login/confirm")
async def show_confirm(visit: Visit) -> web.StreamResponse:
    """Ask once more who it is, before secrets and money."""
    return await confirm_page(visit, local_address(visit.query.get("then", "/")))


@PAGES.post("/login/confirm")
async def confirm(visit: Visit) -> web.StreamResponse:
    """Note that the person has proved who they are, by password or by a code, and go on."""
    then, ways = local_address(visit.form.get("then", "/")), visit.services.ways
    if visit.session is None:
        return see_other("/login")
    code = visit.form.get("code", "")[:64]
    try:
        if code:
            proved = await ways.authenticator.confirm(visit.session, code, visit.client)
        else:
            proved = await ways.sign_in.confirm(visit.session, visit.form.get("password", ""), visit.client)
    except Paused as pause:
        return await confirm_page(visit, then, 429, wait_text(pause))
    if not proved:
        fault = "This is not the code that your app shows now." if code else "This is not your password."
        return await confirm_page(visit, then, 422, fault)
    return gone_on(visit, then)


@PAGES.get("/login/security")
async def lead_to_security(visit: Visit) -> web.StreamResponse:  # noqa: ARG001 - a handler takes the visit
    """Lead to the page of one's ways in, which others may link to by this address."""
    return see_other(SECURITY)


@PAGES.post("/logout")
async def sign_out(visit: Visit) -> web.StreamResponse:
    """End the session of this browser."""
    if visit.session is not None:
        await visit.services.sessions.end(visit.person.user_id, visit.session.session_id)
    response = see_other("/login")
    response.headers["Clear-Site-Data"] = '"storage"'  # no cache has a page of somebody's
    response.del_cookie(visit.services.cookie, path="/", secure=visit.services.secure, httponly=True, samesite="Lax")
    return response


def wait_text(pause: Paused) -> str:
    """Return the sentence of a pause."""
    return f"There were too many attempts. Wait {pause.seconds} seconds and try again."


async def login_page(visit: Visit, status: int, then: str, email: str = "", fault: str | None = None) -> web.Response:
    """Return the form for signing in."""
    site = await visit.site()
    is_open = visit.services.ways.registrations.is_open
    return visit.page(
        "login.html", status, then=then, email=email, fault=fault, has_passkeys=site is not None, is_open=is_open
    )


async def signed_in(visit: Visit, entered: Entered, then: str) -> web.Response:
    """Lead on after a sign-in, which ends the session that the browser had, or to the second factor."""
    if entered.token is None:
        return see_other(f"/login/second?then={quote(then, safe='/')}")
    if visit.session is not None:
        await visit.services.sessions.end(visit.person.user_id, visit.session.session_id)
    response = see_other(then)
    visit.give_cookie(response, entered.token)  # a new one, so that what somebody else planted is worth nothing
    return response


def spent(visit: Visit) -> web.Response:
    """Return the page of a link that was used or has expired."""
    return visit.page("link_spent.html", 404)


def _recover(visit: Visit, status: int = 200, *, asked: bool = False, fault: str | None = None) -> web.Response:
    mails = visit.services.outbox.is_on
    return visit.page("recover.html", status, asked=asked, fault=fault, mails=mails)
