"""What operators read beside orders: figures of the network, and a merchant's clicks, products and files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_CAMPAIGN, PAGED, Fields, choice, instant, text
from hub.csv_import.job import Upload
from hub.domain.words import PRODUCT_STATUSES
from hub.http.response import CSV, Lines
from hub.merchant_api.bearer import require_scope
from hub.merchant_api.endpoint import CsvFile
from hub.operations.affiliates.link_lists import account_clicks
from hub.operations.campaigns.products import products_part
from hub.operations.figures.figures import chosen_period, day_date, figures_document
from hub.operations.figures.network_figures import QUERIES, network_breakdown, network_days
from hub.operations.files.exports import export
from hub.operations.files.submit_to_server import UPLOADS
from hub.operations.lists import read
from hub.operations.references import account_id_of
from hub.records.clicks import ClickRecord
from hub.records.figures import FiguresOf
from hub.records.products import LISTED_PRODUCT
from hub.records.uploads import UploadDocument

USUAL_DAYS: Final = 30
MOST_LINES: Final = 5_000
DIMENSIONS: Final = ("day", *QUERIES)
PERIOD: Final[Fields] = {
    "from": text("The first day, UTC, like 2026-11-01.", "2026-11-01", 10),
    "to": text("The last day, UTC, like 2026-11-30.", "2026-11-30", 10),
}

EXPORT_SCOPES: Final = {
    "conversions": ("orders:read",),
    "commissions": ("orders:read", "affiliates:read"),
    "products": ("products:read",),
    "request-log": ("merchants:read",),
}
"""What can be exported, and the scopes that a token needs for it, all of them."""
CLICKED: Final[Fields] = {
    "createdFrom": instant("Only what happened at or after this moment."),
    "createdTo": instant("Only what happened before this moment."),
}


async def _report(c: Call) -> Any:
    q = c.query
    period = chosen_period(q.get("from", ""), q.get("to", ""), USUAL_DAYS, c.clock())
    mode, by = q.get("mode", "live"), q.get("by", "day")
    if by == "day":
        days = await network_days(c.store, mode, period)
        lines = [{"id": day_date(int(each.id)).isoformat(), "name": None, **figures_document(each)} for each in days]
    else:
        found = await network_breakdown(c.store, mode, period, by, MOST_LINES)
        lines = [{"id": each.id or None, "name": each.name or None, **figures_document(each)} for each in found]
    return {"data": lines, "nextCursor": None}


async def _products(c: Call) -> Any:
    account_id = await account_id_of(c.store, c.path["merchant"], c.query.get("mode", "live"))
    return answer(await products_part(c.store, account_id, wanted_of(c, "status", "search")))


async def _clicks(c: Call) -> Any:
    account_id = await account_id_of(c.store, c.path["merchant"], c.query.get("mode", "live"))
    wanted = wanted_of(c, "affiliate_id", "campaign_id", "created_from", "created_to", code="link_code")
    return answer(await account_clicks(c.store, account_id, wanted))


async def _uploads(c: Call) -> Any:
    account_id = await account_id_of(c.store, c.path["merchant"], c.query.get("mode", "live"))
    found = await read(c.store, UPLOADS, wanted_of(c), {"account_id": account_id})
    return answer(found.of(lambda row: Upload.from_row(row).document()))


async def _export(c: Call) -> Lines:
    what = c.query.get("of", "conversions")
    for scope in EXPORT_SCOPES[what]:
        require_scope(c.scopes, (scope,))
    blocks = export(c.store, what, c.path["merchant"], c.query.get("mode", "live"))
    header = await anext(blocks)  # which finds out whether there is such a merchant, while a refusal can be answered

    async def lines() -> AsyncIterator[bytes]:
        yield header.text.encode()
        async for block in blocks:
            yield block.text.encode()

    return Lines(lines(), CSV)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/reports", "getReport"), "Report clicks, orders and commissions of all merchants", _report,
        ListOfEntries(FiguresOf), query={"by": choice("A line for each of these.", *DIMENSIONS), "mode": MODE,
                                         **PERIOD}),
    Act(get("/merchants/{merchant}/products", "listProducts"), "List a merchant's products, newest first", _products,
        ListOfEntries(LISTED_PRODUCT),
        query={"mode": MODE, "status": choice("In this status.", *PRODUCT_STATUSES),
               "search": text("In name, id or brand.", "shoe"), **PAGED}),
    Act(get("/merchants/{merchant}/clicks", "listClicks"), "List clicks on a merchant's links, newest first", _clicks,
        ListOfEntries(ClickRecord),
        query={"mode": MODE, "affiliateId": OF_AFFILIATE, "campaignId": OF_CAMPAIGN,
               "linkCode": text("On this link.", "x7Qp2mKd91Za"), **CLICKED, **PAGED}),
    Act(get("/merchants/{merchant}/export", "exportRecords"), "Export a merchant's records as CSV, oldest first",
        _export, CsvFile, query={"of": choice("Which records.", *EXPORT_SCOPES), "mode": MODE},
        scopes=tuple(dict.fromkeys(needed[0] for needed in EXPORT_SCOPES.values()))),
    Act(get("/merchants/{merchant}/uploads", "listUploads"), "List a merchant's files, newest first", _uploads,
        ListOfEntries(UploadDocument), query={"mode": MODE, **PAGED}),
)  # fmt: skip
