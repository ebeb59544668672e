"""Passkeys in the browser: what a script asks for, and what it sends back as an ordinary form."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.pages.login import SECURITY, login_page, signed_in, wait_text
from hub.pages.proof import confirm_page, gone_on, unconfirmed
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit, local_address
from hub.people.failures import Paused
from hub.people.passkeys import BadPasskey
from hub.people.sign_in import Entered

REFUSED = "This passkey was not accepted. Try again, or sign in another way."


PAGES: Final = RouteTable(Page)


@PAGES.post("/login/passkey/options", public=True)
async def sign_in_options(visit: Visit) -> web.StreamResponse:
    """Return the challenge of a sign-in as JSON."""
    site = await visit.site()
    return _json(None if site is None else await visit.services.ways.passkeys.request_options(visit.token, site))


@PAGES.post("/login/passkey", public=True)
async def sign_in(visit: Visit) -> web.StreamResponse:
    """Sign in by a passkey."""
    then, site = local_address(visit.form.get("then", "/")), await visit.site()
    if site is None:
        return await login_page(visit, 422, then, "", REFUSED)
    answer = visit.form.get("passkey", "")
    try:
        token = await visit.services.ways.passkeys.sign_in(answer, visit.token, site, visit.client)
    except Paused as pause:
        return await login_page(visit, 429, then, "", wait_text(pause))
    except BadPasskey:
        token = None
    if token is None:
        return await login_page(visit, 422, then, "", REFUSED)
    return await signed_in(visit, Entered(token), then)


@PAGES.post("/login/confirm/options")
async def confirm_options(visit: Visit) -> web.StreamResponse:
    """Return the challenge with which the person of this session proves who they are, as JSON."""
    site = await visit.site()
    passkeys, user_id = visit.services.ways.passkeys, visit.person.user_id
    return _json(None if site is None else await passkeys.request_options(visit.token, site, user_id))


@PAGES.post("/login/confirm/passkey")
async def confirm(visit: Visit) -> web.StreamResponse:
    """Note that the person has proved who they are by a passkey, and go on."""
    then, site = local_address(visit.form.get("then", "/")), await visit.site()
    if site is None or visit.session is None:
        return await confirm_page(visit, then, 422, REFUSED)
    answer = visit.form.get("passkey", "")
    try:
        await visit.services.ways.passkeys.confirm(visit.session, answer, visit.token, site, visit.client)
    except Paused as pause:
        return await confirm_page(visit, then, 429, wait_text(pause))
    except BadPasskey:
        return await confirm_page(visit, then, 422, REFUSED)
    return gone_on(visit, then)


@PAGES.post("/account/passkeys/options")
async def creation_options(visit: Visit) -> web.StreamResponse:
    """Return the challenge of a new passkey as JSON; nothing while the person has to prove who they are first."""
    site = await visit.site()
    if site is None or visit.session is None or unconfirmed(visit, SECURITY) is not None:
        return _json(None)
    return _json(await visit.services.ways.passkeys.creation_options(visit.session, visit.token, site))


@PAGES.post("/account/passkeys", back=lambda _: SECURITY)
async def add(visit: Visit) -> web.StreamResponse:
    """Keep the passkey that the browser made."""
    site = await visit.site()
    if visit.session is None or site is None:
        return see_other(SECURITY)
    answer = visit.form.get("passkey", "")
    try:
        await visit.services.ways.passkeys.add(visit.session, visit.token, site, answer, visit.client)
    except BadPasskey:
        return see_other(f"{SECURITY}?done=refused")
    return see_other(f"{SECURITY}?done=passkey")


@PAGES.post("/account/passkeys/{passkey}/name")
async def rename(visit: Visit) -> web.StreamResponse:
    """Give one of one's own passkeys another name."""
    if visit.session is None:
        return see_other("/login")
    try:
        done = await visit.services.ways.passkeys.rename(
            visit.session, visit.path["passkey"], visit.form.get("name", "")
        )
    except OperatorFault:
        return see_other(f"{SECURITY}?done=name")
    return see_other(SECURITY) if done else visit.page("not_found.html", 404)


@PAGES.post("/account/passkeys/{passkey}/remove", back=lambda _: SECURITY)
async def remove(visit: Visit) -> web.StreamResponse:
    """Take one of one's own passkeys away, unless it is the last way in."""
    if visit.session is None:
        return see_other("/login")
    try:
        done = await visit.services.ways.passkeys.remove(visit.session, visit.path["passkey"])
    except OperatorFault:
        return see_other(f"{SECURITY}?done=last")
    return see_other(f"{SECURITY}?done=removed") if done else visit.page("not_found.html", 404)


def _json(text: str | None) -> web.Response:
    """Return JSON for the hub's own script; null if there is nothing to ask the browser for."""
    body = (text or "null").encode()
    return web.Response(body=body, headers={**HEADERS, "Content-Type": "application/json"})
