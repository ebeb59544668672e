"""A commission as its affiliate reads it, with the order that it is for: nothing of the buyer, and of nobody else."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.orders.awaited import Awaited
from hub.domain.words import Mode, ReviewStatus
from hub.records.explanations import CAMPAIGN
from hub.records.orders import COMMISSION, CONVERSION, MERCHANT, NOON, CommissionOfOrder, ReasonedFact, VolumeOfOrder
from hub.records.record import Note
from hub.records.scalars import Currency, Money, MoneySum
from hub.validation.constraints import Instant


@frozen(kw_only=True, slots=False)
class OwnCorrection:
    """What your balance changed by for the order after the payment."""

    amount: Annotated[MoneySum, Note("What was added, or taken back, in the order's currency.", "-3.99")]
    payout_id: Annotated[str | None, Note("The run that took it along; null until then.")]
    created_at: Annotated[int, Instant("When it was booked.", NOON)]


@frozen(kw_only=True, slots=False)
class OwnOrder:
    """A commission of yours with the order that it is for, what was reported of that, and what it waits for."""

    id: Annotated[str, Note("The commission's id.", COMMISSION)]
    conversion_id: Annotated[str, Note("The order's id.", CONVERSION)]
    external_order_id: Annotated[str, Note("The merchant's order number.", "ORDER-1042")]
    order_amount: Annotated[Money, Note("What the commission is taken from, in `currency`.", "49.90")]
    currency: Annotated[Currency, Note("The order's currency.", "USD")]
    ordered_at: Annotated[int, Instant("When the buyer ordered.", NOON)]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    campaign_id: Annotated[str | None, Note("The campaign that it counts to.", CAMPAIGN)]
    review: Annotated[ReviewStatus | None, Note("ATTRIBUTED if a person gave it to you; null if your click did.")]
    awaits: Annotated[Awaited | None, Note("What it waits for; null if nothing.", "HOLD_END")]
    commission: Annotated[CommissionOfOrder, Note("What you earn, by which rule, and until when it is held.")]
    facts: Annotated[tuple[ReasonedFact, ...], Note("What was reported of the order, in the order in which it counts.")]
    corrections: Annotated[tuple[OwnCorrection, ...], Note("What changed after the payment.")]
    volume: Annotated[VolumeOfOrder | None, Note("What it counts for rates by volume; null without such rates.")]
    link_code: Annotated[str | None, Note("Your link that the buyer followed; null if it was attributed without.")]
    clicked_at: Annotated[int | None, Instant("When the buyer followed it; null without one.", NOON)]
    sub_ids: Annotated[dict[str, str], Note("Your notes on the click, sub1 to sub5.", {"sub1": "newsletter"})]
    updated_at: Annotated[int, Instant("The moment of its latest change.", NOON)]
