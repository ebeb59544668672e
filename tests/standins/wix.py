"""A Wix site's eCommerce API on this machine; its pages are short, so that there are some.

Source: dev.wix.com/docs/rest, "Create Access Token", "Get App Instance", "Search Orders", "Get Order", "List
Transactions For Single Order", "Webhook Structure".
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final

from aiohttp import web
from attrs import define, field

from tests.standins.trouble import Record, Sent

APP_ID: Final = "3e1b4d5a-1c2d-4e3f-8a9b-0c1d2e3f4a5b"
APP_SECRET: Final = "7d0e9b1c-5f2a-4c3d-9e8f-1a2b3c4d5e6f"
INSTANCE: Final = "07864c16-3a6f-4dd2-9973-028705762b2c"
LIFETIME: Final = 14_400
PAGE: Final = 2
GRANT: Final = {"grant_type": "client_credentials", "client_id": APP_ID, "client_secret": APP_SECRET,
                "instance_id": INSTANCE}  # fmt: skip


@define
class Wix:
    """The site, on which the app is installed; `tokens` are those that it has given."""

    orders: dict[str, Record] = field(factory=dict)
    asked: list[str] = field(factory=list)
    tokens: list[str] = field(factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(request.path_qs)
        if request.path == "/oauth2/token":
            return await self._token(request)
        if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens:
            return web.json_response({"message": "No", "details": {}}, status=401)
        match request.path.strip("/").split("/"):
            case ["apps", "v1", "instance"]:
                return web.json_response(_instance())
            case ["ecom", "v1", "orders", "search"]:
                return self._found((await request.json())["search"])
            case ["ecom", "v1", "orders", name] if name in self.orders:
                shown = {field: value for field, value in self.orders[name].items() if field != "transactions"}
                return web.json_response({"order": shown})
            case ["ecom", "v1", "payments", "orders", name] if name in self.orders:
                return web.json_response({"orderTransactions": self.orders[name]["transactions"]})
        return web.json_response({"message": "not found", "details": {}}, status=404)

    def deliver(self, event: str, order_id: str) -> list[Sent]:
        """Return what the app is sent of an order: the claims of a token, without its signature."""
        return [Sent(event, "", claims(event, order_id), {})]

    async def _token(self, request: web.Request) -> web.Response:
        if await request.json() != GRANT:
            return web.json_response({"error": "invalid_client"}, status=400)
        self.tokens.append(f"OauthNG.JWS.{len(self.tokens)}")
        return web.json_response({"access_token": self.tokens[-1], "token_type": "Bearer", "expires_in": LIFETIME})

    def _found(self, search: dict[str, Any]) -> web.Response:
        """Answer with a page; the cursor says its search and its place, and goes with no filter beside it."""
        cursor = search["cursorPaging"].get("cursor")
        if cursor is not None:
            assert set(search) == {"cursorPaging"}, "a cursor goes with no filter"
            begin, since = cursor.split("~")
        else:
            assert search["sort"] == [{"fieldName": "updatedDate", "order": "ASC"}]
            begin, since = "0", search["filter"]["updatedDate"]["$gte"]
        changed = [(datetime.fromisoformat(each["updatedDate"]), each) for each in self.orders.values()]
        found = [each for at, each in sorted(changed, key=lambda pair: pair[0]) if at >= datetime.fromisoformat(since)]
        end = int(begin) + PAGE
        more = end < len(found)
        cursors = {"next": f"{end}~{since}"} if more else {}
        orders = [{name: value for name, value in each.items() if name != "transactions"} for each in found]
        metadata = {"count": len(orders[int(begin) : end]), "cursors": cursors, "hasNext": more}
        return web.json_response({"orders": orders[int(begin) : end], "metadata": metadata})


def claims(event: str, order_id: str, instance: str = INSTANCE, ends: int = 2_000_000_000) -> bytes:
    """Return what a token states: JSON texts within each other, of which the innermost names the order."""
    fqdn, _, slug = event.rpartition("_")
    inner = {"id": "51ef9f9e-7c32-4c32-a2cd-3a2a0a0d2f57", "entityFqdn": fqdn, "slug": slug, "entityId": order_id}
    outer = {"data": json.dumps(inner), "instanceId": instance, "eventType": event}
    return json.dumps({"data": json.dumps(outer), "iat": ends - 300, "exp": ends}).encode()


def _instance() -> Record:
    site = {"paymentCurrency": "USD", "siteDisplayName": "Lamps", "url": "https://lamps.wixsite.com/shop"}
    return {"instance": {"appName": "Affiliate Hub", "instanceId": INSTANCE, "isFree": True}, "site": site}
