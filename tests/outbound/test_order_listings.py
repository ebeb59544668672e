"""Reading a shop's orders: pages, patience and limits, against a real web server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import pytest
from aiohttp import web

from hub.domain.listings import OrderListing
from hub.outbound import order_listings
from hub.outbound.order_listings import ListedShop, ListingFault, changed_orders

LISTING = OrderListing("/orders?since={since}&page={page}&size={size}", "order", page_size=2)
LOCAL = (ip_network("127.0.0.0/8"),)
SINCE = 1_772_359_200_000
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """Serve every path by one handler, and yield the shop's address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def read(
    handler: Handler, listing: OrderListing = LISTING, *, allowed: Any = LOCAL
) -> tuple[list[Any], list[float]]:
    """Return the orders of all pages, and the pauses that were made."""
    pauses: list[float] = []

    async def rest(seconds: float) -> None:
        pauses.append(seconds)

    async with serving(handler) as address:
        shop = ListedShop(address, "ck_1", "cs_1", allowed, rest)
        return [order async for page in changed_orders(listing, shop, SINCE) for order in page], pauses


async def test_pages_follow_until_one_is_not_full() -> None:
    """Each is asked for with the moment, the size and the credentials."""
    asked = []

    async def handler(request: web.Request) -> web.Response:
        asked.append((dict(request.query), request.headers["Authorization"]))
        page = int(request.query["page"])
        return web.json_response([{"id": page * 10 + each} for each in range(2 if page < 3 else 1)])

    orders, pauses = await read(handler)
    assert [order["id"] for order in orders] == [10, 11, 20, 21, 30]
    assert pauses == []
    assert asked[0] == (
        {"since": "2026-03-01T10:00:00", "page": "1", "size": "2"}, "Basic Y2tfMTpjc18x"
    )  # fmt: skip


async def test_orders_may_be_in_a_field() -> None:
    async def handler(_: web.Request) -> web.Response:
        return web.json_response({"orders": [{"id": 1}]})

    orders, _ = await read(handler, OrderListing("/o", "order", items="orders"))
    assert orders == [{"id": 1}]


@pytest.mark.parametrize(
    ("status", "headers", "pauses"),
    [(429, {"Retry-After": "7"}, [7.0, 7.0]), (429, {"Retry-After": "9999"}, [60.0, 60.0]), (503, {}, [1.0, 2.0])],
)
async def test_a_busy_or_broken_shop_is_asked_again(status: int, headers: dict[str, str], pauses: list[float]) -> None:
    """As long after as it asks for, within bounds."""
    answers = 0

    async def handler(_: web.Request) -> web.Response:
        nonlocal answers
        answers += 1
        return web.Response(status=status, headers=headers) if answers < 3 else web.json_response([{"id": 1}])

    assert await read(handler) == ([{"id": 1}], pauses)


async def broken(_: web.Request) -> web.Response:
    return web.Response(status=500)


async def unknown_key(_: web.Request) -> web.Response:
    return web.Response(status=401)


async def moved(_: web.Request) -> web.Response:
    return web.Response(status=301, headers={"Location": "/elsewhere"})


async def a_page(_: web.Request) -> web.Response:
    return web.Response(text="<html>")


async def numbers(_: web.Request) -> web.Response:
    return web.json_response([1, 2])


async def endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse()
    await answer.prepare(request)
    for _ in range(10_000):
        await answer.write(b" " * 4_096)
    return answer


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (broken, "answers 500, 5 times"),
        (unknown_key, "refuses the credentials"),
        (moved, "answers 301 instead"),
        (a_page, "not a list of orders"),
        (numbers, "not a list of orders"),
        (endless, "longer than"),
    ],
)
async def test_what_is_not_a_list_ends_with_a_sentence(
    handler: Handler, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_listings, "MOST_BYTES", 1024 * 1024)
    with pytest.raises(ListingFault, match=said):
        await read(handler)


async def test_a_shop_that_cannot_be_reached_is_said_so() -> None:
    async with serving(broken) as address:
        pass

    async def rest(_: float) -> None:
        return

    with pytest.raises(ListingFault, match="cannot be reached"):
        _ = [page async for page in changed_orders(LISTING, ListedShop(address, "a", "b", LOCAL, rest), SINCE)]


async def test_an_address_that_is_not_public_is_not_asked() -> None:
    """The control of all the others: without the allowed network the guard refuses the same server."""
    with pytest.raises(ListingFault, match="not a public address"):
        await read(numbers, allowed=())
