"""/register: merchants and affiliates register, by an invitation or by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.set_up import PLATFORM_TITLES
from hub.operations.errors import OperatorFault
from hub.operations.merchants.onboarding import platform_of
from hub.pages.login import SECURITY, signed_in, spent, wait_text
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit
from hub.people.failures import Paused
from hub.people.registration import DEFAULT_CURRENCY, Applicant

LONGEST = 255
FIRST_PAGES = {"merchant": "/merchant/onboarding", "affiliate": "/affiliate/campaigns",
               "partner": "/affiliate/links"}  # fmt: skip
"""Where somebody begins who has just registered, by what they registered as."""
EMPTY: Final = {
    "name": "Type the name that others are to see.",
    "email": "Type your e-mail address, like ann@shop.example.",
    "currency": "Type a currency, like EUR.",
}
"""What is asked for in a field that was left empty."""
PAGES: Final = RouteTable(Page)


@PAGES.get("/register", public=True)
async def show_register(visit: Visit) -> web.StreamResponse:
    """Show the form, or that this hub takes no registrations."""
    return _register(visit, 200, visit.query.get("as", "merchant"))


@PAGES.post("/register", public=True)
async def ask(visit: Visit) -> web.StreamResponse:
    """Mail a link that proves the address; the answer is the same for one that has an account."""
    form = visit.form
    kind, email = form.get("kind", ""), form.get("email", "")[:LONGEST]
    name, currency = form.get("name", "")[:LONGEST], form.get("currency") or DEFAULT_CURRENCY
    platform = platform_of(form.get("platform", "")) if kind == "merchant" else None
    applicant = Applicant(kind, email, name, currency, platform)
    try:
        await visit.services.ways.registrations.ask(applicant, visit.client, await visit.services.root())
    except Paused as pause:
        return _register(visit, 429, kind, wait_text(pause))
    except OperatorFault as fault:
        return _register(visit, 422, kind, fault.reason)
    return _register(visit, 200, kind, asked=True)


@PAGES.get("/register/{token}", public=True)
async def show_guest(visit: Visit) -> web.StreamResponse:
    """Show what the link of a registration creates, and the button that does it."""
    return await _guest(visit, 200)


@PAGES.post("/register/{token}", public=True)
async def complete(visit: Visit) -> web.StreamResponse:
    """Create the merchant or affiliate, and sign its first user in."""
    name, currency = visit.form.get("name", "")[:LONGEST], visit.form.get("currency") or DEFAULT_CURRENCY
    try:
        registrations = visit.services.ways.registrations
        guest = await registrations.guest(visit.path["token"])
        first = "" if guest is None else "partner" if guest.is_partner else guest.kind
        entered = await registrations.complete(visit.path["token"], name, currency, visit.client, visit.token)
    except OperatorFault as fault:
        return await _guest(visit, 422, fault.reason)
    return spent(visit) if entered is None else await signed_in(visit, entered, FIRST_PAGES.get(first, SECURITY))


def _register(visit: Visit, status: int, kind: str, fault: str | None = None, *, asked: bool = False) -> web.Response:
    is_open = visit.services.ways.registrations.is_open
    chosen = "affiliate" if kind == "affiliate" else "merchant"
    return visit.page(
        "register.html", status, kind=chosen, faults=fault_of(visit.form, fault), asked=asked, is_open=is_open,
        form=visit.form, platforms=PLATFORM_TITLES,
    )  # fmt: skip


def fault_of(form: Mapping[str, str], fault: str | None) -> dict[str, str]:
    """Return what is wrong with a registration: each field that was left empty, and what the fault is about."""
    if fault is None:
        return {}
    empty = {name: words for name, words in EMPTY.items() if not form.get(name, "-").strip()}
    return empty if empty and "'' " in fault else {"": fault, **empty}


async def _guest(visit: Visit, status: int, fault: str | None = None) -> web.Response:
    guest = await visit.services.ways.registrations.guest(visit.path["token"])
    if guest is None:
        return spent(visit)
    return visit.page("guest.html", status, guest=guest, faults=fault_of(visit.form, fault), form=visit.form)
