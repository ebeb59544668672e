"""The queries of the lists that are read by cursor, and the bodies of what a merchant does to their entries."""

from __future__ import annotations

from typing import Annotated, Any, Final

from attrs import fields, frozen

from hub.domain.changes import changed_from
from hub.domain.words import COMMISSION_STATES, EVENT_STATUSES, EVENT_TYPES
from hub.operations.affiliates.link_lists import CLICKS, LINKS
from hub.operations.lists import Wanted
from hub.operations.money.payouts.payouts import COMMISSIONS
from hub.operations.orders.conversions import CONVERSIONS
from hub.operations.orders.event_lists import EVENTS
from hub.operations.orders.request_log import REQUESTS
from hub.operations.system.party_lists import EARNING
from hub.operations.webhooks.subscription_deliveries import DELIVERIES
from hub.validation import field_types as f
from hub.validation.constraints import Choice, Instant, Text, Url, Whole
from hub.validation.container_constraints import FreeObject
from hub.validation.inputs import LinkTexts, leading

CONVERSION_STATES: Final = (*COMMISSION_STATES, "IN_REVIEW", "DISMISSED")
SORTS: Final = ("-createdAt", "createdAt")
PAGING: Final = ("limit", "cursor", "sort")
"""The members of a query that are no filter."""
LONGEST_CURSOR: Final = 400
AFFILIATE: Final = "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"
CAMPAIGN: Final = "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"
MOMENT: Final = "2026-11-20T10:00:00Z"

Limit = Annotated[int, Whole(1, 200, description="Entries per page.", example=50)]


def _cursor(example: str) -> Text:
    return Text(
        LONGEST_CURSOR,
        blank_is_absent=True,
        description="The `nextCursor` of the page before, with the same filters and the same sort.",
        example=example,
    )


Cursor = Annotated[str, _cursor(CONVERSIONS.cursor(Wanted(), "older", ["cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"]))]
CommissionCursor = Annotated[
    str, _cursor(COMMISSIONS.cursor(Wanted(), "older", ["com_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"]))
]
EventCursor = Annotated[str, _cursor(EVENTS.cursor(Wanted(), "older", ["evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"]))]
RequestCursor = Annotated[
    str, _cursor(REQUESTS.cursor(Wanted(), "older", [1_795_176_000_000, "log_01936f3e8c7a7b3e9d5a4c2b1f0e8d81"]))
]
KeyCursor = Annotated[
    str, _cursor(EARNING.cursor(Wanted(oldest_first=True), "newer", ["aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"]))
]
ClickCursor = Annotated[str, _cursor(CLICKS.cursor(Wanted(), "older", ["clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"]))]
LinkCursor = Annotated[str, _cursor(LINKS.cursor(Wanted(oldest_first=True, sort="code"), "newer", ["x7Qp2mKd91Za"]))]
MessageCursor = Annotated[str, _cursor(DELIVERIES.cursor(Wanted(), "older", ["msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90"]))]
Sort = Annotated[
    str,
    Choice(SORTS, description="The newest first, or the oldest first.", example="-createdAt"),
]
CreatedFrom = Annotated[int, Instant(description="Only what was received at or after this moment.", example=MOMENT)]
CreatedTo = Annotated[int, Instant(description="Only what was received before this moment.", example=MOMENT)]
UpdatedSince = Annotated[int, Instant(description="Only what changed at or after this moment.", example=MOMENT)]
AffiliateFilter = Annotated[
    str,
    Text(64, blank_is_absent=True, description="Only of this affiliate.", example=AFFILIATE),
]
CampaignFilter = Annotated[
    str,
    Text(64, blank_is_absent=True, description="Only of this campaign.", example=CAMPAIGN),
]
LinkFilter = Annotated[str, Text(64, blank_is_absent=True, description="Only of this link.", example="x7Qp2mKd91Za")]
OrderFilter = Annotated[
    str, Text(160, blank_is_absent=True, description="Only of this order of yours.", example="ORDER-1042")
]
CommissionState = Annotated[
    str, Choice(COMMISSION_STATES, description="Only commissions in this state.", example="HOLD")
]
ConversionState = Annotated[
    str,
    Choice(
        CONVERSION_STATES,
        description="Only orders whose commission is in this state, that wait for a review, or were dismissed.",
        example="HOLD",
    ),
]
EventStatus = Annotated[str, Choice(EVENT_STATUSES, description="Only events in this status.", example="FAILED")]
EventType = Annotated[str, Choice(EVENT_TYPES, description="Only submissions of this type.", example="webhook")]
EventKind = Annotated[
    str, Text(60, blank_is_absent=True, description="Only webhooks of this kind.", example="order-created")
]
ErrorCode = Annotated[
    str, Text(60, blank_is_absent=True, description="Only refusals with this code.", example="validation_failed")
]
HttpStatus = Annotated[int, Whole(100, 599, description="Only answers with this status.", example=400)]
AffiliateId = Annotated[str, Text(64, min=1, description="The affiliate's id.", example=AFFILIATE)]
CampaignId = Annotated[str, Text(64, min=1, description="The campaign's id.", example=CAMPAIGN)]
Destination = Annotated[
    str,
    Url(
        description="Where the link leads: a page on one of your approved domains. Without it, the product's page.",
        example="https://shop.example/p/1",
    ),
]
SubIds = Annotated[
    dict[str, Any],
    FreeObject(2_048, description="`sub1` to `sub5`: notes of at most 64 characters each.", example={"sub1": "blog"}),
]


