"""/operator/merchants: found, created, changed, approved, suspended, rejected and closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web

from hub.acts.merchants import ACTS
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchant_profiles import decide_live_access, show_profile
from hub.operations.merchants.merchants import (
    MerchantChange,
    NewMerchant,
    create_merchant,
    show_merchant,
    update_merchant,
)
from hub.operations.system.party_lists import MERCHANTS, merchants_part
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.operator.merchant_parts import HERE, HOLD_HINT, RATE_HINT, forms_of, places_of, profile_of, settings_of
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.merchants import MerchantDocument

STATUSES: Final = ("PENDING", "IN_REVIEW", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED")
CREATE: Final = parts.Form(
    HERE,
    "Create the merchant",
    (
        parts.Field("name", "Name"),
        parts.Field("email", "E-mail address", "email"),
        parts.Field(
            "domain", "Domain of the shop", hint="Bare, such as shop.example; its subdomains are approved with it."
        ),
        parts.Field("currency", "Currency", value="USD", hint="An ISO 4217 code."),
        parts.Field("commission", "Commission", hint=RATE_HINT, optional=True),
        parts.Field("hold", "Hold", hint=HOLD_HINT, optional=True),
        parts.Field("approve", "Approve at once", "tick"),
        parts.Field("anyway", "Even if there is one with this name and domain", "tick"),
    ),
    tone="",
    title="New merchant",
)
ONE: Final = f"{HERE}/{{merchant}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE)
async def add_merchant(visit: Visit) -> web.StreamResponse:
    """Create a merchant as the form says."""
    form = visit.form
    wanted = NewMerchant(
        name=form.get("name", ""),
        email=form.get("email", ""),
        domains=form.get("domain", "").split(),
        currency=form.get("currency", "USD"),
        commission=form.get("commission") or None,
        hold=form.get("hold") or None,
        approve="approve" in form,
        refuse_same="anyway" not in form,
    )
    try:
        made = await create_merchant(visit.services.store, visit.services.clock, wanted)
    except OperatorFault as fault:
        return await show_merchants(visit, {"": str(fault).replace("say --anyway", "tick the last box")})
    return see_other(f"{HERE}/{made.id}?done=created")


@PAGES.post(ONE)
async def change(visit: Visit) -> web.StreamResponse:
    """Change a merchant's name, address and domains."""
    form, services = visit.form, visit.services
    wanted = MerchantChange(
        name=form.get("name"),
        email=form.get("email"),
        domains=form.get("domains", "").split(),
    )
    return await _act(visit, lambda found: update_merchant(services.store, services.clock, found.id, wanted), "saved")


@PAGES.post(f"{ONE}/terms")
async def change_terms(visit: Visit) -> web.StreamResponse:
    """Change what a merchant pays, and how long it is held."""
    form, services = visit.form, visit.services
    wanted = MerchantChange(commission=form.get("commission") or "default", hold=form.get("hold") or "default")
    return await _act(visit, lambda found: update_merchant(services.store, services.clock, found.id, wanted), "saved")


@PAGES.post(f"{ONE}/live-access")
async def decide(visit: Visit) -> web.StreamResponse:
    """Grant or refuse the live access that a merchant asks for."""
    services, granted = visit.services, visit.form.get("decision") == "grant"
    reason = visit.form.get("reason") or None
    return await _act(
        visit,
        lambda found: decide_live_access(services.store, services.clock, found.id, granted=granted, reason=reason),
        "granted" if granted else "refused",
    )


async def _act(visit: Visit, doing: Callable[[MerchantDocument], Awaitable[object]], word: str) -> web.StreamResponse:
    return await parts.act_on(visit, _found, doing, f"{HERE}/{visit.path['merchant']}?done={word}", show_one)


async def _found(visit: Visit) -> MerchantDocument:
    return await show_merchant(visit.services.store, visit.path["merchant"])


@PAGES.get(f"{ONE}/close")
async def ask_to_close(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Ask before a merchant is closed, and say what that does."""
    merchant = await _found(visit)
    return visit.page("operator/close_merchant.html", status, closing=merchant, faults=faults, form=visit.form)


@PAGES.get(HERE)
async def show_merchants(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the merchants, newest first, and the form for one more."""
    asked = parts.asked_for(visit, "q", "status")
    wanted = wanted_of(visit, MERCHANTS, {"search": asked["q"], "status": asked["status"]})
    found = await merchants_part(visit.services.store, wanted)
    listing = parts.Listing(
        "Merchants",
        ("Merchant", "Status", "Domains", "E-mail", "Since"),
        [
            (
                parts.link(each.name, f"{HERE}/{each.id}", each.id),
                parts.state(each.status, "asks for live access" if each.live_access == "ASKED" else ""),
                parts.text(", ".join(each.domains)),
                parts.text(each.email),
                parts.at(each.created_at),
            )
            for each in found.entries
        ],
        "No merchant matches." if asked["q"] or asked["status"] else "There are no merchants yet.",
        *beside(HERE, found, asked),
    )
    filters = (
        parts.Field("q", "Name, e-mail or domain", value=asked["q"]),
        parts.Field(
            "status", "Status", "choice", asked["status"], options=[(each, status_word(each)) for each in STATUSES]
        ),
    )
    page = parts.ListPage("Merchants", HERE, listing, filters=filters, create=parts.filled(CREATE, visit.form))
    return parts.show_list(visit, page, faults)


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one merchant with its settings and acts."""
    merchant = await _found(visit)
    profile = await show_profile(visit.services.store, merchant.id)
    shown = parts.Shown(
        merchant.name,
        (HERE, "Merchants"),
        merchant.status,
        merchant.status_reason or "",
        (settings_of(merchant), profile_of(profile), places_of(merchant)),
        forms_of(merchant, profile),
        None if merchant.status == "CLOSED" else ("Close the merchant", f"{HERE}/{merchant.id}/close"),
    )
    return parts.show_object(visit, shown, status, faults)


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/approve": ("approveMerchant", "approved"),
    f"{ONE}/suspend": ("suspendMerchant", "suspended"),
    f"{ONE}/reject": ("rejectMerchant", "rejected"),
}))  # fmt: skip
PAGES.extend(act_pages(ACTS, ask_to_close, {
    f"{ONE}/close": ("closeMerchant", "closed"),
}))  # fmt: skip
