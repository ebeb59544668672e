"""A Shopify store's GraphQL Admin API on this machine, as documented: costs, pages, bulk operations, tokens, webhooks.

Source: shopify.dev/docs/api/admin-graphql/2026-10, /docs/apps/build/authentication-authorization/access-tokens (client
credentials; expiring offline tokens of an hour, whose refresh token stays good until its replacement is used),
tests/standins/shopify_graphql.py.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import define, field
from hub_shopify.scenarios import wire

from tests.standins import shopify_graphql
from tests.standins.shopify_bodies import order_node, product_node
from tests.standins.shopify_graphql import Points
from tests.standins.trouble import Record, Sent, Troubles

SHOP: Final = "lamps.myshopify.com"
TOKEN: Final = "shpat_0123456789abcdef"
CLIENT_ID: Final = "client-of-the-stand-in"
CLIENT_SECRET: Final = "shpss_secret-of-the-stand-in"
API: Final = "2026-10"
GRAPHQL: Final = f"/admin/api/{API}/graphql.json"
HOUR: Final = 3_600
DAY: Final = 86_399
SINCE: Final = re.compile(r"updated_at:>='([^']+)'")


@define
class Shopify:
    """The store; `jobs_last` is how often a bulk operation is looked at before it is done, `jobs_end` how it ends."""

    orders: dict[int, Record] = field(factory=dict)
    products: dict[int, Record] = field(factory=dict)
    hooks: dict[int, Record] = field(factory=dict)
    scopes: tuple[str, ...] = ("read_orders", "read_products", "read_fulfillments", "read_inventory")
    troubles: Troubles = field(factory=Troubles)
    points: Points = field(factory=Points)
    tokens: set[str] = field(factory=lambda: {TOKEN})
    refreshes: dict[str, str] = field(factory=dict)
    """Refresh tokens that may be used, each with the access token that came with it."""
    errors: list[Record] = field(factory=list)
    """What the next answer says went wrong, beside its data."""
    retires_at_once: bool = False
    """Whether a refresh token ends with its own use, as it does on other platforms."""
    jobs_last: int = 1
    jobs_end: str = "COMPLETED"
    bulk_refusal: str = ""
    costs: list[int] = field(factory=list)
    files: list[str] = field(factory=list)
    """What the bulk operations asked for whose files were fetched."""
    refused: int = 0
    asked: list[str] = field(factory=list)
    address: str = ""
    _jobs: dict[str, list[Any]] = field(factory=dict)
    _delivered: int = 0
    _granted: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the store."""
        self.asked.append(f"{request.method} {request.path_qs}")
        self.address = str(request.url.origin())
        if request.path == "/admin/oauth/access_token":
            return await self._token(request)
        if request.path.startswith("/bulk/"):
            assert "X-Shopify-Access-Token" not in request.headers, "the file is kept by somebody else"
            return web.Response(text="".join(f"{line}\n" for line in self._lines(request.path.rpartition("/")[2])))
        token = request.headers.get("X-Shopify-Access-Token", "")
        if token not in self.tokens:
            said = {"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)"}
            return web.json_response(said, status=401)
        self._retire(token)
        if (trouble := await self.troubles.have(request, {"Retry-After": "0.1"})) is not None:
            return trouble
        if request.path != GRAPHQL or request.method != "POST":
            return web.json_response({"errors": "Not Found"}, status=404)
        return web.json_response(self._graphql(await request.json()))

    def deliver(self, topic: str, body: Record) -> list[Sent]:
        """Return what every webhook of a topic sends, signed with the client secret."""
        name = topic.replace("/", "_").upper()
        return [self.signed(topic, body, hook["uri"]) for hook in self.hooks.values() if hook["topic"] == name]

    def signed(self, topic: str, body: Record, url: str) -> Sent:
        """Return one delivery, such as of a privacy topic, which the app's configuration sends to `url`."""
        raw = wire(body)
        digest = base64.b64encode(hmac.digest(CLIENT_SECRET.encode(), raw, hashlib.sha256)).decode()
        self._delivered += 1
        headers = {
            "Content-Type": "application/json", "X-Shopify-Topic": topic, "X-Shopify-Hmac-Sha256": digest,
            "X-Shopify-Shop-Domain": SHOP, "X-Shopify-API-Version": API,
            "X-Shopify-Webhook-Id": f"delivery-{self._delivered}",
        }  # fmt: skip
        return Sent(topic, url, raw, headers)

    def _graphql(self, sent: Record) -> Record:
        question = shopify_graphql.asked(sent["query"], sent.get("variables", {}))
        if isinstance(question, list):
            return {"errors": question}
        cost = question.cost
        if cost > shopify_graphql.MOST_COST:
            said = f"Query cost is {cost}, which exceeds the single query max cost limit (1000)."
            return {"errors": [{"message": said, "extensions": {"code": "MAX_COST_EXCEEDED", "cost": cost}}]}
        self.costs.append(cost)
        status = self.points.status(monotonic())
        told = {"cost": {"requestedQueryCost": cost, "actualQueryCost": None, "throttleStatus": status}}
        if self.points.left < cost:
            self.refused += 1
            return {"errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}], "extensions": told}
        answer = shopify_graphql.answered(question, self._root())
        actual = min(cost, shopify_graphql.actual_cost(answer))  # what is asked for is the most that it can cost
        self.points.left -= actual
        status = self.points.status(monotonic())
        told = {"cost": {"requestedQueryCost": cost, "actualQueryCost": actual, "throttleStatus": status}}
        wrong, self.errors = [*answer.get("errors", []), *self.errors], []
        return {**answer, **({"errors": wrong} if wrong else {}), "extensions": told}

    def _root(self) -> Record:
        return {
            "shop": {"id": "gid://shopify/Shop/690933842", "name": "Lamps", "currencyCode": "USD",
                     "myshopifyDomain": SHOP},
            "currentAppInstallation": {"accessScopes": [{"handle": name} for name in self.scopes]},
            "node": self._node,
            "order": lambda id: self._one(self.orders, order_node, id),  # noqa: A006 - the argument's name
            "orders": lambda query="", **_: self._listed(self.orders, order_node, query),
            "product": lambda id: self._one(self.products, product_node, id),  # noqa: A006 - the argument's name
            "products": lambda query="", **_: self._listed(self.products, product_node, query),
            "webhookSubscriptions": lambda **_: list(self.hooks.values()),
            "bulkOperationRunQuery": self._run,
            "webhookSubscriptionCreate": self._make,
            "webhookSubscriptionDelete": self._delete,
        }  # fmt: skip

    def _one(self, kept: dict[int, Record], node: Callable[[Record], Record], gid: str) -> Record | None:
        found = kept.get(int(gid.rpartition("/")[2]))
        return None if found is None else node(found)

    def _listed(self, kept: dict[int, Record], node: Callable[[Record], Record], query: str) -> list[Record]:
        said = SINCE.search(query or "")
        since = datetime.fromisoformat(said[1] if said else "2000-01-01T00:00:00Z")
        assert since.tzinfo is not None, "a moment without an offset is the shop's own time"
        found = [kept[key] for key in sorted(kept)]
        return [node(each) for each in found if datetime.fromisoformat(each["updated_at"]) >= since]

    def _node(self, id: str) -> Record | None:
        job = self._jobs.get(id)
        if job is None:
            return None
        job[0] -= 1
        status = "RUNNING" if job[0] >= 0 else self.jobs_end
        written = status == "COMPLETED" and bool(self.orders or self.products)
        url = f"{self.address}/bulk/{id.rpartition('/')[2]}" if written else None
        return {"__typename": "BulkOperation", "id": id, "status": status, "errorCode": None, "url": url}

    def _run(self, query: str, groupObjects: bool) -> Record:  # noqa: N803 - the argument's name
        assert groupObjects, "children would stand anywhere in the file"
        fault = self.bulk_refusal or shopify_graphql.bulk_fault(query)
        if fault:
            return {"bulkOperation": None, "userErrors": [{"field": ["query"], "message": fault}]}
        name = f"gid://shopify/BulkOperation/{len(self._jobs) + 1}"
        self._jobs[name] = [self.jobs_last, query]
        return {"bulkOperation": {"id": name, "status": "CREATED"}, "userErrors": []}

    def _lines(self, number: str) -> list[str]:
        query = self._jobs[f"gid://shopify/BulkOperation/{number}"][1]
        self.files.append(query)
        return list(shopify_graphql.bulk_lines(query, self._root()))

    def _make(self, topic: str, webhookSubscription: Record) -> Record:  # noqa: N803 - the argument's name
        uri = webhookSubscription["uri"]
        if any((hook["topic"], hook["uri"]) == (topic, uri) for hook in self.hooks.values()):
            said = "Address for this topic has already been taken"
            return {"webhookSubscription": None, "userErrors": [{"field": ["uri"], "message": said}]}
        number = max(self.hooks, default=4_759_305) + 1
        gid = f"gid://shopify/WebhookSubscription/{number}"
        self.hooks[number] = {"id": gid, "topic": topic, "uri": uri, "format": webhookSubscription["format"]}
        return {"webhookSubscription": self.hooks[number], "userErrors": []}

    def _delete(self, id: str) -> Record:
        gone = self.hooks.pop(int(id.rpartition("/")[2]), None)
        wrong = [] if gone else [{"field": ["id"], "message": "Webhook subscription does not exist"}]
        return {"deletedWebhookSubscriptionId": id if gone else None, "userErrors": wrong}

    async def _token(self, request: web.Request) -> web.Response:
        form = dict(await request.post()) if "form" in request.content_type else await request.json()
        if form.get("client_id") != CLIENT_ID or form.get("client_secret") != CLIENT_SECRET:
            return web.json_response({"error": "invalid_client"}, status=400)
        self._granted += 1
        made = f"shpat_{self._granted:016d}"
        answer = {"access_token": made, "scope": ",".join(self.scopes), "expires_in": DAY}
        if form.get("grant_type") != "client_credentials":
            if form.get("grant_type") == "refresh_token" and form["refresh_token"] not in self.refreshes:
                return web.json_response({"error": "invalid_grant"}, status=400)
            if self.retires_at_once and form.get("grant_type") == "refresh_token":
                self.tokens.clear()
                self.refreshes.clear()
            if form.get("grant_type") != "refresh_token":
                assert (form["code"], form["expiring"]) == ("c0de", "1"), "public apps must have tokens that end"
                self.tokens.clear()
            refresh = f"shprt_{self._granted:016d}"
            self.refreshes[refresh] = made
            answer |= {"expires_in": HOUR, "refresh_token": refresh, "refresh_token_expires_in": 90 * DAY}
        self.tokens.add(made)
        return web.json_response(answer)

    def _retire(self, token: str) -> None:
        """End every refresh token before the one that came with an access token which is used now."""
        names = list(self.refreshes)
        for refresh, access in list(self.refreshes.items()):
            if access == token:
                for before in names[: names.index(refresh)]:
                    self.tokens.discard(self.refreshes.pop(before))


def signed_by_app(given: dict[str, str]) -> list[tuple[str, str]]:
    """Return parameters as Shopify signs them when it sends a browser to an app."""
    signed = urlencode(sorted(given.items()), safe=":/")
    return [*given.items(), ("hmac", hmac.digest(CLIENT_SECRET.encode(), signed.encode(), "sha256").hex())]


def denied(field_name: str) -> Record:
    """Return the error of a field that an app may not see."""
    return {
        "message": f"Access denied for {field_name} field.",
        "path": ["order", field_name],
        "extensions": {"code": "ACCESS_DENIED"},
    }
