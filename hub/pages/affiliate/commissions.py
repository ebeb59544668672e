"""/affiliate/commissions: what one earned by which order and why, and a question to the merchant about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode

from aiohttp import web

from hub.domain.words import COMMISSION_STATES, LIVE_FIRST
from hub.operations.affiliates.links import show_link
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payouts import COMMISSIONS
from hub.operations.orders.affiliate_reports import (
    own_commissions,
    own_commissions_of_order,
    show_own_commission,
)
from hub.operations.orders.conversions import ConversionDetails
from hub.operations.orders.order_explanations import order_anywhere
from hub.operations.orders.order_messages import Notices, read_thread, write_message
from hub.operations.orders.order_progress import progress_of
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import shown_mode
from hub.pages.form_faults import NO_FAULTS
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.story import story_of

FILTERS: Final = ("state", "order", "link", "merchant")
FIND: Final = "/affiliate/find"
PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate/commissions")
async def show_commissions(visit: AffiliateVisit) -> web.StreamResponse:
    """Show one's commissions, newest first, those that match the filters of the address."""
    shown = await shown_mode(visit)
    asked = {name: visit.query.get(name, "").strip() for name in FILTERS}
    given = {"mode": shown.mode, **{name: value for name, value in asked.items() if value}}
    store, own = visit.services.store, visit.affiliate_id
    if asked["order"]:
        found = await own_commissions_of_order(store, own, shown.mode, asked["order"])
    else:
        filters = {"state": asked["state"], "code": asked["link"], "merchant_id": asked["merchant"]}
        found = await own_commissions(store, own, shown.mode, wanted_of(visit.visit, COMMISSIONS, filters))
    older, newer = beside("/affiliate/commissions", found, given)
    return visit.page(
        "affiliate/commissions.html",
        shown=shown,
        asked=asked,
        states=COMMISSION_STATES,
        commissions=found.entries,
        chips=_chips(given),
        older=older,
        newer=newer,
    )


@PAGES.get(FIND)
async def find(visit: AffiliateVisit) -> web.StreamResponse:
    """Lead to what a name in the search box is: an order of one's own, or a link by its code or address.

    Nothing typed shows all orders.
    """
    text, store, own = visit.query.get("q", "").strip(), visit.services.store, visit.affiliate_id
    if not text:
        return await show_commissions(visit)
    for mode in LIVE_FIRST:
        orders = (await own_commissions_of_order(store, own, mode, text)).entries
        if len(orders) == 1:
            return see_other(f"/affiliate/commissions/{orders[0].commission_id}")
        if orders:
            return see_other(f"/affiliate/commissions?{urlencode({'mode': mode, 'order': text})}")
    code = text.rstrip("/").rpartition("/")[2]
    try:
        await show_link(store, "", code, own)
    except OperatorFault:
        return see_other(f"/affiliate/commissions?{urlencode({'order': text})}")
    return see_other(f"/affiliate/links/{quote(code)}")


@PAGES.post("/affiliate/commissions/{commission}/messages")
async def ask_merchant(visit: AffiliateVisit) -> web.StreamResponse:
    """Write to the merchant about the order."""
    services, own = visit.services, visit.affiliate_id
    details = await _details(visit)
    if details is None:
        return visit.not_found()
    conversion_id = details.conversion.conversion_id
    try:
        await write_message(
            services.store,
            services.clock,
            conversion_id,
            "affiliate",
            visit.form.get("text", ""),
            owner=own,
            notices=Notices(services.outbox, await services.root()),
        )
    except OperatorFault as fault:
        return await show_commission(visit, 422, {"text": fault.reason})
    return see_other(f"/affiliate/commissions/{visit.path['commission']}?done=sent#messages")


@PAGES.get("/affiliate/commissions/{commission}")
async def show_commission(
    visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS
) -> web.StreamResponse:
    """Show one commission and why it is what it is."""
    services, details = visit.services, await _details(visit)
    if details is None or details.commission is None:
        return visit.not_found()
    conversion, now = details.conversion, services.clock()
    async with services.store.read() as tx:
        progress = await progress_of(tx, [(conversion, details.commission)])
    explained = await order_anywhere(services.store, conversion.conversion_id)
    click = explained.click
    if click is not None and click.affiliate_id != visit.affiliate_id:
        click = None  # a person attributed the order to somebody else than the click would have
    thread = await read_thread(
        services.store, services.clock, conversion.conversion_id, "affiliate", owner=visit.affiliate_id
    )
    return visit.page(
        "affiliate/commission.html",
        status,
        details=details,
        commission=details.commission,
        story=story_of(details, details.commission, explained.reasons, now, explained.corrections),
        volume=explained.volume,
        click=click,
        ends_at=None if click is None else explained.window_ends_at,
        sub_ids_of_click=progress[conversion.conversion_id]["sub_ids"],
        thread=thread,
        said=visit.query.get("done"),
        faults=faults,
        form=visit.form,
    )


async def _details(visit: AffiliateVisit) -> ConversionDetails | None:
    try:
        return await show_own_commission(visit.services.store, visit.affiliate_id, visit.path["commission"])
    except OperatorFault:
        return None


def _chips(given: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return each filter in words, with the address without it."""
    return [
        (f"{name}: {value}", "?" + urlencode({key: each for key, each in given.items() if key != name}))
        for name, value in given.items()
        if name != "mode"
    ]
