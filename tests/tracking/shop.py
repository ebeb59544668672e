"""A small shop whose every page loads the capture script, and that writes down what reaches it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from attrs import define, field


@define
class Shop:
    """A shop whose every page loads the script, after `before` (JavaScript); `shopify` makes it look like Shopify's."""

    port: int = 0
    hub: str = ""
    options: str = ""
    before: str = ""
    head: str = ""
    body: str = ""
    policy: str | None = None
    shopify: bool = False
    token: str = "cart-1"
    broken: bool = False
    attributes: dict[str, Any] = field(factory=dict)
    reads: int = 0
    updates: list[Any] = field(factory=list)
    message: str = ""
    messages: list[str] = field(factory=list)
    orders: list[dict[str, str]] = field(factory=list)
    cookies: list[dict[str, str]] = field(factory=list)

    def at(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def new_cart(self, token: str) -> None:
        self.token, self.attributes = token, {}

    async def page(self, request: web.Request) -> web.Response:
        self.cookies.append(dict(request.cookies))
        platform = '<script src="/shopify.js"></script>' if self.shopify else ""
        line = f'<script async src="{self.hub}/capture.js" {self.options}></script>'
        before = '<script src="/before.js"></script>' if self.before else ""
        head = f"{before}{self.head}{line}{platform}<title>Shop</title>"
        # A page in a frame has none itself: since the script cleans addresses, a browser would not see that it repeats.
        body = "" if request.headers.get("Sec-Fetch-Dest") == "iframe" else self.body
        text = f"<!doctype html><head>{head}</head><body>{body}</body>"
        # No more than the guide asks for: the hub may run scripts, and the shop's own pages may be called.
        own = " 'self'" if self.before else ""
        policy = self.policy or f"default-src 'none'; script-src {self.hub}{own}; form-action 'self'; img-src 'self'"
        if self.shopify and not self.policy:
            policy = f"default-src 'none'; script-src {self.hub} 'self'; connect-src 'self'; img-src 'self'"
        return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": policy})

    async def order(self, request: web.Request) -> web.Response:
        self.orders.append({name: str(value) for name, value in (await request.post()).items()})
        return await self.page(request)

    async def cart(self, _: web.Request) -> web.Response:
        self.reads += 1
        if self.broken:
            return web.Response(status=500, text="<h1>sorry</h1>")
        return web.json_response({"token": self.token, "attributes": self.attributes})

    async def update(self, request: web.Request) -> web.Response:
        assert request.content_type == "application/json"
        self.updates.append(await request.json())
        self.attributes |= self.updates[-1]["attributes"]
        return web.json_response({"token": self.token, "attributes": self.attributes})

    async def bigcommerce_carts(self, _: web.Request) -> web.Response:
        return web.json_response([{"id": "cart-1"}] if self.token else [])

    async def checkout(self, request: web.Request) -> web.Response:
        if request.method == "PUT":
            self.message = (await request.json())["customerMessage"]
            self.messages.append(self.message)
        return web.json_response({"id": "cart-1", "customerMessage": self.message})

    async def no_icon(self, _: web.Request) -> web.Response:
        return web.Response(status=204)

    async def before_script(self, _: web.Request) -> web.Response:
        return web.Response(text=self.before, content_type="text/javascript")

    async def shopify_script(self, _: web.Request) -> web.Response:
        return web.Response(text="window.Shopify = {routes: {root: '/fr/'}}", content_type="text/javascript")


@asynccontextmanager
async def serving(shop: Shop) -> AsyncIterator[Shop]:
    """Serve the shop at a port of its own."""
    application = web.Application()
    application.add_routes(
        [
            web.get("/favicon.ico", shop.no_icon),
            web.get("/{root:(fr/)?}cart.js", shop.cart),
            web.post("/{root:(fr/)?}cart/update.js", shop.update),
            web.get("/before.js", shop.before_script),
            web.get("/shopify.js", shop.shopify_script),
            web.get("/api/storefront/carts", shop.bigcommerce_carts),
            web.get("/api/storefront/checkouts/cart-1", shop.checkout),
            web.put("/api/storefront/checkouts/cart-1", shop.checkout),
            web.post("/{path:.*}", shop.order),
            web.get("/{path:.*}", shop.page),
        ]
    )
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    shop.port = runner.addresses[0][1]
    yield shop
    await runner.cleanup()
