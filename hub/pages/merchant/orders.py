"""/merchant/orders: what came in, found by any name, filtered, page by page and as CSV."""

from __future__ import annotations

from datetime import date
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.domain.durations import DAY
from hub.domain.words import COMMISSION_STATES
from hub.operations.affiliates.link_lists import affiliates_of_account
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.figures.figures import date_day
from hub.operations.lists import FilterValues, Wanted
from hub.operations.lists import Page as Part
from hub.operations.orders.order_lists import (
    NO_COMMISSION,
    SORTS,
    ListedOrder,
    asked_orders,
    find_order,
    list_of,
    list_orders,
    orders_csv,
)
from hub.operations.orders.sorted_orders import is_sorted
from hub.pages.filter_chips import Filters
from hub.pages.markup import status_word
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.paging import beside, part_of
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.sorting import sort_heads

FILTERS: Final = (
    "q", "number", "state", "confidence", "affiliate", "campaign", "product", "coupon", "from", "to", "sort",
)  # fmt: skip
WORDS: Final = {
    "q": "Number or coupon",
    "number": "Number begins with",
    "state": "Commission",
    "confidence": "Confidence",
    "affiliate": "Affiliate",
    "campaign": "Campaign",
    "product": "Product",
    "coupon": "Coupon",
    "from": "From",
    "to": "To",
    "sort": "Sorted",
}
SORT_WORDS: Final = {
    "": "Newest first",
    "oldest": "Oldest first",
    "placed": "Last placed first",
    "placed-up": "First placed first",
    "amount": "Highest total first",
    "amount-up": "Lowest total first",
    "commission": "Highest commission first",
    "commission-up": "Lowest commission first",
    "state": "By state",
    "number": "By number",
}
WAYS: Final = {"": ("Newer", "Older"), "oldest": ("Older", "Newer")}
"""What the links to the parts beside are called in the orders of time."""
STATES: Final = (*COMMISSION_STATES, NO_COMMISSION)
PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant/orders")
async def show_orders(visit: MerchantVisit) -> web.StreamResponse:
    """Show a page of orders; a name that only one order has leads to it."""
    asked = Filters.of("/merchant/orders", visit.query, FILTERS)
    store, account_id = visit.services.store, visit.account_id
    text = asked.get("q")
    if text is not None and set(asked.given) == {"q"}:
        found = await find_order(store, account_id, text)
        if found is not None:
            return see_other(f"/merchant/orders/{found}?{urlencode({'mode': visit.mode})}")
    wanted = wanted_orders(visit, asked)
    page = await list_orders(store, account_id, wanted, visit.mode)
    older, newer = beside("/merchant/orders", page, asked.given)
    choices = await _choices(visit, asked, page)
    names = {value: name for each in choices.values() for value, name in each if value}
    sort = asked.value("sort") if asked.value("sort") in SORT_WORDS else ""
    sort = sort or ("number" if wanted.sort == "external_order_id" else "")
    return visit.page(
        "merchant/orders.html",
        asked=asked,
        is_sorted=is_sorted(wanted),
        page=page,
        chips=asked.chips(WORDS, SORT_WORDS | {state: state_word(state) for state in STATES} | names),
        choices=choices,
        states=[("", "Any"), *((state, state_word(state)) for state in STATES)],
        confidences=[("", "Any"), ("HIGH", "Certain"), ("LOW", "Uncertain")],
        sort=sort,
        sorts=list(SORT_WORDS.items()),
        heads=sort_heads(SORTS, sort, lambda each: asked.with_filters(sort=each or None)),
        sorted_words=SORT_WORDS[sort].lower(),
        back=older if wanted.oldest_first else newer,
        following=newer if wanted.oldest_first else older,
        ways=WAYS.get(sort, ("Back", "More")),
    )


async def _choices(visit: MerchantVisit, asked: Filters, page: Part[ListedOrder]) -> dict[str, list[tuple[str, str]]]:
    """Return what the filters by affiliate and campaign offer: ids with names, and what is asked for already."""
    services = visit.services
    campaigns = await list_campaigns(services.store, services.clock, visit.merchant_id)
    found = {
        "affiliate": await affiliates_of_account(services.store, visit.account_id),
        "campaign": [(each.id, each.title) for each in campaigns if each.mode == visit.mode],
    }
    seen = {
        "affiliate": {order.affiliate_id: order.affiliate_name for order in page.entries},
        "campaign": {order.campaign_id: order.campaign_title for order in page.entries},
    }
    for name, each in found.items():
        given = asked.get(name)
        if given is not None and given not in dict(each):
            each.append((given, seen[name].get(given) or given))
    return {name: [("", "Any"), *each] for name, each in found.items()}


@PAGES.get("/merchant/orders.csv")
async def download_orders(visit: MerchantVisit) -> web.StreamResponse:
    """Download every order that matches the filters as CSV, while it is being read."""
    asked = Filters.of("/merchant/orders", visit.query, FILTERS)
    kind = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": 'attachment; filename="orders.csv"'}
    wanted = asked_orders(order_filters(asked), asked.value("sort"))
    lines = orders_csv(visit.services.store, visit.account_id, wanted, visit.mode)
    return web.Response(body=lines, headers={**HEADERS, **kind})


def wanted_orders(visit: MerchantVisit, asked: Filters) -> Wanted:
    """Return the part of the orders that an address asks for."""
    wanted = asked_orders(order_filters(asked), asked.value("sort"))
    return part_of(visit.visit, list_of(wanted), wanted)


def order_filters(asked: Filters) -> FilterValues:
    """Return the filters that an address asks for; a date that is none is no condition."""
    first, last = _day(asked.value("from")), _day(asked.value("to"))
    if first is not None and last is not None and first > last:
        first, last = last, first  # typed the wrong way round
    return {
        "state": asked.get("state"),
        "confidence": asked.get("confidence"),
        "affiliate_id": asked.get("affiliate"),
        "campaign_id": asked.get("campaign"),
        "product": asked.get("product"),
        "coupon": asked.get("coupon"),
        "text": asked.get("q"),
        "number": asked.get("number"),
        "placed_from": None if first is None else first * DAY,
        "placed_to": None if last is None else (last + 1) * DAY,
    }


def state_word(state: str) -> str:
    """Return the word of a commission's state, or of there being none."""
    return "No commission" if state == NO_COMMISSION else status_word(state)


def _day(text: str) -> int | None:
    try:
        return date_day(date.fromisoformat(text))
    except ValueError:
        return None
