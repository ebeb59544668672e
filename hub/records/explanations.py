"""Why an order is whose it is, and what it earns: the JSON that the worker left, as it was decided."""

from __future__ import annotations

from typing import Annotated, Any

from attrs import field, frozen

from hub.domain.orders.attribution import Reason
from hub.domain.orders.rule_kinds import TYPES_SAID, RuleType
from hub.domain.orders.terms import LevelOutcome
from hub.domain.words import CommissionSource, CommissionState, Confidence, RuleSource
from hub.records.record import ABSENT, Note, Sent
from hub.records.scalars import Currency, Money, SkipExplanation

CLICK = "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
AFFILIATE = "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"
CAMPAIGN = "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"
REASONS = (
    "matched, or the first check that failed: click_missing, click_malformed, click_unknown, "
    "click_after_order, click_outside_window, campaign_not_live, affiliate_inactive. Only a campaign with a "
    "policy of its own has: coupon_owner (of older orders coupon_matched), coupon_excluded, sub_affiliate_excluded, "
    "customer_not_new, customer_unknown, renewal_matched, renewal_excluded, renewals_used_up, customer_matched."
)


@frozen
class CommissionLine:
    """A part of the order and the rule that pays for it; the rest of the order is a line without a product."""

    external_product_id: Annotated[str | None, Note("The product; null for the rest of the order.")]
    source: Annotated[RuleSource, Note("The level whose rule pays for the line.")]
    type: Annotated[RuleType, Note("How the rule reckons.")]
    value: Annotated[str, Note("The rule's value.")]
    base: Annotated[str, Note("The line's money.")]
    quantity: Annotated[int, Note("How many were bought.")]
    amount: Annotated[str, Note("What the line earns.")]


@frozen
class CommissionLevel:
    """A rule that was tried; its type and value are told where there was one, the product where it was for one."""

    level: Annotated[RuleSource, Note("The level that was tried.")]
    outcome: Annotated[LevelOutcome, Note("won, or why not: no_product, no_rule, currency_differs.")]
    external_product_id: Annotated[str | None, Note("The product that it was tried for.")] = field(
        default=None, metadata=ABSENT
    )
    type: Annotated[RuleType | None, Note("How the rule reckons.")] = field(default=None, metadata=ABSENT)
    value: Annotated[str | None, Note("The rule's value.")] = field(default=None, metadata=ABSENT)


@frozen
class AttributionExplained:
    """Whose order it is and why (`reason` is "matched" or what was missing)."""

    confidence: Annotated[
        Confidence,
        Note("HIGH where a live click proves the order; LOW orders wait for review and earn nothing before.", "HIGH"),
    ]
    reason: Annotated[Reason, Note(REASONS, "matched")]
    click_id: Annotated[str | None, Note("The click id that the order named.", CLICK)]
    affiliate_id: Annotated[str | None, Note("Whose click it was.", AFFILIATE)]
    campaign_id: Annotated[str | None, Note("The campaign of the click's link.", CAMPAIGN)]
    click_age_seconds: Annotated[int | None, Note("How old the click was at the time of the order.", 5_400)]
    window_seconds: Annotated[int | None, Note("How old it may have been.", 2_592_000)]
    policy: Annotated[
        dict[str, Any] | None,
        Note("The campaign's policy if it has one of its own: `rule`, `decidedBy` and a `sentence`."),
    ] = field(default=None, metadata=ABSENT)
    customer: Annotated[
        dict[str, Any] | None,
        Note("The earlier order of the same customer that decided: `externalOrderId` and `orderedAt`."),
    ] = field(default=None, metadata=ABSENT)


@frozen
class CommissionExplained:
    """The commission as it stood when the event was processed; `levels` holds each rule tried and why it lost."""

    state: Annotated[CommissionState, Note("PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.")]
    amount: Annotated[Money, Note("What the affiliate earns, in `currency`.")]
    currency: Annotated[Currency, Note("The order's currency.")]
    source: Annotated[CommissionSource, Note("The level whose rule won; MIXED where the lines differ.")]
    type: Annotated[RuleType | None, Note(f"{TYPES_SAID}; null where the lines differ.")]
    value: Annotated[str | None, Note("The rule's value; null where the lines differ.")]
    base: Annotated[Money, Note("The money that the commission is taken from.")]
    hold_until: Annotated[str | None, Note("When the hold ends; null where none runs.", format="date-time")]
    lines: Annotated[
        list[dict[str, Any]],
        Sent(list[CommissionLine]),
        Note("The order's parts, each with the rule that pays for it."),
    ]
    levels: Annotated[
        list[dict[str, Any]], Sent(list[CommissionLevel]), Note("Every rule that was tried, and why it lost.")
    ]


@frozen
class Explanation:
    """What was decided about an event; the first three members are null until it is processed."""

    attribution: Annotated[
        AttributionExplained | None, Note("Whose order it is; null for news of an order or a product.")
    ]
    commission: Annotated[CommissionExplained | None, Note("The order's commission; null where it earns none.")]
    skip_reason: Annotated[
        SkipExplanation | None,
        Note(
            "Why the event changed nothing: commission_paid, not_allowed_from_<state>, already_known, stale, "
            "unknown_order, unknown_product, unmappable: ..., internal: ...; null where it was applied."
        ),
    ]
    adjustment_id: Annotated[
        str | None, Note("The correction of the affiliate's next payout, if the commission was paid already.")
    ] = field(default=None, metadata=ABSENT)
    restated: Annotated[dict[str, Any] | None, Note("What a newer snapshot of the platform's order changed.")] = field(
        default=None, metadata=ABSENT
    )
    amount_differs: Annotated[
        dict[str, Any] | None, Note("The amount that is kept and the one of a later report of the same order.")
    ] = field(default=None, metadata=ABSENT)
    erasure: Annotated[
        dict[str, Any] | None,
        Note("What a privacy request of the platform found or erased, or until when it waits."),
    ] = field(default=None, metadata=ABSENT)
