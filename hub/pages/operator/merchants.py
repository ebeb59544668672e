"""/operator/merchants: found, created, changed, approved, suspended, rejected and closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web

from hub.domain.durations import duration_text
from hub.operations.errors import OperatorFault
from hub.operations.merchant_changes import MerchantChange, close_merchant, set_merchant_status, update_merchant
from hub.operations.merchant_profiles import ProfileDocument, decide_live_access, show_profile
from hub.operations.merchants import MerchantDocument, NewMerchant, create_merchant, show_merchant
from hub.operations.operator_lists import PartyFilter, merchants_page
from hub.pages.markup import span_text, status_word
from hub.pages.operator.parts import (
    ROWS,
    Column,
    Field,
    Form,
    Listing,
    ListPage,
    Section,
    Shown,
    act_on,
    asked_for,
    at,
    code,
    filled,
    link,
    operator_page,
    paged,
    show_list,
    show_object,
    state,
    text,
)
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/merchants"
STATUSES: Final = ("PENDING", "IN_REVIEW", "APPROVED", "SUSPENDED", "REJECTED", "CLOSED")
RATE_HINT: Final = "PERCENTAGE:8 or FIXED:5.00 in the merchant's currency; default for that of the hub."
HOLD_HINT: Final = "Such as 14d or 12h; default for that of the hub."
CREATE: Final = Form(
    HERE,
    "Create the merchant",
    (
        Field("name", "Name"),
        Field("email", "E-mail address", "email"),
        Field("domain", "Domain of the shop", hint="Bare, such as shop.example; its subdomains are approved with it."),
        Field("currency", "Currency", value="USD", hint="An ISO 4217 code."),
        Field("commission", "Commission", hint=RATE_HINT, optional=True),
        Field("hold", "Hold", hint=HOLD_HINT, optional=True),
        Field("approve", "Approve at once", "tick"),
        Field("anyway", "Even if there is one with this name and domain", "tick"),
    ),
    tone="",
    title="New merchant",
)


def merchant_pages() -> list[Page]:
    """Return the pages."""
    one = f"{HERE}/{{merchant}}"
    return [
        operator_page("GET", HERE, show_merchants),
        operator_page("POST", HERE, add_merchant),
        operator_page("GET", one, show_one),
        operator_page("POST", one, change),
        operator_page("POST", f"{one}/approve", approve),
        operator_page("POST", f"{one}/suspend", suspend),
        operator_page("POST", f"{one}/reject", reject),
        operator_page("GET", f"{one}/close", ask_to_close),
        operator_page("POST", f"{one}/close", close),
        operator_page("POST", f"{one}/live-access", decide),
    ]


async def show_merchants(visit: Visit) -> web.StreamResponse:
    """Show the merchants, newest first, and the form for one more."""
    return await _list(visit, 200, {})


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
        return await _list(visit, 422, {"": str(fault).replace("say --anyway", "tick the last box")})
    return see_other(f"{HERE}/{made['id']}?done=created")


async def show_one(visit: Visit) -> web.StreamResponse:
    """Show one merchant with its settings and acts."""
    return await _one(visit, 200, {})


async def change(visit: Visit) -> web.StreamResponse:
    """Change a merchant's settings."""
    form, services = visit.form, visit.services
    wanted = MerchantChange(
        name=form.get("name"),
        email=form.get("email"),
        domains=form.get("domains", "").split(),
        commission=form.get("commission") or "default",
        hold=form.get("hold") or "default",
    )
    return await _act(
        visit, lambda found: update_merchant(services.store, services.clock, found["id"], wanted), "saved"
    )


async def approve(visit: Visit) -> web.StreamResponse:
    """Approve a merchant, or let a suspended one go on."""
    return await _set_status(visit, "APPROVED")


async def suspend(visit: Visit) -> web.StreamResponse:
    """Suspend a merchant, with a reason."""
    return await _set_status(visit, "SUSPENDED")


async def reject(visit: Visit) -> web.StreamResponse:
    """Reject a merchant that waits for its approval, with a reason."""
    return await _set_status(visit, "REJECTED")


async def ask_to_close(visit: Visit) -> web.StreamResponse:
    """Ask before a merchant is closed, and say what that does."""
    return await _asking(visit, 200, {})


async def close(visit: Visit) -> web.StreamResponse:
    """Close a merchant."""
    services, reason, anyway = visit.services, visit.form.get("reason") or None, "anyway" in visit.form
    return await act_on(
        visit,
        _found,
        lambda found: close_merchant(services.store, services.clock, found["id"], reason=reason, anyway=anyway),
        f"{HERE}/{visit.path['merchant']}?done=closed",
        _asking,
    )


async def decide(visit: Visit) -> web.StreamResponse:
    """Grant or refuse the live access that a merchant asks for."""
    services, granted = visit.services, visit.form.get("decision") == "grant"
    reason = visit.form.get("reason") or None
    return await _act(
        visit,
        lambda found: decide_live_access(services.store, services.clock, found["id"], granted=granted, reason=reason),
        "granted" if granted else "refused",
    )


async def _set_status(visit: Visit, status: str) -> web.StreamResponse:
    services, reason = visit.services, visit.form.get("reason") or None
    return await _act(
        visit,
        lambda found: set_merchant_status(services.store, services.clock, found["id"], status, reason),
        status.lower(),
    )


async def _act(visit: Visit, doing: Callable[[MerchantDocument], Awaitable[object]], word: str) -> web.StreamResponse:
    return await act_on(visit, _found, doing, f"{HERE}/{visit.path['merchant']}?done={word}", _one)


async def _found(visit: Visit) -> MerchantDocument:
    return await show_merchant(visit.services.store, visit.path["merchant"])


