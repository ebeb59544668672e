"""What others hear of the hub: merchants' systems by signed webhooks, affiliates' trackers by postbacks."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define, field

Heard = dict[str, tuple[str, str, str]]
"""What is known of each commission last: its state, its amount as text, and its currency."""


@define
class Ears:
    """All receivers together; while `closed`, nobody answers with a 2xx."""

    root: str = ""
    closed: bool = False
    keys: dict[str, bytes] = field(factory=dict)
    merchants: dict[str, Heard] = field(factory=dict)
    affiliates: dict[str, Heard] = field(factory=dict)
    known: set[str] = field(factory=set)
    told: int = 0
    refused: int = 0
    repeated: int = 0
    forged: int = 0

    def hook(self, merchant: str) -> str:
        """The address of a merchant's webhooks."""
        return f"{self.root}hook/{merchant}"

    def postback(self, affiliate: str) -> str:
        """The address template of an affiliate's tracker."""
        said = "m={messageId}&c={commissionId}&s={state}&a={amount}&u={currency}"
        return f"{self.root}pb/{affiliate}?{said}"

    def _is_open(self) -> bool:
        self.told += 1
        self.refused += self.closed
        return not self.closed

    async def webhook(self, request: web.Request) -> web.Response:
        """Take a message if its signature is genuine; a repeated one is known by its id."""
        merchant, body = request.match_info["who"], await request.read()
        if not self._is_open():
            return web.Response(status=503)
        name, stamp = request.headers["webhook-id"], request.headers["webhook-timestamp"]
        digest = hmac.digest(self.keys[merchant], f"{name}.{stamp}.".encode() + body, "sha256")
        if request.headers["webhook-signature"] != f"v1,{base64.b64encode(digest).decode()}":
            self.forged += 1
            return web.Response(status=401)
        data = json.loads(body)["data"]
        if self._is_new(f"{merchant}:{name}") and "commissionId" in data:
            self.merchants.setdefault(merchant, {})[data["commissionId"]] = (
                data["state"], data["amount"], data["currency"]
            )  # fmt: skip
        return web.Response()

    async def tracker(self, request: web.Request) -> web.Response:
        """Take a postback."""
        if not self._is_open():
            return web.Response(status=500)
        affiliate, said = request.match_info["who"], request.query
        if self._is_new(f"{affiliate}:{said['m']}") and said["c"]:
            self.affiliates.setdefault(affiliate, {})[said["c"]] = (said["s"], said["a"], said["u"])
        return web.Response()

    def _is_new(self, name: str) -> bool:
        if name in self.known:
            self.repeated += 1
            return False
        self.known.add(name)
        return True


@asynccontextmanager
async def listening() -> AsyncIterator[Ears]:
    """Serve all receivers."""
    ears, app = Ears(), web.Application()
    app.router.add_post("/hook/{who}", ears.webhook)
    app.router.add_get("/pb/{who}", ears.tracker)
    async with TestServer(app, host="127.0.0.1") as server:
        ears.root = str(server.make_url("/"))
        yield ears
