"""Wix's eCommerce API as the hub asks it, as an app that is installed on the site.

Source: dev.wix.com/docs/rest, "Create Access Token" (client credentials of the app with the id of its instance on a
site; a token lasts four hours), "Get App Instance", "Search Orders" with its supported filters, "Get Order" and "List
Transactions For Single Order" (as of October 2026). A cursor stands for the search that gave it, so it goes with
neither filter nor sorting. What was refunded is in the transactions alone.
"""

from __future__ import annotations

from typing import Final

from hub.api import (
    BodyCursor,
    Call,
    Credential,
    Identity,
    Listing,
    Part,
    RateLimit,
    Requests,
    Single,
    TokenGrant,
    TokenHeader,
)

ORDER: Final = "order"
ROOT: Final = "https://www.wixapis.com"
SEARCH: Final = "/ecom/v1/orders/search"
GUID: Final = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
CHANGED: Final = (
    '{"search": {"filter": {"updatedDate": {"$gte": "{since_z}"}}, '
    '"sort": [{"fieldName": "updatedDate", "order": "ASC"}], "cursorPaging": {"limit": {size}}}}'
)

REQUESTS: Final = Requests(
    root=ROOT,
    login=TokenHeader("Authorization", "Bearer {token}"),
    credentials=(
        Credential("app_id", "App ID", is_secret=False, pattern=GUID),
        Credential("app_secret", "App secret", pattern=r"[A-Za-z0-9-]{16,120}"),
        Credential("instance_id", "ID of the app's instance on the site", is_secret=False, pattern=GUID),
    ),
    grant=TokenGrant(
        f"{ROOT}/oauth2/token",
        (
            ("grant_type", "client_credentials"),
            ("client_id", "{app_id}"),
            ("client_secret", "{app_secret}"),
            ("instance_id", "{instance_id}"),
        ),
        encoding="json",
    ),
    identity=Identity(
        Call("/apps/v1/instance"), currency="site.paymentCurrency", site="instance.instanceId", name="site.url"
    ),
    rate=RateLimit(per_second=3, burst=10),
    orders=Listing(
        Call(SEARCH, "POST", CHANGED),
        ORDER,
        items="orders",
        page_size=100,
        pages=BodyCursor("metadata.cursors.next", more="metadata.hasNext"),
        following=Call(SEARCH, "POST", '{"search": {"cursorPaging": {"limit": {size}, "cursor": "{cursor}"}}}'),
        is_whole=False,
    ),
    order=Single(
        Call("/ecom/v1/orders/{id}"),
        ORDER,
        item="order",
        parts=(Part("transactions", Call("/ecom/v1/payments/orders/{id}"), items="orderTransactions"),),
    ),
)
