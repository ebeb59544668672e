"""A stand-in for a WooCommerce shop's REST API with many orders, which answers slowly enough to be interrupted."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web
from attrs import define, field
from hub_woocommerce.scenarios import paid

from hub.api import Play

API = "/wp-json/wc/v3"
KEYS = "key=ck_0123456789abcdef\nsecret=cs_0123456789abcdef\n"


@define
class WordPress:
    """The orders that it lists, and how many pages of them it was asked for; `seconds` is how long a page takes."""

    orders: list[dict[str, Any]] = field(factory=list)
    hooks: list[dict[str, Any]] = field(factory=list)
    pages: int = 0
    seconds: float = 0.1

    def place(self, count: int, click: str, now: int) -> None:
        """Place paid orders that name a click, at `now` (ms UTC)."""
        plays = [Play(str(1_000 + number), click, "USD", now) for number in range(count)]
        self.orders = [json.loads(paid(play).body) for play in plays]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer as WooCommerce does."""
        what = request.path.removeprefix(API)
        if what == "/data/currencies/current":
            return web.json_response({"code": "USD"})
        if what.startswith("/webhooks") and request.method != "GET":
            self.hooks.append({"id": len(self.hooks) + 1, **await request.json()})
            return web.json_response(self.hooks[-1], status=201)
        listed = {"/orders": self.orders, "/webhooks": self.hooks}.get(what, [])
        if what == "/orders":
            self.pages += 1
            await asyncio.sleep(self.seconds)
        page, size = int(request.query["page"]), int(request.query["per_page"])
        return web.json_response(listed[(page - 1) * size : page * size])
