"""A Squarespace site's Commerce API on this machine; its pages are short, so that there are some.

Source: developers.squarespace.com/commerce-apis, "Retrieve all orders", "Retrieve a specific order".
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from aiohttp import web
from attrs import define, field

from tests.standins.trouble import Record

TOKEN: Final = "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d"
PAGE: Final = 2


@define
class Squarespace:
    """The site."""

    orders: dict[str, Record] = field(factory=dict)
    asked: list[str] = field(factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer any request to the API."""
        self.asked.append(request.path_qs)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"type": "AUTHORIZATION_ERROR", "message": "No"}, status=401)
        match request.path.removeprefix("/1.0/").split("/"):
            case ["authorization", "website"]:
                return web.json_response({"id": "5b60", "title": "Lamps", "url": "https://lamps.squarespace.com"})
            case ["commerce", "orders"]:
                return self._listed(request)
            case ["commerce", "orders", name] if name in self.orders:
                return web.json_response(self.orders[name])
        return web.json_response({"type": "NOT_FOUND"}, status=404)

    def _listed(self, request: web.Request) -> web.Response:
        """Answer with a page; the cursor says its filter and its place, and goes with no filter beside it."""
        asked = request.query
        if "cursor" in asked:
            assert set(asked) == {"cursor"}, "a cursor goes with no filter"
            begin, since, until = asked["cursor"].split("~")
        else:
            assert set(asked) == {"modifiedAfter", "modifiedBefore"}, "each needs the other"
            begin, since, until = "0", asked["modifiedAfter"], asked["modifiedBefore"]
        after, before = (datetime.fromisoformat(each) for each in (since, until))
        changed = [(datetime.fromisoformat(each["modifiedOn"]), each) for each in self.orders.values()]
        found = [each for at, each in sorted(changed, key=lambda pair: pair[0]) if after < at < before]
        end = int(begin) + PAGE
        cursor = f"{end}~{since}~{until}"
        following = f"{request.url.origin()}/1.0/commerce/orders?cursor={cursor}" if end < len(found) else None
        pagination = {"hasNextPage": following is not None, "nextPageUrl": following}
        return web.json_response({"result": found[int(begin) : end], "pagination": pagination})
