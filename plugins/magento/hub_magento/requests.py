"""Magento's REST API as the hub asks it, with the access token of an integration.

Source: developer.adobe.com/commerce/webapi, "Search using REST endpoints", "Token-based authentication" (an
integration's access token is a bearer token if the store allows it), and the endpoints orders, creditmemos and
store/storeConfigs of Magento Open Source 2.4. The open edition sends nothing by itself, so the orders are read every
hour. Moments are UTC. A page after the last one was the last one again until 2.4 (magento/magento2#26986), so the pages
are counted by the total.
"""

from __future__ import annotations

from typing import Final

from hub.api import Call, Credential, Identity, Listing, PageNumbers, Part, RateLimit, Requests, Single, TokenHeader

ORDER: Final = "order"
HOURLY: Final = 60
PAGE: Final = "searchCriteria[pageSize]={size}&searchCriteria[currentPage]={page}"
BY_ID: Final = "searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[sortOrders][0][direction]=ASC"


def _where(field: str, condition: str, value: str) -> str:
    """Return the filter of a search."""
    filter_ = "searchCriteria[filterGroups][0][filters][0]"
    return f"{filter_}[field]={field}&{filter_}[conditionType]={condition}&{filter_}[value]={value}"


REQUESTS: Final = Requests(
    root="{site}/rest/all/V1",
    login=TokenHeader("Authorization", "Bearer {token}"),
    credentials=(
        Credential(
            "site", "The store's address", is_secret=False, pattern=r"https?://[^\s?#]+", hint="https://shop.example"
        ),
        Credential("token", "Access token of the integration", pattern=r"[A-Za-z0-9]{16,120}"),
    ),
    identity=Identity(Call("/store/storeConfigs"), currency="0.base_currency_code", site="0.base_url"),
    rate=RateLimit(per_second=4, burst=10),
    orders=Listing(
        Call(f"/orders?{_where('updated_at', 'gteq', '{since}')}&{BY_ID}&{PAGE}"),
        ORDER,
        items="items",
        item_id="entity_id",
        page_size=50,
        pages=PageNumbers(total="total_count"),
        is_whole=False,
    ),
    order=Single(
        Call("/orders/{id}"),
        ORDER,
        parts=(
            Part(
                "creditmemos",
                Call(f"/creditmemos?{_where('order_id', 'eq', '{id}')}&{PAGE}"),
                items="items",
                pages=PageNumbers(total="total_count"),
            ),
        ),
    ),
    reads_every=HOURLY,
)
