"""BigCommerce's REST Management API as the hub asks it: orders of V2, their refunds and the catalogue of V3.

An order's body has only links to its lines, coupons and refunds, so each is asked for and put in their place. Lists are
ordered by id, so that an order that changes meanwhile moves nothing to a page that was read already.
"""

from __future__ import annotations

from typing import Final

from hub.api import (
    Call,
    Credential,
    Identity,
    Listing,
    PageNumbers,
    Part,
    RateLimit,
    Requests,
    Single,
    TokenHeader,
    Webhooks,
)

SECRET_HEADER: Final = "X-Affiliate-Hub-Secret"  # noqa: S105 - the name of a header
ORDER: Final = "order"
PRODUCT: Final = "product"
ORDER_SCOPES: Final = (
    "store/order/created",
    "store/order/updated",
    "store/order/archived",
    "store/order/statusUpdated",
    "store/order/refund/created",
)
PRODUCT_SCOPES: Final = (
    "store/product/created",
    "store/product/updated",
    "store/product/deleted",
    "store/product/inventory/updated",
    "store/product/inventory/order/updated",
    "store/sku/inventory/updated",
    "store/sku/inventory/order/updated",
)
PAGE: Final = "page={page}&limit={size}"

REQUESTS: Final = Requests(
    root="https://api.bigcommerce.com/stores/{store}",
    login=TokenHeader("X-Auth-Token", "{token}"),
    headers=(("Accept", "application/json"),),
    credentials=(
        Credential("store", "Store hash", is_secret=False, pattern=r"[a-z0-9]{4,20}", hint="abc123"),
        Credential("token", "Access token of the store-level API account", pattern=r"[A-Za-z0-9]{10,100}"),
    ),
    identity=Identity(Call("/v2/store"), currency="currency", name="name"),
    # The smallest plan has 150 requests in 30 seconds, which all apps of the store share.
    rate=RateLimit(
        per_second=4, burst=20, left_header="X-Rate-Limit-Requests-Left", wait_header="X-Rate-Limit-Time-Reset-Ms",
        wait_unit="ms",
    ),
    orders=Listing(
        Call(f"/v2/orders?min_date_modified={{since_z}}&sort=id:asc&{PAGE}"), ORDER, page_size=50, is_whole=False
    ),
    order=Single(
        Call("/v2/orders/{id}"),
        ORDER,
        parts=(
            Part("products", Call(f"/v2/orders/{{id}}/products?{PAGE}"), pages=PageNumbers()),
            Part("coupons", Call(f"/v2/orders/{{id}}/coupons?{PAGE}"), pages=PageNumbers()),
            Part("refunds", Call("/v3/orders/{id}/payment_actions/refunds"), items="data"),
        ),
    ),
    products=Listing(
        Call(f"/v3/catalog/products?date_modified:min={{since_z}}&include=primary_image&sort=id&direction=asc&{PAGE}"),
        PRODUCT,
        items="data",
        page_size=50,
    ),
    product=Single(Call("/v3/catalog/products/{id}?include=primary_image"), PRODUCT, item="data"),
    webhooks=Webhooks(
        topics=(*ORDER_SCOPES, *PRODUCT_SCOPES),
        listing=Listing(Call(f"/v3/hooks?{PAGE}"), "", items="data", page_size=50),
        create=Call(
            "/v3/hooks",
            "POST",
            '{"scope": "{topic}", "destination": "{url}", "is_active": true, "headers": {"'
            + SECRET_HEADER
            + '": "{webhook_secret}"}}',
        ),
        delete=Call("/v3/hooks/{webhook_id}", "DELETE"),
        # A second webhook of the same scope and destination is refused, so one that was turned off is turned on.
        revive=Call(
            "/v3/hooks/{webhook_id}",
            "PUT",
            '{"scope": "{topic}", "destination": "{url}", "is_active": true, "headers": {"'
            + SECRET_HEADER
            + '": "{webhook_secret}"}}',
        ),
        topic="scope",
        url="destination",
        state="is_active",
        alive=("true",),
    ),
)  # fmt: skip
