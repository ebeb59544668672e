"""/operator/links: found, created, switched off and on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.links import ACTS
from hub.domain.orders.sub_ids import SUB_NAMES
from hub.operations.affiliates.link_lists import LINKS, list_links
from hub.operations.affiliates.links import NewLink, create_link, show_link
from hub.operations.errors import OperatorFault
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.links import LinkRecord
from hub.records.words import text_at_fault, texts_asked, texts_said, texts_typed
from hub.validation.inputs import LinkTexts

HERE: Final = "/operator/links"
TEXTS: Final = texts_asked(LinkTexts)
CREATE: Final = parts.Form(
    HERE,
    "Create the link",
    (
        parts.Field("merchant", "Merchant", hint="Id, name or e-mail address."),
        parts.Field("mode", "Mode", "choice", "live", options=parts.MODES),
        parts.Field("affiliate", "Affiliate", hint="Id, name or e-mail address."),
        parts.Field("campaign", "Campaign", hint="Id or code; without it the product's.", optional=True),
        parts.Field("product", "Product", hint="The merchant's own id of it.", optional=True),
        parts.Field(
            "destination",
            "Leads to",
            hint="A page on an approved domain; without it the product's, or the first domain.",
            optional=True,
        ),
        parts.Field("subs", "Sub-ids", hint="Such as sub1=newsletter, one per line.", kind="area", optional=True),
        *(parts.Field(name, label, hint=hint, optional=True) for name, label, hint in TEXTS),
    ),
    tone="",
    title="New link",
)
ONE: Final = f"{HERE}/{{link}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE)
async def add_link(visit: Visit) -> web.StreamResponse:
    """Create a link as the form says."""
    form, services = visit.form, visit.services
    pairs = (line.partition("=") for line in form.get("subs", "").split("\n") if line.strip())
    wanted = NewLink(
        merchant_id=form.get("merchant", ""),
        mode="test" if form.get("mode") == "test" else "live",
        affiliate_id=form.get("affiliate", ""),
        campaign_id=form.get("campaign") or None,
        external_product_id=form.get("product") or None,
        destination=form.get("destination") or None,
        sub_ids={name.strip(): value for name, _, value in pairs},
        **texts_typed(LinkTexts, form),
    )
    try:
        made = await create_link(services.store, services.clock, await services.root(), wanted)
    except OperatorFault as fault:
        return await show_links(visit, {text_at_fault(TEXTS, str(fault)) or "": str(fault)})
    return see_other(f"{HERE}/{made.code}?done=created")


async def _found(visit: Visit) -> LinkRecord:
    return await show_link(visit.services.store, await visit.services.root(), visit.path["link"])


@PAGES.get(HERE)
async def show_links(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the links of all merchants, newest first, and the form for one more."""
    asked = parts.asked_for(visit, "merchant", "affiliate", "mode")
    store, root = visit.services.store, await visit.services.root()
    found, unknown = await parts.read_list(list_links(store, root, wanted_of(visit, LINKS, asked)))
    filters = (
        *await parts.party_filters(visit, asked, "merchant", "affiliate"),
        parts.mode_filter(asked),
    )
    columns = ("Link", "State", "Affiliate", "Merchant", "Leads to", "Created")
    rows = [_row(each) for each in found.entries]
    listing = parts.Listing("Links", columns, rows, nothing_of("link", found), *beside(HERE, found, asked))
    page = parts.ListPage("Links", HERE, listing, filters=filters, create=parts.filled(CREATE, visit.form))
    return parts.show_list(visit, page, {**faults, **unknown})


def _row(each: LinkRecord) -> tuple[parts.Cell, ...]:
    return (
        parts.link(each.code, f"{HERE}/{each.code}", each.mode),
        parts.state("DISABLED" if each.disabled_at else "ACTIVE"),
        parts.link(each.affiliate_name or "", f"/operator/affiliates/{each.affiliate_id}"),
        parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
        parts.text(each.destination),
        parts.at(each.created_at),
    )


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one link."""
    found = await _found(visit)
    facts = (
        ("Address", parts.code(found.url)),
        ("Leads to", parts.text(found.destination)),
        (
            "Affiliate",
            parts.link(found.affiliate_name or found.affiliate_id, f"/operator/affiliates/{found.affiliate_id}"),
        ),
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}")),
        ("Mode", parts.text(found.mode)),
        (
            "Campaign",
            parts.link(found.campaign_id, f"/operator/campaigns/{found.campaign_id}")
            if found.campaign_id
            else parts.text(""),
        ),
        (
            "Sub-ids",
            parts.text(", ".join(f"{name}={found.sub_ids[name]}" for name in SUB_NAMES if name in found.sub_ids)),
        ),
        *((name.capitalize(), parts.text(text)) for name, text in texts_said(found)),
        ("Created", parts.at(found.created_at)),
        ("Switched off", parts.at(found.disabled_at)),
        ("Activity", parts.link("Show", f"/operator/trail?subject={found.code}")),
    )
    one = f"{HERE}/{found.code}"
    form = (
        parts.Form(f"{one}/enable", "Switch on")
        if found.disabled_at
        else parts.Form(f"{one}/disable", "Switch off", tone="danger")
    )
    off = "DISABLED" if found.disabled_at else "ACTIVE"
    shown = parts.Shown(
        f"Link {found.code}", (HERE, "Links"), off, sections=(parts.Section("Link", facts),), forms=(form,)
    )
    return parts.show_object(visit, shown, status, faults)


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/disable": ("disableLink", "off"),
    f"{ONE}/enable": ("enableLink", "on"),
}))  # fmt: skip
