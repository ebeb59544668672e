"""Products as their merchant sees and changes them beside the API, under the same rules."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from attrs import evolve

from hub.catalog.import_products import ProductImport
from hub.catalog.product import Product, patched
from hub.catalog.product_json import product_document, stored_json
from hub.catalog.write_products import write_products
from hub.clock import Clock
from hub.operations.campaigns.campaign_changes import fields_of
from hub.operations.errors import known
from hub.operations.list_filters import searching
from hub.operations.lists import List, Page, Wanted, every, read
from hub.operations.references import account_of
from hub.operations.trail import current_actor, note_act
from hub.storage import Row, Store, Tx, pick_record
from hub.validation.inputs import MerchantTerms, ProductInput, ProductPatch
from hub.validation.validate import Invalid, validate

ProductDocument = dict[str, Any]
"""A product as the API returns it."""
PRODUCTS: Final = List("products")


async def products_part(store: Store, account_id: str, wanted: Wanted) -> Page[ProductDocument]:
    """Return a part of an account's products, newest first; raise `CursorFault`."""
    return (await stored_products(store, account_id, wanted)).of(json.loads)


async def stored_products(store: Store, account_id: str, wanted: Wanted) -> Page[str]:
    """Return the same part as the JSON of each product."""
    found = await read(store, PRODUCTS, _folded(wanted), {"account_id": account_id})
    return found.of(stored_json)


def product_cursor(number: int) -> str:
    """Return the cursor of the part of the list that begins behind the product of this number."""
    return PRODUCTS.cursor(Wanted(), "older", [number])


async def list_products(store: Store, account_id: str, wanted: Wanted) -> list[ProductDocument]:
    """Return all of an account's products that match, newest first."""
    rows = every(store, PRODUCTS, _folded(wanted), {"account_id": account_id})
    return [json.loads(stored_json(row)) async for row in rows]


async def every_product(store: Store, account_id: str, status: str) -> AsyncIterator[ProductDocument]:
    """Yield an account's products in a status, newest first, as they are read."""
    async for row in every(store, PRODUCTS, Wanted({"status": status}), {"account_id": account_id}):
        yield json.loads(stored_json(row))


def _folded(wanted: Wanted) -> Wanted:
    """Return what is wanted with its search as the catalogue folds names."""
    text = wanted.filters.get("search")
    return (
        wanted
        if text is None
        else searching(evolve(wanted, filters={**wanted.filters, "search": str(text).casefold()}))
    )


async def show_product(store: Store, account_id: str, reference: str) -> ProductDocument:
    """Return a product by the hub's id or the merchant's; raise `OperatorFault` if the account has none."""
    async with store.read() as tx:
        return product_document(await _stored(tx, account_id, reference))


async def put_product(
    store: Store, clock: Clock, merchant: str, mode: str, fields: Mapping[str, Any]
) -> ProductDocument:
    """Create a product, or replace the whole one with the same `externalProductId`, as an import of one does.

    Raise `InvalidFields` for what cannot be used, and `OperatorFault` if the merchant is unknown.
    """
    now = clock()
    async with store.write() as tx:
        account = await account_of(tx, merchant, mode)
        terms = _terms(account)
        try:
            given = validate(ProductInput, dict(fields), terms, strict=True).value
        except Invalid as invalid:
            raise fields_of(invalid) from None
        before = await _found(tx, account["account_id"], given.external_product_id)
        (item,) = await ProductImport(
            account["account_id"], terms, now, keeps_omitted=False, changed_by=current_actor().id
        ).write(tx, [given])
        if item.faults:
            raise fields_of(Invalid(list(item.faults)))
        return await _noted(tx, now, account["account_id"], given.external_product_id, before)


async def set_product_status(
    store: Store, clock: Clock, merchant: str, mode: str, reference: str, status: str
) -> ProductDocument:
    """Give a product a status: ACTIVE, INACTIVE, OUT_OF_STOCK or ARCHIVED; raise `OperatorFault` if it is unknown."""
    now = clock()
    async with store.write() as tx:
        account = await account_of(tx, merchant, mode)
        account_id = account["account_id"]
        await tx.lock_catalogs([account_id])
        stored = await _stored(tx, account_id, reference)
        try:
            patch = validate(ProductPatch, {"status": status}, _terms(account)).value
        except Invalid as invalid:
            raise fields_of(invalid) from None
        product = patched(stored, patch, now)
        if product.differs_from(stored):
            await write_products(tx, [(product, stored)], current_actor().id)
        return await _noted(tx, now, account_id, stored.product_id, product_document(stored))


async def _noted(tx: Tx, now: int, account_id: str, reference: str, before: ProductDocument | None) -> ProductDocument:
    after = product_document(await _stored(tx, account_id, reference))
    act = "product.created" if before is None else "product.updated"
    if after != before:
        await note_act(tx, now, act, after["id"], before=before, after=after)
    return after


async def _found(tx: Tx, account_id: str, reference: str) -> ProductDocument | None:
    row = await tx.one("product_named", account_id=account_id, reference=reference)
    return None if row is None else product_document(pick_record(Product, row))


async def _stored(tx: Tx, account_id: str, reference: str) -> Product:
    found = await tx.one("product_named", account_id=account_id, reference=reference)
    advice = "`hub product list` shows them, and mind the mode."
    return pick_record(Product, known(found, "product of this account", reference, command=advice))


def _terms(account: Row) -> MerchantTerms:
    return MerchantTerms(currency=account["currency"], domains=tuple(json.loads(account["domains"])))
