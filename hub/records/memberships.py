"""An affiliate's membership in a campaign, as the network, its merchant and itself see it."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.orders.rule_kinds import RuleType
from hub.domain.words import MembershipStatus, Mode
from hub.records.explanations import AFFILIATE, CAMPAIGN
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import AffiliateTexts, leading


@frozen(kw_only=True, slots=False)
class ChangedMembership:
    """What became of an affiliate's application; without a rate of its own (`commission_type`) the campaign's counts.

    This is what the change feed tells.
    """

    campaign_id: Annotated[str, Note("The campaign.", CAMPAIGN)]
    affiliate_id: Annotated[str, Note("The affiliate.", AFFILIATE)]
    status: Annotated[MembershipStatus, Note("APPLIED, APPROVED, REJECTED or REMOVED.", "APPROVED")]
    commission_type: Annotated[RuleType | None, Note("The kind of its own rate; null: the campaign's.", "PERCENTAGE")]
    commission_value: Annotated[str | None, Note("Its own rate; null: the campaign's.", "15")]
    message: Annotated[str | None, Note("What the affiliate wrote.", "I write about shoes.")]
    reason: Annotated[str | None, Note("What the merchant gave for the status.")]
    applied_at: Annotated[int, Instant("When it applied or joined.", NOON)]
    decided_at: Annotated[int | None, Instant("When that was decided; null until then.", NOON)]


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "campaign_id", "campaign_code", "campaign_title", "merchant_id", "merchant_name", "mode", "affiliate_id",
        "affiliate_name", "affiliate_email",
    ),
)  # fmt: skip
class MembershipDocument(AffiliateTexts, ChangedMembership):
    """An affiliate's membership in a campaign; without a rate of its own (`commission_type`) the campaign's counts."""

    campaign_code: Annotated[str, Note("The campaign's code.", "SPRING")]
    campaign_title: Annotated[str, Note("The campaign's title.", "Spring sale")]
    merchant_id: Annotated[str, Note("The campaign's merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Fjord & Fern")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    affiliate_name: Annotated[str, Note("The affiliate's name.", "Anna's blog")]
    affiliate_email: Annotated[str, Note("Where mails to the affiliate go.", "anna@blog.example")]


def membership_document(row: Row) -> MembershipDocument:
    """Return the membership of a row of the list `memberships`."""
    return read_row(MembershipDocument, row, campaign_title=row["title"])
