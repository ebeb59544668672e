"""A Magento store's REST API on this machine: a page after the last one is the last one again (magento2#26986).

Source: developer.adobe.com/commerce/webapi, "Search using REST endpoints".
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from aiohttp import web
from attrs import define, field

from tests.standins.trouble import Record

TOKEN: Final = "8f3k2n5v7x9z1b4d6g8j0m2p4r6t8w0y"
FILTER: Final = "searchCriteria[filterGroups][0][filters][0]"


@define
class Magento:
    """The store; each of `orders` has its `creditmemos` beside it."""

    orders: dict[int, Record] = field(factory=dict)
    asked: list[str] = field(factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(request.path_qs)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"message": "The consumer isn't authorized to access %resources."}, status=401)
        match request.path.removeprefix("/rest/all/V1/").split("/"):
            case ["store", "storeConfigs"]:
                return web.json_response([{"id": 1, "base_currency_code": "USD", "base_url": "https://shop.example/"}])
            case ["orders"]:
                return self._listed(request)
            case ["orders", number] if int(number) in self.orders:
                return web.json_response(_own(self.orders[int(number)]))
            case ["creditmemos"]:
                assert request.query[f"{FILTER}[field]"] == "order_id"
                order = self.orders.get(int(request.query[f"{FILTER}[value]"]), {})
                return _page(order.get("creditmemos", []), request)
        return web.json_response({"message": "The entity that was requested doesn't exist."}, status=404)

    def _listed(self, request: web.Request) -> web.Response:
        asked = request.query
        assert (asked[f"{FILTER}[field]"], asked[f"{FILTER}[conditionType]"]) == ("updated_at", "gteq")
        since = datetime.fromisoformat(asked[f"{FILTER}[value]"])
        found = [_own(order) for _, order in sorted(self.orders.items())
                 if datetime.fromisoformat(order["updated_at"]) >= since]  # fmt: skip
        return _page(found, request)


def _own(order: Record) -> Record:
    return {name: value for name, value in order.items() if name != "creditmemos"}


def _page(found: list[Record], request: web.Request) -> web.Response:
    size = int(request.query["searchCriteria[pageSize]"])
    last = max(1, -(-len(found) // size))
    page = min(int(request.query["searchCriteria[currentPage]"]), last)
    return web.json_response({"items": found[(page - 1) * size : page * size], "total_count": len(found)})
