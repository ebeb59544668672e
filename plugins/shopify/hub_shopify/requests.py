"""Shopify's GraphQL Admin API as the hub asks it; its REST Admin API is not for new apps since April 2025.

Source: shopify.dev/docs/api/usage/versioning (a version is served for at least twelve months), /docs/apps/build/apis/
graphql-admin/rate-limits (points for each app and shop, told in each answer), /docs/api/usage/bulk-operations/queries,
/docs/apps/build/authentication-authorization/access-tokens (client credentials for an app of the store's own
organisation; expiring offline tokens of an hour, with a refresh token, for apps that any shop installs, changelog of
2026-08-28: a refresh token stays good until its replacement is used). Shopify offers no PKCE for the Admin API. Without
the permission read_all_orders it shows only orders of the last 60 days.
"""

from __future__ import annotations

import json
from typing import Final

from hub.api import (
    AnswerErrors,
    BodyCursor,
    Bulk,
    Call,
    CostLimit,
    Credential,
    Identity,
    Listing,
    OAuthConsent,
    Part,
    RateLimit,
    Requests,
    Scopes,
    Single,
    TokenGrant,
    TokenHeader,
    Webhooks,
)
from hub_shopify import queries

API: Final = "2026-10"
ENDS: Final = "2027-10-01"
SCOPES: Final = ("read_orders", "read_products", "read_fulfillments", "read_inventory")
TOPICS: Final = (
    "ORDERS_CREATE", "ORDERS_PAID", "ORDERS_UPDATED", "ORDERS_CANCELLED", "ORDERS_DELETE", "REFUNDS_CREATE",
    "FULFILLMENTS_UPDATE", "FULFILLMENT_EVENTS_CREATE", "PRODUCTS_CREATE", "PRODUCTS_UPDATE", "PRODUCTS_DELETE",
    "INVENTORY_LEVELS_UPDATE", "APP_UNINSTALLED",
)  # fmt: skip
"""Those that an app may subscribe to by the API; the privacy topics are set in the app's own configuration."""
TOKEN_URL: Final = "https://{shop}/admin/oauth/access_token"  # noqa: S105 - an address
CHILDREN: Final = (
    ("LineItem", "lineItems.nodes"),
    *((f"{kind}DiscountApplication", "discountApplications.nodes") for kind in ("Automatic", "Manual", "Script")),
    ("DiscountCodeApplication", "discountApplications.nodes"),
)  # fmt: skip


def _asked(document: str, variables: str = "{}", refused: str = "") -> Call:
    """Return the call of a GraphQL document; `variables` is JSON with places in braces."""
    body = f'{{"query": {json.dumps(document)}, "variables": {variables}}}'
    return Call("/graphql.json", "POST", body, refused=refused and f"data.{refused}.userErrors")


def _pages(path: str) -> BodyCursor:
    return BodyCursor(f"{path}.pageInfo.endCursor", more=f"{path}.pageInfo.hasNextPage")


def _bulk(document: str, children: tuple[tuple[str, str], ...], lacks: tuple[str, ...] = ()) -> Bulk:
    return Bulk(
        _asked(queries.BEGIN_BULK, f'{{"query": {json.dumps(document)}}}', "bulkOperationRunQuery"),
        job="data.bulkOperationRunQuery.bulkOperation.id",
        look=_asked(queries.LOOK_AT_BULK, '{"id": "{job}"}'),
        status="data.node.status",
        waits=("CREATED", "RUNNING"),
        done=("COMPLETED",),
        url="data.node.url",
        children=children,
        lacks=lacks,
    )


_ORDER: Final = '{"id": "gid://shopify/Order/{id}"}'
_PRODUCT: Final = '{"id": "gid://shopify/Product/{id}"}'
_PAGE: Final = '"first": {size}, "after": {cursor_or_null}'

