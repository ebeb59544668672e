"""Products: listed, shown, changed and archived."""

from __future__ import annotations

from typing import cast

import orjson

from hub.intake.inputs import ArchivePayload, ProductPatch, ProductQuery
from hub.intake.product_import import known_campaigns
from hub.intake.product_record import record_of, told, write_products
from hub.intake.products import Product, patched
from hub.intake.submission import Answer, Replayed
from hub.storage import Row, Tx
from hub.web.endpoint import Call
from hub.web.errors import invalid, not_found
from hub.web.responses import ArchiveResult, ProductList, ProductRecord, encode
from hub.web.v1.references import reference
from hub.web.writes import write_once


async def list_products(call: Call) -> Answer:
    """One page of the account's products; count and page are of the same moment."""
    query: ProductQuery = call.query
    if query.status is query.category is query.search is None:
        page = await call.services.store.look_up(
            "products_page", account_id=call.caller.account_id, limit=query.page_size, offset=query.offset
        )
        if page is not None and page["told"] == page["listed"]:
            return _page(query, f"[{page['records'] or ''}]", page["total"])
    return await _found(call, query)


async def _found(call: Call, query: ProductQuery) -> Answer:
    """A page product by product: of those that match, or where one has to be told anew."""
    pattern = None if query.search is None else _pattern(query.search)
    filters = {
        "account_id": call.caller.account_id, "status": query.status, "category": query.category, "pattern": pattern,
    }  # fmt: skip

    async def page(tx: Tx) -> tuple[Row | None, list[Row]]:
        total = await tx.one("products_count", **filters)
        return total, await tx.all("products_found", limit=query.page_size, offset=query.offset, **filters)

    total, rows = await call.services.store.view(page)
    records = ",".join([record_of(row) for row in rows])
    return _page(query, f"[{records}]", total["total"] if total else 0)


def _page(query: ProductQuery, records: str, total: int) -> Answer:
    """Records are kept as the JSON that a page is made of: nothing is written anew."""
    data = cast("list[ProductRecord]", orjson.Fragment(records))
    return Answer(200, encode(ProductList(data, query.page, query.page_size, total)))


async def get_product(call: Call) -> Answer:
    """One product, by our id or the merchant's."""
    named = reference(call, "id", "product")
    row = await call.services.store.look_up("product_named", account_id=call.caller.account_id, reference=named)
    if row is None:
        raise not_found("product")
    return Answer(200, record_of(row).encode())


async def patch_product(call: Call) -> Answer | Replayed:
    """Changes the fields given."""
    patch: ProductPatch = call.body
    named = reference(call, "id", "product")
    account_id = call.caller.account_id

    async def change(tx: Tx) -> Answer:
        await tx.lock_orders([(account_id, "catalog")])
        stored = await _find(tx, account_id, named)
        product = patched(stored, patch, call.received_at)
        wanted = {patch.campaign_id}
        if patch.campaign_id is not None and not await known_campaigns(tx, account_id, wanted):
            raise invalid(["`campaignId` must be a campaign of this account"])
        if not product.differs_from(stored):
            return Answer(200, encode(told(stored)))
        await write_products(tx, [(product, stored)])
        return Answer(200, encode(told(product)))

    return await write_once(call, change)


async def archive_products(call: Call) -> Answer | Replayed:
    """Archives the products named, each by our id or the merchant's."""
    payload: ArchivePayload = call.body
    account_id = call.caller.account_id
    references = list(dict.fromkeys(payload.product_ids))

    async def archive(tx: Tx) -> Answer:
        await tx.lock_orders([(account_id, "catalog")])
        rows = await tx.all("products_named", account_id=account_id, references=references)
        by_reference = {row["external_product_id"]: row["product_id"] for row in rows}
        by_reference |= {row["product_id"]: row["product_id"] for row in rows}  # our id wins
        ids = sorted({by_reference[each] for each in references if each in by_reference})
        if ids:
            await tx.run("archive_products", account_id=account_id, ids=ids, now=call.received_at)
        missing = [each for each in references if each not in by_reference]
        return Answer(200, encode(ArchiveResult(len(ids), missing)))

    return await write_once(call, archive)


async def _find(tx: Tx, account_id: str, named: str) -> Product:
    row = await tx.one("product_named", account_id=account_id, reference=named)
    if row is None:
        raise not_found("product")
    return Product.from_row(row)


def _pattern(search: str) -> str:
    """A LIKE pattern that finds the text as it is, in any case."""
    plain = search.casefold().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{plain}%"
