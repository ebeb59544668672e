"""An order as its merchant, the operator and programs see it: with its commission and what was reported of it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from attrs import field, frozen

from hub.domain.orders.attribution import Reason
from hub.domain.orders.awaited import Awaited
from hub.domain.orders.rule_kinds import TYPES_SAID, RuleType
from hub.domain.words import CommissionSource, CommissionState, Confidence, Mode, ReviewStatus, VolumeStanding
from hub.records.explanations import AFFILIATE, CAMPAIGN, CLICK, Explanation
from hub.records.record import ABSENT, Note, Sent
from hub.records.scalars import Currency, Money, SkipReason
from hub.validation.constraints import Instant

NOON: Final = "2026-11-20T12:00:00Z"
CONVERSION: Final = "cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"
COMMISSION: Final = "com_01936f3e8c7a7b3e9d5a4c2b1f0e8d83"
EVENT: Final = "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
MERCHANT: Final = "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"


@frozen(kw_only=True, slots=False)
class FactRecord:
    """Something that was reported of an order, and whether it changed the commission."""

    status: Annotated[str, Note("What was reported, such as delivered.", "confirmed")]
    at: Annotated[int, Instant("When it happened.", NOON)]
    received_at: Annotated[int, Instant("When it was received.", NOON)]
    applied: Annotated[bool, Note("Whether it changed the commission.", example=True)]
    skip_reason: Annotated[SkipReason | None, Note("Why it did not; null if it did, or if there is no commission.")]
    event_id: Annotated[str, Note("The submission that reported it.", EVENT)]


@frozen(kw_only=True, slots=False)
class ReasonedFact(FactRecord):
    """Something that was reported of an order, whether it changed the commission, and the reason given with it."""

    reason: Annotated[str | None, Note("The reason that was reported with it; null once its body is deleted.")]


@frozen(kw_only=True, slots=False)
class CommissionOfOrder:
    """The commission of an order as it is now."""

    id: Annotated[str, Note("The hub's id.", COMMISSION)]
    state: Annotated[CommissionState, Note("PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.", "HOLD")]
    amount: Annotated[Money, Note("What the affiliate earns, in `currency`.", "3.99")]
    currency: Annotated[Currency, Note("The order's currency.", "USD")]
    source: Annotated[CommissionSource, Note("The level whose rule won; MIXED if the lines differ.", "CAMPAIGN")]
    type: Annotated[RuleType | None, Note(f"{TYPES_SAID}; null if the lines differ.", "PERCENTAGE")]
    value: Annotated[str | None, Note("The rule's value; null if the lines differ.", "8")]
    base: Annotated[Money, Note("The money that the commission is taken from, refunds deducted.", "49.90")]
    hold_until: Annotated[int | None, Instant("When the hold ends; null if none runs.", "2026-12-04T12:00:00Z")]
    paid_at: Annotated[int | None, Instant("When it was paid; null until then.", "")]
    payout_reference: Annotated[str | None, Note("The reference of the payment; null until it is paid.")]


@frozen(kw_only=True, slots=False)
class VolumeOfOrder:
    """What an order counts for the rates by volume of its campaign, and what they add to its commission.

    The sum is paid with the bonus of its month, and the commission itself never changes by it.
    """

    month: Annotated[str, Note("The month in which it was placed, by the time zone of the books.", "2026-11")]
    standing: Annotated[
        VolumeStanding, Note("OPEN while its hold runs, COUNTED, or LEFT_OUT because it earns nothing.", "COUNTED")
    ]
    place: Annotated[int | None, Note("Its place among the affiliate's orders; null until its month was reckoned.", 11)]
    begins: Annotated[str | None, Note("What the tier that it reached begins at; null below the first.", "11")]
    commission_type: Annotated[RuleType | None, Note(f"{TYPES_SAID}; null without a tier.", "PERCENTAGE")]
    commission_value: Annotated[str | None, Note("The tier's rate; null without one.", "12")]
    amount: Annotated[Money, Note("What the tier adds, in the order's currency.", "1.99")]


@frozen(kw_only=True, slots=False)
class ReviewedConversion:
    """An order as it is now, with its commission and everything that was reported of it."""

    id: Annotated[str, Note("The hub's id.", CONVERSION)]
    external_order_id: Annotated[str, Note("The merchant's order number.", "ORDER-1042")]
    order_amount: Annotated[Money, Note("What the commission is taken from, in `currency`.", "49.90")]
    currency: Annotated[Currency, Note("The order's currency.", "USD")]
    confidence: Annotated[
        Confidence, Note("HIGH if a live click, or a rule of the campaign, proves whose order it is; else LOW.", "HIGH")
    ]
    reason: Annotated[Reason, Note("matched, or the first check that failed.", "matched")]
    affiliate_id: Annotated[str | None, Note("Whose order it is; null while nobody's.", AFFILIATE)]
    campaign_id: Annotated[str | None, Note("The campaign that it counts to.", CAMPAIGN)]
    candidate_id: Annotated[str | None, Note("The affiliate that a weaker signal names.")]
    click_id: Annotated[str | None, Note("The click id that was reported.", CLICK)]
    coupon_code: Annotated[str | None, Note("The coupon that was reported.")]
    review: Annotated[
        ReviewStatus | None,
        Note("OPEN while a person has to decide, ATTRIBUTED or DISMISSED afterwards; null if none was needed."),
    ]
    ordered_at: Annotated[int, Instant("When the buyer ordered.", NOON)]
    received_at: Annotated[int, Instant("When it was received.", NOON)]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    affiliate_name: Annotated[str | None, Note("The affiliate's name.", "Anna's blog")]
    mode: Annotated[Mode, Note("The mode of the account.", "test")]
    event_id: Annotated[str, Note("The submission that created it.", EVENT)]
    commission: Annotated[CommissionOfOrder | None, Note("What it earns; null if nothing.")]
    facts: Annotated[tuple[FactRecord, ...], Note("What was reported of the order, in the order in which it counts.")]


@frozen(kw_only=True, slots=False)
class ConversionRecord(ReviewedConversion):
    """An order as it is now, with its commission, its facts, and what was submitted with it."""

    facts: Annotated[tuple[ReasonedFact, ...], Note("What was reported of the order, in the order in which it counts.")]
    metadata: Annotated[
        dict[str, Any] | None, Sent(dict[str, Any]), Note("What was submitted with it.", {"channel": "web"})
    ]
    sub_ids: Annotated[dict[str, str], Note("The sub-ids of its click, sub1 to sub5.", {"sub1": "newsletter"})]
    explanation: Annotated[
        dict[str, Any] | None,
        Sent(Explanation),
        Note("What was decided when it was reported, and why; null if that is no longer known."),
    ]
    awaits: Annotated[
        Awaited | None,
        Note(
            "What it waits for: a person (REVIEW), your news of it (ORDER_STATUS), the end of its hold (HOLD_END), "
            "a last look at the order in its shop (PLATFORM), your deposit (DEPOSIT), the payout "
            "(PAYOUT); null if nothing.",
            "HOLD_END",
        ),
    ]
    volume: Annotated[
        VolumeOfOrder | None, Note("Where its campaign's rate rises by volume: what it counts for that.")
    ] = field(default=None, metadata=ABSENT)
    updated_at: Annotated[int, Instant("The moment of its latest change, whatever it was.", NOON)]
