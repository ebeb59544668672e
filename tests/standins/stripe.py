"""Stripe's webhook endpoints on this machine.

Source: docs.stripe.com/api/webhook_endpoints, docs.stripe.com/webhooks/signature. Parameters are a form.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from hmac import digest
from itertools import count
from typing import Any, Final

from aiohttp import web
from attrs import define, field
from multidict import MultiDictProxy

from hub.clock import Clock, system_clock
from tests.standins.trouble import Record, Sent

KEY: Final = "rk_test_0123456789abcdefABCDEF"
VERSION: Final = "2025-02-24.acacia"
ENDPOINTS: Final = "/v1/webhook_endpoints"
MOST_HOOKS: Final = 16


@define
class Stripe:
    """The account."""

    hooks: dict[str, Record] = field(factory=dict)
    """The endpoints with their secrets, which are told once."""
    clock: Clock = system_clock
    made: Callable[[Record], Any] = lambda hook: hook
    """What the answer to a new endpoint says."""
    _numbers: Any = field(factory=lambda: count(1))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "Invalid API Key provided"}}, status=401)
        assert request.headers["Stripe-Version"] == VERSION
        assert request.path.startswith(ENDPOINTS), "the key may ask for nothing else"
        hook_id = request.path.removeprefix(ENDPOINTS).strip("/")
        if request.method == "GET":
            told = [{name: value for name, value in hook.items() if name != "secret"} for hook in self.hooks.values()]
            return web.json_response({"object": "list", "has_more": False, "data": told})
        if request.method == "DELETE":
            del self.hooks[hook_id]
            return web.json_response({"id": hook_id, "deleted": True})
        assert request.content_type == "application/x-www-form-urlencoded"
        return self._written(hook_id, await request.post())

    def deliver(self, topic: str, order_id: str) -> list[Sent]:
        """Return what is sent of an order, each signed with the secret of its endpoint."""
        event = {"id": f"evt_{next(self._numbers)}", "object": "event", "type": topic, "api_version": VERSION,
                 "created": self.clock() // 1_000, "livemode": False, "data": {"object": {"id": order_id}}}  # fmt: skip
        body = json.dumps(event).encode()
        return [self._signed(hook, topic, body) for hook in self.hooks.values() if topic in hook["enabled_events"]]

    def _signed(self, hook: Record, topic: str, body: bytes) -> Sent:
        at = self.clock() // 1_000
        signature = digest(hook["secret"].encode(), f"{at}.".encode() + body, sha256).hex()
        return Sent(topic, hook["url"], body, {"stripe-signature": f"t={at},v1={signature}"})

    def _written(self, hook_id: str, asked: MultiDictProxy[Any]) -> web.Response:
        if hook_id:
            self.hooks[hook_id]["status"] = "disabled" if asked["disabled"] == "true" else "enabled"
            return web.json_response({name: value for name, value in self.hooks[hook_id].items() if name != "secret"})
        assert len(self.hooks) < MOST_HOOKS
        number = next(self._numbers)
        secret = f"whsec_{sha256(f'stripe {number}'.encode()).hexdigest()[:32]}"
        hook = {"id": f"we_{number}", "object": "webhook_endpoint", "api_version": asked["api_version"],
                "url": asked["url"], "enabled_events": asked.getall("enabled_events[]"), "status": "enabled",
                "secret": secret}  # fmt: skip
        self.hooks[hook["id"]] = hook
        return web.json_response(self.made(hook))
