"""The deliveries of a simulated store as JSON, between the hub and the process that runs its plugin."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from hub.domain.connectors.scenes import Delivery
from hub.plugin_host.fact_json import WrongValue

MOST_BYTES: Final = 1024 * 1024
"""One played body is at most this long."""


def deliveries_to_json(deliveries: Mapping[str, Delivery]) -> dict[str, Any]:
    """Return deliveries by step as a JSON object; raise `WrongValue` for what is not a delivery."""
    return {"deliveries": {step: _checked(step, each) for step, each in deliveries.items()}}


def deliveries_from_json(document: Mapping[str, Any]) -> dict[str, Delivery]:
    """Return the deliveries of a JSON object that `deliveries_to_json` made."""
    return {
        step: Delivery(each["topic"], base64.b64decode(each["body"]), each["headers"], each["signed"])
        for step, each in document["deliveries"].items()
    }


def _checked(step: str, given: object) -> dict[str, Any]:
    if not isinstance(given, Delivery) or not isinstance(given.body, bytes) or not isinstance(given.topic, str):
        raise WrongValue(f"gives no delivery for the step {step}")
    if len(given.body) > MOST_BYTES:
        raise WrongValue(f"gives a body of more than {MOST_BYTES:,} bytes for the step {step}")
    headers = {str(name): str(value) for name, value in given.headers.items()}
    body = base64.b64encode(given.body).decode()
    return {"topic": given.topic, "headers": headers, "signed": bool(given.signed), "body": body}
