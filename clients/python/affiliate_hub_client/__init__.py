"""The client of the affiliate hub's merchant API: `Hub`, and `AsyncHub` to await."""

from __future__ import annotations

from affiliate_hub_client.client import AsyncHub, Hub
from affiliate_hub_client.errors import (
    Busy,
    HubError,
    InvalidRequest,
    NoAnswer,
    NotAuthenticated,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
)
from affiliate_hub_client.retries import Retries
from affiliate_hub_client.signing import signature
from affiliate_hub_client.webhooks import WebhookFault, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "AsyncHub",
    "Busy",
    "Hub",
    "HubError",
    "InvalidRequest",
    "NoAnswer",
    "NotAuthenticated",
    "NotFound",
    "RateLimited",
    "Refused",
    "Retries",
    "Unavailable",
    "WebhookFault",
    "signature",
    "verify_webhook",
]
