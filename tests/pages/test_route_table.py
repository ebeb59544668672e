"""Tables of pages: a handler stays as it is, and the type checker knows who looks and what a kind of pages takes."""

from __future__ import annotations

from aiohttp import web

from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit


def test_a_handler_is_added_and_stays_what_it_is() -> None:
    table = RouteTable(merchant_page)

    @table.get("/merchant/example")
    async def show(shown: MerchantVisit, status: int = 200) -> web.Response:
        return shown.page("example.html", status)

    @table.post("/merchant/example", viewers=True)
    async def take(shown: MerchantVisit) -> web.Response:
        return await show(shown, 422)

    assert [(page.method, page.path) for page in table] == [("GET", "/merchant/example"), ("POST", "/merchant/example")]
    assert (show.__name__, take.__name__) == ("show", "take")


def test_control_a_handler_of_another_kind_is_a_fault_of_types() -> None:
    """`make types` fails if mypy no longer minds: an `ignore` that is not needed is a fault."""
    table = RouteTable(merchant_page)

    @table.get("/merchant/example")  # type: ignore[arg-type]  # it is for a `MerchantVisit`
    async def show(visit: Visit) -> web.Response:
        return visit.page("example.html")

    assert len(table) == 1
