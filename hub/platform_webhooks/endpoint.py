"""POST /connect/{connectionId}: a platform's own deliveries, signed in the platform's way over the raw bytes.

Platforms retry with the same signature and turn off webhooks that are refused. So repeated deliveries are not refused
but deduplicated, and every genuine delivery is stored and answered 200, even if nothing can be made of it. Deliveries
for a suspended merchant are accepted for the same reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any, Final

import orjson
import structlog
from aiohttp import web
from multidict import CIMultiDictProxy

from hub.api import parse_body
from hub.domain.connectors.challenges import challenge_answer, taken_proof
from hub.domain.connectors.connector import FieldPlace, Headers, Unmappable
from hub.domain.connectors.deliveries import site_of, stated_body, value_at
from hub.http.errors import ApiError, unauthorized
from hub.http.request import ReceivedBody, read_body, readable
from hub.http.response import Reply
from hub.http.router import PathValues, Route
from hub.ids import new_id
from hub.intake.stored_body import storable_body
from hub.intake.submission import Accepted, RequestGuards, Submission
from hub.merchant_api.exchange import Exchange, OutageLog, conclude, open_exchange, reply_of
from hub.merchant_api.services import Services
from hub.platform_sync.access import Platforms
from hub.platform_webhooks.connections import Connection, ConnectionCache
from hub.platform_webhooks.delivery_limits import DeliveryLimits
from hub.platform_webhooks.handed_over import keys_in, take_keys
from hub.platform_webhooks.verification import verify_delivery
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.translation import HostUnavailable, Plugins

PATH: Final = "/connect/{connectionId}"
ROUTE: Final = f"POST {PATH}"
CHALLENGE_ROUTE: Final = f"GET {PATH}"
MAX_BODY: Final = 5 * 1024 * 1024
BODY_SECONDS: Final = 10.0
LOAD_SECONDS: Final = 5.0
"""How long a delivery waits for the first load of the plugins."""
MOST_HEADERS: Final = 64
LONGEST_HEADER: Final = 512
PROOF_HEADER: Final = "X-Affiliate-Hub-Proof"
"""Says to a store whose side can ask questions that it was the hub which took a delivery."""
NEVER_STORED: Final = ("x-forwarded", "x-real-ip", "x-request-id")

Act = Callable[[Exchange, web.BaseRequest, str], Awaitable[Reply]]

log = structlog.get_logger(__name__)


class PlatformWebhooks:
    """Accepts the deliveries of all connections, and answers challenges.

    `body_seconds` is how long a body may take to arrive, `root` the hub's public URL (empty: as it was asked),
    `limits` what one connection may have kept (None: anything), `platforms` keeps keys that are handed over.
    """

    def __init__(
        self,
        services: Services,
        connections: ConnectionCache,
        plugins: Plugins,
        *,
        body_seconds: float = BODY_SECONDS,
        root: str = "",
        limits: DeliveryLimits | None = None,
        platforms: Platforms | None = None,
    ) -> None:
        self._services = services
        self._plugins = plugins
        self._connections = connections
        self._body_seconds = body_seconds
        self._root = root
        self._limits = limits or DeliveryLimits.unlimited()
        self._platforms = platforms
        self._outages = OutageLog()

    def routes(self) -> list[Route]:
        """Return the route of deliveries and that of challenges."""
        return [Route("POST", PATH, self.receive), Route("GET", PATH, self.answer)]

    async def receive(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer 200 to a genuine delivery, 401 to any other, 503 if it cannot be stored now."""
        return await self._serve(request, path, ROUTE, self._accept)

    async def answer(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer a platform's challenge; 405 to every other GET, whether or not there is such a connection."""
        return await self._serve(request, path, CHALLENGE_ROUTE, self._prove)

    async def _serve(self, request: web.BaseRequest, path: PathValues, route: str, act: Act) -> web.StreamResponse:
        exchange = open_exchange(route, self._services, request)
        reply = await reply_of(exchange, request, act(exchange, request, path["connectionId"]), self._outages)
        return await conclude(exchange, request, reply)

    async def _prove(self, exchange: Exchange, request: web.BaseRequest, connection_id: str) -> Reply:
        connection = await self._connections.find(connection_id, exchange.received_at)
        challenge = None
        connector, missing = await self._connector_of(connection)
        if connection is not None and connector is not None:
            exchange.caller = connection.caller
            challenge = connector.challenge
        given = () if challenge is None else exchange.headers.getall(challenge.header, ())
        if connection is None or challenge is None or len(given) != 1:
            raise missing or _only_post()
        url = f"{self._root or request.url.origin()}/connect/{connection_id}"
        secrets = connection.live_secrets(exchange.received_at)
        found = challenge_answer(challenge, secrets, given[0], request.rel_url.raw_query_string, url)
        if found is None:
            raise unauthorized("bad_signature", {"connectionHeader": challenge.header})
        return Reply(200, orjson.dumps(found))

    async def _accept(self, exchange: Exchange, request: web.BaseRequest, connection_id: str) -> Reply:
        connection = await self._connections.find(connection_id, exchange.received_at)
        if connection is not None:
            exchange.caller = connection.caller
        connector, missing = await self._connector_of(connection)
        body = ReceivedBody(self._services.admission, exchange.client, keep=connector is not None)
        exchange.raw = await read_body(request, MAX_BODY, self._body_seconds, body)
        headers = plain_headers(exchange.headers)
        if missing is not None:
            raise missing
        try:
            verify_delivery(exchange, headers, connection, connector)
        except ApiError:
            if connector is not None and await self._is_handshake(connector, headers, exchange.raw):
                return Reply(200, b"{}")
            raise
        if connection is None or connector is None:
            raise TypeError("a delivery whose signature was verified has a connector")
        stated = stated_body(connector.auth, exchange.raw)
        await self._refuse_other_sites(connection, connector, headers, _body_for_places(connector, stated))
        if wait := self._limits.take(connection.connection_id, len(exchange.raw)):
            raise _too_many(wait)
        if self._platforms is not None and (keys := keys_in(connector, stated)) is not None:
            return await take_keys(self._platforms, connection_id, keys)
        return await self._submit(exchange, connection, connector, headers, stated)

    async def _refuse_other_sites(
        self, connection: Connection, connector: Declaration, headers: Headers, body: Any
    ) -> None:
        """Keep the first site that deliveries name; raise a 403 for those of another, such as a copy of the shop."""
        named = value_at(connector.source, headers, body)
        site = None if named is None else site_of(named)
        if site is not None and await self._connections.site(connection, site) != site:
            log.warning("a delivery of another site was refused", connection=connection.connection_id, site=site)
            raise ApiError(403, "This connection belongs to another site.", "another_site")

    async def _connector_of(self, connection: Connection | None) -> tuple[Declaration | None, ApiError | None]:
        """Return what the connector of an open connection declares, or a 503 if it cannot be used now.

        Without the connector nothing can be verified, and the platform should try again.
        """
        if connection is None or not connection.is_open:
            return None, None
        try:
            async with asyncio.timeout(LOAD_SECONDS):
                catalog = await self._plugins.catalog()
        except (HostUnavailable, TimeoutError):
            return None, _plugin_missing("The plugins are not loaded yet", retry_after=5)
        declaration = catalog.named(connection.connector)
        if declaration is not None:
            return declaration, None
        aside = catalog.set_aside_for(connection.connector)
        if aside is None:
            return None, _plugin_missing("The connector of this connection is not installed just now")
        why = f"The connector of this connection cannot be used: its plugin, {aside.distribution}, is set aside"
        return None, _plugin_missing(why)

    async def _is_handshake(self, connector: Declaration, headers: Headers, raw: bytes) -> bool:
        if not connector.has_handshake:
            return False
        try:
            return await self._plugins.is_handshake(connector.name, headers, raw)
        except HostUnavailable:
            raise _plugin_missing("The plugins cannot be asked just now", retry_after=5) from None

    async def _submit(
        self, exchange: Exchange, connection: Connection, connector: Declaration, headers: Headers, stated: bytes
    ) -> Reply:
        submission = _submission(exchange, connection, connector, headers, stated)
        result = await self._services.submissions.submit(submission)
        if not isinstance(result, Accepted):
            raise TypeError("a delivery spends no signature and no idempotency key, so it can only be accepted")
        exchange.event_id = result.event_id
        if connector.challenge is None:
            return Reply(200, result.body)
        proof = taken_proof(connection.live_secrets(exchange.received_at), exchange.raw)
        return Reply(200, result.body, {PROOF_HEADER: proof})


def plain_headers(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Return the headers by their names in lower case, the first of repeated ones, as text that a store can keep."""
    plain: dict[str, str] = {}
    for name, value in headers.items():
        plain.setdefault(name.lower(), readable(value))
    return plain


def claim_key(
    connection_id: str, topic: str | None, delivery_id: str | None, raw: bytes, family: str | None = None
) -> str:
    """Return what makes a delivery the same one: its bytes above all.

    Headers are not signed: they can make two deliveries different, never one. In a family of topics they do not count
    at all, so that a captured body cannot be sent again under another topic of the family or another id.
    """
    headers = orjson.dumps([topic, delivery_id] if family is None else [family])
    return f"{connection_id}:{sha256(headers).hexdigest()[:16]}:{sha256(raw).hexdigest()}"


def _only_post() -> ApiError:
    return ApiError(405, "GET is not possible here; POST is.", "method_not_allowed", headers={"Allow": "POST"})


def _too_many(wait: int) -> ApiError:
    """Return a 429, after which platforms try again."""
    message = "Too many deliveries over this connection; wait as long as Retry-After says."
    return ApiError(429, message, "rate_limited", headers={"Retry-After": str(wait)})


def _plugin_missing(reason: str, *, retry_after: int = 60) -> ApiError:
    return ApiError(503, f"{reason}. Try again.", "connector_missing", headers={"Retry-After": str(retry_after)})


def _submission(
    exchange: Exchange, connection: Connection, connector: Declaration, headers: Headers, stated: bytes
) -> Submission:
    body = _body_for_places(connector, stated)
    topic = value_at(connector.topic, headers, body)
    delivery_id = value_at(connector.delivery_id, headers, body)
    family = connector.family_of(topic)
    counted = new_id("dlv") if topic in connector.thin else delivery_id
    return Submission(
        guards=RequestGuards(connection.caller.account_id),
        type="webhook",
        kind=None,
        claim_scope="webhook",
        claim_key=claim_key(connection.connection_id, topic, counted, stated, family),
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=delivery_id,
        body=storable_body(stated),
        received_at=exchange.received_at,
        connection_id=connection.connection_id,
        topic=topic,
        headers=orjson.dumps(_stored_headers(headers, connector)).decode(),
    )


def _body_for_places(connector: Declaration, raw: bytes) -> Any:
    """Return the parsed body if topic, id or site is in it; None if it is not needed or cannot be parsed."""
    if not any(isinstance(place, FieldPlace) for place in (connector.topic, connector.delivery_id, connector.source)):
        return None
    try:
        return parse_body(raw)
    except Unmappable:
        return None


def _stored_headers(headers: Headers, connector: Declaration) -> Mapping[str, str]:
    """Return the headers that a translation may need: the platform's own, without its signature or a proxy's."""
    signature = "" if connector.auth is None else connector.auth.header.lower()
    stored = {
        name: value
        for name, value in headers.items()
        if (name.startswith("x-") or name in ("content-type", "user-agent") or "webhook" in name or "topic" in name)
        and name != signature
        and not name.startswith(NEVER_STORED)
        and len(value) <= LONGEST_HEADER
        and "\0" not in value
    }
    return dict(list(stored.items())[:MOST_HEADERS])
