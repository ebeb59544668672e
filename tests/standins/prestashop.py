"""A PrestaShop shop's webservice on this machine, and its module's deliveries: both from one record of each order.

Source: devdocs.prestashop-project.org, "Webservice"; numbers are text, moments are the shop's own, here of New York.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final
from zoneinfo import ZoneInfo

from aiohttp import encode_basic_auth, web
from attrs import define, field
from hub_prestashop.scenarios import php_json
from hub_prestashop.webservice import as_module_says

from tests.standins.trouble import Record, Sent

KEY: Final = "Q3C2KT7XYM1LN4P9B8RVZ6WDHGJ5FSAE"
ZONE: Final = ZoneInfo("America/New_York")
PARTS: Final = {"order_histories": "histories", "order_slip": "slips", "order_cart_rules": "cart_rules"}
LISTED: Final = {"order_slip": "order_slips"}
SETTINGS: Final = {"PS_SHOP_NAME": "Lamps", "PS_TIMEZONE": "America/New_York", "PS_OS_DELIVERED": "5",
                   "PS_OS_CANCELED": "6", "PS_OS_REFUND": "7"}  # fmt: skip
STATES: Final = {2: "1", 5: "1", 6: "0", 10: "0"}
SINCE: Final = re.compile(r">\[([0-9T:-]+)\]")


@define
class PrestaShop:
    """The shop; each of `orders` has its `histories`, `slips` and `cart_rules` beside it, and its `click`."""

    orders: dict[int, Record] = field(factory=dict)
    hook: str = "https://hub.example/connect/con_1"
    signs_with: str = "s" * 32
    asked: list[str] = field(factory=list)
    _sent: Iterator[int] = field(factory=count)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the webservice."""
        self.asked.append(request.path_qs)
        if request.headers.get("Authorization") != encode_basic_auth(KEY, ""):
            return web.Response(status=401)
        assert request.query["output_format"] == "JSON", "it is XML otherwise"
        match request.path.removeprefix("/api/").split("/"):
            case ["orders"]:
                return self._listed(request)
            case ["orders", number]:
                order = self.orders.get(int(number))
                return web.Response(status=404) if order is None else web.json_response({"order": _own(order)})
            case [name] if name in PARTS:
                (number,) = re.fullmatch(r"\[([0-9]+)\]", request.query["filter[id_order]"]).groups()  # type: ignore[union-attr]  # another filter is a fault
                order = self.orders.get(int(number), {})
                return _found(LISTED.get(name, name), order.get(PARTS[name], []))
            case ["configurations"]:
                wanted = request.query["filter[name]"].strip("[]").split("|")
                return _found("configurations", [{"name": name, "value": SETTINGS[name]} for name in wanted])
            case ["order_states"]:
                return _found("order_states", [{"id": state, "paid": paid} for state, paid in STATES.items()])
            case ["currencies"]:
                return _found("currencies", [{"id": 1, "iso_code": "USD"}])
        return web.Response(status=404)

    def deliver(self, order: Record, at: int) -> list[Sent]:
        """Return what the module sends of an order at a moment (ms UTC)."""
        known = {"states": [{"id": state, "paid": paid} for state, paid in STATES.items()],
                 "currencies": [{"id": 1, "iso_code": "USD"}],
                 "settings": [{"name": name, "value": value} for name, value in SETTINGS.items()]}  # fmt: skip
        said = as_module_says({**order, **known})
        body = {
            "platform": "prestashop", "topic": "order", "delivery": f"{next(self._sent):032x}",
            "sent_at": datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "order": {**said["order"], "click_id": order["click"]},
        }  # fmt: skip
        raw = php_json(_plain(body))
        digest = hmac.digest(self.signs_with.encode(), raw, hashlib.sha256).hex()
        headers = {"Content-Type": "application/json", "X-Affiliate-Hub-Signature": f"sha256={digest}"}
        return [Sent("order", self.hook, raw, headers)]

    def _listed(self, request: web.Request) -> web.Response:
        assert (request.query["display"], request.query["date"], request.query["sort"]) == ("[id]", "1", "[id_ASC]")
        asked = SINCE.fullmatch(request.query["filter[date_upd]"])
        assert asked is not None
        since = datetime.fromisoformat(asked[1])
        begin, size = (int(each) for each in request.query["limit"].split(","))
        found = [{"id": number} for number, order in sorted(self.orders.items())
                 if datetime.fromisoformat(order["date_upd"]) > since]  # fmt: skip
        return _found("orders", found[begin : begin + size])


def local(at: int) -> str:
    """Return a moment (ms UTC) as PrestaShop keeps it: of the shop's own zone, without an offset."""
    return datetime.fromtimestamp(at // 1000, ZONE).strftime("%Y-%m-%d %H:%M:%S")


def _own(order: Record) -> Record:
    return {name: value for name, value in order.items() if name not in {*PARTS.values(), "click"}}


def _found(name: str, items: list[Any]) -> web.Response:
    """Answer with a list; PHP writes an object without anything as an array."""
    return web.json_response({name: items} if items else [])


def _plain(value: Any) -> Any:
    """Return a body with its sums as text, as the module writes them."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, str | int | bool) else f"{value:.6f}"
