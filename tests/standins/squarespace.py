"""A Squarespace site's Commerce API on this machine; its pages are short, so that there are some.

Source: developers.squarespace.com, "Retrieve all orders", "Retrieve a specific order", "Accessing Squarespace APIs
using OAuth 2.0", "Webhook Subscriptions API". Webhooks are for apps alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from hmac import digest
from itertools import count
from typing import Any, Final

from aiohttp import encode_basic_auth, web
from attrs import define, field

from hub.clock import Clock, system_clock
from tests.standins.trouble import Record, Sent

TOKEN: Final = "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d"
PAGE: Final = 2
CLIENT_ID: Final = "sq-app-1"
CLIENT_SECRET: Final = "sq-app-s3cret"
TOKENS: Final = "/api/1/login/oauth/provider/tokens"
MOST_HOOKS: Final = 25
HALF_AN_HOUR: Final = 1_800


@define
class Squarespace:
    """The site."""

    orders: dict[str, Record] = field(factory=dict)
    asked: list[str] = field(factory=list)
    hooks: dict[str, Record] = field(factory=dict)
    """The subscriptions with their secrets, which are told once."""
    tokens: list[str] = field(factory=list)
    refreshes: list[str] = field(factory=list)
    clock: Clock = system_clock
    made: Callable[[Record], Any] = lambda hook: hook
    """What the answer to a subscription says."""
    _numbers: Any = field(factory=lambda: count(1))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(request.path_qs)
        if request.path == TOKENS:
            return self._granted(request, await request.json())
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in (TOKEN, *self.tokens[-1:]):
            return web.json_response({"type": "AUTHORIZATION_ERROR", "message": "No"}, status=401)
        if request.path.startswith("/1.0/webhook_subscriptions"):
            return await self._subscriptions(request, is_app=token in self.tokens)
        match request.path.removeprefix("/1.0/").split("/"):
            case ["authorization", "website"]:
                return web.json_response({"id": "5b60", "title": "Lamps", "url": "https://lamps.squarespace.com"})
            case ["commerce", "orders"]:
                return self._listed(request)
            case ["commerce", "orders", name] if name in self.orders:
                return web.json_response(self.orders[name])
        return web.json_response({"type": "NOT_FOUND"}, status=404)

    def deliver(self, topic: str, order_id: str) -> list[Sent]:
        """Return what is sent of an order, each signed with the secret of its subscription."""
        data = {"orderId": order_id} if topic == "order.create" else {"orderId": order_id, "update": "FULFILLED"}
        return [self._notice(hook, topic, data) for hook in self.hooks.values() if topic in hook["topics"]]

    def _notice(self, hook: Record, topic: str, data: Record) -> Sent:
        notice = {"id": f"n{next(self._numbers)}", "websiteId": "5b60", "subscriptionId": hook["id"], "topic": topic,
                  "createdOn": "2026-03-01T10:00:05Z", "data": data}  # fmt: skip
        body = json.dumps(notice).encode()
        signature = digest(bytes.fromhex(hook["secret"]), body, sha256).hex()
        return Sent(topic, hook["endpointUrl"], body, {"squarespace-signature": signature})

    def _granted(self, request: web.Request, asked: Record) -> web.Response:
        assert request.headers["Authorization"] == encode_basic_auth(CLIENT_ID, CLIENT_SECRET), "the client is a header"
        if asked["grant_type"] == "refresh_token" and asked["refresh_token"] != self.refreshes[-1]:
            return web.json_response({"error": "invalid_grant"}, status=400)
        number = next(self._numbers)
        self.tokens.append(f"OAUTH2_{number:020d}")
        self.refreshes.append(f"REFRESH_{number:020d}")
        ends = self.clock() // 1_000 + HALF_AN_HOUR
        return web.json_response(
            {"token_type": "bearer", "access_token": self.tokens[-1], "access_token_expires_at": f"{ends}.25",
             "refresh_token": self.refreshes[-1], "refresh_token_expires_at": f"{ends + 604_800}.25"}
        )  # fmt: skip

    async def _subscriptions(self, request: web.Request, *, is_app: bool) -> web.Response:
        if not is_app:
            return web.json_response({"type": "AUTHORIZATION_ERROR"}, status=403)
        if request.method == "DELETE":
            del self.hooks[request.path.rpartition("/")[2]]
            return web.Response(status=204)
        if request.method == "POST":
            return self._subscribed(await request.json())
        told = [{name: value for name, value in hook.items() if name != "secret"} for hook in self.hooks.values()]
        return web.json_response({"webhookSubscriptions": told})

    def _subscribed(self, asked: Record) -> web.Response:
        assert asked["topics"]
        assert len(self.hooks) < MOST_HOOKS
        number = next(self._numbers)
        secret = sha256(f"squarespace {number}".encode()).hexdigest()
        hook = {**asked, "id": f"hook-{number}", "secret": secret}
        self.hooks[hook["id"]] = hook
        return web.json_response(self.made(hook), status=201)

    def _listed(self, request: web.Request) -> web.Response:
        """Answer with a page; the cursor says its filter and its place, and goes with no filter beside it."""
        asked = request.query
        if "cursor" in asked:
            assert set(asked) == {"cursor"}, "a cursor goes with no filter"
            begin, since, until = asked["cursor"].split("~")
        else:
            assert set(asked) == {"modifiedAfter", "modifiedBefore", "paymentStates"}, (
                "each of the first needs the other"
            )
            assert "REFUND_FAILED" in asked["paymentStates"].split(","), "some are not shown unless they are asked for"
            begin, since, until = "0", asked["modifiedAfter"], asked["modifiedBefore"]
        after, before = (datetime.fromisoformat(each) for each in (since, until))
        changed = [(datetime.fromisoformat(each["modifiedOn"]), each) for each in self.orders.values()]
        found = [each for at, each in sorted(changed, key=lambda pair: pair[0]) if after < at < before]
        end = int(begin) + PAGE
        cursor = f"{end}~{since}~{until}"
        following = f"/1.0/commerce/orders?cursor={cursor}" if end < len(found) else None
        pagination = {"hasNextPage": following is not None, "nextPageUrl": following}
        return web.json_response({"result": found[int(begin) : end], "pagination": pagination})
