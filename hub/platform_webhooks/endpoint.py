"""POST /connect/{connectionId}: a platform's own deliveries, proved in the platform's way over the raw bytes.

Platforms retry with the same signature and turn off webhooks that are refused, so there is no replay refusal here but
deduplication, and whatever is genuine is kept and answered 200, even if nothing can be made of it. A merchant that is
suspended goes on being heard for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson
import structlog
from aiohttp import web
from multidict import CIMultiDictProxy

from hub.api import parse_body
from hub.domain.connector import Auth, Connector, FieldPlace, Headers, HmacHeader, Unmappable
from hub.domain.deliveries import family_of, genuine, value_at
from hub.http.errors import ApiError, broken, unauthorized, unavailable
from hub.http.request_body import read_body
from hub.http.response import Reply
from hub.http.router import PathValues, Route
from hub.ids import new_id
from hub.intake.stored_body import storable_body
from hub.intake.submission import Accepted, RequestGuards, Submission
from hub.merchant_api.exchange import Exchange, conclude, open_exchange
from hub.merchant_api.services import Services
from hub.platform_webhooks.connections import Connection, ConnectionCache
from hub.sealing import DECOY_SECRET
from hub.storage import StoreUnavailable

PATH: Final = "/connect/{connectionId}"
ROUTE: Final = f"POST {PATH}"
MAX_BODY: Final = 5 * 1024 * 1024
BODY_SECONDS: Final = 10.0
DECOY_AUTH: Final = HmacHeader("X-Signature")
KEPT_HEADERS: Final = 64
LONGEST_HEADER: Final = 512
NOT_KEPT: Final = ("x-forwarded", "x-real-ip", "x-request-id")

log = structlog.get_logger(__name__)


class PlatformWebhooks:
    """Takes the deliveries of all connections; `body_seconds` is how long a body may take to arrive."""

    def __init__(self, services: Services, connections: ConnectionCache, *, body_seconds: float = BODY_SECONDS) -> None:
        self._services = services
        self._connections = connections
        self._body_seconds = body_seconds

    def routes(self) -> list[Route]:
        """Return the one route."""
        return [Route("POST", PATH, self.receive)]

    async def receive(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer 200 to what is genuine, 401 to what is not, 503 if it cannot be kept just now."""
        exchange = open_exchange(ROUTE, self._services, request)
        try:
            reply = await self._take(exchange, request, path["connectionId"])
        except ApiError as refusal:
            reply = refusal.reply
        except StoreUnavailable as fault:
            log.warning("a delivery could not be kept", request_id=exchange.request_id, fault=str(fault))
            reply = unavailable(fault, close=not request.content.is_eof()).reply
        except Exception:
            log.exception("a delivery failed", request_id=exchange.request_id)
            reply = broken().reply
        return await conclude(exchange, request, reply)

    async def _take(self, exchange: Exchange, request: web.BaseRequest, connection_id: str) -> Reply:
        connection = await self._connections.find(connection_id, exchange.received_at)
        if connection is not None:
            exchange.caller = connection.caller
        exchange.raw = await read_body(request, MAX_BODY, self._body_seconds)
        headers = plain_headers(exchange.headers)
        connector = None if connection is None or not connection.is_open else connection.connector
        if connector is not None and _is_handshake(connector, headers, exchange.raw):
            return Reply(200, b"{}")
        if connection is not None and connection.is_open and connector is None:
            raise _plugin_missing()
        _prove(exchange, connection, connector)
        if connection is None or connector is None:
            raise TypeError("what is proved has a connector")
        return await self._keep(exchange, connection, connector, headers)

    async def _keep(self, exchange: Exchange, connection: Connection, connector: Connector, headers: Headers) -> Reply:
        result = await self._services.submissions.submit(_submission(exchange, connection, connector, headers))
        if not isinstance(result, Accepted):
            raise TypeError("a delivery spends no signature and no idempotency key, so it can only be accepted")
        return Reply(200, result.body)


