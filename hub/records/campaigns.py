"""A campaign, as everybody who may see it sees it: its merchant, the operator and, with what it pays, affiliates."""

from __future__ import annotations

import json
from typing import Annotated, Final

from attrs import field, frozen

from hub.domain.orders.campaigns import effective_status
from hub.domain.orders.rule_kinds import TYPES_SAID, RuleType
from hub.domain.words import ApprovalStatus, CampaignStatus, Joining, MembershipStatus, Mode, RuleSource
from hub.records.record import ABSENT, Note, Pick, Warnings
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation import field_types as f
from hub.validation.constraints import Instant
from hub.validation.inputs import CampaignFields, leading

ID: Final = "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"
HEAD: Final = ("id", "campaign_code", "title")


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class CampaignMembers(CampaignFields):
    """What every surface shows of a campaign; `status` is the effective one: EXPIRED once `end_date` has passed."""

    id: Annotated[str, Note("The hub's id.", ID)]
    campaign_code: Annotated[str, Note("A short code for people.", "CMP-7QK2M4XA")]
    title: f.CampaignTitle
    approval_required: f.ApprovalRequired
    status: Annotated[CampaignStatus, Note("The effective status: EXPIRED once endDate has passed.", "DRAFT")]
    approval_status: Annotated[
        ApprovalStatus,
        Note("Where an admin's approval stands; NOT_REQUIRED where none is asked for.", "NOT_REQUIRED"),
    ]
    created_at: Annotated[int, Instant("When it was created.", "2026-11-20T12:00:00Z")]
    updated_at: Annotated[int, Instant("When it last changed.", "2026-11-20T12:00:00Z")]


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class CampaignRecord(CampaignMembers):
    """A campaign as stored; `status` is the effective one: EXPIRED once `end_date` has passed."""

    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class CampaignDetails(CampaignMembers):
    """A campaign with what its merchant and the operator settle beside the API, and whose it is."""

    allowed_traffic_sources: f.TrafficSources
    """Empty if nothing was said of it."""
    hold_ms: Annotated[int | None, Note("How long its commissions are held, in milliseconds; null: as the merchant's.")]
    listed: Annotated[bool, Note("Whether it may stand in the public listing.", example=True)]
    joining: Annotated[Joining, Note("Whether affiliates join at once or by the merchant's approval.", "OPEN")]
    merchant_id: Annotated[str, Note("Whose it is.")]
    merchant_name: Annotated[str, Note("The merchant's name.")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]


@frozen
class Example:
    """What an order of a round sum pays; decimal text."""

    order: str
    pays: str


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class Offer(CampaignDetails):
    """A campaign with what it pays.

    The rule is what counts for products without one of their own, and `level` where it comes from.
    """

    hold_ms: Annotated[int, Note("How long commissions are held, in milliseconds.")]
    domains: Annotated[tuple[str, ...], Note("The shop's domains.", ("shop.example",))]
    currency: Annotated[str, Note("The merchant's currency, that of a FIXED rule.", "EUR")]
    commission_type: Annotated[RuleType, Note(f"{TYPES_SAID}.", "PERCENTAGE")]
    commission_value: Annotated[str, Note("Percent of the order, or money in the merchant's currency.", "8")]
    window_ms: Annotated[int, Note("How long after a click an order counts, in milliseconds.")]
    by_approval: Annotated[bool, Note("Whether the merchant approves each affiliate.", example=True)]
    who_earns: Annotated[str, Note("The attribution policy in a sentence.")]
    membership: Annotated[MembershipStatus | None, Note("Your membership; null if you take no part.")] = None
    reason: Annotated[str | None, Note("What the merchant gave as the reason of your membership's status.")] = None
    level: RuleSource
    example: Example
    has_own_rate: bool


CAMPAIGN_CREATED: Final = Pick(
    CampaignRecord,
    "CampaignCreated",
    "The answer to a new campaign: a draft, whose links earn once it is activated.",
    only=(*HEAD, "status", "warnings"),
)
LISTED_CAMPAIGN: Final = Pick(
    CampaignDetails,
    "ListedCampaign",
    "A campaign in a list; `status` is the one in effect.",
    only=(*HEAD, "status", "approval_status", "listed", "joining", "merchant_id", "merchant_name", "mode"),
    renamed={"campaign_code": "code"},
)


def campaign_details(row: Row, now: int) -> CampaignDetails:
    """Return the campaign of a row that has its columns, `mode`, `merchant_id` and `merchant_name`; `now` is ms UTC."""
    sources = json.loads(row["allowed_traffic_sources"] or "[]")
    return read_row(
        CampaignDetails,
        row,
        id=row["campaign_id"],
        start_date=row["start_at"],
        end_date=row["end_at"],
        status=effective_status(row["status"], row["end_at"], now),
        allowed_traffic_sources=tuple(sources),
    )
