"""A Shopify store's REST Admin API on this machine, as documented: a leaky bucket, pages by Link, webhooks.

Source: shopify.dev/docs/api/admin-rest (order, product, shop, webhook), /docs/api/usage/limits, /docs/api/usage/
pagination-rest, /docs/apps/build/authentication-authorization/access-tokens/client-credentials-grant.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import define, field
from hub_shopify.scenarios import wire

from tests.standins.trouble import Record, Sent, Troubles

SHOP: Final = "lamps.myshopify.com"
TOKEN: Final = "shpat_0123456789abcdef"
CLIENT_ID: Final = "client-of-the-stand-in"
CLIENT_SECRET: Final = "shpss_secret-of-the-stand-in"
MOST_PER_PAGE: Final = 250


@define
class Shopify:
    """The store; its bucket holds `bucket` requests and leaks `leak` a second, and what overflows gets 429."""

    orders: dict[int, Record] = field(factory=dict)
    products: dict[int, Record] = field(factory=dict)
    hooks: dict[int, Record] = field(factory=dict)
    scopes: tuple[str, ...] = ("read_orders", "read_products", "read_fulfillments", "read_inventory")
    troubles: Troubles = field(factory=Troubles)
    bucket: float = 1_000_000
    leak: float = 2.0
    tokens: set[str] = field(factory=lambda: {TOKEN})
    refused: int = 0
    asked: list[str] = field(factory=list)
    _delivered: int = 0
    _level: float = 0.0
    _at: float = field(factory=monotonic)
    _following: dict[str, tuple[list[Record], int]] = field(factory=dict)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(f"{request.method} {request.path_qs}")
        if request.path == "/admin/oauth/access_token":
            return await self._token(request)
        if request.headers.get("X-Shopify-Access-Token") not in self.tokens:
            said = {"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)"}
            return web.json_response(said, status=401)
        if (trouble := await self.troubles.have(request, {"Retry-After": "0.1"})) is not None:
            return trouble
        limit = self._limit()
        if self._level > self.bucket:
            self.refused += 1
            self._level -= 1
            said = {"errors": "Exceeded 2 calls per second for api client. Reduce request rates to resume."}
            return web.json_response(said, status=429, headers={"Retry-After": "1.0", **limit})
        answer = await self._answer(request)
        answer.headers.update(limit)
        return answer

    def deliver(self, topic: str, body: Record) -> list[Sent]:
        """Return what every webhook of a topic sends, signed with the client secret."""
        return [self.signed(topic, body, hook["address"]) for hook in self.hooks.values() if hook["topic"] == topic]

    def signed(self, topic: str, body: Record, url: str) -> Sent:
        """Return one delivery, such as of a privacy topic, which the app's configuration sends to `url`."""
        raw = wire(body)
        digest = base64.b64encode(hmac.digest(CLIENT_SECRET.encode(), raw, hashlib.sha256)).decode()
        self._delivered += 1
        headers = {
            "Content-Type": "application/json", "X-Shopify-Topic": topic, "X-Shopify-Hmac-Sha256": digest,
            "X-Shopify-Shop-Domain": SHOP, "X-Shopify-API-Version": "2026-07",
            "X-Shopify-Webhook-Id": f"delivery-{self._delivered}",
        }  # fmt: skip
        return Sent(topic, url, raw, headers)

    def _limit(self) -> dict[str, str]:
        now = monotonic()
        self._level = max(0.0, self._level - (now - self._at) * self.leak) + 1
        self._at = now
        return {"X-Shopify-Shop-Api-Call-Limit": f"{min(int(self._level), int(self.bucket))}/{int(self.bucket)}"}

    async def _token(self, request: web.Request) -> web.Response:
        form = dict(await request.post()) if "form" in request.content_type else await request.json()
        if form.get("client_id") != CLIENT_ID or form.get("client_secret") != CLIENT_SECRET:
            return web.json_response({"error": "invalid_client"}, status=400)
        made = f"shpat_{len(self.tokens):016d}"
        self.tokens.add(made)
        return web.json_response({"access_token": made, "scope": ",".join(self.scopes), "expires_in": 86_399})

    async def _answer(self, request: web.Request) -> web.Response:
        match request.path.strip("/").split("/"):
            case ["admin", "oauth", "access_scopes.json"]:
                return web.json_response({"access_scopes": [{"handle": name} for name in self.scopes]})
            case ["admin", "api", _, "shop.json"]:
                shop = {"id": 690933842, "name": "Lamps", "currency": "USD", "myshopify_domain": SHOP}
                return web.json_response({"shop": shop})
            case ["admin", "api", _, "orders.json"]:
                return self._listed(request, "orders", self.orders, lambda each: each["updated_at"])
            case ["admin", "api", _, "products.json"]:
                return self._listed(request, "products", self.products, lambda each: each["updated_at"])
            case ["admin", "api", _, "orders", name] if name.removesuffix(".json") in map(str, self.orders):
                return web.json_response({"order": self.orders[int(name.removesuffix(".json"))]})
            case ["admin", "api", _, "products", name] if name.removesuffix(".json") in map(str, self.products):
                return web.json_response({"product": self.products[int(name.removesuffix(".json"))]})
            case ["admin", "api", _, "webhooks.json"]:
                return await self._webhooks(request)
            case ["admin", "api", _, "webhooks", name] if request.method == "DELETE":
                gone = self.hooks.pop(int(name.removesuffix(".json")), None)
                return _missing() if gone is None else web.json_response({})
        return _missing()

    def _listed(
        self, request: web.Request, name: str, kept: dict[int, Record], modified: Callable[[Record], str]
    ) -> web.Response:
        """Answer a page; the next one is found by a cursor, beside which only `limit` may be given."""
        query = dict(request.query)
        cursor = query.pop("page_info", "")
        if cursor:
            assert set(query) <= {"limit"}, f"{sorted(query)} beside page_info is refused"
            found, start = self._following[cursor]
        else:
            since = datetime.fromisoformat(query["updated_at_min"])
            assert since.tzinfo is not None, "a moment without an offset is the shop's own time"
            assert name == "products" or query.get("status") == "any", "archived orders are left out otherwise"
            found = [kept[key] for key in sorted(kept) if datetime.fromisoformat(modified(kept[key])) >= since]
            start = 0
        size = min(int(query.get("limit", "50")), MOST_PER_PAGE)
        headers = {}
        if start + size < len(found):
            following = f"cursor-{len(self._following)}"
            self._following[following] = (found, start + size)
            link = request.url.origin().join(request.url.with_query(None))
            headers["Link"] = f'<{link}?{urlencode({"limit": size, "page_info": following})}>; rel="next"'
        return web.json_response({name: found[start : start + size]}, headers=headers)

    async def _webhooks(self, request: web.Request) -> web.Response:
        if request.method != "POST":
            return web.json_response({"webhooks": list(self.hooks.values())})
        made = (await request.json())["webhook"]
        same = ("topic", "address")
        if any(all(hook[name] == made[name] for name in same) for hook in self.hooks.values()):
            said = {"errors": {"address": ["for this topic has already been taken"]}}
            return web.json_response(said, status=422)
        hook_id = max(self.hooks, default=4_759_305) + 1
        self.hooks[hook_id] = {"id": hook_id, "api_version": "2026-07", **made}
        return web.json_response({"webhook": self.hooks[hook_id]}, status=201)


def _missing() -> web.Response:
    return web.json_response({"errors": "Not Found"}, status=404)
