"""The API's answers as classes; attribute names in snake_case are camelCase on the wire."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from hub.domain.words import (
    UploadKind,
    UploadStatus,
)
from hub.records.campaigns import CampaignRecord
from hub.records.products import ProductRecord
from hub.records.record import ABSENT

AcceptedStatus = Literal["RECEIVED", "DUPLICATE"]
QueuedStatus = Literal["QUEUED", "DUPLICATE"]


@frozen
class ErrorBody:
    """Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults.

    All but a 401 say more: a `code` to branch on, the first field that is wrong, where to read on, the request's id.
    """

    status_code: int
    message: str | list[str]
    error: str
    code: str | None = field(default=None, metadata=ABSENT)
    param: str | None = field(default=None, metadata=ABSENT)
    doc_url: str | None = field(default=None, metadata=ABSENT)
    request_id: str | None = field(default=None, metadata=ABSENT)


@frozen
class AcceptedEvent:
    """A conversion or order status is durable; `conversion_id` comes with a duplicate conversion."""

    event_id: str
    status: AcceptedStatus
    duplicate: bool
    conversion_id: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class WebhookAccepted:
    """A webhook is durable."""

    webhook_event_id: str
    status: QueuedStatus
    duplicate: bool
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ImportFault:
    """Why one item of an import was left out; `index` is its place in `products`, from 0."""

    index: int
    external_product_id: str | None
    message: str


@frozen
class ImportSummary:
    """What an import or upsert came to; `errors` tells of the first 100 items that failed."""

    received: int
    created: int
    updated: int
    failed: int
    errors: list[ImportFault]
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ProductList:
    """One page of products, newest first; `total` counts all that match."""

    data: list[ProductRecord]
    page: int
    page_size: int
    total: int
    next_cursor: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ArchiveResult:
    """How many of the named products are archived now, and which ids named none."""

    archived: int
    not_found: list[str]
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class CampaignList:
    """One page of campaigns, newest first; `total` counts all that match."""

    data: list[CampaignRecord]
    page: int
    page_size: int
    total: int
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class UploadRecord:
    """A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided."""

    upload_id: str
    kind: UploadKind
    dry_run: bool
    status: UploadStatus
    bytes: int
    bytes_read: int
    rows: int
    created: int
    updated: int
    duplicate: int
    failed: int
    ignored_columns: list[str]
    faults: list[str]
    created_at: str
    started_at: str | None
    finished_at: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)
