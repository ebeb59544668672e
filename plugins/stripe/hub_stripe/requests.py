"""Stripe's API as the hub asks it: for the webhook endpoint alone, which it makes and looks after.

Source: docs.stripe.com/api/webhook_endpoints and /keys-best-practices (as of October 2026). Parameters are a form. The
endpoint's secret is in the answer that made it, and never again. A restricted key with one permission is enough, so
what proves it is the list of endpoints. Events that Stripe keeps are in the version of the account, not in the
endpoint's, so they are not read.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from hub.api import Call, Credential, Identity, Listing, RateLimit, Requests, TokenHeader, Webhooks

VERSION: Final = "2025-02-24.acacia"
EVENTS: Final = (
    "checkout.session.completed", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed",
    "invoice.paid", "charge.refunded", "charge.dispute.closed",
)  # fmt: skip
ENDPOINTS: Final = "/webhook_endpoints"
MOST: Final = 100
"""An account has at most 16 endpoints of each mode, so all are on one page."""

REQUESTS: Final = Requests(
    root="https://api.stripe.com/v1",
    login=TokenHeader("Authorization", "Bearer {key}"),
    credentials=(
        Credential(
            "key",
            "Restricted key with the permission Webhook Endpoints (write)",
            pattern=r"(rk|sk)_(live|test)_[A-Za-z0-9]{16,250}",
            hint="rk_live_...",
        ),
    ),
    headers=(("Stripe-Version", VERSION),),
    identity=Identity(Call(f"{ENDPOINTS}?limit=1")),
    rate=RateLimit(per_second=10, burst=20),
    webhooks=Webhooks(
        topics=EVENTS,
        listing=Listing(Call(f"{ENDPOINTS}?limit={{size}}"), "", items="data", page_size=MOST),
        create=Call(
            ENDPOINTS,
            "POST",
            f"url={{url}}&api_version={VERSION}&description=Affiliate%20hub&"
            + "&".join(f"{quote('enabled_events[]')}={event}" for event in EVENTS),
            encoding="form",
        ),
        delete=Call(f"{ENDPOINTS}/{{webhook_id}}", "DELETE"),
        revive=Call(f"{ENDPOINTS}/{{webhook_id}}", "POST", "disabled=false", encoding="form"),
        topic="enabled_events",
        state="status",
        alive=("enabled",),
        is_one=True,
        secret="secret",  # noqa: S106 - the name of a field
    ),
)
