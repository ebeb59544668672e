"""PrestaShop's webservice as the hub asks it, beside the module: what no hook told of is found.

Source: devdocs.prestashop-project.org, "Webservice" (cheat sheet, and the resources orders, order_histories,
order_slip, order_cart_rules, order_states, currencies and configurations), as of PrestaShop 9. Filters compare with
moments in the shop's own time zone, so a list begins half a day early. Lists are ordered by id, so that an order that
changes meanwhile moves nothing to a page that was read already.
"""

from __future__ import annotations

from typing import Final

from hub.api import BasicLogin, Call, Credential, Identity, Listing, Part, RateLimit, Requests, Single

ORDER: Final = "asked-order"
JSON: Final = "output_format=JSON"
SETTINGS: Final = ("PS_TIMEZONE", "PS_OS_DELIVERED", "PS_OS_CANCELED", "PS_OS_REFUND")
RESOURCES: Final = (
    "configurations", "currencies", "order_cart_rules", "order_histories", "order_slip", "order_states", "orders",
)  # fmt: skip
EARLY: Final = 12
"""By so many hours at most is a clock on a wall behind UTC."""


def _settings(*names: str) -> Call:
    return Call(f"/configurations?{JSON}&display=[name,value]&filter[name]=[{'|'.join(names)}]")


def _of_order(resource: str, display: str = "full") -> Call:
    return Call(f"/{resource}?{JSON}&display={display}&filter[id_order]=[{{id}}]&sort=[id_ASC]")


REQUESTS: Final = Requests(
    root="{site}/api",
    login=BasicLogin("{key}", ""),
    credentials=(
        Credential(
            "site", "The shop's address", is_secret=False, pattern=r"https?://[^\s?#]+", hint="https://shop.example"
        ),
        Credential("key", "Webservice key", pattern=r"[A-Za-z0-9]{32}"),
    ),
    identity=Identity(_settings("PS_SHOP_NAME"), name="configurations.0.value"),
    rate=RateLimit(per_second=5, burst=10),
    orders=Listing(
        Call(
            f"/orders?{JSON}&display=[id]&date=1&filter[date_upd]=>[{{since}}]&sort=[id_ASC]&limit={{offset}},{{size}}"
        ),
        ORDER,
        items="orders",
        page_size=100,
        is_whole=False,
        early_hours=EARLY,
        empty_is_array=True,
    ),
    order=Single(
        Call(f"/orders/{{id}}?{JSON}"),
        ORDER,
        item="order",
        parts=(
            Part("histories", _of_order("order_histories"), items="order_histories"),
            Part("slips", _of_order("order_slip"), items="order_slips"),
            Part("cart_rules", _of_order("order_cart_rules"), items="order_cart_rules"),
            Part("states", Call(f"/order_states?{JSON}&display=[id,paid]"), items="order_states"),
            Part("currencies", Call(f"/currencies?{JSON}&display=[id,iso_code]"), items="currencies"),
            Part("settings", _settings(*SETTINGS), items="configurations"),
        ),
    ),
)
