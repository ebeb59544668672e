"""/account/security: the ways in of a person, each added and taken away by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from aiohttp import web

from hub.operations.affiliates.qr_codes import qr_code
from hub.operations.users.api_tokens import is_living, list_tokens
from hub.pages.login import SECURITY
from hub.pages.proof import unconfirmed
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.shown_once import STORED, show_once
from hub.pages.visit import Page, Visit
from hub.people.passwords import password_fault

DONE: Final = {
    "password": "Your password is set, and all your other sessions have ended.",
    "passkey": "The passkey is added. You can give it a name.",
    "removed": "It is removed and no longer signs anyone in.",
    "confirmed": "You have confirmed that it is you.",
    **STORED,
}
FAULTS: Final = {
    "refused": "The browser's passkey was not accepted. Please try again.",
    "last": "This is your last way in. Set a password or add another passkey first.",
    "name": "A name has 1 to 255 printable characters.",
}
QR_HEADERS: Final = {**HEADERS, "Content-Type": "image/svg+xml"}
PAGES: Final = RouteTable(Page)


@PAGES.get(SECURITY)
async def show_security(visit: Visit) -> web.StreamResponse:
    """Show the ways in that the person has."""
    return await _security(visit, 200, FAULTS.get(visit.query.get("done", "")))


@PAGES.post("/account/password", back=lambda _: SECURITY)
async def set_password(visit: Visit) -> web.StreamResponse:
    """Set one's own password; all other sessions end."""
    if visit.session is None:
        return see_other("/login")
    password = visit.form.get("password", "")
    brand = await visit.services.brands.get()
    fault = password_fault(password, (visit.person.email, visit.person.name, brand.name))
    if fault is not None:
        return await _security(visit, 422, fault)
    await visit.services.ways.sign_in.set_password(visit.session, password)
    return see_other(f"{SECURITY}?done=password")


@PAGES.get("/account/app")
async def show_app(visit: Visit) -> web.StreamResponse:
    """Show the code that an authenticator app scans, and ask for what the app shows."""
    return await _app(visit, 200, None)


@PAGES.get("/account/app/code.svg")
async def show_code(visit: Visit) -> web.StreamResponse:
    """Return the code that an authenticator app scans, as a picture."""
    if visit.session is None or unconfirmed(visit, SECURITY) is not None:
        return visit.page("not_found.html", 404)
    app = await visit.services.ways.authenticator.begin(visit.session, visit.token)
    return web.Response(body=qr_code(app.uri, "svg"), headers=QR_HEADERS)


@PAGES.post("/account/app")
async def finish_app(visit: Visit) -> web.StreamResponse:
    """Take an authenticator app into use, and show its recovery codes once."""
    if visit.session is None:
        return see_other("/login")
    codes = await visit.services.ways.authenticator.finish(visit.session, visit.token, visit.form.get("code", "")[:64])
    if codes is None:
        return await _app(visit, 422, "This is not the code that your app shows now.")
    return await _show_codes(visit, codes)


@PAGES.post("/account/app/remove", back=lambda _: SECURITY)
async def remove_app(visit: Visit) -> web.StreamResponse:
    """Take the authenticator app away."""
    if visit.session is None:
        return see_other("/login")
    await visit.services.ways.authenticator.remove(visit.session)
    return see_other(f"{SECURITY}?done=removed")


@PAGES.post("/account/app/codes", back=lambda _: SECURITY)
async def new_codes(visit: Visit) -> web.StreamResponse:
    """Replace the recovery codes and show them once."""
    if visit.session is None:
        return see_other("/login")
    return await _show_codes(visit, await visit.services.ways.authenticator.new_codes(visit.session))


async def _show_codes(visit: Visit, codes: Sequence[str]) -> web.Response:
    return await show_once(visit, "codes", f"{SECURITY}?done=stored", codes=list(codes))


async def _security(visit: Visit, status: int, fault: str | None) -> web.Response:
    services, done = visit.services, visit.query.get("done", "")
    passkeys = await services.ways.passkeys.listed(visit.person.user_id)
    tokens = await list_tokens(services.store, visit.person.user_id) if done == "password" else []
    return visit.page(
        "security.html",
        status,
        passkeys=passkeys,
        site=await visit.site(),
        fault=fault,
        done=DONE.get(done) if fault is None else None,
        tokens=sum(is_living(token, services.clock()) for token in tokens),
        needed=visit.needs_second_factor,
        confirmed=unconfirmed(visit, SECURITY) is None,
    )


async def _app(visit: Visit, status: int, fault: str | None) -> web.Response:
    if visit.session is None:
        return see_other("/login")
    app = await visit.services.ways.authenticator.begin(visit.session, visit.token)
    return visit.page("app.html", status, secret=app.secret, fault=fault)
