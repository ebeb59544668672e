"""/login: by e-mail address and password, or by a link that the operator hands out; and signing out."""

from __future__ import annotations

from urllib.parse import quote

from aiohttp import web

from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit, local_address
from hub.people.sign_in import Paused

WRONG = "E-mail address and password do not fit together."
LONGEST_EMAIL = 255


def login_pages() -> list[Page]:
    """Return the pages."""
    return [
        Page("GET", "/login", show_login, public=True),
        Page("POST", "/login", sign_in, public=True),
        Page("GET", "/login/recover", show_recover, public=True),
        Page("POST", "/login/recover", ask_for_link, public=True),
        Page("GET", "/login/link/{token}", show_link, public=True),
        Page("POST", "/login/link/{token}", use_link, public=True),
        Page("GET", "/login/confirm", show_confirm),
        Page("POST", "/login/confirm", confirm),
        Page("POST", "/logout", sign_out),
    ]


async def show_login(visit: Visit) -> web.StreamResponse:
    """Show the form; somebody who has signed in goes on."""
    then = local_address(visit.query.get("then", "/"))
    return see_other(then) if visit.session else _login(visit, 200, then)


async def sign_in(visit: Visit) -> web.StreamResponse:
    """Sign in by password; every failure is answered alike."""
    then, email = local_address(visit.form.get("then", "/")), visit.form.get("email", "")[:LONGEST_EMAIL]
    try:
        token = await visit.services.sign_in.with_password(email, visit.form.get("password", ""), visit.client)
    except Paused as pause:
        return _login(visit, 429, then, email, wait_text(pause))
    return _login(visit, 422, then, email, WRONG) if token is None else _signed_in(visit, token, then)


async def show_recover(visit: Visit) -> web.StreamResponse:
    """Show how to get a sign-in link."""
    return visit.page("recover.html", asked=False, fault=None)


async def ask_for_link(visit: Visit) -> web.StreamResponse:
    """Note the wish for the operator; the answer is the same for an unknown e-mail address."""
    try:
        await visit.services.sign_in.ask_for_link(visit.form.get("email", "")[:LONGEST_EMAIL], visit.client)
    except Paused as pause:
        return visit.page("recover.html", 429, asked=False, fault=wait_text(pause))
    return visit.page("recover.html", asked=True, fault=None)


async def show_link(visit: Visit) -> web.StreamResponse:
    """Show the button that uses a sign-in link up: programs that look at links in messages press none."""
    email = await visit.services.sign_in.email_of_link(visit.path["token"])
    return _spent(visit) if email is None else visit.page("link.html", email=email)


async def use_link(visit: Visit) -> web.StreamResponse:
    """Sign in by a link, and offer to set a password."""
    token = await visit.services.sign_in.with_link(visit.path["token"], visit.client)
    return _spent(visit) if token is None else _signed_in(visit, token, "/account")


async def show_confirm(visit: Visit) -> web.StreamResponse:
    """Ask once more who it is, before secrets and money."""
    return visit.page("confirm.html", then=local_address(visit.query.get("then", "/")), fault=None)


async def confirm(visit: Visit) -> web.StreamResponse:
    """Note that the person has proved who they are, and go on."""
    then = local_address(visit.form.get("then", "/"))
    if visit.session is None:
        return see_other("/login")
    try:
        proved = await visit.services.sign_in.confirm(visit.session, visit.form.get("password", ""), visit.client)
    except Paused as pause:
        return visit.page("confirm.html", 429, then=then, fault=wait_text(pause))
    if not proved:
        return visit.page("confirm.html", 422, then=then, fault="This is not your password.")
    return see_other(then)


async def sign_out(visit: Visit) -> web.StreamResponse:
    """End the session of this browser."""
    if visit.session is not None:
        await visit.services.sessions.end(visit.person.user_id, visit.session.session_id)
    response = see_other("/login")
    response.del_cookie(visit.services.cookie, path="/", secure=visit.services.secure, httponly=True, samesite="Lax")
    return response


def unconfirmed(visit: Visit, then: str) -> web.Response | None:
    """Return the way to prove who one is, before secrets and money; None if that was less than 10 minutes ago."""
    if visit.session is not None and visit.services.sessions.is_confirmed(visit.session):
        return None
    return see_other(f"/login/confirm?then={quote(then, safe='/')}")


def wait_text(pause: Paused) -> str:
    """Return the sentence of a pause."""
    return f"There were too many attempts. Wait {pause.seconds} seconds and try again."


def _login(visit: Visit, status: int, then: str, email: str = "", fault: str | None = None) -> web.Response:
    return visit.page("login.html", status, then=then, email=email, fault=fault)


def _signed_in(visit: Visit, token: str, then: str) -> web.Response:
    response = see_other(then)
    visit.give_cookie(response, token)  # a new one, so that what somebody else planted before is worth nothing
    return response


def _spent(visit: Visit) -> web.Response:
    return visit.page("link_spent.html", 404)
