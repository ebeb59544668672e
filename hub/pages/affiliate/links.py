"""/affiliate/links: make a link with deep page and sub-ids, copy it, print its QR code, switch it off and on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.domain.orders.figures import LINK
from hub.domain.orders.sub_ids import SUB_NAMES
from hub.operations.affiliates.link_lists import LINKS
from hub.operations.affiliates.links import (
    NewLink,
    create_link,
    enable_link,
    link_to_product,
    rename_link,
    show_link,
)
from hub.operations.affiliates.qr_codes import FORMATS, qr_code
from hub.operations.affiliates.short_links import short_links, shorten_link
from hub.operations.campaigns.offers import every_own_offer
from hub.operations.errors import OperatorFault
from hub.operations.figures.affiliate_figures import report
from hub.operations.figures.figures import chosen_period
from hub.operations.orders.affiliate_reports import list_own_links
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.applications import who_decides
from hub.pages.affiliate.modes import shown_mode
from hub.pages.form_faults import NO_FAULTS
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import IMAGE_TYPES, image, see_other
from hub.pages.route_table import RouteTable
from hub.records.campaigns import Offer
from hub.records.words import text_at_fault, texts_asked, texts_said, texts_typed
from hub.validation.inputs import LinkTexts

TEXTS: Final = texts_asked(LinkTexts, "name")
"""The texts for which the form has no words of its own."""
FIGURE_DAYS: Final = 30
"""Of how many days the list has clicks, orders and earnings."""
PAGES: Final = RouteTable(affiliate_page)


@PAGES.post("/affiliate/links")
async def make_link(visit: AffiliateVisit) -> web.StreamResponse:
    """Make a link to a campaign that one takes part in; its page is on the merchant's domains."""
    form, services = visit.form, visit.services
    offers = await _campaigns(visit)
    offer = next((offer for offer in offers if offer.id == form.get("campaign")), None)
    if offer is None:
        return await show_links(visit, 422, {"campaign": "Choose one of your campaigns."})
    wanted = NewLink(
        merchant_id=offer.merchant_id,
        mode=offer.mode,
        affiliate_id=visit.affiliate_id,
        campaign_id=offer.id,
        destination=form.get("destination", "").strip() or None,
        sub_ids={name: form.get(name, "") for name in SUB_NAMES},
        external_product_id=form.get("product") or None,
        **texts_typed(LinkTexts, form),
    )
    try:
        root = await services.root()
        if wanted.external_product_id is None:
            code = (await create_link(services.store, services.clock, root, wanted)).code
        else:
            code = await link_to_product(services.store, services.clock, root, wanted)
    except OperatorFault as fault:
        sub_id = next((name for name in SUB_NAMES if fault.reason.startswith(f"{name}=")), "destination")
        named = text_at_fault(texts_asked(LinkTexts), fault.reason) or sub_id
        return await show_links(visit, 422, {named: fault.reason})
    return see_other(f"/affiliate/links/{code}?done=made")


@PAGES.get("/affiliate/links/{link}")
async def show_one(visit: AffiliateVisit) -> web.StreamResponse:
    """Show one link: what to copy, how to append sub-ids and pages, its QR code and its switch."""
    return await _one(visit, 200, None)


async def show_qr_code(kind: str, visit: AffiliateVisit) -> web.StreamResponse:
    """Return a link's QR code as an image of one of the formats."""
    try:
        link = await show_link(
            visit.services.store, await visit.services.root(), visit.path["link"], visit.affiliate_id
        )
    except OperatorFault:
        return visit.not_found()
    return image(qr_code(link.url, kind), IMAGE_TYPES[kind], f"link-{link.code}.{kind}")


@PAGES.post("/affiliate/links/{link}/name")
async def name_link(visit: AffiliateVisit) -> web.StreamResponse:
    """Keep what one calls a link."""
    services, name = visit.services, visit.form.get("name")

    async def rename(code: str) -> object:
        return await rename_link(services.store, services.clock, "", code, name, visit.affiliate_id)

    return await _changed(visit, rename, "named")


