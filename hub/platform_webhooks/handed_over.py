"""Keys to its API that a platform posts, signed like a delivery: they become the connection's credentials."""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from hub.api import parse_body
from hub.domain.connectors.connector import Unmappable
from hub.domain.connectors.request_pages import text_in
from hub.http.errors import ApiError
from hub.http.response import Reply
from hub.operations.connections.platform_access import keep_keys
from hub.operations.errors import OperatorFault
from hub.platform_sync.access import Platforms
from hub.plugin_host.catalog import Declaration

log = structlog.get_logger(__name__)


def keys_in(connector: Declaration, raw: bytes) -> dict[str, str] | None:
    """Return the credentials that a body hands over; None if it is a delivery as any other."""
    places = () if connector.challenge is None else connector.challenge.keys
    if not places:
        return None
    try:
        body = parse_body(raw)
    except Unmappable:
        return None
    found = {name: text_in(body, path) for name, path in places}
    return found if all(found.values()) else None


async def take_keys(platforms: Platforms, connection_id: str, keys: Mapping[str, str]) -> Reply:
    """Keep keys instead of storing what brought them; raise a 400 for what are none."""
    try:
        await keep_keys(platforms, connection_id, keys)
    except OperatorFault as fault:
        log.warning("keys were refused", connection=connection_id, fault=str(fault))
        raise ApiError(400, f"The keys were not taken. {fault}", "validation_failed") from None
    return Reply(200, b"{}")
