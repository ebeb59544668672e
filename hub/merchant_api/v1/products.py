"""List, show, change and archive products."""

from __future__ import annotations

from typing import Any

import orjson

from hub.catalog.import_products import known_campaigns
from hub.catalog.product import Product, patched
from hub.catalog.product_json import product_json, stored_json
from hub.catalog.write_products import write_products
from hub.http.errors import invalid, not_found
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.responses import ArchiveResult
from hub.merchant_api.v1.reading import bad_cursor
from hub.merchant_api.writes import write_once
from hub.operations.campaigns.products import product_cursor, stored_products
from hub.operations.lists import CursorFault, Wanted
from hub.records.wire import encode
from hub.storage import Tx, pick_record
from hub.validation.inputs import ArchivePayload, ProductPatch, ProductQuery


async def list_products(call: Call) -> Answer:
    """Return one page of the account's products; count and page are of the same moment.

    Pages by number shift when a product is added meanwhile; those by cursor neither repeat nor drop one.
    """
    query: ProductQuery = call.query
    if query.cursor is not None:
        return await _page_behind(call, query)
    if query.status is query.category is query.search is None:
        page = await call.services.store.fetch_one(
            "products_page", account_id=call.caller.account_id, limit=query.page_size, offset=query.offset
        )
        if page is not None and page["recorded"] == page["listed"]:
            last = page["total"] - query.offset - page["listed"] + 1  # numbers have no gaps
            return _page(query, page["records"] or "", page["total"], last if last > 1 else None)
    return await _filtered_page(call, query)


async def _page_behind(call: Call, query: ProductQuery) -> Answer:
    """Return the page behind a cursor; raise the 400 of a cursor that the list did not hand out."""
    filters = {"status": query.status, "category": query.category, "search": query.search}
    wanted = Wanted(filters, query.page_size, query.cursor)
    try:
        found = await stored_products(call.services.store, call.caller.account_id, wanted)
    except CursorFault:
        raise bad_cursor() from None
    total = await call.services.store.fetch_one("products_count", **_filters(call, query))
    body = _body(query, ",".join(found.entries), total["total"] if total else 0)
    return Answer(200, orjson.dumps(body if found.older is None else {**body, "nextCursor": found.older}))


async def _filtered_page(call: Call, query: ProductQuery) -> Answer:
    """Return a page product by product: if the query filters, or a stored record has to be made anew."""
    filters = _filters(call, query)
    async with call.services.store.read() as tx:
        total = await tx.one("products_count", **filters)
        rows = await tx.all("products_found", limit=query.page_size, offset=query.offset, **filters)
    records, matched = ",".join([stored_json(row) for row in rows]), total["total"] if total else 0
    return _page(query, records, matched, rows[-1]["number"] if rows and query.offset + len(rows) < matched else None)


def _filters(call: Call, query: ProductQuery) -> dict[str, str | None]:
    pattern = None if query.search is None else _pattern(query.search)
    return {
        "account_id": call.caller.account_id, "status": query.status, "category": query.category, "pattern": pattern,
    }  # fmt: skip


def _page(query: ProductQuery, records: str, total: int, last: int | None) -> Answer:
    """Return a page of records, which are stored as the JSON that a page is made of.

    `last` is the number of its last product if others follow.
    """
    body = _body(query, records, total)
    return Answer(200, orjson.dumps(body if last is None else {**body, "nextCursor": product_cursor(last)}))


def _body(query: ProductQuery, records: str, total: int) -> dict[str, Any]:
    data = orjson.Fragment(f"[{records}]")
    return {"data": data, "page": query.page, "pageSize": query.page_size, "total": total}


async def get_product(call: Call) -> Answer:
    """Return one product, by our id or the merchant's."""
    product_reference = call.reference("id", "product")
    row = await call.services.store.fetch_one(
        "product_named", account_id=call.caller.account_id, reference=product_reference
    )
    if row is None:
        raise not_found("product")
    return Answer(200, stored_json(row).encode())


async def patch_product(call: Call) -> Answer | Replayed:
    """Change the fields given."""
    patch: ProductPatch = call.body
    product_reference = call.reference("id", "product")
    account_id = call.caller.account_id

    async def change(tx: Tx) -> Answer:
        await tx.lock_catalogs([account_id])
        stored = await _find(tx, account_id, product_reference)
        product = patched(stored, patch, call.received_at)
        if patch.campaign_id is not None and not await known_campaigns(tx, account_id, {patch.campaign_id}):
            raise invalid(["`campaignId` must be a campaign of this account"])
        if not product.differs_from(stored):
            return Answer(200, product_json(stored).encode())
        await write_products(tx, [(product, stored)], call.caller.key_id or "")
        return Answer(200, product_json(product).encode())

    return await write_once(call, change)


async def archive_products(call: Call) -> Answer | Replayed:
    """Archive the products named, each by our id or the merchant's."""
    payload: ArchivePayload = call.body
    account_id = call.caller.account_id
    references = list(dict.fromkeys(payload.product_ids))

    async def archive(tx: Tx) -> Answer:
        await tx.lock_catalogs([account_id])
        rows = await tx.all("products_named", account_id=account_id, references=references)
        by_reference = {row["external_product_id"]: row["product_id"] for row in rows}
        by_reference |= {row["product_id"]: row["product_id"] for row in rows}  # our id wins
        ids = sorted({by_reference[each] for each in references if each in by_reference})
        if ids:
            await tx.run("archive_products", account_id=account_id, ids=ids, now=call.received_at)
        missing = [each for each in references if each not in by_reference]
        return Answer(200, encode(ArchiveResult(len(ids), missing)))

    return await write_once(call, archive)


async def _find(tx: Tx, account_id: str, product_reference: str) -> Product:
    row = await tx.one("product_named", account_id=account_id, reference=product_reference)
    if row is None:
        raise not_found("product")
    return pick_record(Product, row)


def _pattern(search: str) -> str:
    """Return a LIKE pattern that finds the text literally, in upper or lower case."""
    escaped = search.casefold().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"
