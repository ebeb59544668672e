"""Products: listed, shown, changed and archived."""

from __future__ import annotations

from typing import cast

from hub.intake.inputs import ArchivePayload, ProductPatch, ProductQuery
from hub.intake.product_import import known_campaigns
from hub.intake.products import Product, patched
from hub.intake.submission import Answer, Replayed
from hub.storage import Row, Tx
from hub.web.endpoint import Call
from hub.web.errors import invalid, not_found
from hub.web.responses import ArchiveResult, ProductList, ProductRecord, encode
from hub.web.v1.product_rows import product_record, told
from hub.web.v1.references import reference
from hub.web.writes import write_once


async def list_products(call: Call) -> Answer:
    """One page of the account's products; count and page are of the same moment."""
    query: ProductQuery = call.query
    account_id = call.caller.account_id
    pattern = None if query.search is None else _pattern(query.search)
    filters = {"account_id": account_id, "status": query.status, "category": query.category, "pattern": pattern}

    async def page(tx: Tx) -> tuple[Row | None, list[Row]]:
        if query.status is query.category is pattern is None:
            total = await tx.one("products_total", account_id=account_id)
        else:
            total = await tx.one("products_count", **filters)
        return total, await tx.all("products_page", limit=query.page_size, offset=query.offset, **filters)

    total, rows = await call.services.store.view(page)
    records = cast("list[ProductRecord]", [product_record(row) for row in rows])
    return Answer(200, encode(ProductList(records, query.page, query.page_size, total["total"] if total else 0)))


async def get_product(call: Call) -> Answer:
    """One product, by our id or the merchant's."""
    named = reference(call, "id", "product")
    row = await call.services.store.look_up("product_named", account_id=call.caller.account_id, reference=named)
    if row is None:
        raise not_found("product")
    return Answer(200, encode(product_record(row)))


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
        await tx.run("write_products", products=[product.to_row()])
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
