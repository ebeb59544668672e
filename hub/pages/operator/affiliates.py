"""/operator/affiliates: found, created, changed, activated and deactivated."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Literal

from aiohttp import web

from hub.acts.affiliates import ACTS
from hub.domain.words import AFFILIATE_STATUSES
from hub.operations.affiliates.affiliates import (
    AffiliateChange,
    create_affiliate,
    show_affiliate,
    update_affiliate,
)
from hub.operations.errors import OperatorFault
from hub.operations.money.books.balances import BalanceDocument, affiliate_balances
from hub.operations.money.rates.payabilities import hold_of
from hub.operations.orders.affiliate_reports import sums_of_affiliate
from hub.operations.system.party_lists import AFFILIATES, affiliates_part
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.affiliates import AffiliateDocument, HoldDocument
from hub.records.words import texts_asked, texts_said, texts_typed, texts_written
from hub.validation.inputs import AffiliateTexts

HERE: Final = "/operator/affiliates"
STATUSES: Final = tuple((each, status_word(each)) for each in AFFILIATE_STATUSES)
BALANCES: Final[Sequence[tuple[Literal["payable", "paid", "underWay", "negative"], str]]] = (
    ("payable", "Payable"),
    ("paid", "Paid"),
    ("underWay", "Of that, in a payout"),
    ("negative", "Owed back"),
)
COUPON_HINT: Final = "Separated by spaces. A coupon belongs to one affiliate only."
TEXTS: Final = texts_asked(AffiliateTexts)
CREATE: Final = parts.Form(
    HERE,
    "Create the affiliate",
    (
        parts.Field("name", "Name"),
        parts.Field("email", "E-mail address", "email"),
        parts.Field("coupons", "Coupons", hint=COUPON_HINT, optional=True),
        *(parts.Field(name, label, hint=hint, optional=True) for name, label, hint in TEXTS),
        parts.Field("anyway", "Even if there is one with this address", "tick"),
    ),
    tone="",
    title="New affiliate",
)
ONE: Final = f"{HERE}/{{affiliate}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE)
async def add_affiliate(visit: Visit) -> web.StreamResponse:
    """Create an affiliate as the form says."""
    form, services = visit.form, visit.services
    try:
        made = await create_affiliate(
            services.store,
            services.clock,
            name=form.get("name", ""),
            email=form.get("email", ""),
            coupons=form.get("coupons", "").split(),
            refuse_same="anyway" not in form,
            **texts_typed(AffiliateTexts, form),
        )
    except OperatorFault as fault:
        return await show_affiliates(visit, {"": str(fault).replace("say --anyway", "tick the last box")})
    return see_other(f"{HERE}/{made.id}?done=created")


@PAGES.post(ONE)
async def change(visit: Visit) -> web.StreamResponse:
    """Change an affiliate's name, e-mail address and coupons."""
    form, services = visit.form, visit.services
    wanted = {each.upper() for each in form.get("coupons", "").split()}

    def changing(found: AffiliateDocument) -> Awaitable[object]:
        had = set(found.coupons)
        texts = texts_typed(AffiliateTexts, form)
        wish = AffiliateChange(form.get("name"), form.get("email"), sorted(wanted - had), sorted(had - wanted), **texts)
        return update_affiliate(services.store, services.clock, services.outbox, found.id, wish)

    return await _act(visit, changing, "saved")


async def _act(visit: Visit, doing: Callable[[AffiliateDocument], Awaitable[object]], word: str) -> web.StreamResponse:
    return await parts.act_on(visit, _found, doing, f"{HERE}/{visit.path['affiliate']}?done={word}", show_one)


async def _found(visit: Visit) -> AffiliateDocument:
    return await show_affiliate(visit.services.store, visit.path["affiliate"])