REQUESTS: Final = Requests(
    root=f"https://{{shop}}/admin/api/{API}",
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
    errors=AnswerErrors(
        again=("THROTTLED", "INTERNAL_SERVER_ERROR", "TIMEOUT"),
        denied=("ACCESS_DENIED", "SHOP_INACTIVE"),
        spared=("customerJourneySummary",),  # where the buyer landed: an app that may not know loses a fallback
    ),
    version=API,
    version_ends=ENDS,
    # An app of the store's own organisation has an id and a secret; its tokens last a day.
    grant=TokenGrant(
        TOKEN_URL,
        (("grant_type", "client_credentials"), ("client_id", "{client_id}"), ("client_secret", "{client_secret}")),
    ),
    rate=RateLimit(
        per_second=10,
        burst=20,
        costs=CostLimit(
            "extensions.cost.requestedQueryCost",
            "extensions.cost.throttleStatus.currentlyAvailable",
            "extensions.cost.throttleStatus.restoreRate",
        ),
    ),
    identity=Identity(
        _asked(queries.SHOP), currency="data.shop.currencyCode", site="data.shop.myshopifyDomain", name="data.shop.name"
    ),
    scopes=Scopes(
        _asked(queries.SCOPES_GIVEN), SCOPES, items="data.currentAppInstallation.accessScopes", name="handle"
    ),
    orders=Listing(
        _asked(queries.ORDERS, f'{{{_PAGE}, "filter": "updated_at:>=\'{{since_z}}\'"}}'),
        "",
        items="data.orders.nodes",
        item_id="legacyResourceId",
        page_size=250,
        pages=_pages("data.orders"),
        is_whole=False,
        bulk=_bulk(queries.ALL_ORDERS, CHILDREN, lacks=("refunds",)),
    ),
    order=Single(
        _asked(queries.ORDER, _ORDER),
        "order",
        item="data.order",
        parts=(
            Part(
                "more_lines",
                _asked(queries.MORE_LINES, f'{_ORDER[:-1]}, {_PAGE}}}'),
                items="data.order.lineItems.nodes",
                pages=_pages("data.order.lineItems"),
                page_size=queries.LINES,
                follows=_pages("lineItems"),
            ),
        ),
    ),
    products=Listing(
        _asked(queries.PRODUCTS, f"{{{_PAGE}}}"),
        "",
        items="data.products.nodes",
        item_id="legacyResourceId",
        page_size=250,
        pages=_pages("data.products"),
        is_whole=False,
        bulk=_bulk(queries.ALL_PRODUCTS, (("ProductVariant", "variants.nodes"),)),
    ),
    product=Single(
        _asked(queries.PRODUCT, _PRODUCT),
        "product",
        item="data.product",
        parts=(
            Part(
                "more_variants",
                _asked(queries.MORE_VARIANTS, f'{_PRODUCT[:-1]}, {_PAGE}}}'),
                items="data.product.variants.nodes",
                pages=_pages("data.product.variants"),
                page_size=250,
                follows=_pages("variants"),
            ),
        ),
    ),
    webhooks=Webhooks(
        topics=TOPICS,
        listing=Listing(
            _asked(queries.WEBHOOKS, f"{{{_PAGE}}}"),
            "",
            items="data.webhookSubscriptions.nodes",
            page_size=100,
            pages=_pages("data.webhookSubscriptions"),
        ),
        create=_asked(queries.MAKE_WEBHOOK, '{"topic": "{topic}", "uri": "{url}"}', "webhookSubscriptionCreate"),
        delete=_asked(queries.DELETE_WEBHOOK, '{"id": "{webhook_id}"}', "webhookSubscriptionDelete"),
        url="uri",
    ),
    consent=OAuthConsent(
        "https://{shop}/admin/oauth/authorize?client_id={client_id}&scope={scopes}&redirect_uri={callback}&state={state}",
        Call(
            TOKEN_URL,
            "POST",
            '{"client_id": "{client_id}", "client_secret": "{client_secret}", "code": "{code}", "expiring": "1"}',
        ),
        grants=(("token", "access_token"),),
        scopes=SCOPES,
        query_hmac="hmac",
        same=("shop",),
        signs=True,
        renewal=TokenGrant(
            TOKEN_URL,
            (
                ("grant_type", "refresh_token"), ("client_id", "{client_id}"), ("client_secret", "{client_secret}"),
                ("refresh_token", "{refresh_token}"),
            ),
            refresh_token="refresh_token",  # noqa: S106 - the name of a field
        ),
    ),
)  # fmt: skip
