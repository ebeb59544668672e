"""Squarespace's Commerce APIs as the hub asks them, with an API key of the site.

Source: developers.squarespace.com/commerce-apis, "Retrieve all orders", "Retrieve a specific order", "Rate limits" (300
requests a minute) and "Making requests" (as of October 2026). `modifiedAfter` and `modifiedBefore` go together alone;
the next page is a cursor, which goes with no filter, and whose address Squarespace gives. The webhooks of its API are
for OAuth apps only, so the orders are read every hour.
"""

from __future__ import annotations

from typing import Final

from hub.api import BodyLink, Call, Credential, Identity, Listing, RateLimit, Requests, Single, TokenHeader

ORDER: Final = "order"
HOURLY: Final = 60

REQUESTS: Final = Requests(
    root="https://api.squarespace.com/1.0",
    login=TokenHeader("Authorization", "Bearer {token}"),
    credentials=(
        Credential("token", "API key with the permission Orders (read only)", pattern=r"[A-Za-z0-9-]{16,120}"),
    ),
    identity=Identity(Call("/authorization/website"), currency="currency", site="url", name="title"),
    rate=RateLimit(per_second=4, burst=10),
    orders=Listing(
        Call("/commerce/orders?modifiedAfter={since_z}&modifiedBefore={now_z}"),
        ORDER,
        items="result",
        pages=BodyLink("pagination.nextPageUrl"),
    ),
    order=Single(Call("/commerce/orders/{id}"), ORDER),
    reads_every=HOURLY,
)