@frozen(kw_only=True, slots=False)
class PageQuery:
    """The query of a list without filters."""

    limit: Limit = 50
    cursor: Cursor | None = None
    sort: Sort = "-createdAt"


@frozen(kw_only=True, slots=False)
class ConversionQuery(PageQuery):
    """The query of GET /v1/conversions."""

    external_order_id: OrderFilter | None = None
    status: ConversionState | None = None
    affiliate_id: AffiliateFilter | None = None
    campaign_id: CampaignFilter | None = None
    created_from: CreatedFrom | None = None
    created_to: CreatedTo | None = None
    updated_since: UpdatedSince | None = None


@frozen(kw_only=True, slots=False)
class CommissionQuery:
    """The query of GET /v1/commissions."""

    limit: Limit = 50
    cursor: CommissionCursor | None = None
    sort: Sort = "-createdAt"
    status: CommissionState | None = None
    affiliate_id: AffiliateFilter | None = None
    campaign_id: CampaignFilter | None = None
    created_from: CreatedFrom | None = None
    created_to: CreatedTo | None = None
    updated_since: UpdatedSince | None = None


@frozen(kw_only=True, slots=False)
class EventQuery:
    """The query of GET /v1/events."""

    limit: Limit = 50
    cursor: EventCursor | None = None
    sort: Sort = "-createdAt"
    status: EventStatus | None = None
    type: EventType | None = None
    kind: EventKind | None = None
    external_order_id: OrderFilter | None = None
    created_from: CreatedFrom | None = None
    created_to: CreatedTo | None = None
    updated_since: UpdatedSince | None = None


@frozen(kw_only=True, slots=False)
class RequestQuery:
    """The query of GET /v1/request-log."""

    limit: Limit = 50
    cursor: RequestCursor | None = None
    sort: Sort = "-createdAt"
    error_code: ErrorCode | None = None
    status: HttpStatus | None = None
    created_from: CreatedFrom | None = None
    created_to: CreatedTo | None = None


@frozen(kw_only=True, slots=False)
class LinkQuery:
    """The query of GET /v1/links, which is in the order of the links' codes."""

    limit: Limit = 50
    cursor: LinkCursor | None = None
    affiliate_id: AffiliateFilter | None = None
    campaign_id: CampaignFilter | None = None
    updated_since: UpdatedSince | None = None


@frozen(kw_only=True, slots=False)
class ClickQuery:
    """The query of GET /v1/clicks."""

    limit: Limit = 50
    cursor: ClickCursor | None = None
    sort: Sort = "-createdAt"
    link_code: LinkFilter | None = None
    affiliate_id: AffiliateFilter | None = None
    campaign_id: CampaignFilter | None = None
    created_from: CreatedFrom | None = None
    created_to: CreatedTo | None = None


@frozen(kw_only=True, slots=False)
class AffiliateQuery:
    """The query of GET /v1/affiliates, which is in the order of their ids."""

    limit: Limit = 50
    cursor: KeyCursor | None = None


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading("affiliate_id", "campaign_id", "external_product_id", "destination", "sub_ids"),
)
class LinkInput(LinkTexts):
    """The body of POST /v1/links."""

    affiliate_id: AffiliateId
    campaign_id: CampaignId | None = None
    external_product_id: f.ExternalProductId | None = None
    destination: Destination | None = None
    sub_ids: SubIds | None = None


@frozen(kw_only=True, slots=False)
class AttributionInput:
    """The body of POST /v1/conversions/{id}/attribute."""

    affiliate_id: AffiliateId
    campaign_id: CampaignId | None = None


def wanted_of(query: Any, **renamed: str) -> Wanted:
    """Return the part of a list that a query asks for; a list without `sort` begins with its lowest key.

    A filter of another name than its member is given as `member="filter"`. `updatedSince` becomes the number of a
    change.
    """
    given = {each.name: getattr(query, each.name) for each in fields(type(query)) if each.name not in PAGING}
    oldest_first = getattr(query, "sort", "createdAt") == "createdAt"
    if given.get("updated_since") is not None:
        given["updated_since"] = changed_from(given["updated_since"])
    asked = {renamed.get(name, name): value for name, value in given.items()}
    return Wanted(asked, query.limit, query.cursor, oldest_first)
