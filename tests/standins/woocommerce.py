"""A WooCommerce shop's REST API (v3) on this machine: orders, webhooks, and pages that may take their time.

Source: https://woocommerce.github.io/woocommerce-rest-api-docs/.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import math
from datetime import UTC, datetime
from typing import Final

from aiohttp import encode_basic_auth, web
from attrs import define, field
from hub_woocommerce.scenarios import php_json

from tests.polling import until
from tests.standins.trouble import Record, Sent

API: Final = "/wp-json/wc/v3"
KEY: Final = "ck_0123456789abcdef"
SECRET: Final = "cs_0123456789abcdef"
MISSING: Final = {"code": "woocommerce_rest_shop_order_invalid_id", "message": "Invalid ID.", "data": {"status": 404}}


@define
class WooCommerce:
    """The shop; `pages` counts the pages of orders that were asked for, and each takes `seconds`.

    A page beyond `most` of them takes until that is raised.
    """

    orders: dict[int, Record] = field(factory=dict)
    hooks: dict[int, Record] = field(factory=dict)
    pages: int = 0
    seconds: float = 0.0
    most: float = math.inf

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        if request.headers.get("Authorization") != encode_basic_auth(KEY, SECRET):
            return web.json_response({"code": "woocommerce_rest_cannot_view"}, status=401)
        match request.path.removeprefix(API).strip("/").split("/"):
            case ["data", "currencies", "current"]:
                return web.json_response({"code": "USD"})
            case ["orders"]:
                return await self._listed_orders(request)
            case ["orders", number] if int(number) in self.orders:
                return web.json_response(self.orders[int(number)])
            case ["products"]:
                return web.json_response([])
            case ["webhooks", *number]:
                return await self._webhooks(request, number)
        return web.json_response(MISSING, status=404)

    def deliver(self, topic: str, body: Record) -> list[Sent]:
        """Return what every active webhook of a topic sends, signed with its secret."""
        raw = php_json(body)
        return [
            Sent(topic, hook["delivery_url"], raw, _headers(topic, hook, raw))
            for hook in self.hooks.values()
            if hook["topic"] == topic and hook["status"] == "active"
        ]

    async def _listed_orders(self, request: web.Request) -> web.Response:
        self.pages += 1
        number = self.pages
        await asyncio.sleep(self.seconds)
        await until(lambda: number <= self.most)
        if "include" in request.query:
            wanted = [int(each) for each in request.query["include"].split(",")]
            named = [self.orders[each] for each in sorted(wanted) if each in self.orders]
            return _page([each for each in named if each["status"] != "trash"], request)
        assert request.query["dates_are_gmt"] == "true", "a moment is the shop's own time otherwise"
        since = datetime.fromisoformat(request.query["modified_after"]).replace(tzinfo=UTC)
        found = [
            order
            for _, order in sorted(self.orders.items())
            if order["status"] != "trash"  # which the status "any" does not mean
            and datetime.fromisoformat(order["date_modified_gmt"]).replace(tzinfo=UTC) > since
        ]
        return _page(found, request)

    async def _webhooks(self, request: web.Request, number: list[str]) -> web.Response:
        if request.method == "GET":
            return _page(list(self.hooks.values()), request)
        if request.method == "DELETE":
            return web.json_response(self.hooks.pop(int(number[0])))
        hook_id = int(number[0]) if number else len(self.hooks) + 1
        self.hooks[hook_id] = {**self.hooks.get(hook_id, {}), **await request.json(), "id": hook_id}
        return web.json_response(self.hooks[hook_id], status=200 if number else 201)


def _page(found: list[Record], request: web.Request) -> web.Response:
    page, size = int(request.query["page"]), int(request.query["per_page"])
    return web.json_response(found[(page - 1) * size : page * size])


def _headers(topic: str, hook: Record, raw: bytes) -> dict[str, str]:
    digest = base64.b64encode(hmac.digest(hook["secret"].encode(), raw, hashlib.sha256)).decode()
    return {
        "Content-Type": "application/json", "X-WC-Webhook-Topic": topic, "X-WC-Webhook-Signature": digest,
        "X-WC-Webhook-Source": "https://shop.example/", "X-WC-Webhook-ID": str(hook["id"]),
    }  # fmt: skip
