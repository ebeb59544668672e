"""The demo shop: a buyer's pages in front, a signing client of the hub's API behind.

It does what the API specification's attribution flow asks of a merchant: it keeps `affiliate_click_id` in a first-party
cookie, names it as `clickId` when it reports an order, and again with every later status of that order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from attrs import frozen

from hub.clock import Clock
from hub.demo.goods import CURRENCY, GOODS, Good
from hub.demo.merchant import MerchantClient, RequestRefused
from hub.demo.orders import Order, Report, ShopOrders
from hub.demo.pages import STATIC, guard_headers, page
from hub.demo.story import commission_line, event_lines, rule_line, stages

CLICK = re.compile(r"clk_[0-9A-Fa-f-]{32,36}")
COOKIE = "affiliate_click_id"
COOKIE_SECONDS = 30 * 86_400
"""As long as the campaign's attribution window."""

FindConversion = Callable[[str], Awaitable[dict[str, Any] | None]]
"""Returns an order's conversion as the hub's operator sees it; None until the hub has decided about it."""


@frozen(eq=False)
class Shop:
    """Everything the shop's pages work with."""

    client: MerchantClient
    find_conversion: FindConversion
    clock: Clock
    affiliate: str
    orders: ShopOrders


SHOP = web.AppKey("shop", Shop)


def create_shop(shop: Shop) -> web.Application:
    """Return the shop as an application of its own."""
    app = web.Application(middlewares=[same_origin, plain_faults], client_max_size=4096)
    app[SHOP] = shop
    app.on_response_prepare.append(guard_headers)
    app.router.add_get("/", front)
    app.router.add_get("/products/{number}", product)
    app.router.add_post("/products/{number}/buy", buy)
    app.router.add_get("/orders/{number}", order_page)
    app.router.add_get("/orders/{number}/news", order_news)
    app.router.add_post("/orders/{number}/delivered", deliver)
    app.router.add_post("/orders/{number}/refund", refund)
    app.router.add_static("/static", STATIC)
    return app


@web.middleware
async def same_origin(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse a form that another site sends in the buyer's name; what is no browser sends neither header."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    own = origin is None or origin.partition("://")[2] == request.host if site is None else site == "same-origin"
    if request.method == "POST" and not own:
        raise web.HTTPForbidden(text="This form came from another site.")
    return await handler(request)


@web.middleware
async def plain_faults(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Show a fault as a page of the shop."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return page("fault.html", 404, title="Nothing here", text="This page does not exist in our little shop.")
    except RequestRefused as fault:
        return page("fault.html", 502, title="The hub said no", text=str(fault))


async def front(request: web.Request) -> web.StreamResponse:
    """Show all products, and the orders so far."""
    landed = _land(request)
    if landed is not None:
        return landed
    shop = request.app[SHOP]
    return page(
        "front.html", goods=GOODS.values(), orders=list(shop.orders), click_id=_click(request), affiliate=shop.affiliate
    )


async def product(request: web.Request) -> web.StreamResponse:
    """Show one product."""
    landed = _land(request)
    if landed is not None:
        return landed
    good, shop = _good(request), request.app[SHOP]
    return page("product.html", good=good, click_id=_click(request), affiliate=shop.affiliate)


async def buy(request: web.Request) -> web.StreamResponse:
    """Take an order and report it to the hub, with the click that its buyer came by."""
    shop = request.app[SHOP]
    order = shop.orders.open(_good(request), _click(request))
    body = {
        "externalOrderId": order.number,
        "externalProductId": order.good.number,
        "orderAmount": order.good.price,
        "currency": CURRENCY,
        **({} if order.click_id is None else {"clickId": order.click_id}),
    }
    answer = await shop.client.post("/v1/conversions", body, f"order-{order.number}")
    order.reports.append(Report("Order reported", answer["eventId"]))
    raise web.HTTPSeeOther(f"/orders/{order.number}")


async def deliver(request: web.Request) -> web.StreamResponse:
    """Report the parcel's delivery; the commission's hold begins."""
    order = _order(request)
    await _report_status(request.app[SHOP], order, "delivered", "Delivery reported")
    raise web.HTTPSeeOther(f"/orders/{order.number}")


async def refund(request: web.Request) -> web.StreamResponse:
    """Report the refund of the whole order; the commission is taken back."""
    order = _order(request)
    await _report_status(request.app[SHOP], order, "refunded", "Refund reported")
    raise web.HTTPSeeOther(f"/orders/{order.number}")


async def order_page(request: web.Request) -> web.StreamResponse:
    """Show an order, what the hub decided about it, and what can be done next."""
    order = _order(request)
    shop = request.app[SHOP]
    return page("order.html", order=order, affiliate=shop.affiliate, **await _news(shop, order))


async def order_news(request: web.Request) -> web.StreamResponse:
    """Show the part of the order's page that changes, for its script to fetch."""
    order = _order(request)
    return page("news.html", order=order, **await _news(request.app[SHOP], order))


async def _report_status(shop: Shop, order: Order, status: str, label: str) -> None:
    """Report a status once, however often its button is pressed; after a fault it may be pressed again."""
    if status in order.reported:
        return
    order.reported.add(status)
    body = {"externalOrderId": order.number, "status": status}
    if order.click_id is not None:
        body["clickId"] = order.click_id
    try:
        answer = await shop.client.post("/v1/order-status", body, f"{status}-{order.number}")
    except RequestRefused:
        order.reported.discard(status)
        raise
    order.reports.append(Report(label, answer["eventId"]))


async def _news(shop: Shop, order: Order) -> dict[str, Any]:
    conversion = await shop.find_conversion(order.number)
    commission = None if conversion is None else conversion["commission"]
    earner = None if conversion is None else conversion["affiliateName"]
    events = []
    for report in order.reports:
        event = await shop.client.get(f"/v1/events/{report.event_id}")
        raw = json.dumps(event, indent=2, ensure_ascii=False)
        events.append({"label": report.label, "event": event, "lines": event_lines(event, earner), "raw": raw})
    return {
        "conversion": conversion,
        "commission": commission,
        "commission_line": "" if commission is None else commission_line(commission, shop.clock()),
        "rule_line": "" if commission is None else rule_line(commission),
        "stages": stages(conversion),
        "events": events[::-1],
    }


def _land(request: web.Request) -> web.StreamResponse | None:
    """Keep the click id of a buyer who comes from the hub, and redirect to the page's clean address."""
    click_id = request.query.get(COOKIE, "")
    if not CLICK.fullmatch(click_id):
        return None
    response = web.Response(status=303, headers={"Location": request.path})
    response.set_cookie(COOKIE, click_id, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", path="/")
    return response


def _click(request: web.Request) -> str | None:
    click_id = request.cookies.get(COOKIE, "")
    return click_id if CLICK.fullmatch(click_id) else None


def _good(request: web.Request) -> Good:
    good = GOODS.get(request.match_info["number"])
    if good is None:
        raise web.HTTPNotFound
    return good


def _order(request: web.Request) -> Order:
    order = request.app[SHOP].orders.find(request.match_info["number"])
    if order is None:
        raise web.HTTPNotFound
    return order
