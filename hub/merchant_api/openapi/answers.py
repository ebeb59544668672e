"""Notes on every member of every response class, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.merchant_api import responses as r
from hub.merchant_api.openapi.list_answers import LIST_NOTES
from hub.merchant_api.openapi.report_answers import REPORT_NOTES
from hub.records.record import Member, Note, Shown


def member_note(shown: Shown, member: Member) -> Note:
    """Return the note on a member; an empty one if nobody wrote any (a test finds those)."""
    if member.note.text:
        return member.note
    own = NOTES.get(shown, {}) if isinstance(shown, type) else {}
    note = own.get(member.wire) or EVERYWHERE.get(member.wire)
    if note is not None:
        text, form = note if isinstance(note, tuple) else (note, "")
        return Note(text, format=form)
    return member.note


MOMENT: Final = "date-time"
EVERYWHERE: Final[Mapping[str, str]] = {
    "warnings": "What was ignored because its name is unknown, and what it looks like; only if something was.",
}
DUPLICATE: Final = "Whether the same thing was accepted before; nothing happens twice."
PAGING: Final = {
    "data": "The records of this page, newest first.",
    "page": "The page, from 1.",
    "pageSize": "Records per page.",
    "total": "How many records match in all.",
}

NOTES: Final[Mapping[type, Mapping[str, str | tuple[str, str]]]] = {
    r.ErrorBody: {
        "statusCode": "The HTTP status once more.",
        "message": "What is wrong: every fault of the input at once as an array, anything else as one string.",
        "error": "The status's reason phrase.",
        "code": "What is wrong, in a word to branch on: the errorCode of the request log. Not in a 401.",
        "param": "The first field, parameter or header that is wrong; only if one is.",
        "docUrl": "The page that explains the code.",
        "requestId": "The id of the request, as in X-Request-ID.",
    },
    r.AcceptedEvent: {
        "eventId": "Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id.",
        "status": "RECEIVED, or DUPLICATE for what was accepted before. Both are a success.",
        "duplicate": DUPLICATE,
        "conversionId": "The conversion that exists already; only in the answer to a duplicate conversion.",
    },
    r.WebhookAccepted: {
        "webhookEventId": "Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id.",
        "status": "QUEUED, or DUPLICATE for what was accepted before. Both are a success.",
        "duplicate": DUPLICATE,
    },
    r.ImportFault: {
        "index": "The item's place in `products`, from 0.",
        "externalProductId": "The item's id as it was sent; null where it was no string.",
        "message": "What is wrong with the item.",
    },
    r.ImportSummary: {
        "received": "Items in the payload.",
        "created": "Items that are new products.",
        "updated": "Items that were known products.",
        "failed": "Items that were left out.",
        "errors": "Why items failed: the first 100.",
    },
    r.ProductList: {**PAGING, "nextCursor": "The `cursor` of the next page; only if there is one."},
    r.ArchiveResult: {
        "archived": "How many of the named products are archived now.",
        "notFound": "The ids that name no product.",
    },
    r.CampaignList: PAGING,
    r.UploadRecord: {
        "uploadId": "Ask GET /v1/uploads/{id} for it.",
        "kind": "What its rows are.",
        "dryRun": "Whether its rows are only judged.",
        "status": "QUEUED, RUNNING, DONE, or REFUSED: the file as a whole cannot be read.",
        "bytes": "The file's size.",
        "bytesRead": "How much of it is decided.",
        "rows": "Rows that are decided.",
        "created": "Rows that brought something new.",
        "updated": "Rows that changed a known product.",
        "duplicate": "Rows that said what was known.",
        "failed": "Rows that were left out; the verdicts say why.",
        "ignoredColumns": "Columns that mean nothing here.",
        "faults": "Why the file was refused.",
        "createdAt": ("When it came in.", MOMENT),
        "startedAt": ("When its turn came; null until then.", MOMENT),
        "finishedAt": ("When its last row was decided; null until then.", MOMENT),
    },
    **LIST_NOTES,
    **REPORT_NOTES,
}
