"""Accept CSV files, which are applied in the background, and show how far one is and what became of each row."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from attrs import frozen

from hub.csv_import.job import SPOOL, Upload, new_upload
from hub.csv_import.job_store import Quota, find, held_by, insert
from hub.csv_import.verdict_file import COLUMNS
from hub.http.errors import ApiError, not_found
from hub.http.response import CSV, FileBeginning, Reply
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.writes import write_once
from hub.records.wire import encode
from hub.storage import Tx
from hub.validation.constraints import Choice

NOTHING_DECIDED: Final = f"{','.join(COLUMNS)}\n".encode()


@frozen(kw_only=True, slots=False)
class UploadQuery:
    """The query of POST /v1/uploads/{kind}."""

    dry_run: Annotated[
        str,
        Choice(
            ("true", "false"),
            description="true: every row is judged, nothing is applied.",
            example="true",
        ),
    ] = "false"


async def take_upload(call: Call) -> Answer | Replayed:
    """Queue the file that was received; it is applied when its turn comes."""
    file = call.file
    if file is None:
        raise TypeError("an upload has a file")
    upload = new_upload(
        call.caller.account_id,
        call.endpoint.path.rpartition("/")[2],
        dry_run=call.query.dry_run == "true",
        source=SPOOL,
        size=file.size,
        sha256=file.sha256,
        now=call.received_at,
        upload_id=file.upload_id,
    )
    await asyncio.to_thread(file.settle)

    async def enter_upload(tx: Tx) -> Answer:
        _check_quota(call.services.upload_quota, await held_by(tx, upload.account_id), upload.size)
        await insert(tx, upload)
        return Answer(202, encode(upload.document()))

    outcome = await write_once(call, enter_upload)
    if isinstance(outcome, Answer):
        file.keep()
        call.services.uploads.wake()
    return outcome


def _check_quota(quota: Quota, held: Quota, size: int) -> None:
    """Raise the refusal of a file that is one too many, or too large beside what the account has."""
    if held.waiting >= quota.waiting:
        message = f"{held.waiting} files of this account wait to be applied; wait as long as Retry-After says."
        raise ApiError(429, message, "too_many_uploads", headers={"Retry-After": "60"})
    if held.bytes + size > quota.bytes:
        message = (
            f"The files and verdict files of this account may have {quota.bytes:,} bytes together, and it has"
            f" {held.bytes:,}. Send less, or wait until files are applied and old verdict files are deleted."
        )
        raise ApiError(413, message, "upload_quota_exceeded")


async def get_upload(call: Call) -> Answer:
    """Return how far an upload is."""
    return Answer(200, encode((await _find(call)).document()))


async def get_verdicts(call: Call) -> Reply:
    """Return what became of the rows that are decided so far, as a CSV file."""
    upload = await _find(call)
    headers = {
        "Content-Disposition": f'attachment; filename="{upload.upload_id}.verdicts.csv"',
        "X-Content-Type-Options": "nosniff",
    }
    if not upload.verdict_bytes:
        return Reply(200, NOTHING_DECIDED, headers, content_type=CSV)
    path = call.services.spool.verdicts(upload.upload_id)
    if not await asyncio.to_thread(path.is_file):
        raise not_found("verdict file on this server")
    return Reply(200, FileBeginning(path, upload.verdict_bytes), headers, content_type=CSV)


async def _find(call: Call) -> Upload:
    upload = await find(call.services.store, call.caller.account_id, call.reference("id", "upload"))
    if upload is None:
        raise not_found("upload")
    return upload
