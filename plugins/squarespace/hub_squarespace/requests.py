"""Squarespace's Commerce APIs as the hub asks them: with an API key of the site, or as an app that its owner agreed to.

Source: developers.squarespace.com, "Retrieve all orders", "Retrieve a specific order", "Rate limits" (300 requests a
minute), "Making requests", "Accessing Squarespace APIs using OAuth 2.0" and "Webhook Subscriptions API" (as of October
2026). `modifiedAfter` and `modifiedBefore` go together, and without `paymentStates` an order whose payment or refund is
pending or has failed is missing; the next page is a cursor, which goes with no filter, and whose address Squarespace
gives, without its host or with it. Webhooks are for apps alone; the secret of a subscription is in the answer that made
it, and never again.
"""

from __future__ import annotations

import json
from typing import Final

from hub.api import (
    BasicLogin,
    BodyLink,
    Call,
    Credential,
    Identity,
    Listing,
    OAuthConsent,
    RateLimit,
    Requests,
    Single,
    TokenGrant,
    TokenHeader,
    Webhooks,
)

ORDER: Final = "order"
CREATE: Final = "order.create"
UPDATE: Final = "order.update"
TOPICS: Final = (CREATE, UPDATE)
STATES: Final = (
    "NOT_CHARGED", "AUTHORIZED", "PAID", "REFUNDED", "PENDING", "FAILED", "REFUND_PENDING", "REFUND_FAILED",
    "PARTIALLY_PAID",
)  # fmt: skip
"""Every state of a payment."""
HOURLY: Final = 60
LOGIN: Final = "https://login.squarespace.com/api/1/login/oauth/provider"
CLIENT: Final = BasicLogin("{client_id}", "{client_secret}")

REQUESTS: Final = Requests(
    root="https://api.squarespace.com/1.0",
    login=TokenHeader("Authorization", "Bearer {token}"),
    credentials=(
        Credential("token", "API key with the permission Orders (read only)", pattern=r"[A-Za-z0-9._~+/=-]{16,2000}"),
    ),
    identity=Identity(Call("/authorization/website"), currency="currency", site="url", name="title"),
    rate=RateLimit(per_second=4, burst=10),
    orders=Listing(
        Call(f"/commerce/orders?modifiedAfter={{since_z}}&modifiedBefore={{now_z}}&paymentStates={','.join(STATES)}"),
        ORDER,
        items="result",
        pages=BodyLink("pagination.nextPageUrl"),
    ),
    order=Single(Call("/commerce/orders/{id}"), ORDER),
    webhooks=Webhooks(
        topics=TOPICS,
        listing=Listing(Call("/webhook_subscriptions"), "", items="webhookSubscriptions"),
        create=Call("/webhook_subscriptions", "POST", f'{{"endpointUrl": "{{url}}", "topics": {json.dumps(TOPICS)}}}'),
        delete=Call("/webhook_subscriptions/{webhook_id}", "DELETE"),
        topic="topics",
        url="endpointUrl",
        is_one=True,
        secret="secret",  # noqa: S106 - the name of a field
        is_of_consent=True,
    ),
    consent=OAuthConsent(
        f"{LOGIN}/authorize?client_id={{client_id}}&redirect_uri={{callback}}&scope={{scopes}}&state={{state}}"
        "&access_type=offline",
        Call(
            f"{LOGIN}/tokens",
            "POST",
            '{"grant_type": "authorization_code", "code": "{code}", "redirect_uri": "{callback}"}',
        ),
        grants=(("token", "access_token"),),
        scopes=("website.orders.read",),
        login=CLIENT,
        renewal=TokenGrant(
            f"{LOGIN}/tokens",
            (("grant_type", "refresh_token"), ("refresh_token", "{refresh_token}")),
            encoding="json",
            refresh_token="refresh_token",  # noqa: S106 - the name of a field
            ends="access_token_expires_at",
            login=CLIENT,
        ),
    ),
    reads_every=HOURLY,
)
