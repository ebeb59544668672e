"""A commission as its merchant, the operator and programs see it."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import CommissionSource, CommissionState, Mode
from hub.records.explanations import AFFILIATE
from hub.records.orders import COMMISSION, CONVERSION, MERCHANT, NOON
from hub.records.record import Note
from hub.records.scalars import Currency, Money
from hub.validation.constraints import Instant


@frozen(kw_only=True, slots=False)
class PayoutDocument:
    """A commission with its payout; `amount` and `base` are decimal text in `currency`."""

    id: Annotated[str, Note("The hub's id.", COMMISSION)]
    state: Annotated[CommissionState, Note("PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.", "HOLD")]
    amount: Annotated[Money, Note("What the affiliate earns, in `currency`.", "3.99")]
    currency: Annotated[Currency, Note("The order's currency.", "USD")]
    base: Annotated[Money, Note("The money that the commission is taken from, refunds deducted.", "49.90")]
    source: Annotated[CommissionSource, Note("The level whose rule won; MIXED if the lines differ.", "CAMPAIGN")]
    affiliate_id: Annotated[str, Note("Who earns it.", AFFILIATE)]
    conversion_id: Annotated[str, Note("The order that it is for.", CONVERSION)]
    hold_until: Annotated[int | None, Instant("When the hold ends; null if none runs.", "2026-12-04T12:00:00Z")]
    paid_at: Annotated[int | None, Instant("When it was paid; null until then.", "")]
    reference: Annotated[str | None, Note("The reference of the payment; null until it is paid.")]


@frozen(kw_only=True, slots=False)
class ListedCommission(PayoutDocument):
    """A commission in a list, with the account that owes it."""

    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    affiliate_name: Annotated[str | None, Note("The affiliate's name.", "Anna's blog")]
    mode: Annotated[Mode, Note("The mode of the account.", "test")]
    updated_at: Annotated[int, Instant("The moment of its latest change, or of its order's.", NOON)]
