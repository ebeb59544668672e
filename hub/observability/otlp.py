"""What traces and metrics have in common as OpenTelemetry sends them: OTLP over HTTP, in JSON."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Any, Final

Attributes = dict[str, str | int]
JSON: Final = {"Content-Type": "application/json"}
SCOPE: Final = {"name": "affiliate-hub"}


def resource_of(release: str) -> dict[str, Any]:
    """Return who sends: the hub's release, the machine and the process."""
    host = socket.gethostname()
    who: Attributes = {
        "service.name": "affiliate-hub",
        "service.version": release,
        "service.instance.id": f"{host}:{os.getpid()}",
        "host.name": host,
    }
    return {"attributes": pairs(who)}


def pairs(attributes: Mapping[str, str | int]) -> list[dict[str, Any]]:
    """Return attributes as OTLP writes them: whole numbers as decimal text."""
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in attributes.items()
    ]