@PAGES.post("/affiliate/links/{link}/short")
async def shorten(visit: AffiliateVisit) -> web.StreamResponse:
    """Give a link a short address."""
    services, short = visit.services, visit.form.get("short", "")

    async def add(code: str) -> object:
        return await shorten_link(services.store, services.clock, "", code, short, visit.affiliate_id)

    return await _changed(visit, add, "shortened")


@PAGES.post("/affiliate/links/{link}/disable")
async def disable_link(visit: AffiliateVisit) -> web.StreamResponse:
    """Switch a link off: buyers reach the shop, and nobody earns."""
    return await _switch(visit, enabled=False)


@PAGES.post("/affiliate/links/{link}/enable")
async def restore_link(visit: AffiliateVisit) -> web.StreamResponse:
    """Switch a link on again that one had switched off."""
    return await _switch(visit, enabled=True)


async def _switch(visit: AffiliateVisit, *, enabled: bool) -> web.StreamResponse:
    services, own = visit.services, visit.affiliate_id

    async def switch(code: str) -> object:
        return await enable_link(services.store, services.clock, "", code, enabled=enabled, affiliate_id=own)

    return await _changed(visit, switch, "on" if enabled else "off")


async def _changed(visit: AffiliateVisit, change: Callable[[str], Awaitable[object]], said: str) -> web.StreamResponse:
    """Change a link of one's own, and show it; what cannot be done is said on its page."""
    code = visit.path["link"]
    try:
        await show_link(visit.services.store, "", code, visit.affiliate_id)
    except OperatorFault:
        return visit.not_found()
    try:
        await change(code)
    except OperatorFault as fault:
        return await _one(visit, 422, fault.reason)
    return see_other(f"/affiliate/links/{code}?done={said}")


async def _one(visit: AffiliateVisit, status: int, fault: str | None) -> web.StreamResponse:
    store, root, own = visit.services.store, await visit.services.root(), visit.affiliate_id
    try:
        link = await show_link(store, root, visit.path["link"], own)
    except OperatorFault:
        return visit.not_found()
    return visit.page(
        "affiliate/link.html", status, link=link, fault=fault, said=visit.query.get("done"),
        shorts=await short_links(store, root, link.code), given=visit.form,
        texts=texts_said(link, "name"),
    )  # fmt: skip


@PAGES.get("/affiliate/links")
async def show_links(
    visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS
) -> web.StreamResponse:
    """Show the form for a link, and one's links, newest first."""
    services, shown = visit.services, await shown_mode(visit)
    own, wanted = visit.affiliate_id, wanted_of(visit.visit, LINKS)
    found = await list_own_links(services.store, services.clock, own, shown.mode, wanted)
    older, newer = beside("/affiliate/links", found, {"mode": shown.mode})
    days, offers = chosen_period("", "", FIGURE_DAYS, services.clock()), await _campaigns(visit)
    counted = {each.key: each for each in (await report(services.store, own, shown.mode, LINK, days)).lines}
    return visit.page(
        "affiliate/links.html",
        status,
        shown=shown,
        links=[(each, counted.get(each.code)) for each in found.entries],
        days=FIGURE_DAYS,
        older=older,
        newer=newer,
        root=await services.root(),
        offers=offers,
        decides="" if offers else await who_decides(visit),
        chosen=visit.form.get("campaign") or visit.query.get("campaign", ""),
        form={**dict.fromkeys((name for name, _, _ in TEXTS), ""), **visit.form},
        texts=TEXTS,
        faults=faults,
        sub_names=SUB_NAMES,
    )


async def _campaigns(visit: AffiliateVisit) -> list[Offer]:
    """Return the campaigns to which the affiliate may have a link."""
    services = visit.services
    own = await every_own_offer(services.store, services.clock, services.policy, visit.affiliate_id)
    return [offer for offer in own if offer.membership in (None, "APPROVED") and offer.status in ("ACTIVE", "PAUSED")]


PAGES.extend(
    [
        *(
            affiliate_page("GET", f"/affiliate/links/{{link}}/qr.{kind}", partial(show_qr_code, kind))
            for kind in FORMATS
        ),
    ]
)