@PAGES.get(HERE)
async def show_affiliates(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the affiliates, newest first, and the form for one more."""
    asked = parts.asked_for(visit, "q", "status")
    wanted = wanted_of(visit, AFFILIATES, {"search": asked["q"], "status": asked["status"]})
    found = await affiliates_part(visit.services.store, wanted)
    rows = [
        (
            parts.link(each.name, f"{HERE}/{each.id}", each.id),
            parts.state(each.status),
            parts.text(each.email),
            parts.at(each.created_at),
        )
        for each in found.entries
    ]
    columns = ("Affiliate", "Status", "E-mail", "Since")
    empty = nothing_of("affiliate", found) if asked["q"] or asked["status"] else "There are no affiliates yet."
    filters = (
        parts.Field("q", "Name or e-mail", value=asked["q"]),
        parts.Field("status", "Status", "choice", asked["status"], options=STATUSES),
    )
    listing = parts.Listing("Affiliates", columns, rows, empty, *beside(HERE, found, asked))
    page = parts.ListPage("Affiliates", HERE, listing, filters=filters, create=parts.filled(CREATE, visit.form))
    return parts.show_list(visit, page, faults)


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one affiliate with its coupons and sums."""
    found = await _found(visit)
    sums = (await sums_of_affiliate(visit.services.store, found.id))["live"]
    held = await hold_of(visit.services.store, found.id)
    facts = (
        ("Id", parts.code(found.id)),
        ("E-mail", parts.text(found.email)),
        ("Coupons", parts.text(", ".join(found.coupons))),
        *((name.capitalize(), parts.text(said)) for name, said in texts_said(found)),
        ("Since", parts.at(found.created_at)),
        ("Payments", parts.text("as its balance allows" if held is None else f"on hold: {held.reason}")),
    )
    earned = [(status_word(each.state), parts.money(each.amount_minor, each.currency)) for each in sums]
    balances = await affiliate_balances(visit.services.store, found.id, exact=False)
    shown = parts.Shown(
        found.name,
        (HERE, "Affiliates"),
        found.status,
        sections=(
            parts.Section("Profile", facts),
            parts.Section("Live commissions", earned, paragraphs=() if earned else ("It has earned nothing yet.",)),
            _money(balances),
            _elsewhere(found.id),
        ),
        forms=_forms(found, held),
    )
    return parts.show_object(visit, shown, status, faults)


def _money(balances: Sequence[BalanceDocument]) -> parts.Section:
    facts = [
        (f"{words} in {each['currency']}", parts.money(str(each[name]), each["currency"]))
        for each in balances
        for name, words in BALANCES
        if each[name].strip("-0.")
    ]
    return parts.Section("Balance", facts, paragraphs=() if facts else ("Nothing is due, and nothing was paid.",))


def _elsewhere(affiliate_id: str) -> parts.Section:
    links = [
        (each.capitalize(), f"/operator/{each}?affiliate={affiliate_id}") for each in ("links", "orders", "commissions")
    ]
    links.append(("Corrections", f"/operator/adjustments?affiliate={affiliate_id}"))
    links.append(("Statement", f"{HERE}/{affiliate_id}/statement"))
    links.append(("Payment details", f"{HERE}/{affiliate_id}/payee"))
    return parts.Section("Related", links=[*links, ("Activity", f"/operator/trail?subject={affiliate_id}")])


def _forms(found: AffiliateDocument, held: HoldDocument | None) -> list[parts.Form]:
    one, said = f"{HERE}/{found.id}", texts_written(AffiliateTexts, found)
    fields = (
        parts.Field("name", "Name", value=found.name),
        parts.Field("email", "E-mail address", "email", found.email),
        parts.Field("coupons", "Coupons", value=" ".join(found.coupons), hint=COUPON_HINT, optional=True),
        *(parts.Field(name, label, value=said[name], hint=hint, optional=True) for name, label, hint in TEXTS),
    )
    switch = (
        parts.Form(f"{one}/deactivate", "Deactivate", tone="danger")
        if found.status == "ACTIVE"
        else parts.Form(f"{one}/activate", "Activate")
    )
    reason = (parts.Field("reason", "Why nothing is paid", hint="Kept in the trail."),)
    payments = (
        parts.Form(f"{one}/hold", "Hold payments", reason, tone="danger", title="Payments")
        if held is None
        else parts.Form(f"{one}/free", "Pay it again")
    )
    return [switch, parts.Form(one, "Save", fields, title="Change the affiliate"), payments]


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/activate": ("activateAffiliate", "on"),
    f"{ONE}/deactivate": ("deactivateAffiliate", "off"),
    f"{ONE}/hold": ("holdPayments", "held"),
    f"{ONE}/free": ("freePayments", "freed"),
}))  # fmt: skip