async def _asking(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    try:
        merchant = await _found(visit)
    except OperatorFault:
        return visit.page("not_found.html", 404)
    return visit.page("operator/close_merchant.html", status, closing=merchant, faults=faults, form=visit.form)


async def _list(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    asked = asked_for(visit, "q", "status", "before")
    wanted = PartyFilter(asked["q"] or None, asked["status"] or None, asked["before"] or None)
    found = await merchants_page(visit.services.store, wanted, limit=ROWS + 1)
    older, newest = paged(found, HERE, asked, lambda row: str(row["id"]))
    listing = Listing(
        "Merchants",
        (Column("Merchant"), Column("Status"), Column("Domains"), Column("E-mail"), Column("Since")),
        [
            (
                link(each["name"], f"{HERE}/{each['id']}", each["id"]),
                state(each["status"], "asks for live access" if each["liveAccess"] == "ASKED" else ""),
                text(", ".join(each["domains"])),
                text(each["email"]),
                at(each["createdAt"]),
            )
            for each in found[:ROWS]
        ],
        "No merchant matches." if asked["q"] or asked["status"] else "There are no merchants yet.",
        older,
        newest,
    )
    filters = (
        Field("q", "Name, e-mail or domain", value=asked["q"]),
        Field("status", "Status", "choice", asked["status"], options=[(each, status_word(each)) for each in STATUSES]),
    )
    page = ListPage("Merchants", HERE, listing, filters=filters, create=filled(CREATE, visit.form))
    return show_list(visit, page, status, faults)


async def _one(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    try:
        merchant = await _found(visit)
    except OperatorFault:
        return visit.page("not_found.html", 404)
    profile = await show_profile(visit.services.store, merchant["id"])
    shown = Shown(
        merchant["name"],
        (HERE, "Merchants"),
        merchant["status"],
        merchant["statusReason"] or "",
        (_settings(merchant), _profile(profile), _elsewhere(merchant)),
        _forms(merchant, profile),
    )
    return show_object(visit, shown, status, faults)


def _settings(merchant: MerchantDocument) -> Section:
    rate = f"{merchant['commissionType']}:{merchant['commissionValue']}" if merchant["commissionType"] else "the hub's"
    hold = "the hub's" if merchant["holdMs"] is None else span_text(merchant["holdMs"])
    facts = (
        ("Id", code(merchant["id"])),
        ("E-mail", text(merchant["email"])),
        ("Domains", text(", ".join(merchant["domains"]))),
        ("Currency", text(merchant["currency"])),
        ("Commission", text(rate)),
        ("Hold", text(hold)),
        ("Test account", code(merchant["accounts"]["test"])),
        ("Live account", code(merchant["accounts"]["live"])),
        ("Since", at(merchant["createdAt"])),
        ("Closed", at(merchant["closedAt"])),
    )
    return Section("Settings", facts)


def _profile(profile: ProfileDocument) -> Section:
    facts = [(name, text(value)) for name, value in profile["fields"].items()]
    missing = [f"Missing: {', '.join(profile['missing'])}."] if profile["missing"] else []
    access = {"ASKED": "asked for", "GRANTED": "granted", "REFUSED": "refused"}.get(
        profile["liveAccess"] or "", "not asked for"
    )
    facts += [("Live access", text(access, profile["liveReason"] or "")), ("Asked", at(profile["liveAskedAt"]))]
    return Section("Business profile and live access", facts, paragraphs=missing)


def _elsewhere(merchant: MerchantDocument) -> Section:
    one = merchant["id"]
    places = ("campaigns", "links", "connections", "orders", "commissions", "messages", "log")
    links = [(each.capitalize(), f"/operator/{each}?merchant={one}") for each in places]
    links.append(("Acts on it", f"/operator/trail?subject={one}"))
    if merchant["status"] != "CLOSED":
        links.append(("Close the merchant", f"{HERE}/{one}/close"))
    return Section("What belongs to it", links=links)


def _forms(merchant: MerchantDocument, profile: ProfileDocument) -> list[Form]:
    one = f"{HERE}/{merchant['id']}"
    reason = Field("reason", "Reason", hint="The merchant reads it.", optional=True)
    forms = []
    if merchant["status"] != "APPROVED":
        forms.append(Form(f"{one}/approve", "Approve", tone=""))
    if profile["liveAccess"] == "ASKED":
        options = (("grant", "Grant"), ("refuse", "Refuse"))
        fields = (Field("decision", "Decision", "choice", options=options), reason)
        forms.append(Form(f"{one}/live-access", "Decide", fields, title="Decide on live access"))
    if merchant["status"] in ("PENDING", "IN_REVIEW"):
        forms.append(Form(f"{one}/reject", "Reject", (reason,), "danger"))
    if merchant["status"] == "APPROVED":
        hint = "Until it is approved again, live keys are refused, links lead on without a click, and nothing is paid."
        forms.append(Form(f"{one}/suspend", "Suspend", (reason,), "danger", hint=hint))
    rate = f"{merchant['commissionType']}:{merchant['commissionValue']}" if merchant["commissionType"] else ""
    hold = "" if merchant["holdMs"] is None else duration_text(merchant["holdMs"])
    settings = (
        Field("name", "Name", value=merchant["name"]),
        Field("email", "E-mail address", "email", merchant["email"]),
        Field("domains", "Domains", "area", "\n".join(merchant["domains"]), "One in a line."),
        Field("commission", "Commission", value=rate, hint=RATE_HINT, optional=True),
        Field("hold", "Hold", value=hold, hint=HOLD_HINT, optional=True),
    )
    forms.append(Form(one, "Save", settings, title="Change the settings"))
    return forms
