"""A Shopware shop's Admin API on this machine: tokens, the search of orders, and the app's webhooks.

Source: developer.shopware.com, "Search Criteria", "App Registration & Backend Setup", "Webhook".
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from aiohttp import web
from attrs import define, field
from hub_shopware.requests import SYSTEM_CURRENCY
from hub_shopware.scenarios import SHOP, php_json

from tests.standins.trouble import Record, Sent

KEY: Final = "SWIAEXAMPLEEXAMPLEEXAMPLEE"
SECRET: Final = "c2VjcmV0b2Z0aGVpbnRlZ3JhdGlvbm9mdGhlc2hvcA"
TOKEN: Final = "eyJ0eXAiOiJKV1QifQ.of-the-stand-in"


@define
class Shopware:
    """The shop; `hook` is where the app's webhooks go, signed with `signs_with`."""

    orders: dict[str, Record] = field(factory=dict)
    hook: str = "https://hub.example/connect/con_1"
    signs_with: str = "s" * 64
    asked: list[str] = field(factory=list)
    _events: Iterator[int] = field(factory=count)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(f"{request.method} {request.path_qs}")
        if request.path == "/api/oauth/token":
            return await self._token(request)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"errors": [{"status": "401", "code": "9", "title": "Access denied"}]}, status=401)
        match request.path.removeprefix("/api/").split("/"):
            case ["currency", name] if name == SYSTEM_CURRENCY:
                return web.json_response({"data": {"id": SYSTEM_CURRENCY, "isoCode": "USD", "factor": 1}})
            case ["search", "order"] if request.method == "POST":
                return self._found(await request.json())
        return web.json_response({"errors": [{"status": "404", "title": "Not Found"}]}, status=404)

    def deliver(self, event: str, order: Record, at: int) -> list[Sent]:
        """Return the webhook of an event that the shop handles at a moment (ms UTC)."""
        source = {**SHOP, "eventId": f"{next(self._events):032x}"}
        raw = php_json({"data": {"payload": {"order": order}, "event": event}, "source": source,
                        "timestamp": at // 1000})  # fmt: skip
        digest = hmac.digest(self.signs_with.encode(), raw, hashlib.sha256).hex()
        headers = {"Content-Type": "application/json", "shopware-shop-signature": digest}
        return [Sent(event, self.hook, raw, headers)]

    def keep(self, order: Record, changed_at: int) -> None:
        """Keep an order that changed at a moment (ms UTC), by its number; nothing else of it says when."""
        self.orders[order["orderNumber"]] = order
        order["updatedAt"] = datetime.fromtimestamp(changed_at / 1000, UTC).isoformat(timespec="milliseconds")

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.json()
        if (form["grant_type"], form["client_id"], form["client_secret"]) != ("client_credentials", KEY, SECRET):
            return web.json_response({"errors": [{"code": "4", "title": "Client authentication failed"}]}, status=401)
        return web.json_response({"token_type": "Bearer", "expires_in": 600, "access_token": TOKEN})

    def _found(self, criteria: Record) -> web.Response:
        for name in ("currency", "lineItems", "transactions", "deliveries", "stateMachineState"):
            assert name in criteria["associations"], f"without the association {name} it is not in the answer"
        (wanted,) = criteria["filter"]
        by_id = sorted(self.orders.values(), key=lambda order: str(order["id"]))
        found = [order for order in by_id if _holds(wanted, order)]
        page, limit = criteria.get("page", 1), criteria["limit"]
        assert isinstance(page, int)
        assert isinstance(limit, int)
        part = found[(page - 1) * limit : page * limit]
        return web.json_response({"total": len(part), "data": part, "aggregations": []})


def _holds(wanted: Record, order: Record) -> bool:
    """Return whether a filter holds of an order."""
    match wanted["type"]:
        case "multi":
            assert wanted["operator"] == "or"
            return any(_holds(each, order) for each in wanted["queries"])
        case "equals":
            return wanted["value"] in _values(order, wanted["field"].split("."))
        case "range":
            since = datetime.fromisoformat(wanted["parameters"]["gte"])
            assert since.tzinfo is None, "MySQL compares with moments in UTC without an offset"
            said = [each for each in _values(order, wanted["field"].split(".")) if each]
            return any(datetime.fromisoformat(each) >= since.replace(tzinfo=UTC) for each in said)
    raise AssertionError(f"no filter {wanted['type']}")


def _values(thing: Any, path: list[str]) -> list[Any]:
    """Return what is at a path, of each in an array on the way."""
    if isinstance(thing, list):
        return [found for each in thing for found in _values(each, path)]
    if not path:
        return [thing]
    return _values(thing.get(path[0]), path[1:]) if isinstance(thing, dict) else []
