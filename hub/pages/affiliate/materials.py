"""A campaign's materials with the affiliate's own link filled in, and the shop's products as a feed with it."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import orjson
from aiohttp import web
from attrs import frozen

from hub.domain.spreadsheets import defused
from hub.operations.affiliates.materials import filled_in, materials_of, own_link
from hub.operations.campaigns.offers import every_own_offer
from hub.operations.campaigns.products import every_product
from hub.operations.references import account_id_of
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.downloads import CSV, download
from hub.pages.route_table import RouteTable
from hub.records.campaigns import Offer

COLUMNS: Final = ("externalProductId", "name", "description", "brand", "category", "price", "discountPrice", "currency",
                  "imageUrl", "stockStatus")  # fmt: skip
"""Of a product, beside the affiliate's link to it."""
JSON: Final = "application/json"


@frozen
class _Taken:
    """A campaign that the affiliate takes part in: its account, and the affiliate's link to it, None without one."""

    offer: Offer
    account_id: str
    root: str
    link: str | None


ONE: Final = "/affiliate/campaigns/{campaign}"
PAGES: Final = RouteTable(affiliate_page)


@PAGES.get(f"{ONE}/materials")
async def show_materials(visit: AffiliateVisit) -> web.StreamResponse:
    """Show what there is to copy."""
    taken = await _taken(visit)
    if taken is None:
        return visit.not_found()
    materials = await materials_of(visit.services.store, taken.account_id, taken.offer.id)
    link = taken.link
    copies = [] if link is None else [(each, filled_in(each, link, taken.root)) for each in materials]
    return visit.page("affiliate/materials.html", offer=taken.offer, materials=materials, copies=copies, link=link)


async def feed(write: Any, kind: str, ending: str, visit: AffiliateVisit) -> web.StreamResponse:
    """Return the shop's active products, each with the affiliate's own link, as they are read.

    Whoever has no link yet reads how to make one.
    """
    taken = await _taken(visit)
    if taken is None:
        return visit.not_found()
    if taken.link is None:
        return await show_materials(visit)
    products = every_product(visit.services.store, taken.account_id, "ACTIVE")
    name = f"products-{taken.offer.campaign_code}.{ending}"
    return download(write(products, taken.link), name, kind)


async def _taken(visit: AffiliateVisit) -> _Taken | None:
    services, campaign = visit.services, visit.path["campaign"]
    offers = await every_own_offer(services.store, services.clock, services.policy, visit.affiliate_id, campaign)
    if not offers or offers[0].membership not in (None, "APPROVED"):
        return None
    account_id = await account_id_of(services.store, offers[0].merchant_id, offers[0].mode)
    code = await own_link(services.store, account_id, visit.affiliate_id, campaign)
    root = (await services.root()).rstrip("/")
    return _Taken(offers[0], account_id, root, None if code is None else f"{root}/t/{code}")


def _line(product: Mapping[str, Any], link: str) -> dict[str, Any]:
    return {**{name: product.get(name) for name in COLUMNS},
            "link": f"{link}?to={quote(product['productUrl'], safe='')}"}  # fmt: skip


async def _csv(products: AsyncIterator[Mapping[str, Any]], link: str) -> AsyncIterator[bytes]:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow([*COLUMNS, "link"])
    async for each in products:
        lines.writerow(["" if value is None else defused(str(value)) for value in _line(each, link).values()])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


async def _json(products: AsyncIterator[Mapping[str, Any]], link: str) -> AsyncIterator[bytes]:
    before = b'{"products":['
    async for each in products:
        yield before + orjson.dumps(_line(each, link))
        before = b",\n"
    yield (before if before.startswith(b"{") else b"") + b"]}"


PAGES.extend(
    [
        affiliate_page("GET", f"{ONE}/products.csv", partial(feed, _csv, CSV, "csv")),
        affiliate_page("GET", f"{ONE}/products.json", partial(feed, _json, JSON, "json")),
    ]
)
