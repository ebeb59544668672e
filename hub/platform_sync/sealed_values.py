"""The credentials of a connection as they are stored: one JSON object, sealed under the connection's name."""

from __future__ import annotations

import json
from collections.abc import Mapping

import orjson

from hub.platform_sync.no_access import NoAccess
from hub.sealing import Sealer, SealingFault


def access_identity(connection_id: str) -> str:
    """Return the name that the credentials of a connection are sealed under."""
    return f"{connection_id}:platform"


def opened_values(sealer: Sealer, connection_id: str, sealed: str) -> dict[str, str]:
    """Return the credentials of a sealed text; raise `NoAccess`."""
    try:
        found = json.loads(sealer.open(sealed, access_identity(connection_id)))
    except SealingFault as fault:
        raise NoAccess(str(fault)) from None
    return {str(name): str(value) for name, value in found.items()}


def sealed_values(sealer: Sealer, connection_id: str, values: Mapping[str, str]) -> str:
    """Return credentials as they are stored."""
    return sealer.seal(orjson.dumps(dict(values)), access_identity(connection_id))
