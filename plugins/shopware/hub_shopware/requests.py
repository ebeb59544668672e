"""Shopware's Admin API as the hub asks it, with the keys that the shop hands over when the app is installed.

Source: developer.shopware.com, "App Registration & Backend Setup" (keys of the confirmation), "Search Criteria" and the
DAL's filters reference (as of 6.7, August 2026). A change of a payment, a delivery or a line does not count as a change
of its order, so each of them is asked about. Lists are ordered by id, so that an order that changes meanwhile moves
nothing to a page that was read already.
"""

from __future__ import annotations

import json
from typing import Any, Final

from hub.api import Call, Credential, Identity, Listing, RateLimit, Requests, Single, TokenGrant, TokenHeader

ORDER: Final = "order"
SYSTEM_CURRENCY: Final = "b7d2554b0ce847cd82f3ac9bd1c0dfca"
"""The id of a shop's default currency: the same in every Shopware (`Defaults::CURRENCY`)."""
CHANGES: Final = (
    "createdAt", "updatedAt", "lineItems.createdAt", "lineItems.updatedAt", "deliveries.updatedAt",
    "transactions.createdAt", "transactions.updatedAt", "transactions.captures.refunds.createdAt",
    "transactions.captures.refunds.updatedAt",
)  # fmt: skip
STATE: Final[dict[str, Any]] = {"stateMachineState": {}}
WITH: Final[dict[str, Any]] = {
    "currency": {},
    "orderCustomer": {},
    "lineItems": {},
    "deliveries": {"associations": STATE},
    "transactions": {
        "sort": [{"field": "createdAt", "order": "ASC"}],
        "associations": {**STATE, "captures": {"associations": {"refunds": {"associations": STATE}}}},
    },
    **STATE,
}
"""What belongs to an order; the last of its transactions counts."""


def _search(criteria: dict[str, Any]) -> Call:
    """Return a search of orders; places that stand alone in a text are numbers."""
    body = json.dumps({**criteria, "associations": WITH})
    for place in ("{page}", "{size}"):
        body = body.replace(f'"{place}"', place)
    return Call("/search/order", "POST", body)


_CHANGED: Final = [{"type": "range", "field": name, "parameters": {"gte": "{since}"}} for name in CHANGES]
REQUESTS: Final = Requests(
    root="{shop}/api",
    login=TokenHeader("Authorization", "Bearer {token}"),
    credentials=(
        Credential(
            "shop", "The shop's address", is_secret=False, pattern=r"https?://[^\s?#]+", hint="https://shop.example"
        ),
        Credential("key", "Access key ID", pattern=r"[A-Za-z0-9_-]{8,120}", hint="SWIA…"),
        Credential("secret", "Secret access key", pattern=r"[A-Za-z0-9_-]{8,200}"),
    ),
    grant=TokenGrant(
        "{shop}/api/oauth/token",
        (("grant_type", "client_credentials"), ("client_id", "{key}"), ("client_secret", "{secret}")),
        encoding="json",
    ),
    identity=Identity(Call(f"/currency/{SYSTEM_CURRENCY}"), currency="data.isoCode"),
    rate=RateLimit(per_second=4, burst=10),
    orders=Listing(
        _search(
            {
                "page": "{page}",
                "limit": "{size}",
                "sort": [{"field": "id", "order": "ASC"}],
                "filter": [{"type": "multi", "operator": "or", "queries": _CHANGED}],
            }
        ),
        ORDER,
        items="data",
        item_id="orderNumber",
        page_size=50,
    ),
    order=Single(
        _search({"limit": 1, "filter": [{"type": "equals", "field": "orderNumber", "value": "{id}"}]}),
        ORDER,
        item="data.0",
    ),
)
