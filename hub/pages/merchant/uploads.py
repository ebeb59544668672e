"""/merchant/uploads: CSV files of products, orders and statuses, with a dry run, progress and results by row."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Final

from aiohttp import web

from hub.csv_import.kinds import KINDS
from hub.csv_import.templates import template
from hub.operations.errors import OperatorFault
from hub.operations.files.page_uploads import failed_rows, list_uploads, results_of, show_upload, take_file
from hub.operations.files.submit_to_server import UPLOADS
from hub.pages.file_forms import FileFormFault, FileTooLarge
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.records.uploads import NamedUpload

HERE: Final = "/merchant/uploads"
TEMPLATE: Final = "/merchant/csv-template"
CSV: Final = "text/csv; charset=utf-8"
WORDS: Final = {"products": "Products", "orders": "Orders", "statuses": "Order statuses"}
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE, takes_file=True)
async def take(shown: MerchantVisit) -> web.StreamResponse:
    """Take a file, and lead on to its progress."""
    file, services = shown.visit.file, shown.services
    if file is None or not file.name:
        return await show(shown, 422, {"file": "Choose a CSV file."})
    kind, dry_run = shown.form.get("kind", ""), shown.form.get("dry") == "1"
    try:
        taken = await take_file(services.files, shown.account_id, kind, file.blocks(), dry_run=dry_run, name=file.name)
    except OperatorFault as fault:
        return await show(shown, 422, {"file": fault.reason})
    except FileTooLarge:
        most = file.most_bytes >> 20
        return await show(shown, 413, {"file": f"The file is larger than {most:,} MiB; split it."})
    except FileFormFault:
        return await show(shown, 422, {"file": "The upload was cut off. Send the file again."})
    services.uploads.wake()
    return see_other(f"{HERE}/{taken.upload_id}")


@PAGES.get(f"{HERE}/{{upload}}")
async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show how far a file is, and the rows that failed."""
    upload = await _found(shown)
    rows = await failed_rows(shown.services.files, shown.account_id, upload.upload_id)
    ended = upload.status in ("DONE", "REFUSED")
    share = 100 if ended else upload.bytes_read * 100 // max(upload.bytes, 1)
    return shown.page("merchant/upload.html", upload=upload, rows=rows, ended=ended, share=share, words=WORDS)


@PAGES.get(f"{HERE}/{{upload}}/results")
async def send_results(shown: MerchantVisit) -> web.StreamResponse:
    """Send what became of each row as a CSV file."""
    upload = await _found(shown)
    content = results_of(shown.services.files, shown.account_id, upload.upload_id)
    return _file(content, f"{upload.upload_id}.results.csv")


@PAGES.get(TEMPLATE)
async def send_template(shown: MerchantVisit) -> web.StreamResponse:
    """Send an example of a kind of file, with every column."""
    kind = KINDS.get(shown.query.get("kind", "products"))
    if kind is None:
        raise NotInAccount
    return _file(template(kind).encode(), f"{kind.name}.csv")


def _file(content: bytes | AsyncIterator[bytes], name: str) -> web.Response:
    headers = {**HEADERS, "Content-Type": CSV, "Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=content, headers=headers)


async def _found(shown: MerchantVisit) -> NamedUpload:
    upload = await show_upload(shown.services.files, shown.account_id, shown.path["upload"])
    if upload is None:
        raise NotInAccount
    return upload


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the form, and what was uploaded lately."""
    found = await list_uploads(shown.services.files, shown.account_id, wanted_of(shown.visit, UPLOADS))
    older, newer = beside(HERE, found, {})
    return shown.page(
        "merchant/uploads.html",
        status,
        uploads=found.entries,
        older=older,
        newer=newer,
        words=WORDS,
        chosen=shown.form.get("kind", shown.query.get("kind", "products")),
        faults=faults,
    )