def plain_headers(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """The headers by their names in lower case, of repeated ones the first, as text that can be kept."""
    plain: dict[str, str] = {}
    for name, value in headers.items():
        plain.setdefault(name.lower(), value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return plain


def claim_key(
    connection_id: str, topic: str | None, delivery_id: str | None, raw: bytes, family: str | None = None
) -> str:
    """Return what makes a delivery the same one: its bytes above all.

    Headers are not signed: what they say can tell two deliveries apart, never make them one. In a family of topics they
    do not count at all, so that a captured body cannot be sent again under another topic of the family or another id.
    """
    said = orjson.dumps([topic, delivery_id] if family is None else [family])
    return f"{connection_id}:{sha256(said).hexdigest()[:16]}:{sha256(raw).hexdigest()}"


def _prove(exchange: Exchange, connection: Connection | None, connector: Connector | None) -> None:
    """Raises the uniform 401; the true reason goes to the request log."""
    auth: Auth = DECOY_AUTH
    known: list[bytes] = []
    if connection is not None and connector is not None and connector.auth is not None:
        auth, known = connector.auth, connection.live_secrets(exchange.received_at)
    given = exchange.headers.getall(auth.header, ())
    proved = genuine(auth, known or [DECOY_SECRET], given[0] if len(given) == 1 else "", exchange.raw)
    if not known or not proved:
        raise unauthorized(_why(connection, known, given), {"connectionHeader": auth.header})


def _why(connection: Connection | None, known: list[bytes], given: Any) -> str:
    if connection is None:
        return "unknown_connection"
    if not connection.is_open:
        return "connection_closed"
    if not known:
        return "no_secret"
    return "bad_signature" if len(given) == 1 else "missing_header" if not given else "duplicate_header"


def _plugin_missing() -> ApiError:
    """A 503: the platform is right and shall try again; without the connector nobody can say whether it is genuine."""
    message = "The connector of this connection is not installed just now. Try again."
    return ApiError(503, message, "connector_missing", headers={"Retry-After": "60"})


def _is_handshake(connector: Connector, headers: Headers, raw: bytes) -> bool:
    # A stranger's bytes must not turn a plugin's slip into an error of ours.
    try:
        return connector.handshake(headers, raw) is True
    except Exception:  # noqa: BLE001 - a plugin may raise anything
        return False


def _submission(exchange: Exchange, connection: Connection, connector: Connector, headers: Headers) -> Submission:
    body = _body_for_places(connector, exchange.raw)
    topic = value_at(connector.topic, headers, body)
    delivery_id = value_at(connector.delivery_id, headers, body)
    family = family_of(connector, topic)
    return Submission(
        guards=RequestGuards(connection.caller.account_id),
        type="webhook",
        kind=None,
        claim_scope="webhook",
        claim_key=claim_key(connection.connection_id, topic, delivery_id, exchange.raw, family),
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=delivery_id,
        body=storable_body(exchange.raw),
        received_at=exchange.received_at,
        connection_id=connection.connection_id,
        topic=topic,
        headers=orjson.dumps(_kept(headers, connector)).decode(),
    )


def _body_for_places(connector: Connector, raw: bytes) -> Any:
    """The parsed body where a place lies in it; what cannot be parsed says nothing there, and is kept all the same."""
    if not any(isinstance(place, FieldPlace) for place in (connector.topic, connector.delivery_id)):
        return None
    try:
        return parse_body(raw)
    except Unmappable:
        return None


def _kept(headers: Headers, connector: Connector) -> Mapping[str, str]:
    """The headers that a translation may want: the platform's own, never its proof or a proxy's traces."""
    proof = "" if connector.auth is None else connector.auth.header.lower()
    wanted = {
        name: value
        for name, value in headers.items()
        if (name.startswith("x-") or name in ("content-type", "user-agent") or "webhook" in name or "topic" in name)
        and name != proof
        and not name.startswith(NOT_KEPT)
        and len(value) <= LONGEST_HEADER
        and "\0" not in value
    }
    return dict(list(wanted.items())[:KEPT_HEADERS])
