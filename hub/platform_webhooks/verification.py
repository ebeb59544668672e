"""Whether a delivery is genuine, and what the log keeps of one that is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hub.domain.connectors.connector import Auth, Headers, HmacHeader
from hub.domain.connectors.deliveries import beginnings, body_digest, genuine
from hub.http.errors import unauthorized
from hub.merchant_api.exchange import Exchange
from hub.platform_webhooks.connections import Connection
from hub.plugin_host.catalog import Declaration
from hub.sealing import DECOY_SECRET

DECOY_AUTH: Final = HmacHeader("X-Signature")


def verify_delivery(
    exchange: Exchange, headers: Headers, connection: Connection | None, connector: Declaration | None
) -> None:
    """Verify the signature of a delivery whose body was read; `headers` are its own, in lower case.

    Raise the uniform 401, whose true reason goes to the request log with what arrived, by its digest, and how the two
    signatures begin. An unknown connection costs the same work as a wrong signature.
    """
    auth: Auth = DECOY_AUTH
    secrets: list[bytes] = []
    if connection is not None and connector is not None and connector.auth is not None:
        auth, secrets = connector.auth, connection.live_secrets(exchange.received_at)
    signatures = exchange.headers.getall(auth.header, ())
    given = signatures[0] if len(signatures) == 1 else ""
    keys = secrets or [DECOY_SECRET]
    is_genuine = genuine(auth, keys, given, exchange.raw, headers, exchange.received_at)
    if not secrets or not is_genuine:
        computed, sent = beginnings(auth, keys, given, exchange.raw, headers)
        evidence = {
            "connectionHeader": auth.header,
            "computedBegins": computed if secrets else None,
            "givenBegins": sent,
            "bodyBytes": len(exchange.raw),
            "bodySha256Begins": body_digest(exchange.raw),
        }
        known = {name: value for name, value in evidence.items() if value is not None}
        raise unauthorized(_fault_of(connection, secrets, signatures if auth.header else (given,)), known)


def _fault_of(connection: Connection | None, secrets: Sequence[bytes], signatures: Sequence[str]) -> str:
    if connection is None:
        return "unknown_connection"
    if not connection.is_open:
        return "connection_closed"
    if not secrets:
        return "no_secret"
    return "bad_signature" if len(signatures) == 1 else "missing_header" if not signatures else "duplicate_header"
