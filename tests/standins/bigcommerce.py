"""A BigCommerce store's API on this machine, as its reference documents it: V2 orders, V3 refunds, catalogue, hooks.

Source: the reference of bigcommerce/docs (orders.v2.oas2.yml, orders.v3.yml, products_catalog.v3.yml, webhooks.v3.yml,
store_information.v2.yml, api-rate-limits.mdx).
"""

from __future__ import annotations

import json
from datetime import datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Final

from aiohttp import web
from attrs import define, field

from tests.standins.trouble import Record, Sent, Troubles

STORE: Final = "abc123"
TOKEN: Final = "bc0token0of0the0store0account0"
PARTS: Final = frozenset({"products", "coupons", "refunds"})
MOST_PER_PAGE: Final = 250


@define
class BigCommerce:
    """The store; `quota` requests are answered in each window of `window_seconds`, the others get 429."""

    orders: dict[int, Record] = field(factory=dict)
    products: dict[int, Record] = field(factory=dict)
    hooks: dict[int, Record] = field(factory=dict)
    troubles: Troubles = field(factory=Troubles)
    quota: int = 1_000_000
    window_seconds: float = 0.5
    refused: int = 0
    asked: list[str] = field(factory=list)
    _window: float = 0.0
    _used: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        path = request.path.removeprefix(f"/stores/{STORE}")
        self.asked.append(f"{request.method} {request.path_qs}")
        if request.headers.get("X-Auth-Token") != TOKEN:
            said = {"status": 401, "title": "Unauthorized", "type": "/api-docs/getting-started/api-status-codes"}
            return web.json_response(said, status=401)
        quota = self._quota()
        if (trouble := await self.troubles.have(request, quota | {"X-Rate-Limit-Time-Reset-Ms": "20"})) is not None:
            return trouble
        if quota["X-Rate-Limit-Requests-Left"] == "-1":
            self.refused += 1
            return web.json_response({"status": 429, "title": "Too many requests"}, status=429, headers=quota)
        answer = await self._answer(request, path)
        answer.headers.update(quota)
        return answer

    def deliver(self, scope: str, item_id: int, **more: object) -> list[Sent]:
        """Return what every live webhook of a scope sends of an order or product."""
        what = "order" if scope.startswith("store/order/") else "product"
        body = {
            "scope": scope, "store_id": "1025646", "data": {"type": what, "id": item_id, **more},
            "hash": f"{item_id:040x}", "created_at": int(monotonic()), "producer": f"stores/{STORE}",
        }  # fmt: skip
        return [
            Sent(scope, hook["destination"], json.dumps(body).encode(), dict(hook["headers"] or {}))
            for hook in self.hooks.values()
            if hook["scope"] == scope and hook["is_active"]
        ]

    def put(self, order: Record) -> None:
        """Keep an order with its lines, coupons and refunds."""
        self.orders[order["id"]] = order

    def _quota(self) -> dict[str, str]:
        now = monotonic()
        if now - self._window >= self.window_seconds:
            self._window, self._used = now, 0
        self._used += 1
        reset = max(1, int((self._window + self.window_seconds - now) * 1_000))
        return {
            "X-Rate-Limit-Time-Window-Ms": str(int(self.window_seconds * 1_000)),
            "X-Rate-Limit-Time-Reset-Ms": str(reset),
            "X-Rate-Limit-Requests-Quota": str(self.quota),
            "X-Rate-Limit-Requests-Left": str(max(-1, self.quota - self._used)),
        }

    async def _answer(self, request: web.Request, path: str) -> web.Response:
        match path.strip("/").split("/"):
            case ["v2", "store"]:
                return web.json_response({"id": STORE, "name": "Lamps", "currency": "USD", "store_id": 1025646})
            case ["v2", "orders"]:
                return self._listed_orders(request)
            case ["v2", "orders", number, *part]:
                return self._order(request, number, part)
            case ["v3", "orders", number, "payment_actions", "refunds"] if number in map(str, self.orders):
                return web.json_response({"data": self.orders[int(number)]["refunds"], "meta": {}})
            case ["v3", "catalog", "products", *number]:
                return self._catalogue(request, number)
            case ["v3", "hooks", *number]:
                return await self._hooks(request, number)
        return _missing()

    def _listed_orders(self, request: web.Request) -> web.Response:
        since = datetime.fromisoformat(request.query["min_date_modified"])
        assert since.tzinfo is not None, "a moment without an offset is the store's own time"
        assert request.query["sort"] == "id:asc"
        found = [
            _head(order)
            for _, order in sorted(self.orders.items())
            if parsedate_to_datetime(order["date_modified"]) >= since
        ]
        return _v2(_page(found, request))

    def _order(self, request: web.Request, number: str, part: list[str]) -> web.Response:
        order = self.orders.get(int(number))
        if order is None:
            return _missing()
        if part in (["products"], ["coupons"]):
            return _v2(_page(order[part[0]], request))
        return _missing() if part else web.json_response(_head(order))

    def _catalogue(self, request: web.Request, number: list[str]) -> web.Response:
        if number:
            product = self.products.get(int(number[0]))
            return _missing() if product is None else web.json_response({"data": product, "meta": {}})
        since = datetime.fromisoformat(request.query["date_modified:min"])
        found = [each for each in self.products.values() if datetime.fromisoformat(each["date_modified"]) >= since]
        return web.json_response({"data": _page(found, request), "meta": {"pagination": {"total": len(found)}}})

    async def _hooks(self, request: web.Request, number: list[str]) -> web.Response:
        if request.method == "DELETE":
            gone = self.hooks.pop(int(number[0]), None)
            return _missing() if gone is None else web.json_response({"data": gone, "meta": {}})
        if request.method == "PUT":
            self.hooks[int(number[0])] |= await request.json()
            return web.json_response({"data": self.hooks[int(number[0])], "meta": {}})
        if request.method == "POST":
            made = await request.json()
            same = ("scope", "destination")
            if any(all(hook[name] == made[name] for name in same) for hook in self.hooks.values()):
                return web.json_response({"status": 422, "title": "This webhook exists already"}, status=422)
            hook_id = max(self.hooks, default=20_172_983) + 1
            self.hooks[hook_id] = {"headers": None, **made, "id": hook_id, "store_hash": STORE}
            return web.json_response({"data": self.hooks[hook_id], "meta": {}})
        return web.json_response({"data": _page(list(self.hooks.values()), request), "meta": {"pagination": {}}})


def _head(order: Record) -> Record:
    """Return an order as V2 answers it: with links to its parts instead of the parts."""
    links = {
        part: {"url": f"https://api.bigcommerce.com/stores/{STORE}/v2/orders/{order['id']}/{part}",
               "resource": f"/orders/{order['id']}/{part}"}
        for part in ("products", "coupons")
    }  # fmt: skip
    return {name: value for name, value in order.items() if name not in PARTS} | links


def _page(found: list[Record], request: web.Request) -> list[Record]:
    size = min(int(request.query.get("limit", "50")), MOST_PER_PAGE)
    start = (int(request.query.get("page", "1")) - 1) * size
    return found[start : start + size]


def _v2(found: list[Record]) -> web.Response:
    """Answer as V2 does: an empty list is 204 without a body."""
    return web.json_response(found) if found else web.Response(status=204)


def _missing() -> web.Response:
    return web.json_response([{"status": 404, "message": "The requested resource was not found."}], status=404)
