"""The client of the affiliate hub's merchant API: `Hub`, and `AsyncHub` to await.

Those of the APIs for tokens are in `affiliate_hub_client.operators` and `affiliate_hub_client.affiliates`.
"""

from __future__ import annotations

from affiliate_hub_client.client import AsyncHub, Hub
from affiliate_hub_client.errors import (
    Busy,
    HubError,
    InvalidRequest,
    MissingSetting,
    NoAnswer,
    NotAuthenticated,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
)
from affiliate_hub_client.retries import Retries
from affiliate_hub_client.sending import Answered
from affiliate_hub_client.signing import signature, signature_v2
from affiliate_hub_client.version import __version__
from affiliate_hub_client.webhooks import WebhookFault, verify_webhook

__all__ = [
    "Answered",
    "AsyncHub",
    "Busy",
    "Hub",
    "HubError",
    "InvalidRequest",
    "MissingSetting",
    "NoAnswer",
    "NotAuthenticated",
    "NotFound",
    "RateLimited",
    "Refused",
    "Retries",
    "Unavailable",
    "WebhookFault",
    "__version__",
    "signature",
    "signature_v2",
    "verify_webhook",
]
