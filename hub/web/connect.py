"""POST /connect/{connectionId}: a platform's own deliveries, proved in the platform's way over the raw bytes.

Platforms retry with the same signature and turn off webhooks that are refused, so there is no replay refusal here but
deduplication, and whatever is genuine is kept and answered 200, even if nothing can be made of it. A merchant that is
suspended goes on being heard for the same reason.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from time import perf_counter_ns
from typing import Any, Final

import orjson
import structlog
from aiohttp import web
from multidict import CIMultiDictProxy

from hub.api import parse_body
from hub.domain.connector import Auth, Connector, FieldPlace, Headers, HmacHeader, Unmappable
from hub.domain.deliveries import genuine, said_in
from hub.ids import new_id
from hub.intake.stored_body import storable_body
from hub.intake.submission import Accepted, Admission, Submission
from hub.storage import StoreUnavailable
from hub.web.connections import Connection, ConnectionBook
from hub.web.endpoint import Call, Endpoint
from hub.web.errors import ApiError, Reply, broken, unauthorized, unavailable
from hub.web.pipeline import conclude, open_call
from hub.web.receive import read_body
from hub.web.responses import ErrorBody
from hub.web.server import answer_expectation
from hub.web.services import Services

PATH: Final = "/connect/{connectionId}"
MAX_BODY: Final = 5 * 1024 * 1024
BODY_SECONDS: Final = 10.0
STRANGERS_AUTH: Final = HmacHeader("X-Signature")
STRANGERS_SECRET: Final = secrets.token_bytes(32)
"""Checked in place of an unknown connection's secret, so that it costs what a bad signature costs."""
KEPT_HEADERS: Final = 64
LONGEST_HEADER: Final = 512
NOT_KEPT: Final = ("x-forwarded", "x-real-ip", "x-request-id")

logger = structlog.get_logger(__name__)


async def _no_handler(call: Call) -> Any:
    raise TypeError(f"{call.endpoint.path} has a door of its own")


ENDPOINT: Final = Endpoint("POST", PATH, "connect", "A platform's own delivery", _no_handler, 200, ErrorBody)


class Deliveries:
    """Takes the deliveries of all connections; `body_seconds` is how long a body may take to arrive."""

    def __init__(self, services: Services, book: ConnectionBook, *, body_seconds: float = BODY_SECONDS) -> None:
        self._services = services
        self._book = book
        self._body_seconds = body_seconds

    def routes(self) -> list[web.AbstractRouteDef]:
        """The one route."""
        return [web.post(PATH, self.receive, expect_handler=answer_expectation)]

    async def receive(self, request: web.Request) -> web.StreamResponse:
        """Answers 200 for what is genuine, 401 for what is not, 503 where it cannot be kept just now."""
        started = perf_counter_ns()
        call = open_call(ENDPOINT, self._services, request)
        try:
            reply = await self._take(call, request)
        except ApiError as refusal:
            reply = refusal.reply
        except StoreUnavailable as fault:
            logger.warning("a delivery could not be kept", request_id=call.request_id, fault=str(fault))
            reply = unavailable().reply
        except Exception:
            logger.exception("a delivery failed", request_id=call.request_id)
            reply = broken().reply
        return conclude(call, request, reply, started)

    async def _take(self, call: Call, request: web.Request) -> Reply:
        connection = await self._book.find(call.path["connectionId"], call.received_at)
        if connection is not None:
            call.caller = connection.caller
        call.raw = await read_body(request, MAX_BODY, self._body_seconds)
        headers = plain_headers(call.headers)
        connector = None if connection is None or not connection.is_open else connection.connector
        if connector is not None and _is_handshake(connector, headers, call.raw):
            return Reply(200, b"{}")
        if connection is not None and connection.is_open and connector is None:
            raise _plugin_missing()
        _prove(call, connection, connector)
        if connection is None or connector is None:
            raise TypeError("what is proved has a connector")
        return await self._keep(call, connection, connector, headers)

    async def _keep(self, call: Call, connection: Connection, connector: Connector, headers: Headers) -> Reply:
        outcome = await self._services.desk.submit(_submission(call, connection, connector, headers))
        if not isinstance(outcome, Accepted):
            raise TypeError("a delivery spends no signature and no idempotency key, so it can only be accepted")
        return Reply(200, outcome.body)


def plain_headers(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """The headers by their names in lower case, of repeated ones the first, as text that can be kept."""
    plain: dict[str, str] = {}
    for name, value in headers.items():
        plain.setdefault(name.lower(), value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return plain


def claim_key(connection_id: str, topic: str | None, delivery_id: str | None, raw: bytes) -> str:
    """What makes a delivery the same one: its bytes above all; what headers say can only tell two apart, never join."""
    said = orjson.dumps([topic, delivery_id])
    return f"{connection_id}:{sha256(said).hexdigest()[:16]}:{sha256(raw).hexdigest()}"


def _prove(call: Call, connection: Connection | None, connector: Connector | None) -> None:
    """Raises the uniform 401; the true reason goes to the request log."""
    auth: Auth = STRANGERS_AUTH
    known: list[bytes] = []
    if connection is not None and connector is not None and connector.auth is not None:
        auth, known = connector.auth, connection.live_secrets(call.received_at)
    given = call.headers.getall(auth.header, ())
    proved = genuine(auth, known or [STRANGERS_SECRET], given[0] if len(given) == 1 else "", call.raw)
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
    except Exception:  # noqa: BLE001
        return False


def _submission(call: Call, connection: Connection, connector: Connector, headers: Headers) -> Submission:
    body = _body_for_places(connector, call.raw)
    topic = said_in(connector.topic, headers, body)
    delivery_id = said_in(connector.delivery_id, headers, body)
    return Submission(
        admission=Admission(connection.caller.account_id),
        type="webhook",
        kind=None,
        claim_scope="webhook",
        claim_key=claim_key(connection.connection_id, topic, delivery_id, call.raw),
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=delivery_id,
        body=storable_body(call.raw),
        received_at=call.received_at,
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
