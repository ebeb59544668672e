"""/merchant/products: searched, created, changed and archived, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.campaigns.products import (
    PRODUCTS,
    ProductDocument,
    products_part,
    put_product,
    set_product_status,
    show_product,
)
from hub.operations.errors import InvalidFields, OperatorFault
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.words import texts_asked
from hub.validation.input_reader import fields_of
from hub.validation.inputs import ProductInput

HERE: Final = "/merchant/products"
STATUSES: Final = ("ACTIVE", "OUT_OF_STOCK", "INACTIVE", "ARCHIVED")
FIELDS: Final = tuple(each.wire for each in fields_of(ProductInput))
OTHER_TEXTS: Final = texts_asked(
    ProductInput, "externalProductId", "name", "description", "category", "brand", "stockStatus", "campaignId"
)
"""The texts for which the form has no words of its own."""
DONE: Final = {"saved": "The product is saved.", "status": "The status is changed."}
ONE: Final = f"{HERE}/{{product}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the products that match the filters in the address, page by page."""
    search, status = shown.query.get("q", "").strip(), shown.query.get("status", "")
    given = {"q": search, "status": status if status in STATUSES else ""}
    wanted = wanted_of(shown.visit, PRODUCTS, {"search": given["q"], "status": given["status"]})
    found = await products_part(shown.services.store, shown.account_id, wanted)
    older, newer = beside(HERE, found, given)
    return shown.page(
        "merchant/products.html",
        products=found.entries,
        given=given,
        filtered=any(given.values()),
        statuses=STATUSES,
        older=older,
        newer=newer,
    )


@PAGES.get(f"{HERE}/new", viewers=False)
async def show_new(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form of a new product."""
    values = {**dict.fromkeys(FIELDS, ""), "currency": shown.merchant.currency}
    return await _form(shown, 200, None, values, {})


@PAGES.post(HERE)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Create a product; one that exists is not replaced unawares."""
    values = _typed(shown)
    try:
        await show_product(shown.services.store, shown.account_id, values["externalProductId"])
    except OperatorFault:
        return await _put(shown, None, values)
    return await _form(shown, 422, None, values, {"externalProductId": "You have a product with this id already."})


@PAGES.get(ONE)
async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show a product as the form that changes it."""
    product = await _found(shown)
    return await _form(shown, 200, product, {name: str(product[name] or "") for name in FIELDS}, {})


@PAGES.post(ONE)
async def edit(shown: MerchantVisit) -> web.StreamResponse:
    """Replace a product by what the form says."""
    product = await _found(shown)
    return await _put(shown, product, {**_typed(shown), "externalProductId": product["externalProductId"]})


@PAGES.post(f"{ONE}/status")
async def set_status(shown: MerchantVisit) -> web.StreamResponse:
    """Archive a product, or give it another status."""
    product, services = await _found(shown), shown.services

    async def again(faults: Mapping[str, str]) -> web.Response:
        values = {name: str(product[name] or "") for name in FIELDS}
        return await _form(shown, 422, product, values, faults)

    status = shown.form.get("status", "")
    act = set_product_status(services.store, services.clock, shown.merchant_id, shown.mode, product["id"], status)
    return await done_or_refused(act, f"{HERE}/{product['id']}?done=status", again)


async def _put(shown: MerchantVisit, product: ProductDocument | None, values: dict[str, str]) -> web.StreamResponse:
    services, fields = shown.services, {name: text for name, text in values.items() if text}
    try:
        stored = await put_product(services.store, services.clock, shown.merchant_id, shown.mode, fields)
    except InvalidFields as invalid:
        return await _form(shown, 422, product, values, invalid.faults)
    except OperatorFault as fault:
        return await _form(shown, 422, product, values, {"": fault.reason})
    return see_other(f"{HERE}/{stored['id']}?done=saved")


def _typed(shown: MerchantVisit) -> dict[str, str]:
    return {name: shown.form.get(name, "").strip() for name in FIELDS}


async def _found(shown: MerchantVisit) -> ProductDocument:
    try:
        return await show_product(shown.services.store, shown.account_id, shown.path["product"])
    except OperatorFault:
        raise NotInAccount from None


async def _form(
    shown: MerchantVisit,
    status: int,
    product: ProductDocument | None,
    values: Mapping[str, Any],
    faults: Mapping[str, str],
) -> web.Response:
    services = shown.services
    campaigns = [
        (each.id, each.title)
        for each in await list_campaigns(services.store, services.clock, shown.merchant_id)
        if each.mode == shown.mode and each.status != "ARCHIVED"
    ]
    return shown.page(
        "merchant/product.html",
        status,
        product=product,
        values=values,
        campaigns=campaigns,
        statuses=STATUSES,
        other_texts=OTHER_TEXTS,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )
