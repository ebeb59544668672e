"""The API's answers as classes, beside those of `hub/records`; names in snake_case are camelCase on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from attrs import field, frozen

from hub.domain.changes import ChangeType
from hub.records.campaigns import CampaignRecord
from hub.records.messages import MessageType
from hub.records.products import ProductRecord
from hub.records.record import ABSENT, Note, Warnings
from hub.validation.constraints import Instant

AcceptedStatus = Literal["RECEIVED", "DUPLICATE"]
QueuedStatus = Literal["QUEUED", "DUPLICATE"]
EventId = Annotated[str, Note("Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id.")]
Duplicate = Annotated[bool, Note("Whether the same thing was accepted before; nothing happens twice.")]
PageNumber = Annotated[int, Note("The page, from 1.")]
PageSize = Annotated[int, Note("Records per page.")]
Total = Annotated[int, Note("How many records match in all.")]


@frozen
class ErrorBody:
    """Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults.

    All but a 401 say more: a `code` to branch on, the first field that is wrong, where to read on, the request's id.
    """

    status_code: Annotated[int, Note("The HTTP status once more.")]
    message: Annotated[
        str | list[str],
        Note("What is wrong: every fault of the input at once as an array, anything else as one string."),
    ]
    error: Annotated[str, Note("The status's reason phrase.")]
    code: Annotated[
        str | None,
        Note("What is wrong, in a word to branch on: the errorCode of the request log. Not in a 401."),
    ] = field(default=None, metadata=ABSENT)
    param: Annotated[str | None, Note("The first field, parameter or header that is wrong; only if one is.")] = field(
        default=None, metadata=ABSENT
    )
    doc_url: Annotated[str | None, Note("The page that explains the code.")] = field(default=None, metadata=ABSENT)
    request_id: Annotated[str | None, Note("The id of the request, as in X-Request-ID.")] = field(
        default=None, metadata=ABSENT
    )


@frozen
class AcceptedEvent:
    """A conversion or order status is durable; `conversion_id` comes with a duplicate conversion."""

    event_id: EventId
    status: Annotated[AcceptedStatus, Note("RECEIVED, or DUPLICATE for what was accepted before. Both are a success.")]
    duplicate: Duplicate
    conversion_id: Annotated[
        str | None, Note("The conversion that exists already; only in the answer to a duplicate conversion.")
    ] = field(default=None, metadata=ABSENT)
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class WebhookAccepted:
    """A webhook is durable."""

    webhook_event_id: EventId
    status: Annotated[QueuedStatus, Note("QUEUED, or DUPLICATE for what was accepted before. Both are a success.")]
    duplicate: Duplicate
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class ImportFault:
    """Why one item of an import was left out; `index` is its place in `products`, from 0."""

    index: Annotated[int, Note("The item's place in `products`, from 0.")]
    external_product_id: Annotated[str | None, Note("The item's id as it was sent; null where it was no string.")]
    message: Annotated[str, Note("What is wrong with the item.")]


@frozen
class ImportSummary:
    """What an import or upsert came to; `errors` tells of the first 100 items that failed."""

    received: Annotated[int, Note("Items in the payload.")]
    created: Annotated[int, Note("Items that are new products.")]
    updated: Annotated[int, Note("Items that were known products.")]
    failed: Annotated[int, Note("Items that were left out.")]
    errors: Annotated[list[ImportFault], Note("Why items failed: the first 100.")]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class ProductList:
    """One page of products, newest first; `total` counts all that match."""

    data: Annotated[list[ProductRecord], Note("The records of this page, newest first.")]
    page: PageNumber
    page_size: PageSize
    total: Total
    next_cursor: Annotated[str | None, Note("The `cursor` of the next page; only if there is one.")] = field(
        default=None, metadata=ABSENT
    )
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class ArchiveResult:
    """How many of the named products are archived now, and which ids named none."""

    archived: Annotated[int, Note("How many of the named products are archived now.")]
    not_found: Annotated[list[str], Note("The ids that name no product.")]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class CampaignList:
    """One page of campaigns, newest first; `total` counts all that match."""

    data: Annotated[list[CampaignRecord], Note("The records of this page, newest first.")]
    page: PageNumber
    page_size: PageSize
    total: Total
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class ChangeRecord:
    """A record that changed, as it is now; it may be told again although nothing of it changed."""

    type: Annotated[ChangeType, Note("What kind of record it is.")]
    id: Annotated[
        str,
        Note("Its id: a link's code, a balance's currency, a statement's month, a membership's campaign/affiliate."),
    ]
    changed_at: Annotated[int, Instant("The moment of its latest change.", "")]
    deleted: Annotated[bool, Note("Whether it is gone.")]
    record: Annotated[dict[str, Any] | None, Note("The record as its own endpoint prints it; null if it is gone.")]


@frozen
class ChangeList:
    """A part of the change feed."""

    data: Annotated[list[ChangeRecord], Note("The records, the earliest change first; empty at the end.")]
    cursor: Annotated[str, Note("What to give as `after` the next time. It holds for ever.")]
    more: Annotated[bool, Note("Whether there is more by now.")]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class ReplayedDeliveries:
    """What came of a replay."""

    replayed: Annotated[int, Note("How many messages are sent again.", 2)]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class RetriedDeliveries:
    """What is tried now."""

    retried: Annotated[int, Note("How many messages wait, and are tried now.", 3)]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class SampleMessage:
    """A test message that is on its way."""

    message_id: Annotated[
        str, Note("The message's id, as in the subscription's messages.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90")
    ]
    type: Annotated[MessageType, Note("Its kind.", "commission.payable")]
    warnings: Warnings = field(default=None, metadata=ABSENT)
