"""Shopify's REST Admin API as the hub asks it: its orders and products have the shape of the webhooks' bodies.

Source: shopify.dev/docs/api/admin-rest/2026-07 (order, product, shop, webhook), /docs/api/usage/limits (a leaky bucket
of 40, two a second), /docs/api/usage/pagination-rest (the next page is in the header Link, beside which no filter may
stand). Without the permission read_all_orders Shopify shows only orders of the last 60 days.
"""

from __future__ import annotations

from typing import Final

from hub.api import (
    Call,
    Credential,
    Identity,
    LinkHeader,
    Listing,
    OAuthConsent,
    RateLimit,
    Requests,
    Scopes,
    Single,
    TokenGrant,
    TokenHeader,
    Webhooks,
)

API: Final = "2026-07"
"""Shopify serves a version for at least twelve months: shopify.dev/docs/api/usage/versioning."""
ENDS: Final = "2027-07-01"
VERSION: Final = f"/api/{API}"
SCOPES: Final = ("read_orders", "read_products", "read_fulfillments", "read_inventory")
TOPICS: Final = (
    "orders/create", "orders/paid", "orders/updated", "orders/cancelled", "orders/delete", "refunds/create",
    "fulfillments/update", "fulfillment_events/create", "products/create", "products/update", "products/delete",
    "inventory_levels/update", "app/uninstalled",
)  # fmt: skip
"""Those that an app may subscribe to by the API; the privacy topics are set in the app's own configuration."""

REQUESTS: Final = Requests(
    root="https://{shop}/admin",
    login=TokenHeader("X-Shopify-Access-Token"),
    credentials=(
        Credential(
            "shop", "The shop's myshopify.com address", is_secret=False, pattern=r"[a-z0-9][a-z0-9-]*\.myshopify\.com",
            hint="lamps.myshopify.com",
        ),
        Credential("client_id", "Client ID of the app", False, r"[A-Za-z0-9-]{8,80}", is_required=False),
        Credential("client_secret", "Client secret of the app", pattern=r"[A-Za-z0-9_-]{16,120}", is_required=False),
        Credential("token", "Admin API access token", pattern=r"[A-Za-z0-9_-]{16,120}", is_required=False),
    ),
    signs_with="client_secret",
    version=API,
    version_ends=ENDS,
    # An app of the store's own organisation has an id and a secret; its tokens last a day.
    grant=TokenGrant(
        "https://{shop}/admin/oauth/access_token",
        (("grant_type", "client_credentials"), ("client_id", "{client_id}"), ("client_secret", "{client_secret}")),
    ),
    rate=RateLimit(per_second=2, burst=20, used_header="X-Shopify-Shop-Api-Call-Limit"),
    identity=Identity(
        Call(f"{VERSION}/shop.json"), currency="shop.currency", site="shop.myshopify_domain", name="shop.name"
    ),
    scopes=Scopes(Call("/oauth/access_scopes.json"), SCOPES, items="access_scopes", name="handle"),
    orders=Listing(
        Call(f"{VERSION}/orders.json?status=any&updated_at_min={{since_z}}&limit={{size}}"),
        "orders/updated",
        items="orders",
        page_size=100,
        pages=LinkHeader(),
    ),
    order=Single(Call(f"{VERSION}/orders/{{id}}.json"), "orders/updated", item="order"),
    products=Listing(
        Call(f"{VERSION}/products.json?updated_at_min={{since_z}}&limit={{size}}"),
        "products/update",
        items="products",
        page_size=100,
        pages=LinkHeader(),
    ),
    product=Single(Call(f"{VERSION}/products/{{id}}.json"), "products/update", item="product"),
    webhooks=Webhooks(
        topics=TOPICS,
        listing=Listing(
            Call(f"{VERSION}/webhooks.json?limit={{size}}"), "", items="webhooks", page_size=250, pages=LinkHeader()
        ),
        create=Call(
            f"{VERSION}/webhooks.json",
            "POST",
            '{"webhook": {"topic": "{topic}", "address": "{url}", "format": "json"}}',
        ),
        delete=Call(f"{VERSION}/webhooks/{{webhook_id}}.json", "DELETE"),
        url="address",
    ),
    consent=OAuthConsent(
        "https://{shop}/admin/oauth/authorize?client_id={client_id}&scope={scopes}&redirect_uri={callback}&state={state}",
        Call(
            "https://{shop}/admin/oauth/access_token",
            "POST",
            '{"client_id": "{client_id}", "client_secret": "{client_secret}", "code": "{code}"}',
        ),
        grants=(("token", "access_token"),),
        scopes=SCOPES,
        query_hmac="hmac",
        same=("shop",),
        signs=True,
    ),
)  # fmt: skip
