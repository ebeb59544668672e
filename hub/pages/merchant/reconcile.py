"""/merchant/reconcile: the shop's own list of orders compared with the hub's; one press sends what is missing.

Nothing is kept between the comparison and the press: the rows of the missing orders go out with the page, and come back
with its form. If they are too many for a form, the file is chosen once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.missing_orders import Compared, compare_file, send_missing
from hub.pages.file_forms import FileFormFault, FileTooLarge, FormFile
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.uploads import UploadDocument

HERE: Final = "/merchant/reconcile"
MOST_BYTES: Final = 32 * 1024 * 1024
MOST_SENT_BACK: Final = 20_000
"""Characters of rows that go out with the page; a form may have 64 KiB, and each may need three bytes there."""
SHOWN: Final = 100
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form."""
    return _page(shown, 200, {})


@PAGES.post(HERE, takes_file=True)
async def compare(shown: MerchantVisit) -> web.StreamResponse:
    """Show what a file and the hub say differently, or send what is missing if the form says so."""
    file = shown.visit.file
    if file is None or not file.name:
        return _page(shown, 422, {"file": "Choose a CSV file."})
    try:
        found = await _compared(shown, file)
        if "send" in shown.form and found.missing:
            return _sent(shown, await send_missing(shown.services.files, shown.account_id, found.missing))
    except OperatorFault as fault:
        return _page(shown, 422, {"file": fault.reason})
    return _page(shown, 200, {}, found)


@PAGES.post(f"{HERE}/send")
async def send(shown: MerchantVisit) -> web.StreamResponse:
    """Send the missing orders that the page of the comparison had."""
    try:
        return _sent(shown, await send_missing(shown.services.files, shown.account_id, shown.form.get("rows", "")))
    except OperatorFault as fault:
        return _page(shown, 422, {"file": fault.reason})


async def _compared(shown: MerchantVisit, file: FormFile) -> Compared:
    most = min(MOST_BYTES, file.most_bytes)
    bounded = FormFile(file.part, most, file.seconds)
    try:
        return await compare_file(shown.services.store, bounded.blocks(), shown.merchant_id, shown.mode)
    except FileTooLarge:
        raise OperatorFault(f"The file is larger than {most >> 20:,} MiB; split it by date.") from None
    except FileFormFault:
        raise OperatorFault("The upload was cut off. Send the file again.") from None


def _sent(shown: MerchantVisit, upload: UploadDocument) -> web.Response:
    shown.services.uploads.wake()
    return see_other(f"/merchant/uploads/{upload.upload_id}")


def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str], found: Compared | None = None) -> web.Response:
    document = None if found is None else found.document
    differences = () if document is None else (
        ("Missing here", "The hub has no such order.", document["missing"], document["missingOrders"][:SHOWN]),
        ("Another amount", "The hub has a different amount.", document["amountDiffers"], document["amounts"][:SHOWN]),
        ("Another status", "The hub does not have this status.", document["statusDiffers"],
         document["statuses"][:SHOWN]),
        ("Only here", "The file does not have it, although it has orders before and after it.", document["extra"],
         document["extraOrders"][:SHOWN]),
    )  # fmt: skip
    rows = "" if found is None else found.missing
    return shown.page(
        "merchant/reconcile.html",
        status,
        document=document,
        differences=differences,
        rows=rows if len(rows) <= MOST_SENT_BACK else "",
        faults=faults,
    )
