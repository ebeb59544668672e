"""The API of a platform: WooCommerce shops that the hub asks for the orders of which it was told nothing."""

from __future__ import annotations

import json

from aiohttp import web
from attrs import define, field
from multidict import CIMultiDict

from tests.prove.world.shops import Shop
from tests.standins.woocommerce import API, KEY, SECRET, WooCommerce


@define
class PlatformApi:
    """All shops of the platform, each below a path of its own; while `closed`, every request gets a 503."""

    root: str = ""
    closed: bool = False
    shops: dict[str, tuple[Shop, WooCommerce]] = field(factory=dict)
    asked: int = 0
    refused: int = 0

    def credentials(self, shop: Shop) -> dict[str, str]:
        """Open a shop's API, and return what the merchant types into the hub."""
        self.shops[shop.name] = shop, WooCommerce()
        return {"site": f"{self.root}{shop.name}", "key": KEY, "secret": SECRET}

    def keep(self, shop: Shop, body: bytes) -> None:
        """Keep an order as the shop has it now, unless it has a newer one."""
        order = json.loads(body)
        kept = self.shops[shop.name][1].orders
        before = kept.get(order["id"])
        if before is None or before["date_modified_gmt"] <= order["date_modified_gmt"]:
            kept[order["id"]] = order

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer as the shop's WordPress does."""
        self.asked += 1
        if self.closed:
            self.refused += 1
            return web.Response(status=503)
        shop, store = self.shops[request.match_info["shop"]]
        path = request.path.removeprefix(f"/{shop.name}")
        if path == f"{API}/data/currencies/current":
            return web.json_response({"code": shop.currency}, headers=CIMultiDict(Date=""))
        response = await store.answer(request.clone(rel_url=request.rel_url.with_path(path, keep_query=True)))
        if isinstance(response, web.Response):
            response.headers.setdefault("Date", "")  # no answer says the day, which is the world's
        return response
